#pragma once
/// \file
/// The run directory of a simulation that its caller steps.
///
/// \code
///   electret::DrivenRun run(simulator, "runs/walk", {.every = 5});
///   while (…) run.add_step(simulator.step(inputs));
///   run.finish(RunStatus::done);
/// \endcode

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/record/recorder.hpp>

namespace electret {

struct DrivenRunOptions {
  /// A frame is recorded each time this many steps are done; the state at the start is frame 0.
  Count every = 1;
  bool overwrite = false;      ///< As RunOptions::overwrite.
  bool charges_driven = true;  ///< Whether charges are recorded frame by frame.
  /// With which the scene's text gives what is run, if that is not the scene as it was read: after
  /// `Simulator::change`, `present_overrides` (scene/write.hpp).
  std::optional<std::vector<std::string>> overrides{};
};

/// What the identity of a driven run has beside the scene's: by this it is known that no scene repeats it.
inline constexpr std::string_view driven_part = "inputs driven by a caller";

class DrivenRun {
 public:
  /// Records the simulator's state as frame 0. `simulator` must outlive this. The files are those of
  /// run_to_directory. They say that a caller drove the inputs, so that no run of the scene alone goes on
  /// from their checkpoint. Throws InputError if the folder may not be replaced, IoError,
  /// and std::invalid_argument, before anything is written, if `options.every` is below 1.
  DrivenRun(Simulator& simulator, const std::string& directory, const DrivenRunOptions& options);

  /// Call after each step of the simulator. Throws DivergenceError if the energy has left its bounds; the
  /// step is then taken back. Throws IoError if the step's frame cannot be written; the step stays taken.
  void add_step(const StepReport& report);
  /// Writes what is left. Nothing is recorded afterwards. If a frame or the end cannot be written, the
  /// summary says `failed` and why, unless the run has diverged. Space for it is reserved from the start on.
  /// Throws IoError if the end cannot be written.
  void finish(RunStatus status, const std::optional<RunFailure>& failure = {});

 private:
  void summarise_failure(RunStatus status, const std::optional<RunFailure>& failure,
                         const std::exception& error);

  Simulator& simulator_;
  Count first_, every_;
  RunLock lock_;
  Recorder recorder_;
  std::optional<RunFailure> lost_;  ///< Why the first lost frame could not be written.
};

}  // namespace electret
