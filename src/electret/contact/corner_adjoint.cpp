#include <bit>
#include <cmath>
#include <optional>

#include <electret/contact/corner_law.hpp>
#include <electret/contact/detail/corner_planes.hpp>
#include <electret/core/small_matrices.hpp>
#include <electret/core/transverse.hpp>

namespace electret {
namespace {

using detail::CornerPlanes;
using detail::EdgeOfWalls;
using detail::EdgeSide;
using detail::EdgeSlip;

constexpr std::size_t index(int number) {
  return static_cast<std::size_t>(number);
}

/// The derivatives of a side's push g = n - μ û with û = u/|u|, u = T(x - x̃).
class PushDerivatives {
 public:
  PushDerivatives(const EdgeSide& side, const EdgeSlip& slip, const Mat3& curvature)
      : side_(side), slip_(slip), curvature_(curvature) {
    turning_ = slip.pressure > 0.0 ? slip.resistance / slip.pressure : 0.0;
  }
  /// (∂g/∂n)ᵀz. u changes by -δn (n·v) - n (v·δn), and û by its part across û, divided by |u|.
  [[nodiscard]] Vec3 by_normal(const Vec3& z) const {
    const Vec3 across = slip_.slide == Vec3{} ? Vec3{} : turning_ * transverse(slip_.slide, z);
    return z + dot(side_.normal, side_.slide) * across + dot(side_.normal, across) * side_.slide;
  }
  /// (∂g/∂x̃)ᵀz.
  [[nodiscard]] Vec3 by_start(const Vec3& z) const {
    return (turning_ * dot(slip_.across, z)) * slip_.across;
  }
  /// (∂g/∂x)ᵀz.
  [[nodiscard]] Vec3 by_place(const Vec3& z) const { return curvature_ * by_normal(z) - by_start(z); }

 private:
  const EdgeSide& side_;
  const EdgeSlip& slip_;
  const Mat3& curvature_;
  double turning_;  ///< μ/|u|.
};

/// A vertex that slips along the edge of two planes, at a solution.
struct SlippingEdge {
  CornerPlanes planes;
  EdgeOfWalls edge;
  std::array<EdgeSlip, 2> slip;
  std::array<Mat3, 2> curvature{};

