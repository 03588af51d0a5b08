#include <exception>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/scene_identity.hpp>

namespace electret {
namespace {

RunDirectory usable(const std::string& directory, const Scene& scene, bool overwrite) {
  RunDirectory folder(directory);
  folder.check_usable();
  if (!overwrite) folder.check_replaceable(scene_file_of(scene));
  return folder;
}

std::vector<Fingerprint> driven_identity(const System& system) {
  std::vector<Fingerprint> identity = scene_identity(system);
  identity.push_back({std::string(driven_part), "0000000000000001"});
  return identity;
}

Count checked(Count every) {
  require_argument(every >= 1, "a frame after every 0th step");
  return every;
}

}  // namespace

DrivenRun::DrivenRun(Simulator& simulator, const std::string& directory, const DrivenRunOptions& options)
    : simulator_(simulator),
      first_(simulator.state().step),
      every_(checked(options.every)),
      lock_((usable(directory, simulator.system().assembly.scene, options.overwrite), directory)),
      recorder_(RunDirectory(directory), simulator, driven_identity(simulator.system()),
                scene_file_of(simulator.system().assembly.scene)) {
  recorder_.keep_frames(every_, options.charges_driven);
  if (options.overrides) recorder_.keep_overrides(*options.overrides);
  try {
    recorder_.start();
  } catch (const std::exception& error) {
    summarise_failure(RunStatus::failed, {}, error);
    throw;
  }
}

void DrivenRun::add_step(const StepReport& report) {
  recorder_.add_step(report);
  if ((simulator_.state().step - first_) % every_ != 0) return;
  try {
    recorder_.add_frame(simulator_.energies());
  } catch (const DivergenceError&) {
    simulator_.abandon_step();
    recorder_.abandon_step();
    throw;
  } catch (const IoError& error) {
    if (!lost_) lost_ = RunFailure{{}, {}, error.what(), ""};
    throw;
  }
  static_cast<void>(recorder_.new_warnings());  // Kept in summary.json.
}

void DrivenRun::finish(RunStatus status, const std::optional<RunFailure>& failure) {
  const bool is_lost = lost_ && status != RunStatus::diverged;
  const RunStatus end = is_lost ? RunStatus::failed : status;
  try {
    recorder_.finish(end, is_lost ? lost_ : failure);
  } catch (const IoError& error) {
    summarise_failure(end, failure, error);
    throw;
  }
}

/// Writes the summary alone, after something else has failed.
void DrivenRun::summarise_failure(RunStatus status, const std::optional<RunFailure>& failure,
                                  const std::exception& error) {
  const bool has_diverged = status == RunStatus::diverged;
  if (!has_diverged && !lost_) lost_ = RunFailure{{}, {}, error.what(), ""};
  try {
    recorder_.summarise(has_diverged ? status : RunStatus::failed, has_diverged ? failure : lost_);
  } catch (const IoError&) {
    // The folder may be gone. The last summary says "running", which no complete run says.
  }
}

}  // namespace electret
