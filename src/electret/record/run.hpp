#pragma once
/// \file
/// A whole run: simulate a compiled scene into a directory.
///
/// \code
///   auto system = electret::compile(electret::load_scene("scene.toml"));
///   auto result = electret::run_to_directory(std::move(system), "runs/scene");
/// \endcode

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/summary.hpp>

namespace electret {

/// A warning met on the way by a run that is to stop at one; the message is the warning.
class WarningError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  bool resume = false;  ///< Continue from the directory's checkpoint, where there is one.
  /// Replace an earlier run there, whatever its state and its scene file. Without effect on a resumed run.
  bool overwrite = false;
  std::vector<std::string> warnings;  ///< What the user was told before: kept in summary.json.
  /// The user was told of the start what `charge_step_warning` (divergence.hpp) would say: it is not said
  /// again.
  bool charge_step_told = false;
  std::optional<double> suggested_step;  ///< `suggested_step` of the system, s, where it is known already.
  bool stop_on_warning = false;          ///< A warning met on the way ends the run as a failure does.
  Control control;  ///< Progress in steps; notices; when asked to stop, the step is finished and saved.
  /// When asked here during a step, the step is not waited for: summary.json says that the run was
  /// interrupted at its last checkpoint, and `given_up` is called, on the thread that asked. It has to end
  /// the process (nothing else ends the step). Between steps it does nothing: a run that was asked to stop is
  /// ending then.
  std::stop_token give_up;
  std::function<void(const RunResult&)> given_up;
};

/// Simulates to the scene's last step and writes trajectory.h5, energy.csv, observables.csv, energy.svg,
/// index.html, summary.json and checkpoint.h5 into `directory`, which is made with its parents; how frames
/// are stored is the scene's `[output]`. A finished run of the same scene file there is replaced. Any other
/// run, and one that was killed, interrupted or failed, is refused unless `resume` or `overwrite` says what
/// to do with it.
///
/// With `resume` a run continues from its checkpoint to bitwise the same results as if never interrupted;
/// later frames and rows are cut back. Without a checkpoint it starts afresh, and a notice says so; a
/// finished run is returned as it is. A changed scene is refused; a longer run is not.
///
/// Returns with status `done`, or `interrupted` when `control.stop` asked for it. Throws InputError (nothing
/// is written): a run that may not be replaced, a non-empty folder that is no run, a changed scene.
/// DivergenceError: everything up to the last good frame is there, and summary.json says why. WarningError:
/// as that, of a run that is to stop at a warning. IoError: the disk is full or a file vanished; what was
/// written stays readable.
RunResult run_to_directory(std::unique_ptr<System> system, const std::string& directory,
                           const RunOptions& options = {});

}  // namespace electret
