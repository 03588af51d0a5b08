#include <algorithm>
#include <array>
#include <map>

#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/medit.hpp>
#include <electret/geometry/number_flow.hpp>

namespace electret {
namespace {

/// A kind of cell that is read.
struct Section {
  std::string_view keyword;
  int dimension, corners;
};
constexpr std::array<Section, 5> sections = {{{"Edges", 1, 2},
                                              {"Triangles", 2, 3},
                                              {"Quadrilaterals", 2, 4},
                                              {"Tetrahedra", 3, 4},
                                              {"Hexahedra", 3, 8}}};
/// Kinds of cells that would be lost if they were skipped, by the start of their keyword.
constexpr std::array<std::string_view, 10> other_cells = {
    "Prisms",       "Pyramids",    "EdgesP2",  "TrianglesP2", "QuadrilateralsQ2",
    "TetrahedraP2", "HexahedraQ2", "PrismsP2", "PyramidsP2",  "Polyhedra"};

class MeditReader {
 public:
  MeditReader(std::string_view text, const std::string& file)
      : findings_(file),
        cursor_(text, {.continuations = false, .comments = true}),
        flow_(cursor_, findings_) {}

  Mesh read() {
    while (const auto word = flow_.word()) {
      if (word->text == "End") break;
      section(word->text);
    }
    if (mesh_.vertices.empty()) findings_.add(0, 0, "the file has no vertices", "at least one is required");
    check_corners();
    findings_.throw_if_any();
    for (const Cell& cell : cells_) {
      const auto corners = std::span(cell.corners).first(cell.size);
      collector_.add(cell.dimension, corners, std::span(&cell.set, cell.set == no_set ? 0 : 1), cell.line);
    }
    collector_.finish(mesh_, names_, findings_);
    return std::move(mesh_);
  }

 private:
  static constexpr std::size_t no_set = static_cast<std::size_t>(-1);
  /// A cell that waits until all vertices are known; corners count from 0.
  struct Cell {
    std::array<Index, 8> corners;
    std::size_t size, set;
    Count line;
    int dimension;
    bool is_whole;  ///< All its numbers could be read.
  };

  void section(std::string_view keyword) {
    if (keyword == "MeshVersionFormatted") {
      const std::int64_t version = flow_.integer("the version");
      if (version < 1 || version > 4)
        flow_.add("Medit version " + std::to_string(version), "allowed: 1 to 4");
    } else if (keyword == "Dimension") {
      const std::int64_t dimension = flow_.integer("the dimension");
      if (dimension != 3) flow_.fault("the dimension is " + std::to_string(dimension), "allowed: 3");
    } else if (keyword == "Vertices") {
      vertices();
    } else if (const auto* kind = std::find_if(sections.begin(), sections.end(),
                                               [&](const Section& k) { return k.keyword == keyword; });
               kind != sections.end()) {
      cells(*kind);
    } else if (std::find(other_cells.begin(), other_cells.end(), keyword) != other_cells.end()) {
      flow_.fault(in_quotes(keyword) + " are not read",
                  "allowed: Edges, Triangles, Quadrilaterals, Tetrahedra and Hexahedra of first order");
    } else if (input::number(keyword).fault.empty()) {
      if (!is_passing_over_)
        flow_.fault(in_quotes(keyword) + " stands where a keyword should be",
                    "allowed: Vertices, Tetrahedra, …, End");
      return;
    }
    is_passing_over_ = !is_known(keyword);
  }

  static bool is_known(std::string_view keyword) {
    return keyword == "MeshVersionFormatted" || keyword == "Dimension" || keyword == "Vertices" ||
           std::any_of(sections.begin(), sections.end(),
                       [&](const Section& k) { return k.keyword == keyword; });
  }

  void vertices() {
    const std::int64_t count = flow_.count("the number of vertices");
    if (!mesh_.vertices.empty()) flow_.fault("a second list of vertices", "allowed: one");
    for (std::int64_t k = 0; k < count; ++k) {
      const double x = flow_.real("a coordinate"), y = flow_.real("a coordinate");
      mesh_.vertices.push_back({x, y, flow_.real("a coordinate")});
      const std::size_t set = set_of("Vertices", 0, flow_.integer("a reference"));
      const auto own = static_cast<Index>(k);
      if (set != no_set) cells_.push_back({{own}, 1, set, flow_.line(), 0, true});
    }
  }

  void cells(const Section& kind) {
    const std::int64_t count = flow_.count("a number of cells");
    for (std::int64_t k = 0; k < count; ++k) {
      Cell cell{{}, static_cast<std::size_t>(kind.corners), no_set, 0, kind.dimension, true};
      const Count before = findings_.count();
      for (std::size_t a = 0; a < cell.size; ++a) {
        cell.corners[a] = static_cast<Index>(flow_.index("a vertex", 1) - 1);
        if (a == 0) cell.line = flow_.line();
      }
      cell.is_whole = findings_.count() == before;
      cell.set = set_of(kind.keyword, kind.dimension, flow_.integer("a reference"));
      cells_.push_back(cell);
    }
  }

  /// Vertices may stand after the cells.
  void check_corners() {
    const auto count = static_cast<Index>(mesh_.vertices.size());
    const auto named = [](Index vertex) { return "vertex " + std::to_string(Count{vertex} + 1); };
    for (const Cell& cell : cells_) {
      for (std::size_t a = 0; a < cell.size; ++a)
        if (cell.corners[a] >= count)
          findings_.add(cell.line, 0, named(cell.corners[a]) + " is not there",
                        "allowed: 1 to " + std::to_string(count));
      if (!cell.is_whole) continue;
      if (const auto twice = repeated_corner(cell.dimension, std::span(cell.corners).first(cell.size)))
        findings_.add(cell.line, 0, named(*twice) + " is two corners of the cell", different_corners);
    }
  }

  std::size_t set_of(std::string_view keyword, int dimension, std::int64_t reference) {
    if (reference == 0) return no_set;
    const std::string prefix = dimension == 3 ? std::string() : std::string(keyword) + " ";
    const auto [found, is_new] = set_of_.try_emplace({prefix, reference}, names_.size());
    if (is_new) {
      collector_.add_set();
      names_.push_back(prefix + std::to_string(reference));
    }
    return found->second;
  }

  input::Findings findings_;
  input::Cursor cursor_;
  input::NumberFlow flow_;
  Mesh mesh_;
  std::vector<Cell> cells_;
  CellCollector collector_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> set_of_;
  std::vector<std::string> names_;
  bool is_passing_over_ = false;
};

}  // namespace

Mesh parse_medit(std::string_view text, const std::string& file_name) {
  return MeditReader(text, file_name).read();
}

}  // namespace electret
