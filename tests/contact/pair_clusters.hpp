#pragma once
/// Pairs of every closest feature, nearly parallel edges, and nearly parallel lines, some of which share
/// vertices.

#include <map>

#include <electret/contact/pair_potential.hpp>

#include "contact/pair_places.hpp"

namespace electret::test {

/// The pairs ascend.
struct PairCluster {
  VectorArray positions;
  std::vector<PairConstants> pairs;
};

/// A potential of pairs with constants of their own.
struct ListedPairs {
  ListedPairs(const std::vector<PairConstants>& all, double thickness, Threads& threads)
      : potential(
            thickness, threads, [thickness](const SurfacePair&) { return thickness; },
            [this](const SurfacePair& pair) { return constants.at(pair); }) {
    for (const PairConstants& one : all) {
      pairs.push_back(one.pair);
      constants.emplace(one.pair, one).first->second.reach = thickness;
    }
    potential.set_pairs(pairs);
  }
  ListedPairs(const ListedPairs&) = delete;
  ListedPairs& operator=(const ListedPairs&) = delete;

  std::map<SurfacePair, PairConstants> constants;
  std::vector<SurfacePair> pairs;
  PairPotential potential;
};

inline PairCluster pair_cluster() {
  PairCluster cluster;
  const auto add = [&](PairKind kind, const PairPlaces& places, bool are_lines = false) {
    PairConstants pair;
    pair.pair.kind = kind;
    pair.are_lines = are_lines;
    for (std::size_t i = 0; i < 4; ++i) {
      pair.pair.vertices[i] = static_cast<Index>(cluster.positions.size());
      cluster.positions.push_back(places[i]);
    }
    if (kind == PairKind::edge_edge)
      pair.threshold = mollifier_threshold(places[1] - places[0], places[3] - places[2]);
    pair.stiffness = 2.0 + 0.1 * static_cast<double>(cluster.pairs.size());
    pair.friction = 0.5;
    cluster.pairs.push_back(pair);
  };
  for (const PlacedPair& pair : pairs_of_every_feature()) add(pair.kind, pair.places);
  add(PairKind::edge_edge, {{{-1, 0, 0.2}, {1, 0.02, 0.21}, {-0.9, -0.01, 0}, {1.1, 0.02, 0}}});
  // Lines that lie alike, that are shifted along each other, and that follow each other.
  add(PairKind::edge_edge, {{{-1, 0, 0.2}, {1, 0.02, 0.21}, {-0.9, -0.01, 0}, {1.1, 0.02, 0}}}, true);
  add(PairKind::edge_edge, {{{-1, 0, 0.2}, {1, 0.01, 0.21}, {0.3, -0.02, 0}, {2.1, 0.01, 0}}}, true);
  add(PairKind::edge_edge, {{{-1, 0, 0.02}, {1, 0.02, 0.03}, {1.1, -0.01, 0}, {3.1, 0.02, 0}}}, true);
  // The first triangle is near another vertex, too.
  PairConstants shared = cluster.pairs.front();
  shared.pair.vertices[0] = static_cast<Index>(cluster.positions.size());
  cluster.positions.push_back(cluster.positions[0] + Vec3{0.1, -0.05, 0.1});
  cluster.pairs.push_back(shared);
  std::sort(cluster.pairs.begin(), cluster.pairs.end(),
            [](const PairConstants& a, const PairConstants& b) { return a.pair < b.pair; });
  return cluster;
}

/// v ← A v for the sum of stencils.
inline VectorArray stencil_product(std::size_t n, const std::vector<StencilVertices>& vertices,
                                   const std::vector<StencilBlocks>& blocks, const VectorArray& v) {
  VectorArray product(n);
  for (std::size_t s = 0; s < vertices.size(); ++s)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const Index row = vertices[s][i], column = vertices[s][j];
        if (row == no_vertex || column == no_vertex) continue;
        const Vec3& x = v[static_cast<std::size_t>(column)];
        product[static_cast<std::size_t>(row)] +=
            i <= j ? blocks[s].at(i, j) * x : transposed_product(blocks[s].at(j, i), x);
      }
  return product;
}

}  // namespace electret::test
