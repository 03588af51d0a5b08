#pragma once
/// \file
/// An unstructured grid as VTK's files hold it, legacy and XML alike, and its conversion to a mesh.

#include <string>
#include <vector>

#include <electret/geometry/input_text.hpp>
#include <electret/geometry/mesh.hpp>

namespace electret::vtk {

/// Numbers at every point or every cell.
struct Array {
  std::string name;
  std::size_t components = 1;
  std::vector<double> values;
};

struct Grid {
  VectorArray points;
  std::vector<std::int64_t> connectivity;  ///< The points of one cell after the other, from 0.
  std::vector<std::int64_t> ends;          ///< Where each cell's points end in `connectivity`.
  std::vector<std::int64_t> types;         ///< VTK's number of each cell's kind.
  Count line = 0;                          ///< Of the list of cells in the file; 0 in bytes.
  bool is_line_a_cell = false;             ///< Whether each cell has a line of its own from `line` on.
  std::vector<Array> point_arrays, cell_arrays;
};

/// The mesh of a grid. Reads tetrahedra, hexahedra, voxels, triangles, quads, pixels, polygons, lines,
/// polylines and vertices. Other cells are findings, and so are indices that name no point and
/// faces and lines with a repeated point. A cell array of
/// one component that holds whole numbers, at most 256 different ones, makes groups "NAME=VALUE": of the
/// cells' vertices, and of elements if the cells are volumes. Point arrays of one component, if all numbers
/// are finite, become attributes of the vertices; the three of "velocity" become "vx", "vy" and "vz". Throws
/// `findings`, both the new ones and those that are in it already.
Mesh mesh_of(const Grid& grid, input::Findings& findings);

}  // namespace electret::vtk
