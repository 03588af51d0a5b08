#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/frame_measures.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/sweep_plan.hpp>

namespace electret {
namespace {

/// A path of the job, as seen from the working directory.
std::string within_job_folder(const SweepJob& job, const std::string& path) {
  if (job.folder.empty() || job.folder == "." || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(job.folder) / path).string();
}

/// Removals first, then settings, as for --unset and --set.
std::vector<std::string> common_overrides(const SweepJob& job) {
  std::vector<std::string> overrides;
  for (const std::string& key : job.sweep.unset) overrides.push_back("--unset " + key);
  overrides.insert(overrides.end(), job.sweep.set.begin(), job.sweep.set.end());
  return overrides;
}

/// The path without the scene's folder, so that a sweep may go on from another working directory.
std::string within_scene_folder(const SweepPlan& plan, const std::string& path) {
  const std::string start = plan.scene_folder + "/";
  return path.starts_with(start) ? path.substr(start.size()) : path;
}

/// The most combinations that are all checked.
constexpr Count most_checked = 1000;

class SweepPlanner {
 public:
  SweepPlanner(SweepPlan& plan, Report& report) : plan_(plan), job_(plan.job), report_(report) {}

  void plan() {
    plan_.design = make_design(job_, report_);
    quantities();
    for (const char* key : {"sweep.scene", "sweep.set", "sweep.unset"})
      if (report_.is_bad(key)) return;
    if (report_.is_bad_itself("sweep") || report_.is_bad_itself("")) return;
    if (!read_scene_text() || plan_.design.runs() == 0) return;
    check_runs();
    if (report_.empty()) check_first_run();
  }

 private:
  void fault(const std::string& key, std::string wrong, std::string allowed) {
    report_.add(job_.source, key, std::move(wrong), std::move(allowed));
  }

  static constexpr std::array reserved_names{"run",      "status",    "steps",      "loss",
                                             "gradient", "positions", "velocities", "values"};

  [[nodiscard]] bool is_quantity_name(const std::string& name) const {
    constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    constexpr std::size_t longest = 60;
    const auto& keys = plan_.design.keys();
    return !name.empty() && name.size() <= longest && name.find_first_not_of(allowed) == std::string::npos &&
           std::find(reserved_names.begin(), reserved_names.end(), name) == reserved_names.end() &&
           std::find(keys.begin(), keys.end(), name) == keys.end();
  }

  void quantities() {
    for (const auto& [name, text] : job_.keep.quantities) {
      const std::string key = "keep.quantities." + name;
      if (!is_quantity_name(name))
        fault(key, "a quantity cannot be called " + in_quotes(name),
              "allowed: up to 60 letters, digits, _ and -, and none of " + joined(reserved_names));
      if (!parse_quantity(name, text))
        fault(key, in_quotes(text) + " is no quantity",
              "allowed: \"WHAT of COLUMN\" with WHAT one of " + written_reductions());
    }
    plan_.quantities = kept_quantities(job_.keep);
    if (!job_.keep.gradient.empty() && job_.keep.loss.empty())
      fault("keep.gradient", "\"gradient\" without \"loss\"", "give the loss that is differentiated");
    if (job_.keep.velocities && job_.keep.frames == 0)
      fault("keep.velocities", "\"velocities\" without \"frames\"", "give the number of times");
  }

  bool read_scene_text() {
    plan_.scene_file = within_job_folder(job_, job_.sweep.scene);
    const std::string folder = std::filesystem::path(plan_.scene_file).parent_path().string();
    plan_.scene_folder = folder.empty() ? "." : folder;
    try {
      plan_.scene_text = read_whole_file(plan_.scene_file);
      return true;
    } catch (const InputError& error) {
      fault("sweep.scene", "scene " + in_quotes(job_.sweep.scene) + ": " + error.findings()[0].message,
            error.findings()[0].allowed);
      return false;
    }
  }

  /// Every combination of listed values while these are few. Else each value once; and sampled keys at both
  /// ends of their ranges.
  void check_runs() {
    const SweepDesign& design = plan_.design;
    std::set<Count> runs;
    const Count first_samples = samples_per_point();
    if (first_samples <= most_checked)
      for (Count run = 0; run < first_samples; ++run) runs.insert(run);
    else
      add_runs_of_each_value(first_samples, runs);
    for (const Count run : runs) check_scene(design.overrides(run), run);
    for (std::size_t k = 0; k < job_.vary.size(); ++k) check_ends(k);
  }

  /// The number of combinations of the listed keys, which are the first runs; of a table, all runs.
  [[nodiscard]] Count samples_per_point() const {
    return plan_.design.runs() / std::max<Count>(job_.sweep.samples, 1);
  }

