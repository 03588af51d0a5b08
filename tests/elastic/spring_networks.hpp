#pragma once
// Springs to try an energy on.

#include <algorithm>
#include <random>
#include <set>

#include <electret/elastic/spring_energy.hpp>

#include "support/differences.hpp"

namespace electret::test {

struct Network {
  Index vertices = 0;
  std::vector<Edge> springs;
  std::vector<double> stiffness, rest_length;
  VectorArray positions;
};

/// `springs_a_vertex` random springs from every vertex, ends in either order, shuffled unless `sorted`; rest
/// lengths from 0.4 to 1.6 of the present length, none within 5 % of it.
inline Network random_network(Index vertices, Index springs_a_vertex, bool sorted = false) {
  std::mt19937_64 random(42);
  Network net;
  net.vertices = vertices;
  net.positions = random_vectors(static_cast<std::size_t>(vertices), 43);
  std::set<Edge> seen;
  for (Index i = 0; i < vertices; ++i)
    for (Index k = 0; k < springs_a_vertex; ++k) {
      const auto j = static_cast<Index>(random() % static_cast<std::uint64_t>(vertices));
      if (i != j && seen.insert({std::min(i, j), std::max(i, j)}).second)
        net.springs.push_back(sorted ? Edge{std::min(i, j), std::max(i, j)} : Edge{i, j});
    }
  if (sorted)
    std::sort(net.springs.begin(), net.springs.end());
  else
    std::shuffle(net.springs.begin(), net.springs.end(), random);
  net.stiffness = random_numbers(net.springs.size(), 44, 0.5, 20.0);
  const std::vector<double> factors = random_numbers(net.springs.size(), 45, 0.4, 1.5);
  for (std::size_t s = 0; s < net.springs.size(); ++s) {
    const Edge& e = net.springs[s];
    const double length =
        norm(net.positions[static_cast<std::size_t>(e[0])] - net.positions[static_cast<std::size_t>(e[1])]);
    net.rest_length.push_back(length * (factors[s] < 0.95 ? factors[s] : factors[s] + 0.1));
  }
  return net;
}

inline std::shared_ptr<ElementBlock> spring_block(const Network& net) {
  std::vector<Index> ends;
  for (const Edge& spring : net.springs) ends.insert(ends.end(), spring.begin(), spring.end());
  return std::make_shared<ElementBlock>(2, net.vertices, std::move(ends));
}

inline std::unique_ptr<ElasticEnergy> spring_energy(const Network& net, Threads& threads) {
  return make_spring_energy(net.vertices, net.springs, net.stiffness, net.rest_length, threads);
}

inline std::unique_ptr<ElasticEnergy> reference_spring_energy(const Network& net, Threads& threads) {
  return make_reference_spring_energy(net.vertices, net.springs, net.stiffness, net.rest_length, threads);
}

}  // namespace electret::test
