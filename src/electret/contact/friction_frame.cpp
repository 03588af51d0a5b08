#include <cmath>

#include <electret/contact/friction_frame.hpp>
#include <electret/core/transverse.hpp>

namespace electret {
namespace {

constexpr std::array<FrameEdge, 3> triangle_edges{{{1, 2}, {2, 3}, {3, 1}}};
constexpr std::array<FrameEdge, 2> both_edges{{{0, 1}, {2, 3}}};

/// The squared sine of the angle between an edge and the normal.
double across(const FrameEdge& edge, const Vec3& normal, const PairPlaces& x) {
  const Vec3 along = x[edge[1]] - x[edge[0]];
  const double square = squared_norm(along);
  return square > 0.0 ? squared_norm(transverse(normal, along)) / square : 0.0;
}

}  // namespace

FrameEdge frame_edge_vertices(PairKind kind, unsigned char edge) {
  return kind == PairKind::vertex_triangle ? triangle_edges.at(edge) : both_edges.at(edge);
}

unsigned char frame_edge(PairKind kind, const PairDistance& at, const PairPlaces& x) {
  switch (at.feature) {
    case PairFeature::inner:
    case PairFeature::edge_0_1:
    case PairFeature::start_over_first:
    case PairFeature::end_over_first:
      return 0;
    case PairFeature::edge_1_2:
    case PairFeature::start_over_second:
    case PairFeature::end_over_second:
      return 1;
    case PairFeature::edge_2_0:
      return 2;
    default:
      break;
  }
  const unsigned char count = kind == PairKind::vertex_triangle ? 3 : 2;
  unsigned char best = 0;
  double most = -1.0;
  for (unsigned char edge = 0; edge < count; ++edge) {
    // By a margin, so that rounding does not choose between edges that lie alike.
    const double own = across(frame_edge_vertices(kind, edge), at.normal, x);
    if (own > most + 1e-9) most = own, best = edge;
  }
  return best;
}

FrictionFrame friction_frame(const FrameEdge& edge, const Vec3& n, const PairPlaces& x) {
  Vec3 along = transverse(n, x[edge[1]] - x[edge[0]]);
  if (!(squared_norm(along) > 0.0)) along = cross(n, std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
  const Vec3 first = (1.0 / norm(along)) * along;
  return {first, cross(n, first)};
}

}  // namespace electret
