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
#include <electret/sweep/scene_checks.hpp>

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
    SceneChecks scenes(plan_, report_, findings_, fits_, has_scene);
    const bool is_sound = report_.empty(), has_runs = plan_.design.runs() > 0;
    if (has_runs) scenes.check_runs();
    const auto usual = has_runs ? plan_.design.overrides(plan_.usual_run) : scenes.check_values();
    if (has_fit)
      check_fit(has_scene, scenes, usual);
    else if (is_sound && report_.empty())
      check_usual_run(scenes, usual);
    else
      check_kept_alone(has_scene, usual);
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

  /// Reads the files of the usual run, and of the first run of each listed text, which may name another file.
  void check_usual_run(const SceneChecks& scenes, const std::vector<std::string>& usual) {
    try {
      const Assembly assembly = recorded(plan_.scene_overrides(usual));
      plan_.vertices = static_cast<Count>(assembly.rest_positions.size());
      check_kept(assembly);
    } catch (const InputError& error) {
      findings_.add(error, at_usual_run());
    }
    check_files(scenes);
  }

  /// What is kept, and files, where something else is wrong: so that all is told at once. What is kept is
  /// held against the usual run's scene, or if that one is wrong, against the scene as it stands.
  void check_kept_alone(bool has_scene, const std::vector<std::string>& usual) {
    if (!has_scene) return;
    std::optional<Assembly> assembly;
    try {
      assembly = recorded(plan_.scene_overrides(usual));
    } catch (const InputError& error) {
      findings_.add(error, at_usual_run());
    }
    try {
      check_kept(assembly ? *assembly : recorded(plan_.scene_overrides({})));
    } catch (const InputError&) {  // Told before, or mended by what varies.
    }
  }

  /// A fit and its files. The fit reads what `scenes` has read, too, so that one mistake would be told twice
  /// if that were not clean.
  void check_fit(bool has_scene, const SceneChecks& scenes, const std::vector<std::string>& usual) {
    const auto read = [this, has_scene](const std::vector<std::string>& overrides) {
      return has_scene ? recorded(overrides) : load_scene(plan_.scene_file, overrides);
    };
    std::vector<Finding> found = fits_.check_fit(read, usual);
    constexpr Count most_tried = 100;
    const Count step = scenes.combinations();
    for (Count tried = 0, run = plan_.usual_run + step;
         !found.empty() && scenes.are_about_normal(found) && tried < most_tried && run < plan_.design.runs();
         ++tried, run += step) {
      if (!fits_.check_fit(read, plan_.design.overrides(run)).empty()) continue;
      plan_.usual_run = run;
      found.clear();
    }
    for (const Finding& finding : found) findings_.add(finding, at_usual_run());
    if (report_.empty()) check_files(scenes);
  }

  void check_files(const SceneChecks& scenes) {
    for (std::size_t k = 0; k < plan_.design.keys().size(); ++k) {
      std::set<std::string> seen{plan_.design.value(plan_.usual_run, k)};
      for (Count run = plan_.usual_run; run < plan_.usual_run + scenes.combinations(); ++run) {
        if (plan_.design.number(run, k) || !seen.insert(plan_.design.value(run, k)).second) continue;
        try {
          (void)recorded(plan_.scene_overrides(plan_.design.overrides(run)));
        } catch (const InputError& error) {
          findings_.add(error, SweepFindings::at_run(run));
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
        if (!file.empty()) plan_.files[loss_key(job_.keep.loss)] = read_whole_file(file);
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
