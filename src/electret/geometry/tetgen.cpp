#include <algorithm>
#include <cmath>
#include <map>

#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/tetgen.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

using input::Word;

/// The rows of one file, without comments and empty lines.
class Rows {
 public:
  explicit Rows(const NamedText& file)
      : findings(file.file_name), cursor_(file.text, {.continuations = false, .comments = true}) {}

  /// The next row of words; empty at the end of the text.
  const std::vector<Word>& next() {
    words_.clear();
    while (words_.empty() && cursor_.next_statement()) cursor_.words(words_);
    return words_;
  }

  /// The next row if it has `wanted` words; otherwise a finding. At the end of the text nothing more is read.
  const std::vector<Word>* row(std::size_t wanted, const char* what) {
    next();
    if (words_.size() == wanted) return &words_;
    if (words_.empty())
      findings.add(0, 0, "the file ends where " + std::string(what) + " should be", "");
    else
      findings.add(words_.front().line, 1, std::to_string(words_.size()) + " numbers for " + what,
                   "allowed: " + std::to_string(wanted));
    has_ended = words_.empty();
    return nullptr;
  }

  std::int64_t integer(const Word& word, const char* what) {
    if (const auto value = input::integer(word.text)) return *value;
    findings.add(word.line, word.column,
                 std::string(what) + ": " + in_quotes(word.text) + " is not a whole number",
                 "allowed: a whole number");
    return 0;
  }

  double real(const Word& word, const char* what) {
    const input::Number value = input::number(word.text);
    if (!value.fault.empty())
      findings.add(word.line, word.column, std::string(what) + ": " + value.fault,
                   "allowed: a finite number");
    return value.value;
  }

  input::Findings findings;
  bool has_ended = false;

 private:
  input::Cursor cursor_;
  std::vector<Word> words_;
};

class TetgenReader {
 public:
  TetgenReader(const NamedText& node, const NamedText& ele) : node_(node), ele_(ele) {}

  Mesh read() {
    std::vector<Finding> all;
    const auto gather = [&](auto&& part) {
      try {
        part();
      } catch (const InputError& error) {
        all.insert(all.end(), error.findings().begin(), error.findings().end());
      }
    };
    gather([&] { vertices(); });
    gather([&] { tetrahedra(); });
    if (!all.empty()) throw InputError(std::move(all));
    collector_.finish(mesh_, names_, ele_.findings);
    return std::move(mesh_);
  }

 private:
  static constexpr std::int64_t most = 2147483647;

  /// The first row: a count and further numbers, from `least` to `wanted` in all. Missing numbers are 0.
  std::vector<std::int64_t> header(Rows& rows, std::size_t least, std::size_t wanted) {
    std::vector<std::int64_t> numbers;
    for (const Word& word : rows.next()) {
      numbers.push_back(rows.integer(word, "the first line"));
      if (numbers.back() < 0 || numbers.back() > most)
        rows.findings.add(word.line, word.column, "the first line: " + in_quotes(word.text),
                          "allowed: 0 to " + std::to_string(most));
    }
    if (numbers.size() < least || numbers.size() > wanted)
      rows.findings.add(1, 0, "the first line has " + std::to_string(numbers.size()) + " numbers",
                        "allowed: " + std::to_string(wanted) + " (TetGen's file formats)");
    rows.findings.throw_if_any();
    numbers.resize(wanted);
    return numbers;
  }

  void vertices() {
    const auto numbers = header(node_, 1, 4);
    if (numbers[1] != 0 && numbers[1] != 3)
      node_.findings.add(1, 0, "the dimension is " + std::to_string(numbers[1]), "allowed: 3");
    if (numbers[0] < 1) node_.findings.add(1, 0, "the file has no vertices", "at least one is required");
    node_.findings.throw_if_any();
    const std::size_t length = 4 + static_cast<std::size_t>(numbers[2]) + (numbers[3] != 0 ? 1 : 0);
    for (std::int64_t k = 0; k < numbers[0] && !node_.has_ended; ++k) {
      const auto* row = node_.row(length, "a vertex");
      if (row == nullptr) continue;
      const std::int64_t index = node_.integer((*row)[0], "a vertex's number");
      if (k == 0) first_ = index == 0 ? 0 : 1;
      if (index != first_ + k)
        node_.findings.add((*row)[0].line, (*row)[0].column, "vertex " + std::to_string(index),
                           "allowed: numbers in order, from 0 or 1");
      const double x = node_.real((*row)[1], "a coordinate"), y = node_.real((*row)[2], "a coordinate");
      mesh_.vertices.push_back({x, y, node_.real((*row)[3], "a coordinate")});
      if (numbers[3] == 0) continue;
      const std::int64_t marker = node_.integer(row->back(), "a marker");
      const auto own = static_cast<Index>(mesh_.vertices.size() - 1);
      if (marker == 0) continue;
      const std::size_t set = set_of("marker ", marker);
      collector_.add(0, {&own, 1}, {&set, 1}, 0);
    }
    node_.findings.throw_if_any();
    has_vertices_ = true;
  }

