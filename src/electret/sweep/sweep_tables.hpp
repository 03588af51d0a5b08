#pragma once
/// \file
/// The texts that a merge writes beside sweep.h5.

#include <string>

#include <electret/sweep/sweep_merge.hpp>

namespace electret {

/// Writes runs.csv: a row for each run with its values and results. Of a fit the first 24 fitted values are
/// there. The text of many runs is never held as a whole. Throws IoError.
void write_sweep_table(const std::string& path, const SweepPlan& plan, const SweepResults& results);

/// summary.json: counts, times, digest; of fits the distinct minima (`distinct_minima`), at most 100.
[[nodiscard]] std::string sweep_summary_text(const SweepPlan& plan, const SweepResults& results);

/// best.toml: the scene with the values of the best fit, as fitted.toml of that fit would have it. Throws
/// InputError if the fit cannot be read again, and std::logic_error without a best fit.
[[nodiscard]] std::string best_scene_text(const SweepPlan& plan, const SweepResults& results,
                                          const std::string& folder);

}  // namespace electret
