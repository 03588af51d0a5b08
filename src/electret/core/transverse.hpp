#pragma once
/// \file
/// The part of a vector that is perpendicular to a direction.

#include <electret/core/types.hpp>

namespace electret {

/// (I - ûûᵀ) z for a unit vector û.
inline Vec3 transverse(const Vec3& unit, const Vec3& z) {
  return z - dot(unit, z) * unit;
}

}  // namespace electret
