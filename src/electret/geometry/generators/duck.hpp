#pragma once
/// \file
/// A bath duck: body, tail, head and beak.

#include <electret/geometry/generators.hpp>

namespace electret {

struct DuckOptions {
  double length = 1.0;   ///< m, from tail to beak.
  Count vertices = 600;  ///< ≥ 100.
};

/// A closed triangulation with exactly `vertices` vertices; z is up. The duck swims along +x and is centred
/// in the xy plane on z = 0. Groups "head" (without beak), "beak", "tail" and "body" (the rest).
Mesh duck(const DuckOptions& options);

const Shape& duck_shape();

}  // namespace electret
