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
  Count steps = 0;  ///< Steps that were taken.
  Index vertices = 0;
  Count springs = 0;
  std::string integrator;
  std::string solver;                    ///< The solver of the Coulomb field, or "none".
  double mean_elastic_iterations = 0.0;  ///< Per step.
  /// As in docs/physics.md, over the frames; infinite if it is measured against 0 J.
  double largest_relative_energy_change = 0.0;
  /// Jumps between frames beyond what the method explains (dynamics/energy_watch.hpp).
  Count energy_jumps = 0;
  WorkAccounts work;
  std::vector<std::string> choices;   ///< Automatic choices and why.
  std::vector<std::string> warnings;  ///< The warnings that the user was given.
  std::optional<RunFailure> failure;
  bool already_finished = false;  ///< A resumed run had nothing left to do; not in the file.
};

/// The JSON text.
[[nodiscard]] std::string summary_text(const RunResult& result);
/// Replaces the file at `path` as a whole, so that it is never seen half-written. Throws IoError.
void write_summary(const std::string& path, const RunResult& result);
/// Reads it back. Throws IoError if it is missing or not a summary.
[[nodiscard]] RunResult read_summary(const std::string& path);

}  // namespace electret
