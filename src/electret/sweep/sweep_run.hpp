#pragma once
/// \file
/// One run of a sweep, measured but not filed.

#include <array>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
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

/// All of them, in the order of their numbers.
inline constexpr std::array all_statuses{SweepStatus::done,   SweepStatus::diverged, SweepStatus::refused,
                                         SweepStatus::failed, SweepStatus::timeout,  SweepStatus::lost};

/// "done", "diverged", …
[[nodiscard]] const char* name_of(SweepStatus status);
/// Whether it is a result, so that the run is never repeated.
[[nodiscard]] constexpr bool is_result(SweepStatus status) {
  return status == SweepStatus::done || status == SweepStatus::diverged;
}
/// What decides which of several rows of a run counts.
struct RowRank {
  SweepStatus status = SweepStatus::done;
  Count order = 0;  ///< Of its part among all, by the time when they were begun (PartRows::order).
};
/// Whether a row counts rather than another one of the same run, which was read before. A result counts most.
/// `lost` counts least, because no run has ended so: the row was written in its place. Of equal ones without
/// a result the later attempt counts.
[[nodiscard]] constexpr bool is_better(RowRank now, RowRank before) {
  const auto rank = [](SweepStatus status) {
    return is_result(status) ? 2 : status == SweepStatus::lost ? 0 : 1;
  };
  const int mine = rank(now.status), its = rank(before.status);
  return mine > its || (mine == its && !is_result(now.status) && now.order > before.order);
}

/// How many runs have ended, by SweepStatus.
class StatusCounts {
 public:
  void add(SweepStatus status, Count runs = 1) { counts_[static_cast<std::size_t>(status)] += runs; }
  [[nodiscard]] Count of(SweepStatus status) const { return counts_[static_cast<std::size_t>(status)]; }
  [[nodiscard]] Count all() const;
  [[nodiscard]] Count without_result() const;

 private:
  std::array<Count, all_statuses.size()> counts_{};
};

/// A row of a part file.
struct SweepRow {
  Count run = 0;
  SweepStatus status = SweepStatus::done;
  std::vector<std::vector<double>> values;  ///< In the order of SweepPlan::columns.
  std::string note;                         ///< Why there is no result, or why the run diverged.
};

/// Does the run by one thread, as `electret run` would, energy bound included, or as `electret fit` would.
/// Numbers that were not reached are NaN. Meshes are kept in `store` from run to run. Throws Cancelled if a
/// stop is requested, always between steps. `each_step` is called between steps; it may be empty. `directory`
/// is where a run that is one of SweepPlan::runs_in_folders is made; without it, no run is. Throws IoError if
/// such a folder cannot be written to.
[[nodiscard]] SweepRow sweep_run(const SweepPlan& plan, Count run, MeshStore& store,
                                 const std::stop_token& stop = {},
                                 const std::function<void()>& each_step = {},
                                 const std::string& directory = {});

/// The numbers of the row in the column of that name; `columns` are those of the plan.
[[nodiscard]] std::vector<double>& column_of(SweepRow& row, const std::vector<ResultColumn>& columns,
                                             std::string_view name);

/// The row of a run that has no numbers.
[[nodiscard]] SweepRow row_without_result(const SweepPlan& plan, Count run, SweepStatus status,
                                          std::string note);

}  // namespace electret
