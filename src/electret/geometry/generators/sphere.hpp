#pragma once
/// \file
/// A sphere about the origin.

#include <electret/geometry/generators.hpp>

namespace electret {

struct SphereOptions {
  double radius = 1.0;   ///< m.
  Count vertices = 162;  ///< ≥ 12.
};

/// A closed, nearly uniform triangulation with exactly `vertices` vertices, all at `radius` from the origin.
/// Groups "top" and "bottom" (|z| > radius/2), "left" (x < 0) and "right".
Mesh sphere(const SphereOptions& options);

const Shape& sphere_shape();

}  // namespace electret
