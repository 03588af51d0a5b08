#pragma once
/// \file
/// One run of a sweep, measured but not filed.

#include <stop_token>
#include <string>
#include <vector>

#include <electret/sweep/sweep_plan.hpp>

namespace electret {

/// How a run ended. The numbers are those in part files and in sweep.h5.
enum class SweepStatus {
  done = 0,
  diverged = 1,  ///< A result, too: what was measured up to the last good frame is kept.
  refused = 2,   ///< The run's scene has findings.
  failed = 3,    ///< Something else went wrong.
  timeout = 4,   ///< The run took longer than `[limits] wall`.
  lost = 5,      ///< The run took its process down each time.
};

/// "done", "diverged", …
[[nodiscard]] const char* name_of(SweepStatus status);
/// Whether it is a result, so that the run is never repeated.
[[nodiscard]] constexpr bool is_result(SweepStatus status) {
  return status == SweepStatus::done || status == SweepStatus::diverged;
}

/// A row of a part file.
struct SweepRow {
  Count run = 0;
  SweepStatus status = SweepStatus::done;
  std::vector<std::vector<double>> values;  ///< In the order of SweepPlan::columns.
  std::string note;                         ///< Why there is no result, or why the run diverged.
};

/// Does the run by one thread, as `electret run` would, energy bound included. Numbers that were not reached
/// are NaN. Meshes are kept in `store` from run to run. Throws Cancelled if a stop is requested, always
/// between steps.
[[nodiscard]] SweepRow sweep_run(const SweepPlan& plan, Count run, MeshStore& store,
                                 const std::stop_token& stop = {});

/// The row of a run that has no numbers.
[[nodiscard]] SweepRow row_without_result(const SweepPlan& plan, Count run, SweepStatus status,
                                          std::string note);

}  // namespace electret
