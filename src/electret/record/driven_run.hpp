#pragma once
/// \file
/// The run directory of a simulation that its caller steps.
///
/// \code
///   electret::DrivenRun run(simulator, "runs/walk", {.every = 5});
///   while (…) run.add_step(simulator.step(inputs));
///   run.finish(RunStatus::done);
/// \endcode

#include <string>

#include <electret/record/recorder.hpp>

namespace electret {

struct DrivenRunOptions {
  Count every = 1;             ///< A frame after every k-th step; the state at the start is frame 0.
  bool overwrite = false;      ///< As RunOptions::overwrite.
  bool charges_driven = true;  ///< Charges are kept frame by frame.
};

class DrivenRun {
 public:
  /// Records frame 0, the simulator's state; `simulator` must outlive this. The files are those of
  /// run_to_directory; they say of their inputs that a caller drove them, so that no run of the scene alone
  /// goes on from their checkpoint. Throws InputError for a folder that may not be replaced, IoError.
  DrivenRun(Simulator& simulator, const std::string& directory, const DrivenRunOptions& options);

  /// After a step of the simulator. Throws DivergenceError where the energy has left its bounds: the step is
  /// then taken back.
  void add_step(const StepReport& report);
  /// Writes what is left. Nothing is recorded afterwards.
  void finish(RunStatus status, const std::optional<RunFailure>& failure = {});

 private:
  Simulator& simulator_;
  RunLock lock_;
  Recorder recorder_;
  Count first_, every_;
};

}  // namespace electret
