#include <algorithm>
#include <filesystem>
#include <optional>

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
#include <electret/sweep/assembly_checks.hpp>
#include <electret/sweep/scene_checks.hpp>
#include <electret/sweep/value_checks.hpp>

namespace electret {
namespace {

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
    if (!names_scene() || (has_fit && !fits_.read())) return;
    const bool has_scene = read_scene_text();
    const SceneFindings scenes(plan_, fits_, has_scene);
    const bool has_runs = plan_.design.runs() > 0;
    std::vector<std::vector<std::string>> usual;  // Several if faults leave more than one possible.
    if (has_runs) {
      SceneChecks(plan_, findings_, scenes).check_runs();
      usual = {plan_.design.overrides(plan_.usual_run)};
    } else {
      usual = ValueChecks(plan_, report_, findings_, scenes).check();
    }
    if (has_fit)
      check_fit(has_scene, usual);
    else if (has_scene && has_runs)
      check_assemblies();
    else if (has_scene)
      check_kept_alone(usual);
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

  /// Whether the job says of what there are runs: else no scene can be read.
  [[nodiscard]] bool names_scene() const {
    for (const char* key : {"sweep.scene", "sweep.fit", "sweep.set", "sweep.unset"})
      if (report_.is_bad(key)) return false;
    return job_.sweep.scene.empty() != job_.sweep.fit.empty();
  }

  [[nodiscard]] std::string at_usual_run() const {
    return plan_.design.runs() > 0 ? SweepFindings::at_run(plan_.usual_run) : "";
  }

  AssemblyChecks assemblies() {
    return {plan_, findings_,
            [this](const std::vector<std::string>& own) { return recorded(plan_.scene_overrides(own)); }};
  }

  /// Reads the files of the usual run and of others, and holds what is kept against the usual one; if that is
  /// wrong, against the scene as it stands.
  void check_assemblies() {
    AssemblyChecks checks = assemblies();
    try {
      const std::optional<Assembly> usual = checks.usual();
      check_kept(usual ? *usual : recorded(plan_.scene_overrides({})));
    } catch (const InputError&) {  // Told below, or mended by what varies.
    }
    checks.check_runs();
  }

  /// The same where there is no design: what is wrong with each of the scenes that are possible is told.
  void check_kept_alone(const std::vector<std::vector<std::string>>& usual) {
    std::optional<std::vector<Finding>> wrong, kept;
    const auto keep_common = [](std::optional<std::vector<Finding>>& all, std::vector<Finding> found) {
      if (all) std::erase_if(*all, [&](const Finding& each) { return !has_same(found, each); });
      if (!all) all = std::move(found);
    };
    for (const auto& own : usual) {
      try {
        const Assembly assembly = recorded(plan_.scene_overrides(own));
        keep_common(wrong, {});
        keep_common(kept, findings_about_kept(assembly));
      } catch (const InputError& error) {
        keep_common(wrong, error.findings());
      }
    }
    for (const Finding& finding : wrong.value_or(std::vector<Finding>())) findings_.add(finding, "");
    try {
      if (!kept) kept = findings_about_kept(recorded(plan_.scene_overrides({})));
    } catch (const InputError&) {  // Told before, or mended by what varies.
    }
    report_.add_all(kept.value_or(std::vector<Finding>()), "keep");
  }

