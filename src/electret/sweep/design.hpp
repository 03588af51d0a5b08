#pragma once
/// \file
/// The design of a sweep: the values of every run. design.csv holds it, and every worker takes its values
/// from there.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/report.hpp>
#include <electret/sweep/job.hpp>

namespace electret {

/// The runs and their values. A value is the text after `KEY=` of an override. A sweep may have millions, so
/// that all texts are in one.
class SweepDesign {
 public:
  SweepDesign() = default;
  explicit SweepDesign(std::vector<std::string> keys) : keys_(std::move(keys)) {}
  /// `values` are runs × keys, row-major.
  SweepDesign(std::vector<std::string> keys, const std::vector<std::string>& values);

  /// Takes room for so many runs, whose values have so many letters each.
  void reserve(std::size_t runs, std::size_t letters);
  /// Adds the next value: those of a run follow one another in the order of the keys.
  void add(std::string_view value);

  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] Count runs() const;
  /// It is valid until a value is added.
  [[nodiscard]] std::string_view value(Count run, std::size_t key) const;
  /// About the bytes that it takes.
  [[nodiscard]] std::size_t bytes() const { return texts_.size() + sizeof(std::size_t) * ends_.size(); }
  /// The value as a number; nothing if it is something else.
  [[nodiscard]] std::optional<double> number(Count run, std::size_t key) const;
  /// "KEY=VALUE" for each key.
  [[nodiscard]] std::vector<std::string> overrides(Count run) const;
  /// The first run whose values differ from those of the same run of `other`, or that `other` lacks; nothing
  /// if `other` has all runs of this design, and perhaps more. Different keys differ from run 0 on.
  [[nodiscard]] std::optional<Count> first_difference(const SweepDesign& other) const;

 private:
  std::vector<std::string> keys_;
  std::string texts_;              ///< The values one after the other, row-major.
  std::vector<std::size_t> ends_;  ///< Where each of them ends.
};

/// The whole text as a number; nothing if it is something else.
[[nodiscard]] std::optional<double> number_in(std::string_view text);
/// Whether it can be a key of a design: one as for --set, or the start of a fitted parameter.
[[nodiscard]] bool is_design_key(const std::string& text);
/// Whether it can stand in a cell of design.csv and after `KEY=`.
[[nodiscard]] bool is_design_value(std::string_view text);

/// The first column of design.csv, which holds the numbers of the rows. A table of a job may have it, too,
/// where it says nothing, so that the design of one sweep may be the table of another.
inline constexpr const char* run_column = "run";

/// The values of a `range` with `points`, the first and the last exactly its ends; numbers with 17 digits.
[[nodiscard]] std::vector<std::string> listed_range_values(const VaryTable& vary);

/// The most runs of a sweep.
inline constexpr double most_runs = 1e7;

/// Makes the job's design. What is wrong goes to `report`, and the design is then empty. It is also empty if
/// nothing varies, which is a fault unless it `may_be_empty`. Throws nothing.
[[nodiscard]] SweepDesign make_design(const SweepJob& job, Report& report, bool may_be_empty = false);

/// Writes design.csv: a column `run`, then one for each key; numbers with 17 digits. Throws IoError.
void write_design(const std::string& path, const SweepDesign& design);
/// Reads design.csv. Throws InputError with every finding.
[[nodiscard]] SweepDesign read_design(const std::string& path);
/// Reads a table that is written as design.csv is, without quotes, comments or spaces around values; its
/// first column must number the runs if it `counts_runs`. Nothing if the file is missing or not so plain:
/// then it is for `parse_text_csv`, which holds it several times over.
[[nodiscard]] std::optional<SweepDesign> read_plain_design(const std::string& path, bool counts_runs);

}  // namespace electret
