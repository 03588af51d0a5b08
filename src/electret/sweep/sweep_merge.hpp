#pragma once
/// \file
/// What the parts of a sweep hold together.

#include <optional>
#include <string>
#include <vector>

#include <electret/sweep/fit_minima.hpp>
#include <electret/sweep/sweep_folder.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// All rows, sorted by run; runs without a row are left out.
struct SweepResults {
  std::vector<Count> runs;
  std::vector<SweepStatus> status;
  std::vector<double> quantities;                         ///< rows × quantities.
  std::vector<double> losses;                             ///< Empty if the job has no loss.
  std::vector<double> fitted;                             ///< rows × values of a sweep of fits.
  std::vector<double> gradient_norms, evaluations, ends;  ///< Of fits, one for each row.
  FitMinima minima;                                       ///< Of fits.
  std::optional<Count> best;                              ///< The fit with the smallest loss.
  std::string digest;                                     ///< Of all results; not of times, hosts and parts.
  std::vector<Finding> faults;    ///< Parts and rows that do not count, and runs of which two rows differ.
  bool has_conflicts = false;     ///< Whether two rows of a run differ.
  std::vector<std::string> sets;  ///< The instruction sets of the parts.
  std::size_t parts = 0;
  double wall = 0.0, cpu = 0.0;       ///< Σ of all rows, s.
  std::vector<std::string> pictures;  ///< Names of files; the first is sweep.svg.
  std::size_t hidden_charts = 0;      ///< For which the pictures have no room.
};

/// Reads all parts and writes sweep.h5, runs.csv, sweep.svg and summary.json, and best.toml of fits. The
/// results have the same bytes whatever process computed which run in what order. Throws IoError, and
/// InputError if an earlier sweep.h5 has results that the parts no longer have, which then stays.
SweepResults merge_sweep(const SweepFolder& folder, const SweepPlan& plan);

}  // namespace electret