  void tetrahedra() {
    const auto numbers = header(ele_, 1, 3);
    if (numbers[1] != 0 && numbers[1] != 4)
      ele_.findings.add(1, 0, "tetrahedra of " + std::to_string(numbers[1]) + " vertices",
                        "allowed: 4 (write the mesh without -o2)");
    ele_.findings.throw_if_any();
    const std::size_t length = 5 + static_cast<std::size_t>(numbers[2]);
    for (std::int64_t k = 0; k < numbers[0] && !ele_.has_ended; ++k)
      if (const auto* row = ele_.row(length, "a tetrahedron")) tetrahedron(*row, numbers[2] > 0);
    ele_.findings.throw_if_any();
  }

  void tetrahedron(const std::vector<Word>& row, bool has_region) {
    Tetrahedron corners{};
    bool is_whole = has_vertices_;
    for (std::size_t a = 0; a < 4; ++a) {
      const std::int64_t index = ele_.integer(row[a + 1], "a vertex");
      const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
      if (has_vertices_ && (index < first_ || index >= first_ + count)) {
        ele_.findings.add(row[a + 1].line, row[a + 1].column, "vertex " + in_quotes(row[a + 1].text),
                          "allowed: " + std::to_string(first_) + " to " + std::to_string(first_ + count - 1));
        is_whole = false;
      }
      corners[a] = static_cast<Index>(std::clamp<std::int64_t>(index, first_, first_ + most) - first_);
    }
    std::size_t set = 0, sets = 0;
    if (has_region) {
      const double region = ele_.real(row.back(), "a region");
      if (region != std::floor(region) || std::abs(region) > 1e15)
        ele_.findings.add(row.back().line, row.back().column, "region " + in_quotes(row.back().text),
                          "allowed: a whole number");
      else if (region != 0.0)
        set = set_of("", static_cast<std::int64_t>(region)), sets = 1;
    }
    if (!is_whole) return;
    const Vec3 origin = at(corners[0]);
    if (dot(at(corners[1]) - origin, cross(at(corners[2]) - origin, at(corners[3]) - origin)) < 0.0)
      std::swap(corners[2], corners[3]);
    collector_.add(3, corners, {&set, sets}, row.front().line);
  }

  [[nodiscard]] const Vec3& at(Index v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }

  std::size_t set_of(const std::string& prefix, std::int64_t number) {
    const auto [found, is_new] = set_of_.try_emplace(prefix + std::to_string(number), names_.size());
    if (is_new) {
      collector_.add_set();
      names_.push_back(found->first);
    }
    return found->second;
  }

  Rows node_, ele_;
  Mesh mesh_;
  CellCollector collector_;
  std::map<std::string, std::size_t> set_of_;
  std::vector<std::string> names_;
  std::int64_t first_ = 0;
  bool has_vertices_ = false;
};

}  // namespace

Mesh parse_tetgen(const NamedText& node, const NamedText& ele) {
  return TetgenReader(node, ele).read();
}

Mesh parse_tetgen_pair(const NamedText& named, const NamedText& other) {
  const bool is_node = named.file_name.size() > 4 &&
                       (named.file_name.ends_with(".node") || named.file_name.ends_with(".NODE"));
  if (!is_node) return parse_tetgen(other, named);
  Mesh mesh = parse_tetgen(named, other);
  mesh.element_lines.clear();  // These lines are in the other file.
  return mesh;
}

}  // namespace electret
