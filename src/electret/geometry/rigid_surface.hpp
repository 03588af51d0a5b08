#pragma once
/// \file
/// Rigid surfaces as signed distances. Obstacles are made of them.

#include <variant>

#include <electret/core/types.hpp>

namespace electret {

/// A half space: all points behind the plane, against its normal.
struct Plane {
  Vec3 point;   ///< m, on the plane.
  Vec3 normal;  ///< A unit vector that points out of the half space.
};

struct Sphere {
  Vec3 centre;          ///< m.
  double radius = 0.0;  ///< m, > 0.
};

using RigidSurface = std::variant<Plane, Sphere>;

/// A surface as seen from a point x.
struct SurfaceView {
  double distance = 0.0;   ///< φ(x), m; negative inside.
  Vec3 normal;             ///< n = ∇φ, a unit vector; 0 at a sphere's centre.
  double curvature = 0.0;  ///< κ, 1/m: ∇n = κ (I - nnᵀ).
};

inline SurfaceView view(const Plane& plane, const Vec3& x) {
  return {dot(plane.normal, x - plane.point), plane.normal, 0.0};
}

inline SurfaceView view(const Sphere& sphere, const Vec3& x) {
  const Vec3 from_centre = x - sphere.centre;
  const double length = norm(from_centre);
  if (length == 0.0) return {-sphere.radius, {}, 0.0};
  return {length - sphere.radius, (1.0 / length) * from_centre, 1.0 / length};
}

inline SurfaceView view(const RigidSurface& surface, const Vec3& x) {
  return std::visit([&](const auto& shape) { return view(shape, x); }, surface);
}

}  // namespace electret
