#pragma once
/// \file
/// A bumpy closed surface with two ears, sitting: a bunny without detail.

#include <cstdint>

#include <electret/geometry/generators.hpp>

namespace electret {

struct BlobOptions {
  double radius = 1.0;     ///< m; about that of the body.
  Count vertices = 500;    ///< ≥ 100.
  std::uint64_t seed = 1;  ///< Of the bumps.
};

/// Closed triangulation with exactly `vertices` vertices, z up, looking along +x. Groups "left_ear" (y > 0),
/// "right_ear", "head" (without ears), "tail" and "base" (the lowest tenth).
Mesh blob(const BlobOptions& options);

const Shape& blob_shape();

}  // namespace electret
