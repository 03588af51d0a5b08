#pragma once
/// \file
/// Vectors of any length as directions.

#include <algorithm>
#include <cmath>

#include <electret/core/types.hpp>

namespace electret {

/// v/|v| for a v that is not 0. First divided by its largest part: squares of very large and very small ones
/// leave the range of numbers.
inline Vec3 direction_of(const Vec3& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  const Vec3 scaled{v.x / largest, v.y / largest, v.z / largest};
  return (1.0 / norm(scaled)) * scaled;
}

}  // namespace electret
