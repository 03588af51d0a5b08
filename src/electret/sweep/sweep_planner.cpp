#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/frame_measures.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/fit_checks.hpp>

namespace electret {
namespace {

/// The most combinations that are all checked.
constexpr Count most_checked = 1000;

class SweepPlanner {
 public:
  SweepPlanner(SweepPlan& plan, Report& report, bool may_be_empty)
      : plan_(plan),
        job_(plan.job),
        report_(report),
        may_be_empty_(may_be_empty),
        findings_(plan, report),
        fits_(plan, findings_) {}

  void plan() {
    if (!job_.source.contains("")) return;  // It is no TOML, which has been told.
    plan_.design = make_design(job_, report_, may_be_empty_);
    const bool has_fit = !job_.sweep.fit.empty();
    if (has_fit)
      fits_.check_job();
    else
      quantities();
    for (const char* key : {"sweep.scene", "sweep.fit", "sweep.set", "sweep.unset"})
      if (report_.is_bad(key)) return;
    if (report_.is_bad_itself("sweep") || report_.is_bad_itself("")) return;
    if (has_fit && !fits_.read()) return;
    const bool has_scene = read_scene_text();
    const bool is_empty = may_be_empty_ && job_.vary.empty() && job_.sweep.table.empty();
    if (plan_.design.runs() == 0 && !is_empty) return check_kept_alone(has_scene);
    const bool is_sound = report_.empty();
    check_runs(has_scene);
    if (has_fit)
      check_first_fit(has_scene);
    else if (is_sound && report_.empty())
      check_first_run();
    else
      check_kept_alone(has_scene);
  }

 private:
  void fault(const std::string& key, std::string wrong, std::string allowed) {
    findings_.fault(key, std::move(wrong), std::move(allowed));
  }

  void quantities() {
    for (const auto& [name, text] : job_.keep.quantities) {
      const std::string key = "keep.quantities." + name;
      if (!is_result_name(name, plan_.design.keys()))
        fault(key, "a quantity cannot be called " + in_quotes(name), "allowed: " + allowed_result_names());
      if (!parse_quantity(name, text))
        fault(key, in_quotes(text) + " is no quantity",
              "allowed: \"WHAT of COLUMN\" with WHAT one of " + written_reductions());
    }
    plan_.quantities = kept_quantities(job_);
    if (!job_.keep.gradient.empty() && job_.keep.loss.empty())
      fault("keep.gradient", "\"gradient\" without \"loss\"", "give the loss that is differentiated");
    if (job_.keep.velocities && job_.keep.frames == 0)
      fault("keep.velocities", "\"velocities\" without \"frames\"", "give the number of times");
  }

  bool read_scene_text() {
    const std::filesystem::path own(job_.sweep.scene);
    plan_.scene_file = plan_.fit ? scene_file_of(plan_.fit->job)
                       : job_.folder.empty() || job_.folder == "." || own.is_absolute()
                           ? job_.sweep.scene
                           : (job_.folder / own).string();
    const std::string folder = std::filesystem::path(plan_.scene_file).parent_path().string();
    plan_.scene_folder = folder.empty() ? "." : folder;
    try {
      plan_.scene_text = read_whole_file(plan_.scene_file);
      return true;
    } catch (const InputError& error) {
      if (plan_.fit) return false;  // What is wrong in the fitting job is told with the rest of it.
      fault("sweep.scene", "scene " + in_quotes(job_.sweep.scene) + ": " + error.findings()[0].message,
            error.findings()[0].allowed);
      return false;
    }
  }

