#pragma once
/// \file
/// The two directions in which a pair's parts slide on each other.

#include <array>

#include <electret/contact/pair_distance.hpp>

namespace electret {

/// Two vertices of a pair, along whose edge a frame lies.
using FrameEdge = std::array<std::size_t, 2>;

/// The edge of the pair's closest feature, or one of the triangle or the edges, by a number that is kept with
/// what is known in the frame. Where the closest feature has no edge it is the one that lies most across the
/// normal, the first of equal ones.
unsigned char frame_edge(PairKind kind, const PairDistance& at, const PairPlaces& places);
/// The vertices of such an edge.
FrameEdge frame_edge_vertices(PairKind kind, unsigned char edge);

/// Q = [ê, n × ê]: ê is the edge's direction made perpendicular to the normal n. Any two directions across n
/// where that has no length.
using FrictionFrame = std::array<Vec3, 2>;
FrictionFrame friction_frame(const FrameEdge& edge, const Vec3& normal, const PairPlaces& places);

}  // namespace electret