  void add_runs_of_each_value(Count among, std::set<Count>& runs) const {
    for (std::size_t k = 0; k < plan_.design.keys().size(); ++k) {
      std::set<std::string> seen;
      for (Count run = 0; run < among && seen.size() < static_cast<std::size_t>(most_checked); ++run)
        if (seen.insert(plan_.design.value(run, k)).second) runs.insert(run);
    }
  }

  void check_ends(std::size_t k) {
    const VaryTable& vary = job_.vary[k];
    if (vary.range.size() != 2 || vary.points > 0) return;
    for (const double end : vary.range) {
      std::vector<std::string> overrides = plan_.design.overrides(0);
      for (const std::string& key : vary.key.empty() ? vary.keys : std::vector<std::string>{vary.key})
        overrides.push_back(key + "=" + decimal_text(end));
      check_scene(overrides, -1);
    }
  }

  /// Reads the run's scene, but no meshes. A finding about a value of the design is placed at the job's key.
  void check_scene(const std::vector<std::string>& own, Count run) {
    std::vector<std::string> overrides = common_overrides(job_);
    overrides.insert(overrides.end(), own.begin(), own.end());
    try {
      (void)parse_scene(plan_.scene_text, plan_.scene_file, plan_.scene_folder, overrides);
    } catch (const InputError& error) {
      for (const Finding& finding : error.findings()) add(finding, run);
    }
  }

  void add(const Finding& finding, Count run) {
    const std::string at = run < 0 ? "at the end of its range: " : fmt::format("run {}: ", run);
    const std::string where = job_key_of(finding.where.file);
    const std::string text = (where.empty() ? to_string(finding.where) + ": " : "") + finding.message;
    if (!said_.insert(text + where).second) return;  // One mistake in many runs is one finding.
    if (where.empty() && finding.where.file == plan_.scene_file)
      report_.add_at(finding.where, "sweep.scene", finding.message, finding.allowed);
    else
      fault(where.empty() ? "sweep" : where, at + text, finding.allowed);
  }

  /// The job's key of what the scene's reader calls "--set KEY"; empty if it is none.
  [[nodiscard]] std::string job_key_of(const std::string& place) const {
    constexpr std::string_view set = "--set ";
    if (!place.starts_with(set)) return place.starts_with("--unset ") ? "sweep.unset" : "";
    const std::string key = place.substr(set.size());
    for (std::size_t k = 0; k < job_.vary.size(); ++k) {
      const VaryTable& vary = job_.vary[k];
      if (vary.key == key) return fmt::format("vary.{}.key", k);
      if (std::find(vary.keys.begin(), vary.keys.end(), key) != vary.keys.end())
        return fmt::format("vary.{}.keys", k);
    }
    const auto& keys = plan_.design.keys();
    return std::find(keys.begin(), keys.end(), key) != keys.end() ? "sweep.table" : "sweep.set";
  }

  /// Reads the files of run 0, and of the first run of each listed text, which may name another file.
  void check_first_run() {
    try {
      const Assembly assembly = recorded(plan_.design.overrides(0));
      plan_.vertices = static_cast<Count>(assembly.rest_positions.size());
      check_kept(assembly);
    } catch (const InputError& error) {
      for (const Finding& finding : error.findings()) add(finding, 0);
    }
    for (std::size_t k = 0; k < plan_.design.keys().size(); ++k) {
      std::set<std::string> seen{plan_.design.value(0, k)};
      for (Count run = 0; run < samples_per_point(); ++run) {
        if (plan_.design.number(run, k) || !seen.insert(plan_.design.value(run, k)).second) continue;
        try {
          (void)recorded(plan_.design.overrides(run));
        } catch (const InputError& error) {
          for (const Finding& finding : error.findings()) add(finding, run);
        }
      }
    }
  }

  Assembly recorded(const std::vector<std::string>& own) {
    std::vector<std::string> overrides = common_overrides(job_);
    overrides.insert(overrides.end(), own.begin(), own.end());
    return load_scene_text(plan_.scene_text, plan_.scene_file, plan_.scene_folder, overrides,
                           [this](const std::string& path) {
                             std::string bytes = read_regular_file(path);
                             plan_.files[within_scene_folder(plan_, path)] = bytes;
                             return bytes;
                           });
  }

  void check_kept(const Assembly& assembly) {
    for (const std::string& name : job_.keep.gradient) {
      try {
        plan_.gradient_size += find_parameter(assembly, name).size();
      } catch (const InputError& error) {
        fault("keep.gradient", error.findings()[0].message, error.findings()[0].allowed);
      }
    }
    if (!job_.keep.loss.empty()) {
      try {
        (void)parse_loss(job_.keep.loss, assembly, place_of(job_.source, "keep.loss"), job_.folder);
        const std::string file = loss_file(job_);
        if (!file.empty()) plan_.files["loss " + job_.keep.loss] = read_whole_file(file);
      } catch (const InputError& error) {
        report_.add_all(error.findings(), "keep.loss");
      }
    }
    const Count steps = assembly.scene.time.steps;
    if (job_.keep.frames > steps)
      fault("keep.frames", fmt::format("{} frames of {}", job_.keep.frames, counted(steps, "step", "steps")),
            "at most one frame for each step");
    const std::vector<std::string> columns = measured_columns(*compile(assembly, 1));
    for (const Quantity& quantity : plan_.quantities)
      if (std::find(columns.begin(), columns.end(), quantity.column) == columns.end())
        fault("keep.quantities." + quantity.name, "there is no column " + in_quotes(quantity.column),
              suggestion(quantity.column, columns));
  }

