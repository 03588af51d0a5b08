#pragma once
/// \file
/// A box of points.

#include <electret/geometry/generators.hpp>

namespace electret {

struct LatticeOptions {
  Count nx = 5, ny = 5, nz = 5;  ///< Points along each axis, ≥ 1.
  double spacing = 0.25;         ///< m, between neighbours.
};

/// The lattice is centred on the origin. Vertex (i, j, k) has the number (k·ny + j)·nx + i, x fastest. Lines
/// join neighbours along the axes, so that `edges` holds the lattice together. Groups "left", "right" (ends
/// in x), "front", "back" (lowest, highest y), "bottom", "top" (in z), "boundary" and "corners".
Mesh lattice(const LatticeOptions& options);

const Shape& lattice_shape();

}  // namespace electret