  /// Every combination of listed values while these are few. Else each value once; and sampled keys at both
  /// ends of their ranges.
  void check_runs(bool has_scene) {
    const SweepDesign& design = plan_.design;
    std::set<Count> runs;
    const Count first_samples = samples_per_point();
    if (first_samples <= most_checked)
      for (Count run = 0; run < first_samples; ++run) runs.insert(run);
    else
      add_runs_of_each_value(first_samples, runs);
    if (runs.empty()) check_run({}, 0, has_scene);
    for (const Count run : runs) check_run(design.overrides(run), run, has_scene);
    for (std::size_t k = 0; k < job_.vary.size(); ++k) check_ends(k, has_scene);
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

  void check_ends(std::size_t k, bool has_scene) {
    const VaryTable& vary = job_.vary[k];
    if (vary.range.size() != 2 || vary.points > 0) return;
    for (const double end : vary.range) {
      std::vector<std::string> overrides = plan_.design.overrides(0);
      for (const std::string& key : vary.key.empty() ? vary.keys : std::vector<std::string>{vary.key})
        overrides.push_back(key + "=" + decimal_text(end));
      check_run(overrides, -1, has_scene);
    }
  }

  /// Reads the run's scene, but no meshes. A finding about a value of the design is placed at the job's key.
  void check_run(const std::vector<std::string>& own, Count run, bool has_scene) {
    if (plan_.fit) fits_.check_starts(own, run);
    if (!has_scene) return;
    std::vector<std::string> overrides = plan_.scene_overrides(own);
    if (plan_.fit && checked_.contains(overrides)) return;  // Only starts differ.
    try {
      (void)parse_scene(plan_.scene_text, plan_.scene_file, plan_.scene_folder, overrides);
    } catch (const InputError& error) {
      findings_.add(error, run);
    }
    if (plan_.fit) checked_.insert(std::move(overrides));
  }

  /// Reads the files of run 0, and of the first run of each listed text, which may name another file.
  void check_first_run() {
    try {
      const Assembly assembly = recorded(plan_.scene_overrides(plan_.first_overrides()));
      plan_.vertices = static_cast<Count>(assembly.rest_positions.size());
      check_kept(assembly);
    } catch (const InputError& error) {
      findings_.add(error, 0);
    }
    check_files();
  }

  /// What is kept, where something else is wrong: so that all is told at once. It is held against the first
  /// run's scene, or if that one is wrong, against the scene as it stands.
  void check_kept_alone(bool has_scene) {
    if (!has_scene || plan_.fit) return;
    std::vector<std::vector<std::string>> scenes{{}};
    if (plan_.design.runs() > 0) scenes.insert(scenes.begin(), plan_.design.overrides(0));
    for (const auto& own : scenes) {
      std::optional<Assembly> assembly;
      try {
        assembly = recorded(plan_.scene_overrides(own));
        return check_kept(*assembly);
      } catch (const InputError&) {  // Told before, or mended by what varies.
        if (assembly) return;
      }
    }
  }

  /// Run 0 and files of a sweep of fits. The fit reads what `check_runs` has read, too, so that one mistake
  /// would be told twice if that were not clean.
  void check_first_fit(bool has_scene) {
    fits_.check_fit([this, has_scene](const std::vector<std::string>& overrides) {
      return has_scene ? recorded(overrides) : load_scene(plan_.scene_file, overrides);
    });
    if (report_.empty()) check_files();
  }

  void check_files() {
    for (std::size_t k = 0; k < plan_.design.keys().size(); ++k) {
      std::set<std::string> seen{plan_.design.value(0, k)};
      for (Count run = 0; run < samples_per_point(); ++run) {
        if (plan_.design.number(run, k) || !seen.insert(plan_.design.value(run, k)).second) continue;
        try {
          (void)recorded(plan_.scene_overrides(plan_.design.overrides(run)));
        } catch (const InputError& error) {
          findings_.add(error, run);
        }
      }
    }
  }

  /// Reads a scene with its files, whose bytes go into the plan.
  Assembly recorded(const std::vector<std::string>& overrides) {
    return load_scene_text(plan_.scene_text, plan_.scene_file, plan_.scene_folder, overrides,
                           [this](const std::string& path) {
                             std::string bytes = read_regular_file(path);
                             plan_.files[path_in_scene_folder(plan_, path)] = bytes;
                             return bytes;
                           });
  }

  void check_kept(const Assembly& assembly) {
    if (!job_.keep.gradient.empty())
      report_.add_all(findings_about_changes(assembly.scene, "a gradient"), "keep.gradient");
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
        const std::string file = loss_file(job_.keep.loss, job_.folder);
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
  bool may_be_empty_;
  SweepFindings findings_;
  FitChecks fits_;
  std::set<std::vector<std::string>> checked_;  ///< Overrides of scenes.
};

}  // namespace

SweepPlan plan_sweep(const std::string& job_file, bool may_be_empty) {
  SweepPlan plan;
  plan.job_file = job_file;
  Report report;
  plan.job = read_sweep_job(job_file, report);
  SweepPlanner(plan, report, may_be_empty).plan();
  report.throw_if_any(job_file);
  return plan;
}

}  // namespace electret
