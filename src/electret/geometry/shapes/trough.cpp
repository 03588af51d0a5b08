#include <algorithm>
#include <cmath>
#include <numbers>

#include <electret/core/arguments.hpp>
#include <electret/geometry/shapes/detail/shape_arguments.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret {
namespace {

constexpr int drawn_steps = 64, speed_steps = 256;  // along the arc
constexpr double drawn_thickness = 0.0125;          // of the radius

/// The nearest point of the wall is that of the same angle and height, moved into the wall's.
class TroughShape final : public RigidShape {
 public:
  TroughShape(const Vec3& axis, const Vec3& towards, double radius, double length, double angle)
      : axis_(axis),
        towards_(towards),
        side_(cross(axis, towards)),
        radius_(radius),
        half_length_(0.5 * length),
        half_angle_(0.5 * angle) {}

  [[nodiscard]] SurfaceView view(const Vec3& x) const override {
    const Seen seen = from(x);
    if (seen.distance == 0.0) return {radius_, {}, {}};  // On the axis.
    const Vec3 round = cross(axis_, seen.outward);
    if (seen.is_on_wall())
      return {radius_ - seen.distance, -seen.outward, (-1.0 / seen.distance) * outer(round, round)};
    const Vec3 off = x - seen.nearest;
    const double distance = norm(off);
    if (distance == 0.0) return {};
    const Vec3 n = (1.0 / distance) * off;
    if (seen.is_beside) {
      Mat3 curvature = detail::across(n);
      if (!seen.is_beyond) curvature += -1.0 * outer(axis_, axis_);
      return {distance, n, (1.0 / distance) * curvature};
    }
    // The rim at an end is curved: besides the turn about its nearest point, n turns with it about the axis.
    const double a = dot(n, seen.outward), b = dot(n, axis_);
    const Vec3 m = b * seen.outward - a * axis_;
    return {distance, n, (1.0 / distance) * outer(m, m) + (a / seen.distance) * outer(round, round)};
  }

  [[nodiscard]] std::optional<double> radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const RigidShape> of_radius(double radius) const override {
    return make_trough(axis_, towards_, radius, 2.0 * half_length_, 2.0 * half_angle_);
  }
  [[nodiscard]] Vec3 growth(const Vec3& x) const override { return direction(from(x).angle); }
  /// The wall moves along its radius, its ends along the axis, too, and its corners in all directions.
  /// Between the places that are looked at, the speed changes by no more than what is added.
  [[nodiscard]] double normal_speed(const RigidMotion& motion, double) const override {
    double most = 0.0, fastest = 0.0;
    for (int k = 0; k <= speed_steps; ++k) {
      const Vec3 out = direction(half_angle_ * (2.0 * k / speed_steps - 1.0));
      for (const double height : {-half_length_, half_length_}) {
        const Vec3 speed = motion.at(radius_ * out + height * axis_);
        const bool is_corner = k == 0 || k == speed_steps;
        most = std::max(most, is_corner ? norm(speed) : std::hypot(dot(out, speed), dot(axis_, speed)));
        fastest = std::max(fastest, norm(speed));
      }
    }
    return most + half_angle_ / speed_steps * (radius_ * norm(motion.turning) + fastest);
  }
  [[nodiscard]] double reach() const override { return std::hypot(radius_, half_length_); }

  /// A plate behind the wall.
  [[nodiscard]] ShapeDrawing drawing(double by) const override {
    ShapeDrawing drawing;
    const double inner = radius_ + by, outer = inner + drawn_thickness * radius_;
    for (int k = 0; k <= drawn_steps; ++k) {
      const Vec3 out = direction(half_angle_ * (2.0 * k / drawn_steps - 1.0));
      for (const double r : {inner, outer})
        for (const double h : {-half_length_, half_length_}) drawing.vertices.push_back(r * out + h * axis_);
    }
    const auto quad = [&](Index a, Index b, Index c, Index d) {
      drawing.faces.push_back({a, b, c});
      drawing.faces.push_back({a, c, d});
    };
    // Of each step the vertices are (inner, low), (inner, high), (outer, low), (outer, high).
    for (Index k = 0; k < 4 * drawn_steps; k += 4) {
      quad(k, k + 1, k + 5, k + 4);
      quad(k + 2, k + 6, k + 7, k + 3);
      quad(k, k + 4, k + 6, k + 2);
      quad(k + 1, k + 3, k + 7, k + 5);
    }
    quad(0, 2, 3, 1);
    quad(4 * drawn_steps, 4 * drawn_steps + 1, 4 * drawn_steps + 3, 4 * drawn_steps + 2);
    return drawing;
  }

 private:
  /// A point in the trough's coordinates.
  struct Seen {
    double distance = 0.0;                      ///< From the axis, m.
    Vec3 outward;                               ///< Away from the axis; 0 on it.
    double angle = 0.0;                         ///< Of the nearest point, rad from `towards_`.
    Vec3 nearest;                               ///< The wall's point.
    bool is_beside = false, is_beyond = false;  ///< Beyond a lip along the wall; beyond an end.

    [[nodiscard]] bool is_on_wall() const { return !is_beside && !is_beyond; }
  };
  [[nodiscard]] Vec3 direction(double angle) const {
    return std::cos(angle) * towards_ + std::sin(angle) * side_;
  }
  [[nodiscard]] Seen from(const Vec3& x) const {
    const double height = dot(axis_, x);
    const Vec3 off = x - height * axis_;
    Seen seen;
    seen.distance = norm(off);
    if (seen.distance > 0.0) seen.outward = (1.0 / seen.distance) * off;
    const double angle = std::atan2(dot(side_, off), dot(towards_, off));
    seen.angle = std::clamp(angle, -half_angle_, half_angle_);
    const double inside = std::clamp(height, -half_length_, half_length_);
    seen.is_beside = seen.angle != angle;
    seen.is_beyond = inside != height;
    seen.nearest = inside * axis_ + radius_ * (seen.is_beside ? direction(seen.angle) : seen.outward);
    return seen;
  }

  Vec3 axis_, towards_, side_;
  double radius_, half_length_, half_angle_;
};

}  // namespace

std::shared_ptr<const RigidShape> make_trough(const Vec3& axis, const Vec3& towards, double radius,
                                              double length, double angle) {
  detail::require_unit(axis);
  detail::require_unit(towards);
  detail::require_size(radius);
  detail::require_size(length);
  require_argument(std::abs(dot(axis, towards)) < 1e-9, "a trough's direction is not across its axis");
  require_argument(angle > 0.0 && angle < 2.0 * std::numbers::pi,
                   "a trough's angle is not below a full turn");
  return std::make_shared<TroughShape>(axis, towards, radius, length, angle);
}

}  // namespace electret