  /// A fit and its files. What is wrong with the scenes of runs is told first, at the job's lines.
  void check_fit(bool has_scene, std::vector<std::vector<std::string>> usual) {
    AssemblyChecks checks = assemblies();
    if (has_scene && plan_.design.runs() > 0 && checks.usual())  // Whatever is wrong with the fit.
      usual = {plan_.design.overrides(plan_.usual_run)};
    const auto read = [this, has_scene](const std::vector<std::string>& overrides) {
      return has_scene ? recorded(overrides) : load_scene(plan_.scene_file, overrides);
    };
    std::vector<Finding> found = fits_.check_fit(read, usual.front());
    for (std::size_t k = 1; k < usual.size() && !found.empty(); ++k) {
      const std::vector<Finding> other = fits_.check_fit(read, usual[k]);
      std::erase_if(found, [&](const Finding& each) { return !has_same(other, each); });
    }
    constexpr Count most_tried = 100;
    const Count step = combinations_of(plan_);
    const bool goes_on = !found.empty() && plan_.job.sweep.samples > 1 && plan_.design.runs() > 0 &&
                         checks.may_differ(found, plan_.usual_run);
    for (Count tried = 0, run = plan_.usual_run + step;
         goes_on && !found.empty() && tried < most_tried && run < plan_.design.runs(); ++tried, run += step) {
      if (!fits_.check_fit(read, plan_.design.overrides(run)).empty()) continue;
      plan_.usual_run = run;
      found.clear();
    }
    if (has_scene && plan_.design.runs() > 0) checks.check_runs();
    for (const Finding& finding : found) findings_.add(finding, at_usual_run());
  }

  /// Reads a scene with its files, whose bytes go into the plan.
  Assembly recorded(const std::vector<std::string>& overrides) {
    const auto read = [this](const std::string& path) {
      std::string bytes = read_regular_file(path);
      plan_.files[path_in_scene_folder(plan_, path)] = bytes;
      return bytes;
    };
    return load_scene_text(plan_.scene_text, plan_.scene_file, plan_.scene_folder, overrides, read, meshes_);
  }

  void check_kept(const Assembly& assembly) {
    plan_.vertices = static_cast<Count>(assembly.rest_positions.size());
    report_.add_all(findings_about_kept(assembly), "keep");
  }

  /// What is wrong with [keep] in this scene. Notes the size of the gradient and the loss's file.
  std::vector<Finding> findings_about_kept(const Assembly& assembly) {
    const KeepTable& keep = job_.keep;
    std::vector<Finding> found;
    const auto wrong = [&](const std::string& key, std::string what, std::string allowed) {
      found.push_back({place_of(job_.source, key), std::move(what), std::move(allowed)});
    };
    if (!keep.gradient.empty()) found = findings_about_changes(assembly.scene, "a gradient");
    plan_.gradient_size = 0;
    for (const std::string& name : keep.gradient) {
      try {
        plan_.gradient_size += find_parameter(assembly, name).size();
      } catch (const InputError& error) {
        wrong("keep.gradient", error.findings()[0].message, error.findings()[0].allowed);
      }
    }
    if (!keep.loss.empty()) add_loss_findings(assembly, found);
    const Count steps = assembly.scene.time.steps;
    if (keep.frames > steps)
      wrong("keep.frames", fmt::format("{} frames of {}", keep.frames, counted(steps, "step", "steps")),
            "at most one frame for each step");
    const std::vector<std::string> columns = measured_columns(*compile(assembly, 1));
    for (const Quantity& quantity : plan_.quantities)
      if (std::find(columns.begin(), columns.end(), quantity.column) == columns.end())
        wrong("keep.quantities." + quantity.name, "there is no column " + in_quotes(quantity.column),
              suggestion(quantity.column, columns));
    return found;
  }

  /// What is wrong in the loss's file is told at the job's line that names it.
  void add_loss_findings(const Assembly& assembly, std::vector<Finding>& found) {
    const Location place = place_of(job_.source, "keep.loss");
    try {
      (void)parse_loss(job_.keep.loss, assembly, place, job_.folder);
      const std::string file = loss_file(job_.keep.loss, job_.folder);
      if (!file.empty()) plan_.files[loss_key(job_.keep.loss)] = read_whole_file(file);
    } catch (const InputError& error) {
      for (const Finding& each : error.findings()) {
        const bool is_in_job = each.where.file == place.file;
        found.push_back(
            {place, (is_in_job ? "" : to_string(each.where) + ": ") + each.message, each.allowed});
      }
    }
  }

  SweepPlan& plan_;
  SweepJob& job_;
  Report& report_;
  bool may_be_empty_;
  SweepFindings findings_;
  FitChecks fits_;
  MeshStore meshes_;
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
