#pragma once
/// \file
/// Tables of numbers, or of texts: a header line that names the columns, then rows of values that are
/// separated by commas.
///
/// Blank lines, and lines that start with `#`, are skipped. CRLF, spaces around values and double quotes
/// around column names are accepted. Numbers are rounded correctly, whatever the locale.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct NumericTable {
  std::vector<std::string> columns;  ///< The c names in the header.
  std::vector<double> values;        ///< rows()×c, row-major, all finite.
  std::vector<Count> lines;          ///< The line of each row in the file, to locate further findings.

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
    return values[row * columns.size() + column];
  }
  /// The index of the column called `name`; nothing if there is none.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// The same with texts; each may be empty.
struct TextTable {
  struct Cell {
    std::string text;  ///< Without spaces and a pair of double quotes around it.
    Count column = 0;  ///< Of its first character in the line, from 1.
  };
  std::vector<std::string> columns;  ///< The c names in the header.
  std::vector<Cell> cells;           ///< rows()×c, row-major.
  std::vector<Count> lines;          ///< The line of each row in the file.

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] const Cell& operator()(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
  /// The index of the column called `name`; nothing if there is none.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// Reads a text as a table of texts. Findings as below, but for the numbers. No text holds a comma.
TextTable parse_text_csv(std::string_view text, const std::string& file_name);

/// Reads a file. Throws InputError with every finding, each at its line and column (the first 50, and the
/// number of further ones). Findings are: unreadable file, no header, unnamed or repeated column, wrong
/// number of values, bad or non-finite number. A table without rows is not a finding.
NumericTable read_numeric_csv(const std::string& path);

/// The same for text in memory. Findings call it `file_name`.
NumericTable parse_numeric_csv(std::string_view text, const std::string& file_name);

}  // namespace electret
