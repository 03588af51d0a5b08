#pragma once
/// \file
/// What an experiment leaves: report.md, tables, charts, and the inputs they were made from.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/colour_map.hpp>

#include "picture_strip.hpp"
#include "traced_strip.hpp"

namespace electret::experiments {

/// What a paper says, and what we found.
struct Claim {
  std::string text;                ///< The paper's words, in short.
  std::optional<bool> reproduced;  ///< Absent: this run measured nothing that would tell.
  std::string figure;              ///< Ours, or why there is none.
};

/// "claim — reproduced — our figure"; "not reproduced" and "not measured" likewise.
[[nodiscard]] std::string to_string(const Claim& claim);

/// A table of results: a CSV file.
class Table {
 public:
  using Cell = std::variant<std::string, double, Count>;

  Table(std::string name, std::vector<std::string> columns)
      : name_(std::move(name)), columns_(std::move(columns)) {}
  /// Throws InternalError unless there is a cell a column.
  void add(std::vector<Cell> row);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string csv() const;
  /// The rows as Markdown, numbers with 3 significant digits.
  [[nodiscard]] std::string markdown() const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// The results of one experiment, kept in memory until all of it is done: nothing half-made is ever seen.
class Report {
 public:
  void claim(Claim claim) { claims_.push_back(std::move(claim)); }
  /// A choice that the paper leaves open, or that was made for the size of the run.
  void setting(std::string name, std::string value);
  /// A paragraph that says how to read the numbers.
  void remark(std::string text) { remarks_.push_back(std::move(text)); }
  /// NAME.csv; `shown`: its rows stand in report.md too.
  void table(const Table& table, bool shown);
  /// NAME.svg and NAME.png.
  void chart(const std::string& name, const Chart& chart);
  void chart(const std::string& name, const ColourMap& map);
  void chart(const std::string& name, const PictureStrip& strip);
  void chart(const std::string& name, const TracedStrip& strip, Threads& threads);
  void chart(const std::string& name, const TracedRows& strip, Threads& threads);
  /// inputs/NAME, with the command that uses it.
  void input(const std::string& name, std::string bytes);
  /// A command that runs a part of the experiment again on the inputs.
  void command(std::string line) { commands_.push_back(std::move(line)); }

  [[nodiscard]] const std::vector<Claim>& claims() const { return claims_; }

  /// Everything into `folder`, report.md last: written beside as a whole, then put in the place of an earlier
  /// report. `title`: the report's first line. Throws IoError.
  void write(const std::string& folder, const std::string& title, const std::string& introduction) const;

  /// Throws InputError where `folder` is something other than absent, empty or an earlier report of ours, or
  /// where nothing can be written: known before an experiment of an hour, not after it. Leaves nothing
  /// behind.
  static void check_usable(const std::string& folder);

 private:
  static void check_contents(const std::string& folder);
  struct File {
    std::string name, bytes;
  };
  void drawing(const std::string& name, const std::string& title, std::string svg, std::string png);
  [[nodiscard]] std::string markdown(const std::string& title, const std::string& introduction) const;

  std::vector<Claim> claims_;
  std::vector<File> settings_;  ///< Name and value.
  std::vector<std::string> remarks_, commands_, shown_, charts_;
  std::vector<File> files_;
};

}  // namespace electret::experiments
