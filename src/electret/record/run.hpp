#pragma once
/// \file
/// Runs a compiled scene and records the run in a directory.
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
#include <electret/core/warning.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/unreadable_error.hpp>

namespace electret {

class Simulator;

/// Thrown if a warning occurs during a run that is to stop at warnings. The message is the warning.
class WarningError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  bool resume = false;  ///< Continues from the directory's checkpoint, if there is one.
  /// Replaces an earlier run there, whatever its state and its scene file. Has no effect on a resumed run.
  bool overwrite = false;
  std::vector<Warning> warnings{};  ///< Those given to the user before; they are kept in summary.json.
  /// Whether the caller has already given the user the warning of `charge_step_warning` (divergence.hpp)
  /// about the initial state. If so, the run does not repeat it.
  bool charge_step_told = false;
  std::optional<double> suggested_step{};  ///< `suggested_step` of the system, s, if the caller knows it.
  /// The integrator that `auto` stands for and why, if the caller knows it; else it is chosen. A resumed run
  /// keeps the one that it began with.
  Choice integrator{};
  bool stop_on_warning = false;  ///< A warning during the run ends it as a failure does.
  /// Receives progress in steps, and notices. If a stop is requested through it, the run finishes the current
  /// step and saves it.
  Control control{};
  /// Receives the simulator after each step, before its checkpoint may be written. May be empty.
  std::function<void(const Simulator&)> each_step{};
  /// Serves a second request to stop, such as a second Ctrl-C, after the first came through `control` and the
  /// step has still not ended. The run then does not wait for the step's end. summary.json says that the run
  /// was interrupted at its last checkpoint. `given_up` is called on the thread that requested the stop. It
  /// has to end the process, because nothing else ends the step. Between steps this token does nothing,
  /// because there `control` ends the run.
  std::stop_token give_up{};
  std::function<void(const RunResult&)> given_up{};
};

/// Simulates to the scene's last step and writes trajectory.h5, energy.csv, observables.csv, energy.svg,
/// index.html, summary.json and checkpoint.h5 into `directory`, which is made with its parents. The scene's
/// `[output]` says how frames are stored. If the directory holds a finished run of the same scene file, it is
/// replaced. Any other run, and one that was killed, interrupted or failed, is refused unless `resume` or
/// `overwrite` says what to do with it.
///
/// Changes of the scene are made before the steps that start from their states.
///
/// With `resume`, a run continues from its checkpoint, and its results have the same bits as if it had never
/// been interrupted. Frames and rows after the checkpoint are cut off. If there is no checkpoint, the run
/// starts afresh, and a notice says so. A finished run is returned as it is. The scene's duration may have
/// become longer, and its field may be computed on another device, or all of it with another instruction set,
/// of which a warning tells; any other change of the scene is refused.
///
/// Returns with status `done`, or `interrupted` if `control.stop` asked for it. Throws
///   * std::invalid_argument if `system` is null;
///   * InputError if the run there may not be replaced, the folder is neither empty nor a run, or the scene
///     has changed; nothing is written;
///   * DivergenceError; everything up to the last good frame is written, and summary.json says why;
///   * WarningError, likewise, if the run is to stop at a warning;
///   * gpu::DeviceError, likewise, if the device that computes the field fails;
///   * UnreadableError if a run is to be resumed, a finished one included, whose checkpoint, trajectory or
///     tables are missing or damaged; nothing is written;
///   * IoError if the disk is full; what was written stays readable.
/// If steps missed their tolerance before an exception, `control.notice` receives their number first, because
/// the caller gets no RunResult that holds it.
RunResult run_to_directory(std::unique_ptr<System> system, const std::string& directory,
                           const RunOptions& requested = {});

}  // namespace electret
