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

using Places = std::array<Vector, 4>;

Places variables(const PairPlaces& x) {
  Places places;
  for (std::size_t i = 0; i < 4; ++i)
    places[i] = {Number::variable(x[i].x, 3 * i), Number::variable(x[i].y, 3 * i + 1),
                 Number::variable(x[i].z, 3 * i + 2)};
  return places;
}

PairPlaces slopes_of(const Number& number) {
  PairPlaces slopes;
  for (std::size_t i = 0; i < 4; ++i)
    slopes[i] = {number.slopes[3 * i], number.slopes[3 * i + 1], number.slopes[3 * i + 2]};
  return slopes;
}

/// w, whose β stay at the minimum: their change is -F⁻¹(q·r), by cross products, which keep their digits
/// where the q are nearly parallel.
std::array<Number, 4> moving_weights(const PairDistance& at, const Places& places) {
  std::array<Number, 4> weights;
  Vector gap;
  std::array<Vector, 2> q;
  for (std::size_t i = 0; i < 4; ++i) {
    weights[i] = at.weights[i];
    gap = gap + weights[i] * places[i];
    for (std::size_t a = 0; a < 2; ++a) q[a] = q[a] + Number(at.slopes[a][i]) * places[i];
  }
  std::array<Number, 2> change;
  if (at.free == 1) {
    const Number f = dot(q[0], q[0]);
    if (f.value > 0.0) change[0] = -dot(q[0], gap) / f;
  }
  if (at.free == 2) {
    const Vector area = cross(q[0], q[1]);
    const Number c = dot(area, area);
    if (c.value > 0.0) change = {-dot(cross(gap, q[1]), area) / c, -dot(cross(q[0], gap), area) / c};
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t a = 0; a < static_cast<std::size_t>(at.free); ++a)
      weights[i] = weights[i] + Number(at.slopes[a][i]) * change[a];
  return weights;
}

Vector weighted(const std::array<Number, 4>& weights, const Places& places) {
  Vector sum;
  for (std::size_t i = 0; i < 4; ++i) sum = sum + weights[i] * places[i];
  return sum;
}

/// Q, whose first direction is `held` where the edge is along the normal and says nothing.
std::array<Vector, 2> moving_frame(const FrameEdge& edge, const Vector& normal, const Places& places,
                                   const Vec3& held) {
  const Vector along = places[edge[1]] - places[edge[0]];
  const Vector across = along - dot(along, normal) * normal;
  const Number square = dot(across, across);
  Vector first = constant(held);
  if (square.value > 1e-24 * dot(along, along).value) first = (Number(1.0) / sqrt(square)) * across;
  return {first, cross(normal, first)};
}

/// What of a pair moves with its places at the start of the step.
struct MovingPair {
  Places places;
  std::array<Number, 4> weights;
  std::array<Vector, 2> frame;
  Number normal;  ///< λ.
};

/// m.
Number moving_mollifier(const PairConstants& constants, const std::array<Vector, 4>& x) {
  if (constants.pair.kind != PairKind::edge_edge) return 1.0;
  const Vector area = cross(x[1] - x[0], x[3] - x[2]);
  const Number ratio = dot(area, area) / Number(constants.threshold);
  return ratio.value < 1.0 ? ratio * (Number(2.0) - ratio) : Number(1.0);
}

MovingPair moving_pair(const FrictionPair& own, const PairPlaces& start) {
  MovingPair pair;
  pair.places = variables(start);
  pair.weights = moving_weights(own.at, pair.places);
  const Vector gap = weighted(pair.weights, pair.places);
  const Number distance = sqrt(dot(gap, gap));
  pair.frame = moving_frame(frame_edge_vertices(own.constants.pair.kind, own.edge),
                            (Number(1.0) / distance) * gap, pair.places, own.frame[0]);
  const double reach = own.constants.reach;
  const Number pressure =
      2.0 * distance.value >= reach ? Number(reach) - distance : Number(0.25 * reach * reach) / distance;
  const double stiffness = own.normal / own.push;
  pair.normal = Number(stiffness) * moving_mollifier(own.constants, pair.places) * pressure;
  return pair;
}

/// The derivative of along·Qᵀv by the places on which Q hangs.
PairPlaces frame_derivative(const PairDistance& at, const FrameEdge& edge, const PairPlaces& x,
                            const InFrame& along, const Vec3& v) {
  const Places places = variables(x);
  const Vector gap = weighted(moving_weights(at, places), places);
  const Vector normal = (Number(1.0) / sqrt(dot(gap, gap))) * gap;
  const auto frame = moving_frame(edge, normal, places, friction_frame(edge, at.normal, x)[0]);
  return slopes_of(dot(Number(along[0]) * frame[0] + Number(along[1]) * frame[1], constant(v)));
}

}  // namespace

FrictionDerivatives friction_derivatives(const FrictionPair& own, const PairPlaces& start,
                                         const PairPlaces& end, const FrictionAdjoint& adjoint) {
  const MovingPair pair = moving_pair(own, start);
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
    out.by_stiffness = -kept / k;
    out.by_normal = friction * along.value;
  } else {
    psi = Number(k) * (e[0] * s[0] + e[1] * s[1]);
    out.by_stiffness = -(z[0] * s[0].value + z[1] * s[1].value);
  }
  out.by_start = slopes_of(psi);
  return out;
}

/// a = Q_newᵀ v with v = Q_old a_old: with g = ∂ℒ/∂a, ℒ changes by g·dQ_newᵀ v + a_old·dQ_oldᵀ(Q_new g).
TransportDerivatives transport_derivatives(const FrictionPair& own, const PairPlaces& places,
                                           const PairAnchor& from, const PairPlaces& there,
                                           const InFrame& by_anchor) {
  TransportDerivatives out;
  const InFrame by_turned{own.share * by_anchor[0], own.share * by_anchor[1]};
  for (std::size_t r = 0; r < 2; ++r) {
    out.by_share += own.anchor[r] * by_anchor[r];
    for (std::size_t c = 0; c < 2; ++c) out.by_slip[c] += own.transport[r][c] * by_turned[r];
  }
  if (keeps_frame(own, from)) return out;
  const PairDistance old = pair_distance(from.feature, from.pair.kind, there);
  if (!(old.distance > 0.0)) return out;
  const FrameEdge edge = frame_edge_vertices(own.constants.pair.kind, own.edge),
                  old_edge = frame_edge_vertices(from.pair.kind, from.edge);
  const FrictionFrame frame = friction_frame(old_edge, old.normal, there);
  const Vec3 slip = from.slip[0] * frame[0] + from.slip[1] * frame[1],
             pull = by_turned[0] * own.frame[0] + by_turned[1] * own.frame[1];
  out.by_own = frame_derivative(own.at, edge, places, by_turned, slip);
  out.by_source = frame_derivative(old, old_edge, there, from.slip, pull);
  return out;
}

}  // namespace electret
