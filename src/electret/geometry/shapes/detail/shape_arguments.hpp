#pragma once
// Checks of the sizes and directions of shapes.

#include <cmath>

#include <electret/core/arguments.hpp>
#include <electret/core/types.hpp>

namespace electret::detail {

inline void require_unit(const Vec3& direction) {
  require_argument(std::abs(squared_norm(direction) - 1.0) < 1e-9, "a shape's direction is no unit vector");
}

inline void require_size(double size) {
  require_argument(size > 0.0 && std::isfinite(size), "a shape's size is not positive");
}

/// I - nnᵀ.
inline Mat3 across(const Vec3& n) {
  return Mat3::identity() + -1.0 * outer(n, n);
}

}  // namespace electret::detail
