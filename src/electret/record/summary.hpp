#pragma once
/// \file
/// summary.json: what a run did, and whether it is whole.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/running_sums.hpp>

namespace electret {

/// `running`: in progress, or killed. `failed`: a file could not be written, or a defect.
enum class RunStatus { running, done, interrupted, diverged, failed };
[[nodiscard]] std::string to_string(RunStatus status);

/// Why a run did not end well.
struct RunFailure {
  std::optional<Count> step;    ///< The step that failed, from 1 (divergence).
  std::optional<Index> vertex;  ///< The worst vertex (divergence).
  std::string cause;
  std::string advice;
};

/// What summary.json says; the sums are those of all legs of a resumed run together.
struct RunResult : RunningSums {
  RunStatus status = RunStatus::running;
  std::string scene_file;  ///< Absolute, links resolved; "standard input"; empty for one made in memory.
  Count steps = 0;         ///< Steps done.
  Index vertices = 0;
  Count springs = 0;
  std::string integrator;
  std::string solver;                    ///< Of the Coulomb field, or "none".
  double mean_elastic_iterations = 0.0;  ///< A step.
  /// docs/physics.md, over the frames; infinite where it is measured against 0 J.
  double largest_relative_energy_change = 0.0;
  Count energy_jumps = 0;  ///< Between frames, beyond what the method explains (dynamics/energy_watch.hpp).
  WorkAccounts work;
  std::vector<std::string> choices;   ///< Automatic choices and why.
  std::vector<std::string> warnings;  ///< What the user was told.
  std::optional<RunFailure> failure;
  bool already_finished = false;  ///< A resumed run had nothing left to do; not in the file.
};

/// The JSON text.
[[nodiscard]] std::string summary_text(const RunResult& result);
/// Replaces the file at `path` as a whole: it is never seen half-written. Throws IoError.
void write_summary(const std::string& path, const RunResult& result);
/// Reads it back. Throws IoError where it is missing or not a summary.
[[nodiscard]] RunResult read_summary(const std::string& path);

}  // namespace electret
