#include <memory>
#include <stop_token>
#include <utility>

#include <fmt/format.h>

#include <electret/core/stop_scope.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/studio/session/page_job.hpp>
#include <electret/studio/session/recording.hpp>

namespace electret::studio {
namespace {

std::unique_ptr<System> compiled_session(const RecordingOrder& order, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  MeshStore meshes;
  return compile(
      load_scene_text(order.text, order.folder + "/session.toml", order.folder, {}, order.read, meshes),
      order.threads);
}

/// The page says the others with the scene.
void tell_of_machine(const std::vector<Warning>& warnings, const Control& control) {
  for (const Warning& each : warnings)
    if (control.notice && (each.kind == WarningKind::memory || each.kind == WarningKind::disk))
      control.notice(each.message + "; " + each.advice);
}

}  // namespace

RecordedSteps record_session(const RecordingOrder& order, const Control& control) {
  auto system = compiled_session(order, control.stop);
  RecordedSteps steps{0, system->assembly.scene.time.steps};
  RunOptions options;
  options.overwrite = order.overwrite;
  tell_of_machine(prepare_run(*system, order.directory, options), control);
  bool is_begun = false;
  options.control = control;
  options.control.progress = [&](const Progress& now) {
    is_begun = true;
    steps.done = now.done;
    if (control.progress) control.progress(now);
  };
  const std::string place = printable(order.directory);
  try {
    const RunResult result = run_to_directory(std::move(system), order.directory, options);
    if (result.status != RunStatus::done)
      steps.error = fmt::format("it was stopped: everything up to step {} of {} is in {}", result.steps,
                                steps.total, place);
  } catch (...) {
    if (!is_begun) throw;
    steps.error =
        reason_of(std::current_exception()) + ": everything up to the last good frame is in " + place;
  }
  return steps;
}

}  // namespace electret::studio
