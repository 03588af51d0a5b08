#pragma once
/// \file
/// Tables of numbers: a header line that names the columns, then rows of numbers separated by commas.
///
/// Lines that start with `#` and blank lines are passed over; CRLF, spaces around values and double quotes
/// around column names are accepted. Numbers are correctly rounded, whatever the locale.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct NumericTable {
  std::vector<std::string> columns;  ///< The header's names, c of them.
  std::vector<double> values;        ///< rows()×c, row-major, all finite.
  std::vector<Count> lines;          ///< The file's line each row is on, to locate further findings.

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
    return values[row * columns.size() + column];
  }
  /// The place of the column called `name`.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// Reads a file. Throws InputError with every finding (the first 50 and how many more), each at its line and
/// column: unreadable file, no header, unnamed or repeated column, wrong number of values, bad or non-finite
/// number. A table without rows is not a finding.
NumericTable read_numeric_csv(const std::string& path);

/// The same of text in memory; `file_name` is what findings call it.
NumericTable parse_numeric_csv(std::string_view text, const std::string& file_name);

}  // namespace electret
