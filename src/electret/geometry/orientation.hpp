#pragma once
/// \file
/// On which side of a line or a plane a point is, without rounding errors.

#include <array>

#include <electret/core/types.hpp>

namespace electret {

/// The sign of det(b - a, c - a, d - a), -1, 0 or 1: 1 if (b - a, c - a, d - a) are right-handed, 0 if the
/// four points are in one plane. It is exact as long as products of three coordinates neither overflow nor
/// underflow (Shewchuk 1997).
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Two coordinates of a point.
using PlanePoint = std::array<double, 2>;
/// The sign of det(b - a, c - a) in a plane; likewise exact.
int orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);

/// Whether the segment and the triangle have a point in common, ends and sides included; exact. Nothing meets
/// a triangle without area.
bool segment_meets_triangle(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& triangle);

}  // namespace electret
