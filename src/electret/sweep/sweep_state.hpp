#pragma once
/// \file
/// How far a sweep is.

#include <array>
#include <optional>
#include <vector>

#include <electret/sweep/sweep_folder.hpp>

namespace electret {

/// How far a sweep is.
struct SweepState {
  Count runs = 0;
  std::array<Count, 6> by_status{};  ///< By SweepStatus.
  std::vector<Count> missing;        ///< Runs without a row, ascending.
  /// Runs that have no result although they have a row, ascending: at most 100, with their causes.
  std::vector<SweepRow> without_result;
  std::vector<Finding> faults;        ///< Parts and rows that do not count.
  std::vector<Count> attempts;        ///< For each run of `missing` how often it was begun.
  double wall = 0.0, cpu = 0.0;       ///< Σ of the rows whose times are known, s.
  Count timed = 0;                    ///< How many rows these are: `lost` runs have no times.
  std::vector<signed char> statuses;  ///< Of each run: a SweepStatus, or `none`.

  static constexpr signed char none = -1;

  [[nodiscard]] Count ended() const { return runs - static_cast<Count>(missing.size()); }
  [[nodiscard]] Count count(SweepStatus of) const { return by_status[static_cast<std::size_t>(of)]; }
  /// Whether every run has a result.
  [[nodiscard]] bool is_whole() const {
    return count(SweepStatus::done) + count(SweepStatus::diverged) == runs;
  }
};

/// Reads which runs the parts have. Of several rows of a run, one with a result counts.
[[nodiscard]] SweepState sweep_state(const SweepFolder& folder, const SweepPlan& plan);

/// The run's row, whose columns of more than 64 numbers are left empty; nothing if it has none.
[[nodiscard]] std::optional<SweepRow> find_row(const SweepFolder& folder, const SweepPlan& plan, Count run);

}  // namespace electret
