#pragma once
/// \file
/// Runs a fitting job into a directory: what `electret fit JOB.toml` does.
///
/// \code
///   const electret::PlannedFit planned = electret::plan_fit_job("job.toml");
///   const auto found = electret::run_fit_job(planned, "fits/job");
/// \endcode

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/core/warning.hpp>
#include <electret/fit/fit_files.hpp>

namespace electret {

/// A job with its scene and targets read.
struct PlannedFit {
  std::string file;
  FitJob job;
  FitPlan plan;
};

/// Reads the job file, its scene and its targets. `overrides` change the job (`override_job`). Throws
/// InputError with every finding about them.
[[nodiscard]] PlannedFit plan_fit_job(const std::string& file,
                                      const std::vector<std::string>& overrides = {});

/// The warnings about the job's scene as the fit starts (`gradient_warnings`).
[[nodiscard]] std::vector<Warning> fit_warnings(const PlannedFit& planned, int threads = 0);

struct FitJobOptions {
  FitMode mode = FitMode::fresh;
  int threads = 0;         ///< 0: all.
  double memory = 0.0;     ///< As FitOptions::memory.
  std::stop_token stop{};  ///< A requested stop ends the call with Cancelled, always after a whole step.
  /// Receives each run of the fit once its row is written. Nothing is written before the first one, or before
  /// the first random start.
  std::function<void(const FitEvaluation&)> observe{};
  /// Receives the steps of the runs of the fit, forward and back. May be empty.
  std::function<void(const Progress&)> steps{};
  /// Receives how far the parts before and after the fit are: "samples", "scan", "identifiability", "signs";
  /// and each part's name with `done` = `total` at its end. May be empty.
  std::function<void(std::string_view part, const Progress&)> after{};
};

/// What is known of a fit that had ended before.
struct EndedFit {
  std::vector<std::pair<std::string, std::string>> rows;  ///< FitFiles::ended_rows.
  bool converged = false;
};

struct FitJobResult {
  /// With FitMode::resume: the fit had ended before, and nothing was done. What follows is then empty.
  std::optional<EndedFit> ended;
  FitResult result;
  AfterFit after;
  Count capped_steps = 0, steps = 0;  ///< Implicit solves that missed their tolerance, of all steps taken.

  /// Whether the fit has converged.
  [[nodiscard]] bool converged() const;
};

/// Runs the fit, then the job's scan, and the questions after a fit, and writes their files
/// (docs/gradients.md, "Fits"). Resumed, it ends with the same bits as a fit that was never stopped. Throws
/// what FitFiles, `fit` and the functions of the parts throw. After Cancelled, the directory's files say that
/// the fit was interrupted, if it had begun.
[[nodiscard]] FitJobResult run_fit_job(const PlannedFit& planned, const std::string& directory,
                                       const FitJobOptions& options = {});

/// "after 15 runs: the gradient is small".
[[nodiscard]] std::string how_it_ended(const FitOutcome& outcome);

/// What to tell of an outcome that is no minimum, and what may help; empty if it has converged.
[[nodiscard]] std::string convergence_notice(const FitOutcome& outcome);

}  // namespace electret
