#include <cmath>

#include <electret/contact/dual.hpp>
#include <electret/contact/friction_derivative.hpp>

namespace electret {
namespace {

/// By the twelve coordinates at the start.
using Number = Dual<12>;
using Vector = DualVec3<12>;

Vector constant(const Vec3& v) {
  return {Number(v.x), Number(v.y), Number(v.z)};
}

/// What of a pair moves with its places at the start of the step.
struct MovingPair {
  std::array<Vector, 4> places;
  std::array<Number, 4> weights;
  std::array<Vector, 2> frame;
  Number normal;  ///< λ.
};

/// w, whose β stay at the minimum: their change is -F⁻¹(q·r).
void move_weights(const PairDistance& at, MovingPair& pair) {
  Vector gap;
  std::array<Vector, 2> q;
  for (std::size_t i = 0; i < 4; ++i) {
    pair.weights[i] = at.weights[i];
    gap = gap + pair.weights[i] * pair.places[i];
    for (std::size_t a = 0; a < 2; ++a) q[a] = q[a] + Number(at.slopes[a][i]) * pair.places[i];
  }
  std::array<Number, 2> change;
  const Number f = dot(q[0], q[0]), right = -dot(q[0], gap);
  if (at.free == 1) change[0] = right / f;
  if (at.free == 2) {
    const Number mixed = dot(q[0], q[1]), other = dot(q[1], q[1]), below = -dot(q[1], gap);
    const Number determinant = f * other - mixed * mixed;
    change[0] = (right * other - below * mixed) / determinant;
    change[1] = (below * f - right * mixed) / determinant;
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t a = 0; a < static_cast<std::size_t>(at.free); ++a)
      pair.weights[i] = pair.weights[i] + Number(at.slopes[a][i]) * change[a];
}

/// m.
Number moving_mollifier(const PairConstants& constants, const std::array<Vector, 4>& x) {
  if (constants.pair.kind != PairKind::edge_edge) return 1.0;
  const Vector area = cross(x[1] - x[0], x[3] - x[2]);
  const Number ratio = dot(area, area) / Number(constants.threshold);
  return ratio.value < 1.0 ? ratio * (Number(2.0) - ratio) : Number(1.0);
}

MovingPair moving_pair(const FrictionPair& own, const PairPlaces& start, double thickness) {
  MovingPair pair;
  for (std::size_t i = 0; i < 4; ++i)
    pair.places[i] = {Number::variable(start[i].x, 3 * i), Number::variable(start[i].y, 3 * i + 1),
                      Number::variable(start[i].z, 3 * i + 2)};
  move_weights(own.at, pair);
  Vector gap;
  for (std::size_t i = 0; i < 4; ++i) gap = gap + pair.weights[i] * pair.places[i];
  const Number distance = sqrt(dot(gap, gap));
  const Vector normal = (Number(1.0) / distance) * gap;
  const FrameEdge edge = frame_edge_vertices(own.constants.pair.kind, own.edge);
  const Vector along = pair.places[edge[1]] - pair.places[edge[0]];
  const Vector across = along - dot(along, normal) * normal;
  const Number length = sqrt(dot(across, across));
  pair.frame[0] = (Number(1.0) / length) * across;
  // An edge along the normal says nothing: the frame stays.
  if (!(length.value > 1e-12 * std::sqrt(dot(along, along).value))) pair.frame[0] = constant(own.frame[0]);
  pair.frame[1] = cross(normal, pair.frame[0]);
  const Number pressure = 2.0 * distance.value >= thickness ? Number(thickness) - distance
                                                            : Number(0.25 * thickness * thickness) / distance;
  pair.normal = Number(own.constants.stiffness) * moving_mollifier(own.constants, pair.places) * pressure;
  return pair;
}

}  // namespace

FrictionDerivatives friction_derivatives(const FrictionPair& own, const PairPlaces& start,
                                         const PairPlaces& end, const FrictionAdjoint& adjoint,
                                         double thickness) {
  const MovingPair pair = moving_pair(own, start, thickness);
  const double k = own.constants.stiffness, friction = own.constants.friction;
  Vector slide, weight;
  for (std::size_t i = 0; i < 4; ++i) {
    slide = slide + pair.weights[i] * (constant(end[i]) - pair.places[i]);
    weight = weight + pair.weights[i] * constant(adjoint.by_force[i]);
  }
  std::array<Number, 2> s, e;
  InFrame z;
  for (std::size_t r = 0; r < 2; ++r) {
    s[r] = Number(own.anchor[r]) + dot(pair.frame[r], slide);
    const Number along = dot(pair.frame[r], weight);
    z[r] = along.value;
    e[r] = Number(adjoint.by_kept[r] / k) - along;
  }
  const bool slips = own.map.slips;
  Number psi;
  FrictionDerivatives out;
  const auto slope = return_map_slope(own.slip, k, own.limit);
  for (std::size_t r = 0; r < 2; ++r) out.by_anchor[r] = slope[0][r] * e[0].value + slope[1][r] * e[1].value;
  if (slips) {
    const Number size = sqrt(s[0] * s[0] + s[1] * s[1]);
    const Number along = (e[0] * s[0] + e[1] * s[1]) / size;
    psi = Number(friction) * pair.normal * along;
    const double kept = (adjoint.by_kept[0] * own.map.force[0] + adjoint.by_kept[1] * own.map.force[1]) / k;
    out.by_friction = own.normal * along.value;
    out.by_stiffness = (own.limit * along.value - kept) / k;
  } else {
    psi = Number(k) * (e[0] * s[0] + e[1] * s[1]);
    out.by_stiffness = -(z[0] * s[0].value + z[1] * s[1].value);
  }
  for (std::size_t i = 0; i < 4; ++i)
    out.by_start[i] = {psi.slopes[3 * i], psi.slopes[3 * i + 1], psi.slopes[3 * i + 2]};
  return out;
}

}  // namespace electret
