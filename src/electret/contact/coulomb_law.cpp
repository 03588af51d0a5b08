#include <algorithm>
#include <cmath>

#include <electret/contact/coulomb_law.hpp>
#include <electret/core/small_matrices.hpp>
#include <electret/core/transverse.hpp>

namespace electret {
namespace {

/// Slipping just beyond the cone's border is next to sticking. Its reduced block grows as 1/(1 - μp/|d|),
/// which this bound keeps in the range of float32.
constexpr double smallest_excess = 1e-8;

Mat3 negated(const Mat3& a) {
  return -1.0 * a;
}

Mat3 projector(const Vec3& unit) {
  return Mat3::identity() + negated(outer(unit, unit));
}

/// ∂(Tv)/∂n for T = I - nnᵀ.
Mat3 projection_by_normal(const Vec3& n, const Vec3& v) {
  return negated(outer(n, v) + dot(n, v) * Mat3::identity());
}

/// A unit vector perpendicular to `unit`, made from the axis that is farthest from it.
Vec3 some_perpendicular(const Vec3& unit) {
  const double x = std::abs(unit.x), y = std::abs(unit.y), z = std::abs(unit.z);
  const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 t = transverse(unit, axis);
  return (1.0 / norm(t)) * t;
}

bool is_bounded(const ContactPoint& point) {
  return point.bound >= 0.0;
}

/// The largest friction at a pressure p.
double most_friction(const ContactPoint& point, double pressure) {
  return is_bounded(point) ? point.bound : point.friction * pressure;
}

/// By how much the largest friction grows with p.
double friction_slope(const ContactPoint& point) {
  return is_bounded(point) ? 0.0 : point.friction;
}

/// What slip's derivatives share.
struct Slip {
  Vec3 along, across;   ///< d̂ (any tangent without friction) and n × d̂.
  double share = 0.0;   ///< μ p/|d| ≤ 1.
  double excess = 1.0;  ///< 1 - μ p/|d|, at least `smallest_excess`.

