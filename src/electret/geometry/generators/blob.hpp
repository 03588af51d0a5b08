#pragma once
/// \file
/// A bumpy closed surface with two ears: a sitting bunny without detail.

#include <cstdint>

#include <electret/geometry/generators.hpp>

namespace electret {

struct BlobOptions {
  double radius = 1.0;     ///< m; roughly the body's.
  Count vertices = 500;    ///< ≥ 100.
  std::uint64_t seed = 1;  ///< Of the bumps.
};

/// A closed triangulation with exactly `vertices` vertices; z is up, and it looks along +x. Groups "left_ear"
/// (y > 0), "right_ear", "head" (without ears), "tail" and "base" (the lowest tenth).
Mesh blob(const BlobOptions& options);

const Shape& blob_shape();

}  // namespace electret
