#pragma once
/// \file
/// Rows of numbers as Markdown and as JSON.

#include <string>
#include <utility>
#include <vector>

namespace electret::bench {

/// A table whose cells are text or numbers; a missing number is "–", in JSON null.
class Table {
 public:
  Table(std::string title, std::vector<std::string> columns);

  /// Begins a row; cells follow from left to right.
  void begin_row();
  void add(const std::string& text);
  /// To three digits.
  void add(double number);
  void add_missing();

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string markdown() const;
  /// {"title": …, "rows": [{column: cell, …}, …]}
  [[nodiscard]] std::string json() const;

 private:
  std::string title_;
  std::vector<std::string> columns_;
  /// The cell as Markdown and as JSON.
  std::vector<std::vector<std::pair<std::string, std::string>>> rows_;
};

}  // namespace electret::bench
