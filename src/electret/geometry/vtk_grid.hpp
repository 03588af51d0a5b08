#pragma once
/// \file
/// An unstructured grid as VTK's files hold it, legacy and XML alike, and the mesh it is.

#include <string>
#include <vector>

#include <electret/geometry/input_text.hpp>
#include <electret/geometry/mesh.hpp>

namespace electret::vtk {

/// Numbers of every point or every cell.
struct Array {
  std::string name;
  std::size_t components = 1;
  std::vector<double> values;
};

struct Grid {
  VectorArray points;
  std::vector<std::int64_t> connectivity;  ///< Points of cell after cell, from 0.
  std::vector<std::int64_t> ends;          ///< Where each cell's points end in it.
  std::vector<std::int64_t> types;         ///< VTK's number of each cell's kind.
  Count line = 0;                          ///< Of the cells' list in the file; 0 in bytes.
  bool is_line_a_cell = false;             ///< Whether each cell has a line of its own from `line` on.
  std::vector<Array> point_arrays, cell_arrays;
};

/// Tetrahedra, hexahedra, voxels, triangles, quads, pixels, polygons, lines, polylines and vertices; others
/// are findings, and so are indices that name no point. A cell array of one component, whole numbers of at
/// most 256 values, makes groups "NAME=VALUE": of the cells' vertices, and of elements where the cells are
/// volumes. Point arrays of one component, all finite, are the vertices' attributes. Throws `findings`, these
/// and those that are there already.
Mesh mesh_of(const Grid& grid, input::Findings& findings);

}  // namespace electret::vtk
