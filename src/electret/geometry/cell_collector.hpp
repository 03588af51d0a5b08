#pragma once
/// \file
/// What the readers of volume meshes share: cells of any dimension and the named sets they belong to.

#include <span>
#include <string>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Sorts cells into a mesh. A set of cells becomes the group of the vertices they touch, and its volume
/// elements an element group, each of the set's name. Where there are volume elements, the polygons are their
/// boundary, and cells of lower dimension are groups alone.
class CellCollector {
 public:
  /// A new set of cells; the number it is known by.
  std::size_t add_set();

  /// A cell of dimension 0 (a point), 1 (a line), 2 (a polygon of 3 corners or more) or 3 (a tetrahedron's 4
  /// corners or a hexahedron's 8, in Gmsh's order). `line` is its line in the file, 0 for none.
  void add(int dimension, std::span<const Index> corners, std::span<const std::size_t> sets, Count line);

  /// Puts all cells into `mesh`, whose vertices are there; set s is called `names[s]`. Sets of one name are
  /// one, and an empty name is no group.
  void finish(Mesh& mesh, std::span<const std::string> names);

 private:
  struct Set {
    std::vector<Index> vertices, tetrahedra, hexahedra;
  };
  std::vector<Set> sets_;
  Polygons polygons_;
  std::vector<Edge> lines_;
  std::vector<Tetrahedron> tetrahedra_;
  std::vector<Hexahedron> hexahedra_;
  std::vector<Count> tetrahedron_lines_, hexahedron_lines_;
};

}  // namespace electret
