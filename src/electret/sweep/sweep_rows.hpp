#pragma once
/// \file
/// The rows of a sweep, gathered from its parts.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <electret/record/result_table.hpp>
#include <electret/sweep/sweep_folder.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// Where a run's row is. A sweep may have millions, so that it is small.
struct RowPlace {
  std::int32_t part = -1;  ///< -1: the run has no row.
  std::uint32_t row = 0;
  SweepStatus status = SweepStatus::done;
};

/// What one part holds. It is read at once and closed again, because a sweep may have more parts than a
/// process may have files open.
struct PartRows {
  /// Columns so narrow are kept in memory. Rows of wider ones are read when they are asked for.
  static constexpr std::size_t narrow = 64;

  std::string path;
  std::vector<Count> started;
  std::vector<RowPlace> places;                       ///< Of the rows that count.
  std::vector<Count> runs;                            ///< Of each of `places`.
  std::map<Count, std::string> notes;                 ///< Of rows that have one, by run.
  std::map<std::string, std::vector<double>> values;  ///< All rows of the columns that are kept.
  std::string instructions, host, version;
  Count order = 0;  ///< How many parts were there when it was begun; 0 in parts that do not say so.
  std::vector<Finding> faults;

  [[nodiscard]] double number(const std::string& column, std::size_t row) const {
    return values.at(column)[row];
  }
  /// The note of the run's row; empty without one.
  [[nodiscard]] std::string note(Count run) const {
    const auto found = notes.find(run);
    return found != notes.end() ? found->second : std::string();
  }
};

/// Adds to each run how often the part says that it was begun and not taken back.
void add_begun(const PartRows& part, std::vector<std::int32_t>& begun);

class PartReader {
 public:
  /// Which columns are kept in memory: all narrow ones, or status and times alone.
  enum class Keep { narrow, times };

  explicit PartReader(const SweepPlan& plan, Keep keep = Keep::narrow)
      : plan_(plan), columns_(plan.columns()), identity_(plan.common_hash()), keep_(keep) {}

  /// What is wrong with the part or with its rows is among the faults. Throws nothing for a damaged part.
  [[nodiscard]] PartRows read(const std::string& path, std::size_t number = 0) const;

 private:
  [[nodiscard]] bool keeps(const ResultColumn& column) const;
  void take_rows(PartRows& part, const ResultTableReader& table, std::int32_t number) const;

  const SweepPlan& plan_;
  std::vector<ResultColumn> columns_;
  std::string identity_;
  Keep keep_;
};

/// One row of each run that has one, as the parts were when it was made. Of several rows of a run, the best
/// one counts (`is_better`); parts are read by name, so that the choice does not depend on times.
class SweepRows {
 public:
  SweepRows(const SweepFolder& folder, const SweepPlan& plan);

  /// Runs that have a row, ascending.
  [[nodiscard]] std::vector<Count> runs() const;
  [[nodiscard]] bool has(Count run) const { return places_.at(static_cast<std::size_t>(run)).part >= 0; }
  [[nodiscard]] const RowPlace& place(Count run) const { return places_.at(static_cast<std::size_t>(run)); }
  /// The parts, without their lists of runs and rows.
  [[nodiscard]] const std::vector<PartRows>& parts() const { return parts_; }
  /// The numbers of these runs in one column other than `values`, one run after the other. If the column is
  /// wide, each part is opened once, one at a time. Throws UnreadableError, and std::logic_error for a run
  /// without a row.
  [[nodiscard]] std::vector<double> numbers(const ResultColumn& column, const std::vector<Count>& runs);
  /// How often the run was begun and not taken back; 1 for most.
  [[nodiscard]] Count attempts(Count run) const { return begun_.at(static_cast<std::size_t>(run)); }

  /// Parts and rows that do not count, and runs of which two rows differ.
  [[nodiscard]] const std::vector<Finding>& faults() const { return faults_; }
  [[nodiscard]] bool has_conflicts() const { return has_conflicts_; }

 private:
  /// A run of which a second row has a result.
  struct Twice {
    Count run;
    RowPlace now, known;
  };

  void take(PartRows& part);
  void take(Count run, const RowPlace& place, std::vector<Twice>& twice);
  [[nodiscard]] const PartRows& part_of(const RowPlace& place) const {
    return parts_[static_cast<std::size_t>(place.part)];
  }
  [[nodiscard]] RowRank rank_of(const RowPlace& place) const { return {place.status, part_of(place).order}; }
  void compare(const std::vector<Twice>& twice);
  /// Of each whether its two rows differ.
  [[nodiscard]] std::vector<bool> differing(const std::vector<Twice>& twice);
  [[nodiscard]] std::vector<double> numbers(const ResultColumn& column, const std::vector<RowPlace>& places);
  [[nodiscard]] const ResultTableReader& opened(std::int32_t part);

  std::vector<PartRows> parts_;
  std::vector<ResultColumn> compared_;
  std::vector<RowPlace> places_;     ///< Of all runs.
  std::vector<std::int32_t> begun_;  ///< How often each run was begun and not taken back.
  std::vector<Finding> faults_;
  bool has_conflicts_ = false;
  std::unique_ptr<ResultTableReader> open_;
  std::int32_t open_part_ = 0;
};

}  // namespace electret
