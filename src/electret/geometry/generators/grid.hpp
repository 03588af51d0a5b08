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

/// Rows × columns of vertices that are nearest to square cells, within 2 % of `vertices` where factors allow
/// it.
GridOptions grid_of(double width, double height, Count vertices);

/// Centred on the origin; vertex row·columns + column, from the lowest x and y on. Groups "left", "right"
/// (the ends in x), "bottom", "top" (in y), "boundary" and "corners".
Mesh grid(const GridOptions& options);

const Shape& grid_shape();

}  // namespace electret
