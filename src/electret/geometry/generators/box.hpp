#pragma once
/// \file
/// A solid box of hexahedra or tetrahedra.

#include <electret/geometry/generators.hpp>

namespace electret {

enum class BoxElement { hexahedron, tetrahedron };

struct BoxOptions {
  std::array<Count, 3> cells = {4, 4, 4};  ///< Along x, y, z; ≥ 1.
  double cell_size = 0.1;                  ///< m, the edge of a cell.
  BoxElement element = BoxElement::hexahedron;
};

/// The box is centred on the origin. Vertex (i, j, k) has the number (k·(ny+1) + j)·(nx+1) + i, x fastest;
/// cells are numbered in the same way. Each cell is a hexahedron, or six tetrahedra around its diagonal from
/// the lowest to the highest corner. The polygons are the boundary. Groups as in `lattice`: "left", "right"
/// (ends in x), "front", "back" (in y), "bottom", "top" (in z), "boundary", "corners".
Mesh box(const BoxOptions& options);

const Shape& box_shape();

}  // namespace electret
