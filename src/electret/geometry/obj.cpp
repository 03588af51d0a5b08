#include <algorithm>
#include <limits>
#include <set>

#include <electret/geometry/input_text.hpp>
#include <electret/geometry/obj.hpp>
#include <electret/geometry/repeated_elements.hpp>

namespace electret {
namespace {

using input::Cursor;
using input::Word;

// Statements of the format that say nothing about vertices, faces, lines or groups.
constexpr std::array<std::string_view, 34> passed_over = {
    "vt",    "vn",    "vp",   "s",     "mg",       "usemtl",   "mtllib",   "usemap",     "maplib",
    "bevel", "lod",   "curv", "curv2", "surf",     "cstype",   "deg",      "bmat",       "step",
    "parm",  "trim",  "hole", "scrv",  "sp",       "end",      "con",      "shadow_obj", "trace_obj",
    "ctech", "stech", "call", "csh",   "c_interp", "d_interp", "usemtllib"};

/// A face, line or point statement. Its corners are resolved once all vertices are known.
struct Element {
  enum class Kind { face, line, point } kind;
  std::size_t first_corner;  ///< In ObjReader::corners_.
  std::size_t end_corner;
  std::size_t groups;  ///< Which set of active groups.
  Count line, column;  ///< Of the statement.
};

/// One corner as written.
struct Corner {
  std::int64_t written;   ///< The index as written.
  std::int64_t resolved;  ///< From 0.
  Count line, column;
};

constexpr std::size_t most_names = 64;  ///< Of one g or o statement.

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file_name)
      : cursor_(text, {.continuations = true, .comments = true}), findings_(file_name) {}

  Mesh read() {
    while (cursor_.next_statement()) statement();
    if (mesh_.vertices.empty() && findings_.empty())
      findings_.add(0, 0, "the file has no vertex", "a mesh has at least one \"v x y z\" line");
    for (const Element& element : elements_) resolve(element);
    report_repeated_polygons(mesh_.polygons, polygon_places_, findings_);
    findings_.throw_if_any();
    finish_groups();
    return std::move(mesh_);
  }

 private:
  void statement() {
    const auto keyword = cursor_.word();
    if (!keyword) return;
    cursor_.words(words_);
    const std::string_view key = keyword->text;
    if (key == "v") return vertex(*keyword);
    if (key == "f") return element(*keyword, Element::Kind::face, 3, "a face has at least 3 corners");
    if (key == "l") return element(*keyword, Element::Kind::line, 2, "a line has at least 2 vertices");
    if (key == "p")
      return element(*keyword, Element::Kind::point, 1, "a point statement has at least 1 vertex");
    if (key == "g") return name_groups(group_names_);
    if (key == "o") return name_groups(object_names_);
    if (std::find(passed_over.begin(), passed_over.end(), key) == passed_over.end())
      findings_.add(keyword->line, keyword->column, "unknown statement " + in_quotes(key),
                    "an OBJ line starts with v, vt, vn, f, l, p, g, o, s, usemtl, mtllib or #");
  }

