#pragma once
/// \file
/// A ball of tetrahedra that all meet in its centre, as [DiffPD]'s tennis balls are.

#include <electret/geometry/generators.hpp>

namespace electret {

struct IcosphereFanOptions {
  double radius = 1.0;     ///< m.
  Count subdivisions = 2;  ///< 0 … 8.
};

/// An icosahedron whose triangles are cut into four `subdivisions` times, each new vertex moved onto the
/// sphere, and a tetrahedron from each triangle to the origin. With s subdivisions it has 10·4^s + 3
/// vertices, of which the last is the centre, and 20·4^s tetrahedra of positive volume. Groups "boundary" and
/// "centre".
Mesh icosphere_fan(const IcosphereFanOptions& options);

const Shape& icosphere_fan_shape();

}  // namespace electret
