#include <numbers>

#include <electret/geometry/placement.hpp>
#include <electret/geometry/placing.hpp>

namespace electret {
namespace {

constexpr double radian = std::numbers::pi / 180.0;

/// K of turned axes: R K Rᵀ.
Mat3 turned_curvature(const Mat3& r, const Mat3& k) {
  Mat3 result;
  std::array<Vec3, 3> rows;  // Of R K.
  for (std::size_t i = 0; i < 3; ++i) rows[i] = transposed_product(k, r.rows[i]);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result.rows[i][static_cast<int>(j)] = dot(rows[i], r.rows[j]);
  return result;
}

}  // namespace

PlacedSurface::PlacedSurface(const RigidSurface& surface, const Placement& placement)
    : surface_(&surface), placement_(placement), origin_(surface.origin + placement.offset) {
  turns_ = placement.rotation != Vec3{};
  moves_ = placement.velocity != Vec3{} || placement.turning != Vec3{};
  rotation_ = rotation(placement.rotation);
  // Rz·Ry·Rx: the turn about x comes first, so that the later ones turn its axis.
  const Mat3 about_z = rotation({0.0, 0.0, placement.rotation.z});
  const Mat3 about_zy = rotation({0.0, placement.rotation.y, placement.rotation.z});
  axes_ = {radian * (about_zy * Vec3{1, 0, 0}), radian * (about_z * Vec3{0, 1, 0}), radian * Vec3{0, 0, 1}};
  for (int axis = 0; axis < 3; ++axis)
    omega_ += placement.turning[axis] * axes_[static_cast<std::size_t>(axis)];
}

SurfaceView PlacedSurface::in_world(SurfaceView seen) const {
  if (!turns_) return seen;
  seen.normal = rotation_ * seen.normal;
  seen.curvature = turned_curvature(rotation_, seen.curvature);
  return seen;
}

SurfaceView PlacedSurface::view(const Vec3& x) const {
  return in_world(surface_->shape->view(own(x)));
}

int PlacedSurface::walls(const Vec3& x, std::span<SurfaceView, 3> out) const {
  const int count = surface_->shape->walls(own(x), out);
  for (int k = 0; k < count; ++k)
    out[static_cast<std::size_t>(k)] = in_world(out[static_cast<std::size_t>(k)]);
  return count;
}

Vec3 PlacedSurface::velocity(const Vec3& x) const {
  return placement_.velocity + cross(omega_, x - origin_);
}

Vec3 PlacedSurface::carried(const PlacedSurface& before, const Vec3& x) const {
  const Vec3 way = origin_ - before.origin_;
  if (placement_.rotation == before.placement_.rotation) return x + way;
  return origin_ + turned(before.own(x));
}

/// A turn of this surface by δ moves the point by δ × (its place - origin), one of `before` the other way
/// round.
Vec3 PlacedSurface::add_carried(const PlacedSurface& before, const Vec3& x, const Vec3& by,
                                SurfaceCotangent& out_before, SurfaceCotangent& out) const {
  const bool is_turned = placement_.rotation != before.placement_.rotation;
  const Vec3 own = turns_ ? transposed_product(rotation_, by) : by;
  const Vec3 by_x = is_turned ? before.turned(own) : by;
  out.by_place -= by;
  out.torque -= cross(carried(before, x) - origin_, by);
  out_before.by_place += by_x;
  out_before.torque += cross(x - before.origin_, by_x);
  return by_x;
}

/// With the surface at rest, ∂φ/∂x = n and ∂n/∂x = K. A turn of the surface by δ about its origin changes
/// φ by -n·(δ × (x - origin)), and n by δ × n - K (δ × (x - origin)).
Vec3 PlacedSurface::add(const Vec3& x, const SurfaceView& view, const PointCotangent& by,
                        SurfaceCotangent& out) const {
  const Vec3 by_place = by.distance * view.normal + view.curvature * by.normal;
  const Vec3 arm = x - origin_;
  out.by_place += by_place;
  out.torque += cross(arm, by_place) - cross(view.normal, by.normal);
  out.by_velocity += by.velocity;
  out.by_turning += cross(arm, by.velocity);
  out.by_radius -= dot(turned(surface_->shape->growth(own(x))), by_place);
  return moves_ ? by_place - cross(omega_, by.velocity) : by_place;
}

Placement PlacedSurface::by_placement(const SurfaceCotangent& sums) const {
  Placement result;
  result.offset = by_origin(sums);
  result.velocity = sums.by_velocity;
  // ω = Σ turning_k axis_k, and a turn about an axis turns the axes before it.
  const auto& [x, y, z] = axes_;
  const Vec3 w = sums.by_turning, t = placement_.turning;
  result.turning = {dot(x, w), dot(y, w), dot(z, w)};
  result.rotation = {-dot(x, sums.torque), -dot(y, sums.torque) + t.x * dot(cross(y, x), w),
                     -dot(z, sums.torque) + dot(t.x * cross(z, x) + t.y * cross(z, y), w)};
  return result;
}

Vec3 PlacedSurface::by_origin(const SurfaceCotangent& sums) const {
  return cross(omega_, sums.by_velocity) - sums.by_place;
}

}  // namespace electret
