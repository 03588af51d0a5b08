#pragma once
/// \file
/// A rectangle of quads (cloth) in the xy plane.

#include <electret/geometry/generators.hpp>

namespace electret {

struct GridOptions {
  double width = 1.0;   ///< m, along x.
  double height = 1.0;  ///< m, along y.
  Count rows = 11;      ///< Vertices along y, ≥ 2.
  Count columns = 11;   ///< Vertices along x, ≥ 2.
};

/// The rows × columns of vertices whose cells are nearest to squares. Their number is within 2 % of
/// `vertices` if it has such factors.
GridOptions grid_of(double width, double height, Count vertices);

/// The grid is centred on the origin. Vertex row·columns + column counts from the lowest x and y. Groups
/// "left", "right" (the ends in x), "bottom", "top" (in y), "boundary" and "corners".
Mesh grid(const GridOptions& options);

const Shape& grid_shape();

}  // namespace electret
