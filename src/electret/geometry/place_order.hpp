#pragma once
/// \file
/// Sorts vertices by their places. Vertices at one place are then next to each other, and bisection finds a
/// place.

#include <algorithm>
#include <tuple>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Whether place `a` comes before `b`: by x, then y, then z.
inline bool is_before(const Vec3& a, const Vec3& b) {
  return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
}

/// Sorts `vertices` by their places, equal places by number. The places must be finite.
inline void sort_by_place(std::vector<Index>& vertices, VectorView positions) {
  std::sort(vertices.begin(), vertices.end(), [&](Index a, Index b) {
    const Vec3& x = positions[static_cast<std::size_t>(a)];
    const Vec3& y = positions[static_cast<std::size_t>(b)];
    return is_before(x, y) || (x == y && a < b);
  });
}

}  // namespace electret
