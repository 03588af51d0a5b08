#include <algorithm>
#include <cmath>
#include <numbers>

#include <electret/geometry/shapes/detail/outlines.hpp>
#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

class CapsuleShape final : public RigidShape {
 public:
  CapsuleShape(const Vec3& axis, double radius, double length)
      : axis_(axis), radius_(radius), half_(0.5 * length) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const double height = dot(axis_, x);
    const Vec3 off = x - std::clamp(height, -half_, half_) * axis_;
    const double length = norm(off);
    if (length == 0.0) return {-radius_, {}, {}};
    const Vec3 n = (1.0 / length) * off;
    Mat3 curvature = detail::across(n);
    if (std::abs(height) <= half_) curvature += -1.0 * outer(axis_, axis_);
    return {length - radius_, n, (1.0 / length) * curvature};
  }

  [[nodiscard]] std::optional<double> radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const RigidShape> of_radius(double radius) const override {
    return make_capsule(axis_, radius, 2.0 * half_);
  }
  [[nodiscard]] Vec3 growth(const Vec3& x) const override { return view(x).normal; }
  /// A point of the axis moves with the balls around it, whose turns do not count.
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double) const override {
    return std::max(norm(motion.at(half_ * axis_)), norm(motion.at(-half_ * axis_)));
  }
  [[nodiscard]] double reach() const override { return half_ + radius_; }

  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    const double radius = detail::lowered(radius_, by);
    std::vector<detail::Ring> rings;
    constexpr int latitudes = 16;
    for (const double end : {-1.0, 1.0})
      for (int k = 0; k <= latitudes; ++k) {
        const double angle =
            0.5 * std::numbers::pi * (end < 0.0 ? k - latitudes : k) / static_cast<double>(latitudes);
        const bool is_pole = k == (end < 0.0 ? 0 : latitudes);
        rings.push_back({is_pole ? 0.0 : radius * std::cos(angle), end * half_ + radius * std::sin(angle)});
      }
    detail::add_revolution(drawing, axis_, rings);
    const auto [a, b] = detail::frame_of(axis_);
    for (const Vec3& side : {a, b, -a, -b})
      for (std::size_t k = 0; k + 1 < rings.size(); ++k)
        drawing.lines.push_back({rings[k].radius * side + rings[k].height * axis_,
                                 rings[k + 1].radius * side + rings[k + 1].height * axis_});
    for (const double end : {-half_, half_}) detail::add_circle(drawing.lines, end * axis_, axis_, radius);
    return drawing;
  }

 private:
  Vec3 axis_;
  double radius_, half_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_capsule(const Vec3& axis, double radius, double length) {
  detail::require_unit(axis);
  detail::require_size(radius);
  detail::require_size(length);
  return std::make_shared<CapsuleShape>(axis, radius, length);
}

}  // namespace electret