  void vertex(const Word& keyword) {
    if (words_.size() < 3)
      findings_.add(keyword.line, keyword.column,
                    "a vertex with " + std::to_string(words_.size()) + " coordinates", "write \"v x y z\"");
    Vec3 position;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(3, words_.size()); ++axis) {
      const auto [value, fault] = input::number(words_[axis].text);
      if (!fault.empty())
        findings_.add(words_[axis].line, words_[axis].column, fault, "coordinates are finite numbers");
      position[static_cast<int>(axis)] = value;
    }
    // A bad vertex counts too; otherwise every later index would be off.
    mesh_.vertices.push_back(position);
    if (mesh_.vertices.size() == std::size_t{1} << 31)
      findings_.add(keyword.line, keyword.column, "too many vertices", "a mesh has fewer than 2147483648");
  }

  void element(const Word& keyword, Element::Kind kind, std::size_t fewest, const char* allowed) {
    const std::size_t first = corners_.size();
    for (const Word& word : words_) corner(word);
    if (words_.size() < fewest)
      findings_.add(keyword.line, keyword.column,
                    in_quotes(keyword.text) + " with " + std::to_string(words_.size()) +
                        (words_.size() == 1 ? " vertex" : " vertices"),
                    allowed);
    elements_.push_back({kind, first, corners_.size(), active_groups(), keyword.line, keyword.column});
  }

  // v, v/t, v//n, v/t/n: only v is used, the rest must be integers or empty.
  void corner(const Word& word) {
    const std::size_t slash = std::min(word.text.find('/'), word.text.size());
    const auto index = input::integer(word.text.substr(0, slash));
    bool well_formed = index.has_value();
    int slashes = 0;
    for (std::size_t at = slash; at < word.text.size(); ++slashes) {
      const std::size_t next = std::min(word.text.find('/', at + 1), word.text.size());
      const std::string_view part = word.text.substr(at + 1, next - at - 1);
      well_formed = well_formed && (part.empty() || input::integer(part));
      at = next;
    }
    if (!well_formed || slashes > 2) {
      findings_.add(word.line, word.column, in_quotes(word.text) + " is not a vertex index",
                    "write v, v/t, v//n or v/t/n with whole numbers");
      return;
    }
    // Positive indices count from the file's first vertex, negative ones back from the last one read so far.
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    corners_.push_back({*index, *index > 0 ? *index - 1 : *index + count, word.line, word.column});
    if (*index == 0 || (*index < 0 && *index < -count)) corners_.back().resolved = -1;
  }

  void resolve(const Element& element) {
    resolved_.clear();
    bool good = true;
    for (std::size_t c = element.first_corner; c < element.end_corner; ++c) {
      good = check_range(corners_[c]) && good;
      if (good) resolved_.push_back(static_cast<Index>(corners_[c].resolved));
    }
    if (!good) return;
    if (element.kind == Element::Kind::face) {
      check_repeats(element);
      mesh_.polygons.add(resolved_);
      polygon_places_.push_back({element.line, element.column});
    } else if (element.kind == Element::Kind::line) {
      add_line(element);
    }
    for (const auto& name : group_sets_[element.groups]) {
      auto& members = mesh_.groups[name];
      members.insert(members.end(), resolved_.begin(), resolved_.end());
    }
  }

  bool check_range(const Corner& corner) {
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    if (corner.resolved >= 0 && corner.resolved < count) return true;
    if (corner.written == 0)
      findings_.add(corner.line, corner.column, "vertex index 0",
                    "indices count from 1, or back from the last vertex from -1");
    else if (corner.written < 0)
      findings_.add(corner.line, corner.column,
                    "vertex index " + std::to_string(corner.written) + " reaches before the first vertex",
                    "negative indices count back from the last vertex read so far");
    else
      findings_.add(corner.line, corner.column,
                    "vertex index " + std::to_string(corner.written) + " is out of range",
                    "the file has " + std::to_string(count) + " vertices");
    return false;
  }

  void check_repeats(const Element& element) {
    sorted_ = resolved_;
    std::sort(sorted_.begin(), sorted_.end());
    const auto twin = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twin != sorted_.end())
      findings_.add(element.line, element.column,
                    "a face with vertex " + std::to_string(*twin + 1) + " twice",
                    "a face's corners are different vertices");
  }

  void add_line(const Element& element) {
    for (std::size_t k = 1; k < resolved_.size(); ++k) {
      if (resolved_[k] == resolved_[k - 1]) {
        const Corner& corner = corners_[element.first_corner + k];
        findings_.add(corner.line, corner.column,
                      "a line from vertex " + std::to_string(resolved_[k] + 1) + " to itself",
                      "a line's neighbouring vertices differ");
      }
      mesh_.lines.push_back({resolved_[k - 1], resolved_[k]});
    }
  }

  void name_groups(std::vector<std::string>& names) {
    names.clear();
    // Every corner joins every active group. Without a bound, a small file could take a lot of memory.
    if (words_.size() > most_names)
      findings_.add(words_[most_names].line, words_[most_names].column,
                    std::to_string(words_.size()) + " group names in one statement",
                    "at most " + std::to_string(most_names));
    else
      for (const Word& word : words_) names.emplace_back(word.text);
    groups_changed_ = true;
  }

  // Statements refer to a set of names instead of copying it, because many faces share one set.
  std::size_t active_groups() {
    if (groups_changed_) {
      std::set<std::string> names(group_names_.begin(), group_names_.end());
      names.insert(object_names_.begin(), object_names_.end());
      group_sets_.emplace_back(names.begin(), names.end());
      groups_changed_ = false;
    }
    return group_sets_.size() - 1;
  }

  void finish_groups() {
    for (auto& [name, members] : mesh_.groups) {
      std::sort(members.begin(), members.end());
      members.erase(std::unique(members.begin(), members.end()), members.end());
      members.shrink_to_fit();
    }
  }

  Cursor cursor_;
  input::Findings findings_;
  Mesh mesh_;
  std::vector<Word> words_;  ///< Of the statement being read, without its first.
  std::vector<Corner> corners_;
  std::vector<Element> elements_;
  std::vector<PolygonPlace> polygon_places_;
  std::vector<Index> resolved_, sorted_;  ///< Of the element being resolved.
  std::vector<std::string> group_names_, object_names_;
  std::vector<std::vector<std::string>> group_sets_{{}};
  bool groups_changed_ = false;
};

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& file_name) {
  return ObjReader(text, file_name).read();
}

}  // namespace electret
