#include <algorithm>
#include <cmath>

#include <electret/geometry/shapes/detail/outlines.hpp>
#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

class CylinderShape final : public RigidShape {
 public:
  CylinderShape(const Vec3& axis, double radius, double length)
      : axis_(axis), radius_(radius), half_(0.5 * length) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const Seen seen = from(x);
    if (seen.is_end()) return {seen.above, seen.up, {}};
    if (seen.outward == Vec3{}) return {seen.beside, {}, {}};  // On the axis.
    const Vec3 round = cross(axis_, seen.outward);
    if (!seen.is_rim()) return {seen.beside, seen.outward, (1.0 / seen.distance) * outer(round, round)};
    // The rim is curved: besides the turn about its nearest point, n turns with it about the axis.
    const double distance = std::hypot(seen.beside, seen.above);
    const double a = seen.beside / distance, b = seen.above / distance;
    const Vec3 n = a * seen.outward + b * seen.up, m = b * seen.outward - a * seen.up;
    return {distance, n, (1.0 / distance) * outer(m, m) + (a / seen.distance) * outer(round, round)};
  }

  int sides(const Vec3& x, std::span<SurfaceView, 3> out) const override {
    const Seen seen = from(x);
    const Vec3 round = cross(axis_, seen.outward);
    const double curvature = seen.distance > 0.0 ? 1.0 / seen.distance : 0.0;
    out[0] = {seen.above, seen.up, {}};
    out[1] = {seen.beside, seen.outward, curvature * outer(round, round)};
    if (seen.beside >= seen.above) std::swap(out[0], out[1]);
    return seen.distance > 0.0 ? 2 : 1;
  }

  [[nodiscard]] std::optional<double> radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const RigidShape> of_radius(double radius) const override {
    return make_cylinder(axis_, radius, 2.0 * half_);
  }
  /// That of the side, and on the ends, whose normal is along the axis, none.
  [[nodiscard]] Vec3 growth(const Vec3& x) const override { return from(x).outward; }
  /// The side moves as the axis does, across it. An end moves along the axis, and its border by the turn,
  /// too. A normal of the rim is a cosine of the one and a sine of the other.
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double) const override {
    const Vec3 across = motion.velocity - dot(axis_, motion.velocity) * axis_;
    const Vec3 swing = half_ * cross(motion.turning, axis_);
    const double side = std::max(norm(across + swing), norm(across - swing));
    const double end = std::abs(dot(axis_, motion.velocity)) + radius_ * norm(cross(motion.turning, axis_));
    return std::hypot(side, end);
  }
  [[nodiscard]] double reach() const override { return std::hypot(radius_, half_); }

  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    const double radius = detail::lowered(radius_, by), half = detail::lowered(half_, by);
    detail::add_revolution(drawing, axis_, {{0.0, -half}, {radius, -half}, {radius, half}, {0.0, half}});
    const auto [a, b] = detail::frame_of(axis_);
    for (const Vec3& side : {a, b, -a, -b})
      drawing.lines.push_back({radius * side - half * axis_, radius * side + half * axis_});
    for (const double end : {-half, half}) detail::add_circle(drawing.lines, end * axis_, axis_, radius);
    return drawing;
  }

 private:
  /// A point in the cylinder's coordinates.
  struct Seen {
    double distance = 0.0;  ///< From the axis, m.
    Vec3 outward;           ///< Away from the axis; 0 on it.
    Vec3 up;                ///< Along the axis, towards the nearer end.
    double beside = 0.0;    ///< Beyond the side, m.
    double above = 0.0;     ///< Beyond the nearer end, m.

    [[nodiscard]] bool is_rim() const { return beside > 0.0 && above > 0.0; }
    [[nodiscard]] bool is_end() const { return above > beside && !is_rim(); }
  };
  [[nodiscard]] Seen from(const Vec3& x) const {
    const double height = dot(axis_, x);
    const Vec3 off = x - height * axis_;
    Seen seen;
    seen.distance = norm(off);
    if (seen.distance > 0.0) seen.outward = (1.0 / seen.distance) * off;
    seen.up = height < 0.0 ? -axis_ : axis_;
    seen.beside = seen.distance - radius_;
    seen.above = std::abs(height) - half_;
    return seen;
  }

  Vec3 axis_;
  double radius_, half_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_cylinder(const Vec3& axis, double radius, double length) {
  detail::require_unit(axis);
  detail::require_size(radius);
  detail::require_size(length);
  return std::make_shared<CylinderShape>(axis, radius, length);
}

}  // namespace electret
