#include "starfish_recording.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/input_text.hpp>

namespace electret::experiments {
namespace {

constexpr std::size_t columns = 2 + 2 * starfish_markers;
constexpr std::size_t contraction_column = 1;
constexpr double milli = 1e-3;         // mm and ms, in m and s
constexpr double most_uneven = 0.002;  // s; a picture that is missing takes 0.0167 s more
constexpr const char* form =
    "expected the columns time (ms), tendon contraction (mm), then x and y (mm) of the markers M1 to M4";

/// Whether a unit that stands behind a column's name in brackets is the one that is read.
bool has_unit(std::string_view name, std::string_view unit) {
  const std::size_t from = name.find('(');
  if (from == std::string_view::npos) return true;
  const std::size_t to = name.find(')', from);
  return to != std::string_view::npos && name.substr(from + 1, to - from - 1) == unit;
}

/// "M1 X (mm)" and "M1Y" as "M1X" and "M1Y".
std::string short_name(std::string_view name) {
  std::string result;
  for (const char c : name.substr(0, name.find('(')))
    if (c != ' ') result += c;
  return result;
}

/// Reads one file and gathers what is wrong with it.
class RecordingReader {
 public:
  RecordingReader(std::string_view text, const std::string& name)
      : table_(parse_text_csv(text, name)), name_(name), findings_(name) {
    check_columns();
  }

  StarfishRecording read(std::size_t least_rows) {
    for (std::size_t row = 0; row < table_.rows(); ++row) read_row(row);
    findings_.throw_if_any();
    const std::vector<std::size_t> rows = rows_that_count();
    if (rows.size() < least_rows)
      findings_.add(0, 0,
                    fmt::format("has {} rows from that on in which the tendon begins to pull", rows.size()),
                    fmt::format("expected at least {}", least_rows));
    check_times(rows);
    findings_.throw_if_any();
    return recording(rows);
  }

 private:
  void check_columns() {
    bool is_right = table_.columns.size() == columns;
    for (std::size_t c = 0; is_right && c < columns; ++c)
      is_right =
          short_name(table_.columns[c]) == expected(c) && has_unit(table_.columns[c], c == 0 ? "ms" : "mm");
    if (is_right) return;
    findings_.add(1, 1, "the columns are not those of a recording", form);
    findings_.throw_if_any();
  }

  static std::string expected(std::size_t column) {
    if (column == 0) return "Time";
    if (column == contraction_column) return "TendonContraction";
    return fmt::format("M{}{}", column / 2, column % 2 == 0 ? 'X' : 'Y');
  }

  void read_row(std::size_t row) {
    for (std::size_t c = 0; c < columns; ++c) {
      const TextTable::Cell& cell = table_(row, c);
      const bool is_missing = c == contraction_column && (cell.text == "NaN" || cell.text == "nan");
      const input::Number number =
          is_missing ? input::Number{std::numeric_limits<double>::quiet_NaN(), ""} : input::number(cell.text);
      const double value = milli * number.value;
      if (!number.fault.empty())
        findings_.add(table_.lines[row], cell.column, cell.text.empty() ? "an empty value" : number.fault);
      else if (c == contraction_column && value >= tendon_length)
        findings_.add(table_.lines[row], cell.column, "the tendon is not as long as that contraction",
                      fmt::format("expected less than {:g} mm", tendon_length / milli));
      values_.push_back(value);
    }
  }

  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values_[row * columns + column];
  }

  [[nodiscard]] std::vector<std::size_t> rows_that_count() const {
    std::vector<std::size_t> rows;
    double first = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const double contraction = at(row, contraction_column);
      if (std::isnan(contraction)) continue;
      if (std::isnan(first)) first = contraction;
      if (!rows.empty() || contraction != first) rows.push_back(row);
    }
    return rows;
  }

  [[nodiscard]] double interval(const std::vector<std::size_t>& rows) const {
    return (at(rows.back(), 0) - at(rows.front(), 0)) / static_cast<double>(rows.size() - 1);
  }

  void check_times(const std::vector<std::size_t>& rows) {
    if (rows.size() < 2) return;
    const double mean = interval(rows);
    for (std::size_t k = 1; k < rows.size(); ++k) {
      const double step = at(rows[k], 0) - at(rows[k - 1], 0);
      if (step > 0.0 && std::abs(step - mean) <= most_uneven) continue;
      findings_.add(table_.lines[rows[k]], table_(rows[k], 0).column,
                    fmt::format("is {:g} ms after the row before it", step / milli),
                    fmt::format("expected equal intervals; their mean is {:g} ms", mean / milli));
    }
  }

  [[nodiscard]] StarfishRecording recording(const std::vector<std::size_t>& rows) const {
    StarfishRecording result{.name = name_, .interval = interval(rows), .contractions = {}, .moved = {}};
    for (const std::size_t row : rows) {
      result.contractions.push_back(at(row, contraction_column));
      StarfishRecording::Row& moved = result.moved.emplace_back();
      for (std::size_t m = 0; m < starfish_markers; ++m)
        moved[m] = {at(row, 2 + 2 * m) - at(rows.front(), 2 + 2 * m),
                    at(rows.front(), 3 + 2 * m) - at(row, 3 + 2 * m)};
    }
    return result;
  }

  TextTable table_;
  std::string name_;
  input::Findings findings_;
  std::vector<double> values_;  ///< Of all rows, s and m.
};

}  // namespace

StarfishRecording read_starfish_recording(std::string_view text, const std::string& name,
                                          std::size_t least_rows) {
  require(least_rows >= 2, "a recording has an interval");
  return RecordingReader(text, name).read(least_rows);
}

}  // namespace electret::experiments