  Slip(const ContactPoint& point, const ContactResidual& residual)
      : along(residual.direction == Vec3{} ? some_perpendicular(point.normal) : residual.direction),
        across(cross(point.normal, along)) {
    const double most = most_friction(point, residual.pressure);
    if (most > 0.0) share = most / residual.pull;
    excess = std::max(1.0 - share, smallest_excess);
  }
};

ContactJacobian of_stick(const ContactPoint& point) {
  const Vec3& n = point.normal;
  const double c = point.scale;
  ContactJacobian by;
  by.by_distance = c * n;
  by.by_normal = c * (point.distance * Mat3::identity() + projection_by_normal(n, point.slide));
  by.by_start = negated(c * projector(n));
  by.by_place = outer(by.by_distance, n) + product(by.by_normal, point.curvature) + negated(by.by_start);
  return by;
}

ContactJacobian of_slip(const ContactPoint& point, const ContactResidual& residual) {
  const Vec3& n = point.normal;
  const double c = point.scale, mu = friction_slope(point);
  const Slip slip(point, residual);
  const Mat3 t = projector(n);
  const Mat3 s = slip.share * projector(slip.along);
  const Mat3 by_d = negated(s);  // ∂C/∂d through d̂
  const Vec3 d_hat = residual.direction;
  ContactJacobian by;
  by.by_force = t + negated(mu * outer(d_hat, n)) + product(by_d, t);
  by.by_distance = c * n + (mu * c) * d_hat;
  by.by_normal = (c * point.distance) * Mat3::identity() + projection_by_normal(n, point.force) +
                 negated(mu * outer(d_hat, point.force)) +
                 product(by_d, projection_by_normal(n, point.force - c * point.slide));
  by.by_start = c * product(by_d, t);
  by.by_place = outer(by.by_distance, n) + product(by.by_normal, point.curvature) + negated(by.by_start);
  by.by_friction = -residual.pressure * d_hat;
  return by;
}

/// The tangents that test slip's equations: C_fᵀ of them are the columns of W.
std::array<Vec3, 2> tests_of(const Slip& slip) {
  return {slip.along, (1.0 / slip.excess) * slip.across};
}

ReducedContact reduce_slip(Index vertex, const ContactPoint& point, const ContactResidual& residual,
                           const ContactJacobian& jacobian) {
  const Vec3& n = point.normal;
  const Slip slip(point, residual);
  ReducedContact reduced;
  VertexConstraint& constraint = reduced.constraint;
  constraint.vertex = vertex;
  constraint.columns = 2;
  constraint.test = {slip.along - friction_slope(point) * n, slip.across, {}};
  const std::array<Vec3, 2> tests = tests_of(slip);
  const bool is_flat = point.curvature.rows == Mat3{}.rows;
  if (is_flat) {  // The general expressions without their rounding, so that V = W without friction.
    constraint.trial = {slip.along, slip.across, {}};
    constraint.diagonal[3] = point.scale * slip.share / slip.excess;
    reduced.prescribed = -point.distance * n;
  } else {
    const Vec3 a = transposed_product(jacobian.by_place, n);
    const Vec3 a_hat = (1.0 / norm(a)) * a;
    const Vec3 first = transverse(a_hat, slip.along);
    const Vec3 v = (1.0 / norm(first)) * first;
    constraint.trial = {v, cross(a_hat, v), {}};
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        constraint.diagonal[2 * i + j] = dot(tests[i], jacobian.by_place * constraint.trial[j]);
    reduced.prescribed = (-dot(n, residual.value) / norm(a)) * a_hat;
  }
  const Vec3 left = residual.value + jacobian.by_place * reduced.prescribed;
  for (std::size_t i = 0; i < 2; ++i) reduced.right_hand_side[i] = -dot(tests[i], left);
  return reduced;
}

}  // namespace

ContactResidual contact_residual(const ContactPoint& point) {
  const double pressure = dot(point.normal, point.force) - point.scale * point.distance;
  if (!(pressure > 0.0)) return contact_residual(point, ContactState::free);
  if (point.sticks) return contact_residual(point, ContactState::stick);
  const ContactResidual slip = contact_residual(point, ContactState::slip);
  const double most = most_friction(point, pressure);
  const bool sticks = most > 0.0 && slip.pull <= most;
  return sticks ? contact_residual(point, ContactState::stick) : slip;
}

ContactResidual contact_residual(const ContactPoint& point, ContactState state) {
  const Vec3& n = point.normal;
  ContactResidual at;
  at.state = state;
  at.value = point.force;
  if (state == ContactState::free) return at;
  at.pressure = dot(n, point.force) - point.scale * point.distance;
  const Vec3 slide = transverse(n, point.slide);
  const Vec3 d = transverse(n, point.force) - point.scale * slide;
  at.pull = norm(d);
  at.value = point.scale * (point.distance * n + slide);
  if (state == ContactState::stick) return at;
  if (at.pull > 0.0) at.direction = (1.0 / at.pull) * d;
  at.value = (point.scale * point.distance) * n + transverse(n, point.force) -
             most_friction(point, at.pressure) * at.direction;
  return at;
}

ContactJacobian contact_jacobian(const ContactPoint& point, const ContactResidual& residual) {
  if (residual.state == ContactState::stick) return of_stick(point);
  if (residual.state == ContactState::slip) return of_slip(point, residual);
  ContactJacobian by;
  by.by_force = Mat3::identity();
  return by;
}

ReducedContact reduce_contact(Index vertex, const ContactPoint& point, const ContactResidual& residual,
                              const ContactJacobian& jacobian) {
  if (residual.state == ContactState::slip) return reduce_slip(vertex, point, residual, jacobian);
  ReducedContact reduced;
  reduced.constraint.vertex = vertex;
  if (residual.state == ContactState::stick) {
    reduced.prescribed = -solve(jacobian.by_place, residual.value);
    return reduced;
  }
  const Mat3 identity = Mat3::identity();
  reduced.constraint.columns = 3;
  reduced.constraint.trial = reduced.constraint.test = identity.rows;
  reduced.right_hand_side = {-residual.value.x, -residual.value.y, -residual.value.z};
  return reduced;
}

Vec3 adjoint_of_contact(const ContactPoint& point, const ContactResidual& residual,
                        const ContactJacobian& jacobian, const Vec3& z, const Vec3& remainder) {
  if (residual.state == ContactState::free) return z;
  if (residual.state == ContactState::stick) return solve_transposed(jacobian.by_place, remainder);
  const Slip slip(point, residual);
  const std::array<Vec3, 2> tests = tests_of(slip);
  const Vec3 tangential = dot(z, slip.along) * tests[0] + dot(z, slip.across) * tests[1];
  const Vec3 a = transposed_product(jacobian.by_place, point.normal);
  const Vec3 left = remainder - transposed_product(jacobian.by_place, tangential);
  return tangential + (dot(a, left) / squared_norm(a)) * point.normal;
}

}  // namespace electret
