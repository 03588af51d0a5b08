#include <algorithm>
#include <cmath>

#include <electret/geometry/shapes/detail/outlines.hpp>
#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

class BoxShape final : public RigidShape {
 public:
  BoxShape(const Vec3& size, const Mat3& rotation) : half_(0.5 * size), rotation_(rotation) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const Vec3 own = transposed_product(rotation_, x);
    Vec3 beyond;      // How far the point is beyond each pair of faces.
    int outside = 0;  // Number of pairs that it is beyond.
    int nearest = 0;  // The pair that it is farthest beyond.
    for (int axis = 0; axis < 3; ++axis) {
      beyond[axis] = std::abs(own[axis]) - half_[axis];
      if (beyond[axis] > 0.0) ++outside;
      if (beyond[axis] > beyond[nearest]) nearest = axis;
    }
    if (outside < 2) return {beyond[nearest], column(nearest, own[nearest] < 0.0 ? -1.0 : 1.0), {}};
    Vec3 away;  // From the nearest point, in the box's axes.
    for (int axis = 0; axis < 3; ++axis) away[axis] = std::copysign(std::max(beyond[axis], 0.0), own[axis]);
    const double distance = norm(away);
    const Vec3 n = (1.0 / distance) * (rotation_ * away);
    Mat3 curvature = detail::across(n);
    for (int axis = 0; axis < 3 && outside == 2; ++axis)
      if (!(beyond[axis] > 0.0)) curvature += -1.0 * outer(column(axis, 1.0), column(axis, 1.0));
    return {distance, n, (1.0 / distance) * curvature};
  }

  /// Along a normal the speed is linear in the point, so that it is largest at a corner. The corner's normals
  /// are those with the signs of its coordinates.
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double) const override {
    double most = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 sign, outward, inward;
      for (int axis = 0; axis < 3; ++axis) sign[axis] = (corner >> axis) & 1 ? 1.0 : -1.0;
      const Vec3 x = rotation_ * Vec3{sign.x * half_.x, sign.y * half_.y, sign.z * half_.z};
      const Vec3 speed = transposed_product(rotation_, motion.at(x));
      for (int axis = 0; axis < 3; ++axis) {
        outward[axis] = std::max(sign[axis] * speed[axis], 0.0);
        inward[axis] = std::max(-sign[axis] * speed[axis], 0.0);
      }
      most = std::max({most, norm(outward), norm(inward)});
    }
    return most;
  }

  int sides(const Vec3& x, std::span<SurfaceView, 3> out) const override {
    const Vec3 own = transposed_product(rotation_, x);
    for (int axis = 0; axis < 3; ++axis)
      out[static_cast<std::size_t>(axis)] = {
          std::abs(own[axis]) - half_[axis], column(axis, own[axis] < 0.0 ? -1.0 : 1.0), {}};
    std::stable_sort(out.begin(), out.end(),
                     [](const SurfaceView& a, const SurfaceView& b) { return a.distance > b.distance; });
    return 3;
  }

  [[nodiscard]] double reach() const override { return norm(half_); }

  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 own;
      for (int axis = 0; axis < 3; ++axis)
        own[axis] = ((corner >> axis) & 1 ? 1.0 : -1.0) * detail::lowered(half_[axis], by);
      drawing.vertices.push_back(rotation_ * own);
    }
    constexpr std::array<std::array<Index, 4>, 6> faces{
        {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
    for (const auto& f : faces) {
      drawing.faces.push_back({f[0], f[1], f[2]});
      drawing.faces.push_back({f[0], f[2], f[3]});
    }
    for (std::size_t a = 0; a < 8; ++a)
      for (const std::size_t bit : {1U, 2U, 4U})
        if ((a & bit) == 0) drawing.lines.push_back({drawing.vertices[a], drawing.vertices[a | bit]});
    return drawing;
  }

 private:
  /// The box's axis in the world.
  [[nodiscard]] Vec3 column(int axis, double sign) const {
    return {sign * rotation_.rows[0][axis], sign * rotation_.rows[1][axis], sign * rotation_.rows[2][axis]};
  }

  Vec3 half_;
  Mat3 rotation_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_box(const Vec3& size, const Mat3& rotation) {
  for (int axis = 0; axis < 3; ++axis) detail::require_size(size[axis]);
  for (const Vec3& row : rotation.rows) detail::require_unit(row);
  return std::make_shared<BoxShape>(size, rotation);
}

}  // namespace electret
