#pragma once
/// \file
/// How far a sweep is.

#include <cstdint>
#include <optional>
#include <vector>

#include <electret/sweep/sweep_folder.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// How far a sweep is.
struct SweepState {
  Count runs = 0;
  StatusCounts counts;         ///< Of the runs that have a row.
  std::vector<Count> missing;  ///< Runs without a row, ascending.
  /// Runs that have no result although they have a row, ascending: at most 100, with their causes.
  std::vector<SweepRow> without_result;
  std::vector<Finding> faults;        ///< Parts and rows that do not count.
  std::vector<std::int32_t> begun;    ///< How often each run was begun and not taken back.
  double wall = 0.0, cpu = 0.0;       ///< Σ of the rows whose times are known, s.
  Count timed = 0;                    ///< How many rows these are: `lost` runs have no times.
  std::vector<signed char> statuses;  ///< Of each run: a SweepStatus, or `none`.

  static constexpr signed char none = -1;

  [[nodiscard]] Count ended() const { return counts.all(); }
  [[nodiscard]] std::int32_t attempts(Count run) const { return begun[static_cast<std::size_t>(run)]; }
  /// Whether every run has a result.
  [[nodiscard]] bool is_whole() const { return missing.empty() && counts.without_result() == 0; }

  /// Makes the runs that ended so `missing` again, as if they had never been begun: they are done once more.
  /// Their rows stay, and count until there are better ones.
  void ask_again(const std::vector<SweepStatus>& ended_as);
};

/// Reads which runs the parts have. Of several rows of a run, the best one counts (`is_better`).
[[nodiscard]] SweepState sweep_state(const SweepFolder& folder, const SweepPlan& plan);

/// The run's row, whose columns of more than 64 numbers, and the hash of its values, are left empty; nothing
/// if it has none.
[[nodiscard]] std::optional<SweepRow> find_row(const SweepFolder& folder, const SweepPlan& plan, Count run);

}  // namespace electret
