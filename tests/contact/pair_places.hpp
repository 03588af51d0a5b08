#pragma once
/// Places of pairs with each closest feature.

#include <array>
#include <string>
#include <vector>

#include <electret/contact/pair_distance.hpp>

#include "support/random.hpp"

namespace electret::test {

struct PlacedPair {
  std::string name;
  PairKind kind;
  PairFeature feature;
  PairPlaces places;
};

/// One of every feature, each vertex moved a little so that nothing is symmetric, far from the borders
/// between features.
inline std::vector<PlacedPair> pairs_of_every_feature() {
  using F = PairFeature;
  constexpr auto vt = PairKind::vertex_triangle, ee = PairKind::edge_edge;
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0.2, 1, 0};
  std::vector<PlacedPair> pairs{
      {"face", vt, F::inner, {{{0.4, 0.3, 0.2}, a, b, c}}},
      {"edge_0_1", vt, F::edge_0_1, {{{0.4, -0.3, 0.2}, a, b, c}}},
      {"edge_1_2", vt, F::edge_1_2, {{{0.9, 0.8, -0.2}, a, b, c}}},
      {"edge_2_0", vt, F::edge_2_0, {{{-0.4, 0.6, 0.1}, a, b, c}}},
      {"corner_0", vt, F::corner_0, {{{-0.3, -0.4, 0.2}, a, b, c}}},
      {"corner_1", vt, F::corner_1, {{{1.4, -0.2, 0.2}, a, b, c}}},
      {"corner_2", vt, F::corner_2, {{{0.2, 1.5, -0.3}, a, b, c}}},
      {"crossing", ee, F::inner, {{{-1, 0, 0.2}, {1, 0.1, 0.2}, {0.1, -1, 0}, {0, 1, 0}}}},
      {"start_over_second",
       ee,
       F::start_over_second,
       {{{0.3, 0, 0.2}, {1, 0.1, 0.2}, {0, -1, 0}, {0, 1, 0}}}},
      {"end_over_second", ee, F::end_over_second, {{{-1, 0, 0.2}, {-0.3, 0.1, 0.2}, {0, -1, 0}, {0, 1, 0}}}},
      {"start_over_first", ee, F::start_over_first, {{{-1, 0, 0}, {1, 0, 0}, {0, 0.3, 0.2}, {0, 1, 0.2}}}},
      {"end_over_first", ee, F::end_over_first, {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0.2}, {0, -0.4, 0.2}}}},
      {"start_start", ee, F::start_start, {{{0.2, 0, 0}, {1, 0, 0}, {0, 0.2, 0.1}, {0, 1, 0.3}}}},
      {"end_start", ee, F::end_start, {{{-1, 0, 0}, {-0.2, 0, 0}, {0, 0.2, 0.1}, {0, 1, 0.3}}}},
      {"start_end", ee, F::start_end, {{{0.2, 0, 0}, {1, 0, 0}, {0, -1, 0.1}, {0, -0.2, 0.1}}}},
      {"end_end", ee, F::end_end, {{{-1, 0, 0}, {-0.2, 0, 0}, {0, -1, 0.1}, {0, -0.2, 0.1}}}}};
  Random random(17);
  for (PlacedPair& pair : pairs)
    for (Vec3& x : pair.places) x += Vec3{3, -2, 1} + random.in_cube(0.02);
  return pairs;
}

}  // namespace electret::test
