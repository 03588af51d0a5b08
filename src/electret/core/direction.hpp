#pragma once
/// \file
/// The direction of a vector of any length.

#include <algorithm>
#include <cmath>

#include <electret/core/types.hpp>

namespace electret {

/// v/|v| for v ≠ 0. v is first divided by its largest component, because the squares of very large and very
/// small components overflow and underflow.
inline Vec3 direction_of(const Vec3& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  const Vec3 scaled{v.x / largest, v.y / largest, v.z / largest};
  return (1.0 / norm(scaled)) * scaled;
}

}  // namespace electret
