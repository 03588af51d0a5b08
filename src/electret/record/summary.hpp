#pragma once
/// \file
/// summary.json: what a run did, and whether it is whole.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/dynamics/energies.hpp>

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

/// The numbers of summary.json.
struct RunResult {
  RunStatus status = RunStatus::running;
  std::string scene_file;  ///< Absolute, links resolved; empty for a scene made in memory.
  Count steps = 0;         ///< Steps done, all legs of a resumed run together.
  Count frames = 0;        ///< Frames written, the initial state included.
  Index vertices = 0;
  Count springs = 0;
  std::string integrator;
  std::string solver;  ///< Of the Coulomb field, or "none".
  Count field_evaluations = 0;
  double mean_elastic_iterations = 0.0;  ///< A step.
  int max_elastic_iterations = 0;
  Count capped_steps = 0;  ///< Steps whose implicit solve hit its cap.
  // s of wall time, all legs together.
  double wall_field = 0.0;  ///< In Coulomb sums, those of frames' energies included.
  double wall_elastic =
      0.0;                   ///< In the implicit solves, the springs' energies and, explicitly, their forces.
  double wall_output = 0.0;  ///< In writing, observables of frames included.
  double wall_total = 0.0;
  /// physics.md §1, over the frames; infinite where it is measured against 0 J.
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
