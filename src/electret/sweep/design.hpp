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

/// The runs and their values. A value is the text after `KEY=` of an override.
class SweepDesign {
 public:
  SweepDesign() = default;
  SweepDesign(std::vector<std::string> keys, std::vector<std::string> values);

  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] Count runs() const;
  [[nodiscard]] const std::string& value(Count run, std::size_t key) const;
  /// The value as a number; nothing if it is something else.
  [[nodiscard]] std::optional<double> number(Count run, std::size_t key) const;
  /// "KEY=VALUE" for each key.
  [[nodiscard]] std::vector<std::string> overrides(Count run) const;
  /// The first run whose values differ from those of the same run of `other`, or that `other` lacks; nothing
  /// if `other` has all runs of this design, and perhaps more. Different keys differ from run 0 on.
  [[nodiscard]] std::optional<Count> first_difference(const SweepDesign& other) const;

 private:
  std::vector<std::string> keys_;
  std::vector<std::string> values_;  ///< runs × keys, row-major.
};

/// The whole text as a number; nothing if it is something else.
[[nodiscard]] std::optional<double> number_in(std::string_view text);
/// Whether it can be a key of a design: one as for --set, or the start of a fitted parameter.
[[nodiscard]] bool is_design_key(const std::string& text);
/// Whether it can stand in a cell of design.csv and after `KEY=`.
[[nodiscard]] bool is_design_value(const std::string& text);

/// The first column of design.csv, which holds the numbers of the rows. A table of a job may have it, too,
/// where it says nothing, so that the design of one sweep may be the table of another.
inline constexpr const char* run_column = "run";

/// The most runs of a sweep.
inline constexpr double most_runs = 1e7;

/// Makes the job's design. What is wrong goes to `report`, and the design is then empty. It is also empty if
/// nothing varies, which is a fault unless it `may_be_empty`. Throws nothing.
[[nodiscard]] SweepDesign make_design(const SweepJob& job, Report& report, bool may_be_empty = false);

/// The text of design.csv: a column `run`, then one for each key; numbers with 17 digits.
[[nodiscard]] std::string design_text(const SweepDesign& design);
/// Reads design.csv. Throws InputError with every finding.
[[nodiscard]] SweepDesign read_design(const std::string& path);

}  // namespace electret
