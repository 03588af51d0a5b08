#pragma once
/// \file
/// summary.json: what a run did, and whether it is complete.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/running_sums.hpp>

namespace electret {

/// `running`: in progress, or killed. `failed`: a file could not be written, a warning stopped the run, or
/// Electret has a defect.
enum class RunStatus { running, done, interrupted, diverged, failed };
[[nodiscard]] std::string to_string(RunStatus status);

/// Why a run did not end well.
struct RunFailure {
  std::optional<Count> step;    ///< The step that failed, from 1 (divergence).
  std::optional<Index> vertex;  ///< DivergenceError::vertex.
  std::string cause;
  std::string advice;
};

/// What summary.json says. The sums of a resumed run are those of all its legs together.
struct RunResult : RunningSums {
  RunStatus status = RunStatus::running;
  /// An absolute path with links resolved; "standard input"; empty for a scene made in memory.
  std::string scene_file;
  std::vector<std::string> overrides;  ///< "KEY=VALUE" of `--set`, or "--unset KEY", as given.
  Count steps = 0;                     ///< Steps that were taken.
  double time_step = 0.0;              ///< Of the first step, s.
  Count changes = 0;                   ///< Changes of the scene that were made.
  double simulated_time = 0.0;         ///< The time of the last step, s.
  Index vertices = 0;
  Count springs = 0;
  Count elements = 0;  ///< Tetrahedra and hexahedra.
  std::string integrator;
  std::string solver;  ///< The solver of the Coulomb field, or "none".
  /// Where it was computed, with platform and driver, in the last leg; empty without a Coulomb field.
  std::string field_device;
  double mean_elastic_iterations = 0.0;  ///< Per step.
  /// The largest |E - E_0 - work + dissipation| over the frames, with its sign, J. Negative: the method lost
  /// energy.
  double largest_energy_change = 0.0;
  /// Its magnitude, divided by the run's largest energies; 0 if rounding explains it
  /// (EnergyWatch::relative_change).
  double largest_relative_energy_change = 0.0;
  /// Jumps between frames beyond what the method explains (dynamics/energy_watch.hpp).
  Count energy_jumps = 0;
  WorkAccounts work;
  std::vector<std::string> choices;   ///< Automatic choices and why.
  std::vector<std::string> warnings;  ///< The warnings that the user was given.
  /// When this leg of the run began (UTC), and on what. No result depends on these.
  std::string date, processor;
  int threads = 0;
  std::optional<RunFailure> failure;
  bool already_finished = false;  ///< A resumed run had nothing left to do; not in the file.
  /// Names of what such a run wrote again because it was gone; not in the file.
  std::vector<std::string> written_again = {};
};

/// The JSON text.
[[nodiscard]] std::string summary_text(const RunResult& result);
/// Replaces the file at `path` as a whole, so that it is never seen half-written. Throws IoError.
void write_summary(const std::string& path, const RunResult& result);
/// Reads it back. Throws IoError if it is missing or not a summary.
[[nodiscard]] RunResult read_summary(const std::string& path);

}  // namespace electret
