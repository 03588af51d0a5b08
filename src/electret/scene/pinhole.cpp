#include <numbers>

#include <electret/core/direction.hpp>
#include <electret/geometry/placing.hpp>
#include <electret/scene/pinhole.hpp>

namespace electret {
namespace {

constexpr double radian_of_degree = std::numbers::pi / 180.0;

}  // namespace

Mat3 camera_axes(const Vec3& towards, const Vec3& up) {
  const Vec3 back = -direction_of(towards);
  const Vec3 right = direction_of(cross(direction_of(up), back));
  return {{right, cross(back, right), back}};
}

PinholeView::PinholeView(const Pinhole& camera)
    : camera_(camera),
      rotation_(rotation(camera.rotate)),
      shift_(camera.translate - camera.axes * camera.position),
      scale_(camera.zoom * camera.focal_length) {
  const Mat3 about_zy = rotation({0.0, camera.rotate.y, camera.rotate.z});
  const Mat3 about_z = rotation({0.0, 0.0, camera.rotate.z});
  turn_x_ = radian_of_degree * (about_zy * Vec3{1.0, 0.0, 0.0});
  turn_y_ = radian_of_degree * (about_z * Vec3{0.0, 1.0, 0.0});
  turn_z_ = {0.0, 0.0, radian_of_degree};
}

Pixel PinholeView::seen(const Vec3& x) const {
  const Vec3 own = turned(x) + shift_;
  const double depth = -own.z;
  return {scale_ * own.x / depth, scale_ * own.y / depth, depth};
}

/// ∂u/∂X_x = s/d and ∂u/∂X_z = u/d, with s = zoom f and d = -X_z; a turn by δ moves X by δ × Rz Ry Rx A x.
Vec3 PinholeView::pulled(const Vec3& x, double by_u, double by_v, PinholeGradient& by_camera) const {
  const Pixel at = seen(x);
  const double along = by_u * at.u + by_v * at.v;
  const Vec3 slope = (1.0 / at.depth) * Vec3{scale_ * by_u, scale_ * by_v, along};
  const Vec3 torque = cross(turned(x), slope);
  by_camera.rotate += Vec3{dot(turn_x_, torque), dot(turn_y_, torque), dot(turn_z_, torque)};
  by_camera.translate += slope;
  by_camera.zoom += along / camera_.zoom;
  return in_world(slope);
}

Vec3 PinholeView::in_world(const Vec3& own) const {
  return transposed_product(camera_.axes, transposed_product(rotation_, own));
}

Vec3 PinholeView::centre() const {
  return in_world(-shift_);
}

Vec3 PinholeView::ray(double u, double v) const {
  return in_world({u, v, -scale_});
}

}  // namespace electret
