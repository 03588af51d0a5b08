#pragma once
// The point of a triangle that is nearest to another point, and where on the triangle it is.

#include <array>

#include <electret/core/types.hpp>

namespace electret::detail {

enum class Feature { face, edge, vertex };

struct NearestPoint {
  Vec3 point;
  Feature feature = Feature::face;
  int number = 0;  ///< Of the corner; of the side from that corner to the next.
};

/// By the regions of the triangle's plane around its corners and sides (Ericson, Real-Time Collision
/// Detection, 5.1.5). Points on the boundary of a region belong to the larger feature.
inline NearestPoint nearest_point(const std::array<Vec3, 3>& t, const Vec3& p) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0], bp = p - t[1], cp = p - t[2];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  if (d1 <= 0.0 && d2 <= 0.0) return {t[0], Feature::vertex, 0};
  if (d3 >= 0.0 && d4 <= d3) return {t[1], Feature::vertex, 1};
  if (d6 >= 0.0 && d5 <= d6) return {t[2], Feature::vertex, 2};
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc < 0.0 && d1 >= 0.0 && d3 <= 0.0) return {t[0] + (d1 / (d1 - d3)) * ab, Feature::edge, 0};
  if (va < 0.0 && d4 >= d3 && d5 >= d6)
    return {t[1] + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (t[2] - t[1]), Feature::edge, 1};
  if (vb < 0.0 && d2 >= 0.0 && d6 <= 0.0) return {t[0] + (d2 / (d2 - d6)) * ac, Feature::edge, 2};
  // Along the normal: the sum by barycentric coordinates loses digits of the triangle's size, and a point on
  // the triangle would not be found where it is.
  const Vec3 across = cross(ab, ac);
  return {p - (dot(ap, across) / squared_norm(across)) * across, Feature::face, 0};
}

}  // namespace electret::detail