  SlippingEdge(const CornerPoint& point, const CornerMode& mode)
      : planes(point, mode.closed),
        edge(*EdgeOfWalls::between(planes.sides[0], planes.sides[1])),
        slip(edge.slip({}, point.walls[0].force)) {
    for (std::size_t k = 0; k < 2; ++k)
      if (planes.walls[k] >= 0) curvature[k] = point.walls[index(planes.walls[k])].curvature;
  }
  [[nodiscard]] PushDerivatives of(std::size_t k) const { return {planes.sides[k], slip[k], curvature[k]}; }
  /// W: perpendicular to both pushes, with W·t = 1.
  [[nodiscard]] Vec3 test() const {
    const Vec3 across = cross(slip[0].push(planes.sides[0]), slip[1].push(planes.sides[1]));
    return (1.0 / dot(edge.along(), across)) * across;
  }
  /// (Σ λ_k ∂g_k/∂x)ᵀz.
  [[nodiscard]] Vec3 by_place(const Vec3& z) const {
    return slip[0].pressure * of(0).by_place(z) + slip[1].pressure * of(1).by_place(z);
  }
};

/// With multipliers ν of φ_k = 0, z ⊥ g_k of the balance r - Σ λ_k g_k = 0.
void add_slipping(const CornerPoint& point, const CornerMode& mode, const Vec3& z, const Vec3& remainder,
                  CornerCotangent& out) {
  const SlippingEdge at(point, mode);
  const std::array<double, 2> nu = at.edge.across_parts(remainder + at.by_place(z));
  for (std::size_t k = 0; k < 2; ++k) {
    if (at.planes.walls[k] < 0) {
      out.held += nu[k] * at.planes.normal(k);
      continue;
    }
    const double pressure = at.slip[k].pressure;
    out.walls[index(at.planes.walls[k])] = {-nu[k], pressure * at.of(k).by_normal(z),
                                            pressure * at.of(k).by_start(z),
                                            -pressure * dot(at.slip[k].slide, z)};
  }
}

/// Passes the multipliers of φ_k = 0 on. Where the vertex is held, φ = n·(x - p) with its place p.
void add_distances(const CornerPlanes& planes, const Vec3& nu, CornerCotangent& out) {
  for (std::size_t k = 0; k < planes.count; ++k) {
    const double by_distance = -nu[static_cast<int>(k)];
    if (planes.walls[k] >= 0)
      out.walls[index(planes.walls[k])].distance = by_distance;
    else
      out.held -= by_distance * planes.normal(k);
  }
}

/// φ_k = 0 of both sides, and t·T(x - x̃) = 0 on the one on which it rests.
void add_resting_on_edge(const CornerPoint& point, const CornerMode& mode, const Vec3& remainder,
                         CornerCotangent& out) {
  const CornerPlanes planes(point, mode.closed);
  const EdgeOfWalls edge = *EdgeOfWalls::between(planes.sides[0], planes.sides[1]);
  const int own = planes.walls[index(mode.rests_on)];
  const Vec3 along = edge.along();
  const ContactPoint& wall = point.walls[index(own)];
  const double above = dot(wall.normal, wall.slide);
  const Mat3 rows{{planes.normal(0), planes.normal(1), along - above * (wall.curvature * along)}};
  const Vec3 nu = solve_transposed(rows, remainder);
  add_distances(planes, nu, out);
  out.walls[index(own)].carried = nu.z * along;
  out.walls[index(own)].normal = (nu.z * above) * along;
}

void add_in_corner(const CornerPoint& point, const CornerMode& mode, const Vec3& remainder,
                   CornerCotangent& out) {
  const CornerPlanes planes(point, mode.closed);
  add_distances(planes, solve_transposed(planes.normals(), remainder), out);
}

WallCotangent of_one_wall(const ContactPoint& wall, const CornerMode& mode, const Vec3& z,
                          const Vec3& remainder) {
  const ContactResidual residual = contact_residual(wall, mode.state);
  const ContactJacobian jacobian = contact_jacobian(wall, residual);
  const Vec3 w = adjoint_of_contact(wall, residual, jacobian, z, remainder);
  return {-dot(w, jacobian.by_distance), -transposed_product(jacobian.by_normal, w),
          -transposed_product(jacobian.by_start, w), -dot(w, jacobian.by_friction)};
}

const ContactPoint& wall_of(const CornerPoint& point, const CornerMode& mode) {
  return point.walls[first_wall(mode)];
}

}  // namespace

VertexConstraint corner_constraint(Index vertex, const CornerPoint& point, const CornerMode& mode) {
  if (is_of_one_wall(point, mode)) {
    const ContactPoint& wall = wall_of(point, mode);
    const ContactResidual residual = contact_residual(wall, mode.state);
    return reduce_contact(vertex, wall, residual, contact_jacobian(wall, residual)).constraint;
  }
  VertexConstraint constraint = pin(vertex);
  if (mode.state != ContactState::slip) return constraint;
  const SlippingEdge at(point, mode);
  constraint.columns = 1;
  constraint.trial[0] = at.edge.along();
  constraint.test[0] = at.test();
  constraint.diagonal[0] = -dot(at.by_place(constraint.test[0]), at.edge.along());
  return constraint;
}

CornerCotangent corner_adjoint(const CornerPoint& point, const CornerMode& mode, const Vec3& z,
                               const Vec3& remainder) {
  CornerCotangent out;
  if (mode.state == ContactState::free) return out;
  const int planes = point.held_count + std::popcount(mode.closed);
  if (is_of_one_wall(point, mode))
    out.walls[first_wall(mode)] = of_one_wall(wall_of(point, mode), mode, z, remainder);
  else if (planes == 3)
    add_in_corner(point, mode, remainder, out);
  else if (mode.state == ContactState::slip)
    add_slipping(point, mode, z, remainder, out);
  else
    add_resting_on_edge(point, mode, remainder, out);
  return out;
}

}  // namespace electret
