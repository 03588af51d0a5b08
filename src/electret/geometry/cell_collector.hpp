#pragma once
/// \file
/// What the readers of volume meshes share: cells of any dimension, and the named sets that they belong to.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <electret/geometry/input_text.hpp>
#include <electret/geometry/mesh.hpp>
#include <electret/geometry/repeated_elements.hpp>

namespace electret {

/// A vertex that is two corners of a line (dimension 1) or a face (2). Nothing if all corners differ, and for
/// points and volumes: a wedge may be written as a hexahedron with repeated corners.
std::optional<Index> repeated_corner(int dimension, std::span<const Index> corners);

/// What a finding about a repeated corner says is allowed.
inline constexpr const char* different_corners = "the corners of a face or line are different vertices";

/// Sorts cells into a mesh. A set of cells becomes two groups of the set's name: the group of the vertices
/// that the cells touch, and the element group of its volume elements. If the mesh has volume elements, its
/// polygons are their boundary, and cells of lower dimension only make groups.
class CellCollector {
 public:
  /// Adds a set of cells and returns its number.
  std::size_t add_set();

  /// Adds a cell of dimension 0 (a point), 1 (a line), 2 (a polygon of at least 3 corners) or 3 (the 4
  /// corners of a tetrahedron or the 8 of a hexahedron, in Gmsh's order). `line` is its line in the file, 0
  /// for none.
  void add(int dimension, std::span<const Index> corners, std::span<const std::size_t> sets, Count line);

  /// Makes one volume element, or one polygon, of those that have the same vertices and are in different
  /// sets: some programs write one once for each of its sets. One that is in no other set than an earlier one
  /// stays.
  void unite_sets();

  /// Puts all cells into `mesh`, which already has its vertices. Set s is called `names[s]`. Sets of one name
  /// are united; a set with an empty name makes no group. Throws `findings` with those of polygons that are
  /// written twice, unless the mesh has volume elements.
  void finish(Mesh& mesh, std::span<const std::string> names, input::Findings& findings);

 private:
  struct Set {
    std::vector<Index> vertices, polygons, tetrahedra, hexahedra;
  };
  std::vector<char> unite(const std::vector<RepeatedElement>& repeated, std::size_t count,
                          std::vector<Index> Set::*members);
  void unite_polygons();

  std::vector<Set> sets_;
  Polygons polygons_;
  std::vector<PolygonPlace> polygon_places_;
  std::vector<Edge> lines_;
  std::vector<Tetrahedron> tetrahedra_;
  std::vector<Hexahedron> hexahedra_;
  std::vector<Count> tetrahedron_lines_, hexahedron_lines_;
};

}  // namespace electret
