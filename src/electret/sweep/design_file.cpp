#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/sweep/design.hpp>

namespace electret {
namespace {

/// Reads a table line by line, without holding its text.
class PlainReader {
 public:
  PlainReader(const std::string& path, bool counts_runs)
      : file_(path, std::ios::binary), counts_runs_(counts_runs) {}

  std::optional<SweepDesign> read() {
    if (!std::getline(file_, line_) || !read_header()) return std::nullopt;
    SweepDesign design(keys_);
    while (std::getline(file_, line_)) {
      // Of a last line without its end it is unknown whether more belongs to it.
      if (file_.eof() || !add_row(design)) return std::nullopt;
    }
    if (design.runs() == 0 || static_cast<double>(design.runs()) > most_runs) return std::nullopt;
    return design;
  }

 private:
  bool read_header() {
    std::set<std::string> names;
    bool has_run = false;
    const bool is_plain = for_each_cell([&](std::size_t, std::string_view cell) {
      if (!is_design_key(std::string(cell)) || !names.emplace(cell).second) return false;
      is_run_.push_back(cell == run_column);
      if (!is_run_.back()) keys_.emplace_back(cell);
      has_run |= is_run_.back();
      return true;
    });
    return is_plain && !keys_.empty() && (!counts_runs_ || (has_run && is_run_.front()));
  }

  bool add_row(SweepDesign& design) {
    const std::string number = std::to_string(design.runs());
    std::size_t count = 0;
    const bool is_plain = for_each_cell([&](std::size_t place, std::string_view cell) {
      count = place + 1;
      if (place >= is_run_.size() || !is_design_value(cell) || cell.find('\t') != std::string_view::npos)
        return false;
      if (is_run_[place]) return !counts_runs_ || cell == number;
      design.add(cell);
      return true;
    });
    return is_plain && count == is_run_.size();
  }

  /// Until `take` returns false.
  template <class Take>
  bool for_each_cell(Take take) const {
    std::size_t place = 0;
    for (std::size_t begin = 0; begin <= line_.size(); ++place) {
      const std::size_t end = std::min(line_.find(',', begin), line_.size());
      if (!take(place, std::string_view(line_).substr(begin, end - begin))) return false;
      begin = end + 1;
    }
    return true;
  }

  std::ifstream file_;
  bool counts_runs_;
  std::string line_;
  std::vector<std::string> keys_;
  std::vector<bool> is_run_;  ///< Of each column.
};

/// The table as it is, which the sweep wrote, so that what is said of tables of users does not help.
TextTable table_of_design(const std::string& path) {
  const std::string text = read_whole_file(path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(Finding{
        {path, 0, 0},
        "it is empty, but the sweep wrote the values of all runs there",
        "bring it back; for another folder, `electret sweep JOB -o OTHER --list` writes the same values"});
  return parse_text_csv(text, path);
}

}  // namespace

std::optional<SweepDesign> read_plain_design(const std::string& path, bool counts_runs) {
  return PlainReader(path, counts_runs).read();
}

void write_design(const std::string& path, const SweepDesign& design) {
  constexpr std::size_t piece_size = 1 << 16;
  std::string piece = run_column;
  for (const std::string& key : design.keys()) piece += "," + key;
  piece += "\n";
  Count run = 0;
  write_file_in_pieces(path, [&] {
    for (; run < design.runs() && piece.size() < piece_size; ++run) {
      piece += std::to_string(run);
      for (std::size_t k = 0; k < design.keys().size(); ++k) (piece += ",") += design.value(run, k);
      piece += "\n";
    }
    return std::exchange(piece, {});
  });
}

SweepDesign read_design(const std::string& path) {
  if (auto plain = read_plain_design(path, true)) return std::move(*plain);
  constexpr const char* own = "the table is made by the sweep; do not change it";
  const TextTable table = table_of_design(path);
  if (table.columns.front() != run_column)
    throw InputError(Finding{{path, 1, 1}, "the first column is not \"run\"", own});
  SweepDesign design({table.columns.begin() + 1, table.columns.end()});
  for (std::size_t r = 0; r < table.rows(); ++r) {
    if (table(r, 0).text != std::to_string(r))
      throw InputError(
          Finding{{path, table.lines[r], 1}, "the row is not that of run " + std::to_string(r), own});
    for (std::size_t c = 1; c < table.columns.size(); ++c) design.add(table(r, c).text);
  }
  return design;
}

}  // namespace electret
