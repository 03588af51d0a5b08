#include <algorithm>

#include <electret/geometry/csv.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/read.hpp>

namespace electret {
namespace {

/// A value between commas: its text, and the place of the text's first character.
struct Cell {
  std::string_view text;
  Count column;
};

/// Whether the text has another character that tables separate values by.
bool has_separator(std::string_view text) {
  return text.find_first_of("; \t") != std::string_view::npos;
}

/// `text` without a pair of double quotes around it.
std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
    return input::trimmed(text.substr(1, text.size() - 2));
  return text;
}

std::optional<std::size_t> index_of(const std::vector<std::string>& columns, std::string_view name) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

/// Reads a NumericTable or a TextTable.
template <class Table>
class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file_name) : text_(text), findings_(file_name) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  Table read() {
    std::string_view line;
    while (next_line(line)) {
      const std::string_view content = input::trimmed(line);
      if (content.empty() || content.starts_with('#')) continue;
      split(line);
      if (table_.columns.empty())
        header();
      else
        row();
    }
    if (table_.columns.empty() && findings_.empty())
      findings_.add(0, 0, "the file has no header line",
                    "the first line names the columns, separated by commas");
    findings_.throw_if_any();
    return std::move(table_);
  }

 private:
  bool next_line(std::string_view& line) {
    if (text_.empty()) return false;
    ++line_;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

  void split(std::string_view line) {
    cells_.clear();
    for (std::size_t start = 0;;) {
      const std::size_t end = std::min(line.find(',', start), line.size());
      const std::string_view text = input::trimmed(line.substr(start, end - start));
      const std::size_t at = text.empty() ? start : static_cast<std::size_t>(text.data() - line.data());
      cells_.push_back({text, static_cast<Count>(at) + 1});
      if (end == line.size()) return;
      start = end + 1;
    }
  }

  void header() {
    if (std::all_of(cells_.begin(), cells_.end(),
                    [](const Cell& cell) { return input::number(cell.text).fault.empty(); })) {
      findings_.add(line_, 1, "the first line is numbers, not the columns' names",
                    "a header line comes before the rows (lines that start with # are comments)");
      table_.columns.resize(cells_.size());
      return;
    }
    for (const Cell& cell : cells_) {
      const std::string_view name = unquoted(cell.text);
      if (name.empty())
        findings_.add(line_, cell.column, "a column without a name",
                      "every column has a name in the header line");
      else if (table_.column(name))
        findings_.add(line_, cell.column, "column " + in_quotes(name) + " twice",
                      "columns have different names");
      table_.columns.emplace_back(name);
    }
  }

  void row() {
    const std::size_t wanted = table_.columns.size();
    if (cells_.size() != wanted) {
      const Count column = cells_.size() > wanted ? cells_[wanted].column : cells_.back().column;
      findings_.add(
          line_, column,
          std::to_string(cells_.size()) + (cells_.size() == 1 ? " value" : " values") + " in this row",
          "the header line names " + std::to_string(wanted));
    }
    for (const Cell& cell : cells_) add(cell, table_);
    table_.lines.push_back(line_);
  }

  void add(const Cell& cell, NumericTable& table) {
    const auto [value, fault] = input::number(cell.text);
    if (!fault.empty())
      findings_.add(line_, cell.column, cell.text.empty() ? "an empty value" : fault,
                    has_separator(cell.text) ? "values are finite numbers, separated by commas"
                                             : "values are finite numbers");
    if (findings_.empty()) table.values.push_back(value);
  }
  void add(const Cell& cell, TextTable& table) {
    table.cells.push_back({std::string(unquoted(cell.text)), cell.column});
  }

  std::string_view text_;
  input::Findings findings_;
  Table table_;
  std::vector<Cell> cells_;
  Count line_ = 0;
};

}  // namespace

std::optional<std::size_t> NumericTable::column(std::string_view name) const {
  return index_of(columns, name);
}

std::optional<std::size_t> TextTable::column(std::string_view name) const {
  return index_of(columns, name);
}

NumericTable parse_numeric_csv(std::string_view text, const std::string& file_name) {
  return CsvReader<NumericTable>(text, file_name).read();
}

TextTable parse_text_csv(std::string_view text, const std::string& file_name) {
  return CsvReader<TextTable>(text, file_name).read();
}

NumericTable read_numeric_csv(const std::string& path) {
  return parse_numeric_csv(read_whole_file(path), path);
}

}  // namespace electret