  SweepPlan& plan_;
  SweepJob& job_;
  Report& report_;
  std::set<std::string> said_;
};

}  // namespace

std::vector<Fingerprint> SweepPlan::identity() const {
  Identity identity;
  identity.part("the scene").add(scene_text);
  for (const std::string& text : common_overrides(job)) identity.part("set and unset").add(text);
  for (const auto& [path, bytes] : files) identity.part("the file " + path).add(bytes);
  Hash& kept = identity.part("[keep]");
  for (const Quantity& quantity : quantities)
    kept.add(quantity.name).add(static_cast<int>(quantity.reduction)).add(quantity.column);
  kept.add(job.keep.loss).add(job.keep.gradient).add(job.keep.frames).add(job.keep.velocities ? 1 : 0);
  kept.add(job.keep.precision);
  return identity.fingerprints();
}

std::string SweepPlan::common_hash() const {
  Hash hash;
  for (const Fingerprint& each : identity())
    if (!each.part.starts_with("the file ")) hash.add(each.part).add(each.value);
  return hash.text();
}

double SweepPlan::values_hash(Count run) const {
  Hash hash;
  for (const std::string& text : design.overrides(run)) hash.add(text);
  constexpr std::size_t digits = 13;  // 52 bits.
  return static_cast<double>(std::stoull(hash.text().substr(0, digits), nullptr, 16));
}

std::vector<ResultColumn> SweepPlan::columns() const {
  using Kind = ResultColumn::Kind;
  std::vector<ResultColumn> columns{{"status", {}, Kind::whole},
                                    {"steps", {}, Kind::whole},
                                    {"wall", {}, Kind::number},
                                    {"cpu", {}, Kind::number}};
  if (!quantities.empty()) columns.push_back({"quantities", {quantities.size()}, Kind::number});
  if (!job.keep.loss.empty()) columns.push_back({"loss", {}, Kind::number});
  if (gradient_size > 0) columns.push_back({"gradient", {gradient_size}, Kind::number});
  const Kind stored = job.keep.precision == "double" ? Kind::number : Kind::single;
  const std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(job.keep.frames),
                                         static_cast<std::uint64_t>(vertices), 3};
  if (job.keep.frames > 0) columns.push_back({"positions", shape, stored});
  if (job.keep.frames > 0 && job.keep.velocities) columns.push_back({"velocities", shape, stored});
  columns.push_back({"values", {}, Kind::whole});
  return columns;
}

std::string loss_file(const SweepJob& job) {
  const std::size_t colon = job.keep.loss.find(':');
  if (colon == std::string::npos) return {};
  const std::string path = within_job_folder(job, job.keep.loss.substr(colon + 1));
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path : std::string();
}

std::vector<Quantity> kept_quantities(const KeepTable& keep) {
  if (keep.quantities.empty() && keep.loss.empty()) return usual_quantities();
  std::vector<Quantity> quantities;
  for (const auto& [name, text] : keep.quantities)
    if (auto quantity = parse_quantity(name, text)) quantities.push_back(*quantity);
  return quantities;
}

SweepPlan plan_sweep(const std::string& job_file) {
  SweepPlan plan;
  plan.job_file = job_file;
  Report report;
  plan.job = read_sweep_job(job_file, report);
  SweepPlanner(plan, report).plan();
  report.throw_if_any(job_file);
  return plan;
}

Assembly scene_of_run(const SweepPlan& plan, const std::vector<std::string>& overrides, MeshStore& store) {
  std::vector<std::string> all = common_overrides(plan.job);
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_scene_text(
      plan.scene_text, plan.scene_file, plan.scene_folder, all,
      [&plan](const std::string& path) {
        const auto found = plan.files.find(within_scene_folder(plan, path));
        return found != plan.files.end() ? found->second : read_regular_file(path);
      },
      store);
}

std::vector<std::string> run_arguments(const SweepPlan& plan, const std::vector<std::string>& overrides) {
  std::vector<std::string> words{plan.scene_file};
  for (const std::string& key : plan.job.sweep.unset) words.insert(words.end(), {"--unset", key});
  for (const auto& texts : {plan.job.sweep.set, overrides})
    for (const std::string& text : texts) words.insert(words.end(), {"--set", text});
  return words;
}

}  // namespace electret
