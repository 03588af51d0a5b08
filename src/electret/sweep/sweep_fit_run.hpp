#pragma once
/// \file
/// One fit of a sweep, measured but not filed.

#include <electret/sweep/run_limits.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// How a fit ended, as the column `end` of part files and of sweep.h5 has it; 0 is a run without an end.
[[nodiscard]] constexpr int number_of(FitEnd end) {
  return static_cast<int>(end) + 1;
}

/// The end of that number; nothing if it is none.
[[nodiscard]] std::optional<FitEnd> fit_end_of(double number);

/// Fits by one thread, as `electret fit` would, from the start of `row.run`, and fills the row's columns. The
/// questions after a fit (scans, identifiability, signs) are left out, unless `directory` is given: the fit
/// is then made there, or goes on with what is there. Throws what `plan_fit`, `fit` and `RunLimits::check`
/// throw.
void fit_into_row(const SweepPlan& plan, MeshStore& store, const RunLimits& limits,
                  const std::string& directory, SweepRow& row);

}  // namespace electret
