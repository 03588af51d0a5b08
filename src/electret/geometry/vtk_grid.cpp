#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/vtk_grid.hpp>

namespace electret::vtk {
namespace {

/// A kind of cell: the number of its corners; 0 for any number from `least` on.
struct CellKind {
  int type, dimension;
  std::size_t corners, least;
};
constexpr std::array<CellKind, 11> cell_kinds = {{{1, 0, 1, 1},
                                                  {2, 0, 0, 1},
                                                  {3, 1, 2, 2},
                                                  {4, 1, 0, 2},
                                                  {5, 2, 3, 3},
                                                  {7, 2, 0, 3},
                                                  {8, 2, 4, 4},
                                                  {9, 2, 4, 4},
                                                  {10, 3, 4, 4},
                                                  {11, 3, 8, 8},
                                                  {12, 3, 8, 8}}};
constexpr int polyvertex = 2, polyline = 4, pixel = 8, voxel = 11;

constexpr std::size_t most_values = 256;

/// The groups that one cell array makes: for each of its values, in order, the number of its set.
struct Groups {
  const Array* array;
  std::map<double, std::size_t> set_of;
};

class Builder {
 public:
  Builder(const Grid& grid, input::Findings& findings) : grid_(grid), findings_(findings) {}

  Mesh build() {
    if (grid_.points.empty()) findings_.add(0, 0, "the grid has no points", "at least one is required");
    if (grid_.types.size() != grid_.ends.size())
      findings_.add(grid_.line, 0,
                    std::to_string(grid_.ends.size()) + " cells, but " + std::to_string(grid_.types.size()) +
                        " types of cells",
                    "as many of both");
    findings_.throw_if_any();
    mesh_.vertices = grid_.points;
    make_groups();
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < grid_.types.size(); ++c) {
      const std::int64_t end = grid_.ends[c];
      if (end < begin || end > static_cast<std::int64_t>(grid_.connectivity.size())) {
        fault(c, "its points end at " + std::to_string(end),
              "allowed: " + std::to_string(begin) + " to " + std::to_string(grid_.connectivity.size()));
        break;  // All that follows would be wrong, too.
      }
      cell(c, static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
      begin = end;
    }
    findings_.throw_if_any();
    add_attributes();
    cells_.finish(mesh_, names_, findings_);
    return std::move(mesh_);
  }

 private:
  void fault(std::size_t cell, const std::string& what, std::string allowed) {
    const Count line = grid_.is_line_a_cell ? grid_.line + static_cast<Count>(cell) : grid_.line;
    findings_.add(line, 0, "cell " + std::to_string(cell) + ": " + what, std::move(allowed));
  }

  /// Exports have velocities as vectors, PLY has them by their components. These are the attributes.
  void add_attributes() {
    const std::size_t n = mesh_.vertices.size();
    const auto is_known = [n](const Array& array, std::size_t components) {
      return array.components == components && array.values.size() == components * n &&
             std::all_of(array.values.begin(), array.values.end(), [](double v) { return std::isfinite(v); });
    };
    for (const Array& array : grid_.point_arrays)
      if (is_known(array, 1)) mesh_.attributes[array.name] = array.values;
    for (const Array& array : grid_.point_arrays) {
      if (array.name != "velocity" || !is_known(array, 3)) continue;
      static constexpr const char* names[] = {"vx", "vy", "vz"};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<double> values(n);
        for (std::size_t v = 0; v < n; ++v) values[v] = array.values[3 * v + axis];
        mesh_.attributes.try_emplace(names[axis], std::move(values));
      }
    }
  }

  void make_groups() {
    for (const Array& array : grid_.cell_arrays) {
      if (array.components != 1 || array.values.size() != grid_.types.size()) continue;
      std::set<double> values;
      for (const double value : array.values) {
        const bool is_whole = std::abs(value) < 1e15 && value == std::floor(value);
        if (is_whole) values.insert(value);
        if (!is_whole || values.size() > most_values) {
          values.clear();
          break;
        }
      }
      if (values.empty()) continue;
      Groups& groups = groups_.emplace_back(Groups{&array, {}});
      for (const double value : values) {
        groups.set_of[value] = cells_.add_set();
        names_.push_back(array.name + "=" + std::to_string(static_cast<std::int64_t>(value)));
      }
    }
  }

  void cell(std::size_t c, std::size_t begin, std::size_t count) {
    const auto* kind = std::find_if(cell_kinds.begin(), cell_kinds.end(),
                                    [&](const CellKind& known) { return known.type == grid_.types[c]; });
    if (kind == cell_kinds.end())
      return fault(c, "VTK's type " + std::to_string(grid_.types[c]) + " is not read",
                   "allowed: tetrahedra (10), hexahedra (12), voxels (11), and below them 1 to 5, 7, 8, 9");
    if (count < kind->least || (kind->corners != 0 && count != kind->corners))
      return fault(c, std::to_string(count) + " points for VTK's type " + std::to_string(kind->type),
                   "allowed: " + std::to_string(kind->least) + (kind->corners == 0 ? " or more" : ""));
    corners_.clear();
    for (std::size_t a = 0; a < count; ++a) {
      const std::int64_t point = grid_.connectivity[begin + a];
      if (point < 0 || point >= static_cast<std::int64_t>(grid_.points.size()))
        return fault(c, "point " + std::to_string(point) + " is not there",
                     "allowed: 0 to " + std::to_string(grid_.points.size() - 1));
      corners_.push_back(static_cast<Index>(point));
    }
    // VTK counts the corners of pixels and voxels along the axes.
    if (kind->type == pixel || kind->type == voxel) std::swap(corners_[2], corners_[3]);
    if (kind->type == voxel) std::swap(corners_[6], corners_[7]);
    sets_.clear();
    for (const Groups& groups : groups_) sets_.push_back(groups.set_of.at(groups.array->values[c]));
    add(c, *kind);
  }

  void add(std::size_t c, const CellKind& kind) {
    if (kind.type == polyvertex) {
      for (const Index corner : corners_) add(c, 0, {&corner, 1});
    } else if (kind.type == polyline) {
      for (std::size_t a = 0; a + 1 < corners_.size(); ++a) add(c, 1, std::span(corners_).subspan(a, 2));
    } else {
      add(c, kind.dimension, corners_);
    }
  }

  void add(std::size_t c, int dimension, std::span<const Index> corners) {
    if (const auto twice = repeated_corner(dimension, corners))
      return fault(c, "point " + std::to_string(*twice) + " is two of its corners", different_corners);
    cells_.add(dimension, corners, sets_, grid_.is_line_a_cell ? grid_.line + static_cast<Count>(c) : 0);
  }

  const Grid& grid_;
  input::Findings& findings_;
  Mesh mesh_;
  CellCollector cells_;
  std::vector<Groups> groups_;
  std::vector<std::string> names_;
  std::vector<Index> corners_;
  std::vector<std::size_t> sets_;
};

}  // namespace

Mesh mesh_of(const Grid& grid, input::Findings& findings) {
  return Builder(grid, findings).build();
}

}  // namespace electret::vtk
