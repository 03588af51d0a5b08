#pragma once
/// \file
/// Rigid motions of surfaces, and how what a surface does to a point depends on them.

#include <array>

#include <electret/core/types.hpp>
#include <electret/geometry/rigid_shape.hpp>

namespace electret {

/// Where a rigid surface is, relative to where it was made, and how fast it moves. It is turned by the angles
/// of `rotation` about the fixed x, then y, then z axis through its origin, then moved by `offset`.
struct Placement {
  Vec3 offset;    ///< m.
  Vec3 rotation;  ///< Degrees.
  Vec3 velocity;  ///< d offset/dt, m/s.
  Vec3 turning;   ///< d rotation/dt, degrees/s.

  friend bool operator==(const Placement&, const Placement&) = default;
};
static_assert(sizeof(Placement) == 12 * sizeof(double));

/// How a number depends on what one point x sees of a surface: on φ(x), n(x), and the velocity of the surface
/// at x.
struct PointCotangent {
  double distance = 0.0;
  Vec3 normal, velocity;
};

/// Sums over points of what derivatives by a placement, by the origin and by the radius need. It has the
/// numbers' order of `values`, so that chunks can be added in a fixed order.
struct SurfaceCotangent {
  Vec3 by_place;     ///< Σ ∂/∂x through φ and n, with the surface at rest.
  Vec3 torque;       ///< Σ (x - origin) × that, less n × ∂/∂n.
  Vec3 by_velocity;  ///< Σ ∂/∂(velocity at x).
  Vec3 by_turning;   ///< Σ (x - origin) × that: ∂/∂ω.
  double by_radius = 0.0;

  [[nodiscard]] std::array<double, 13> values() const {
    return {by_place.x,    by_place.y,    by_place.z,   torque.x,     torque.y,     torque.z, by_velocity.x,
            by_velocity.y, by_velocity.z, by_turning.x, by_turning.y, by_turning.z, by_radius};
  }
  static SurfaceCotangent of(const std::array<double, 13>& v) {
    return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}, {v[9], v[10], v[11]}, v[12]};
  }
};

/// A surface at a placement. Where the placement is all 0, its views have the bits of the surface's own.
class PlacedSurface {
 public:
  /// The surface must outlive this object.
  PlacedSurface(const RigidSurface& surface, const Placement& placement);

  [[nodiscard]] SurfaceView view(const Vec3& x) const;
  /// The walls that a point at `x` may touch, nearest first (RigidShape::walls).
  int walls(const Vec3& x, std::span<SurfaceView, 3> out) const;
  /// Whether there may be more than one wall.
  [[nodiscard]] bool has_corners() const { return surface_->shape->has_corners(); }
  /// False only if `x` (m) is certainly outside.
  [[nodiscard]] bool may_hold(const Vec3& x) const { return surface_->shape->may_hold(own(x)); }
  /// A lower bound of the distance of `x` (m), m.
  [[nodiscard]] double least_distance(const Vec3& x) const { return surface_->shape->least_distance(own(x)); }
  [[nodiscard]] bool moves() const { return moves_; }
  /// Its motion in its own axes.
  [[nodiscard]] RigidMotion motion() const {
    if (!turns_) return {placement_.velocity, omega_};
    return {transposed_product(rotation_, placement_.velocity), transposed_product(rotation_, omega_)};
  }
  /// The velocity of the surface at `x`: v + ω×(x - origin), m/s.
  [[nodiscard]] Vec3 velocity(const Vec3& x) const;
  /// Where the surface's origin is, m.
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  /// Where a point of the surface that was at `x` when the surface was at `before` is now, m. The bits of `x`
  /// if the surface has not moved since.
  [[nodiscard]] Vec3 carried(const PlacedSurface& before, const Vec3& x) const;
  /// From `by`, ∂/∂(carried(before, x)): adds the parts through both placements and returns ∂/∂x.
  Vec3 add_carried(const PlacedSurface& before, const Vec3& x, const Vec3& by, SurfaceCotangent& out_before,
                   SurfaceCotangent& out) const;
  /// A vector of the surface's own axes, in the world.
  [[nodiscard]] Vec3 turned(const Vec3& own) const { return turns_ ? rotation_ * own : own; }

  /// Adds one point's part: `view` is what `x` sees. Returns ∂/∂x.
  Vec3 add(const Vec3& x, const SurfaceView& view, const PointCotangent& by, SurfaceCotangent& out) const;
  /// ∂/∂(placement) from the sums over all points.
  [[nodiscard]] Placement by_placement(const SurfaceCotangent& sums) const;
  /// ∂/∂(origin of the surface): that by the offset.
  [[nodiscard]] Vec3 by_origin(const SurfaceCotangent& sums) const;

 private:
  /// What is seen in the surface's own axes, in the world.
  [[nodiscard]] SurfaceView in_world(SurfaceView seen) const;
  /// `x` in the surface's own axes, from its origin.
  [[nodiscard]] Vec3 own(const Vec3& x) const {
    return turns_ ? transposed_product(rotation_, x - origin_) : x - origin_;
  }

  const RigidSurface* surface_;
  Placement placement_;
  bool turns_ = false, moves_ = false;
  Vec3 origin_;
  Mat3 rotation_;
  std::array<Vec3, 3> axes_;  ///< Of the three turns, in the world as turned; 1/degree of ω per degrees/s.
  Vec3 omega_;                ///< rad/s.
};

}  // namespace electret
