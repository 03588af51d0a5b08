// Every instruction set's kernels of springs against the portable ones, bit by bit.

#include <gtest/gtest.h>

#include <electret/core/instruction_set.hpp>
#include <electret/elastic/detail/spring_kernels.hpp>
#include <electret/elastic/detail/spring_products.hpp>
#include <electret/linear/incidence.hpp>

#include "elastic/spring_networks.hpp"

#ifdef ELECTRET_HAS_AVX2

namespace electret::test {
namespace {

/// The first `count` springs of a network, and which meet at each vertex.
struct Springs {
  Springs(const Network& net, std::int64_t count)
      : network(net),
        ends(net.springs[0].data(), net.springs[0].data() + 2 * count),
        incidence(net.vertices, ends) {
    for (const Vec3& place : net.positions) x.push_back(padded64(place));
    sides_of_springs.resize(ends.size());
    for (const Index slot : incidence.slots) {
      sides_of_springs[static_cast<std::size_t>(slot)] = static_cast<Index>(sides.size());
      sides.push_back({ends[static_cast<std::size_t>(slot ^ 1)], slot / 2});
    }
  }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(ends.size() / 2); }
  [[nodiscard]] detail::SpringRange range() const {
    return {ends.data(), network.stiffness.data(), network.rest_length.data(), x[0].lane, 0, count()};
  }

  const Network& network;
  std::vector<Index> ends;
  Incidence incidence;
  std::vector<detail::SpringSide> sides;
  std::vector<Index> sides_of_springs;
  std::vector<Padded64> x;
};

struct Forces {
  double energy = 0.0, scattered_energy = 0.0, gathered_energy = 0.0;
  bool zero_length = false;
  VectorArray scattered, gathered;
  std::vector<double> factors;
  friend bool operator==(const Forces&, const Forces&) = default;
};

Forces forces(const detail::SpringKernels& kernels, const Springs& springs) {
  Forces r;
  r.energy = kernels.energy(springs.range());
  std::vector<Padded64> rows(springs.x.size());
  r.scattered_energy = kernels.scatter_gradient(springs.range(), rows[0].lane);
  for (const Padded64& row : rows) r.scattered.push_back(unpadded(row));
  r.factors.resize(static_cast<std::size_t>(springs.count()) + 1);  // the last stays untouched
  r.gathered_energy = kernels.gradient_factors(springs.range(), r.factors.data(), &r.zero_length);
  r.gathered.resize(springs.x.size());
  kernels.gather({springs.incidence.offsets.data(), springs.sides.data(), springs.x[0].lane, r.factors.data(),
                  springs.ends.data(), r.zero_length, &r.gathered[0].x},
                 0, springs.network.vertices);
  return r;
}

struct Products {
  std::vector<double> directions;
  std::vector<float> factors;
  VectorArray product;
  std::vector<float> product32;
  friend bool operator==(const Products&, const Products&) = default;
};

Products products(const detail::SpringKernels& kernels, const detail::SpringProducts& set,
                  const Springs& springs, bool clamped) {
  Products r;
  const auto count = static_cast<std::size_t>(springs.count()), n = springs.x.size();
  r.directions.assign(4 * count + 1, 7.0);  // the last stays untouched
  kernels.directions(springs.range(), clamped, r.directions.data());
  std::vector<Padded32> factors(2 * count + 1), d, out(n, padded32({1, 2, 3}));
  detail::LinearisedSprings at{springs.incidence.offsets.data(), springs.sides.data(),
                               springs.network.stiffness.data(), r.directions.data(), factors[0].lane};
  kernels.factors(springs.range(), clamped, springs.sides_of_springs.data(), factors[0].lane);
  const VectorArray directions = random_vectors(n, 5);
  for (const Vec3& v : directions) d.push_back(padded32(v));
  r.product = random_vectors(n, 6);
  set.product(at, &directions[0].x, 0, springs.network.vertices, &r.product[0].x);
  set.product32(at, 0.3F, d[0].lane, 0, springs.network.vertices, out[0].lane);
  for (const Padded32& f : factors) r.factors.insert(r.factors.end(), f.lane, f.lane + 4);
  for (const Padded32& row : out) r.product32.insert(r.product32.end(), row.lane, row.lane + 4);
  return r;
}

TEST(SpringKernels, AreThoseOfTheInstructionSetInForce) {
  const bool portable = instruction_set() == electret::InstructionSet::portable;
  EXPECT_EQ(&detail::spring_kernels(),
            portable ? &detail::portable_spring_kernels : &detail::avx2_spring_kernels);
  EXPECT_EQ(&detail::spring_products(),
            portable ? &detail::portable_spring_products : &detail::avx2_spring_products);
}

TEST(SpringKernels, EveryInstructionSetGivesTheSameBits) {
  if (!is_supported(electret::InstructionSet::avx2)) GTEST_SKIP() << "no AVX2 here";
  for (const bool sorted : {false, true}) {
    Network net = random_network(30, 5, sorted);
    for (const std::size_t coincident : {3UL, 8UL, 9UL})
      net.positions[static_cast<std::size_t>(net.springs[coincident][0])] =
          net.positions[static_cast<std::size_t>(net.springs[coincident][1])];
    for (std::int64_t count = 0; count <= static_cast<std::int64_t>(net.springs.size()); ++count) {
      const Springs springs(net, count);
      const Forces avx2 = forces(detail::avx2_spring_kernels, springs);
      EXPECT_TRUE(avx2 == forces(detail::portable_spring_kernels, springs)) << count << " springs";
      EXPECT_EQ(avx2.scattered, avx2.gathered) << count << " springs";
      for (const bool clamped : {false, true})
        EXPECT_TRUE(
            products(detail::avx2_spring_kernels, detail::avx2_spring_products, springs, clamped) ==
            products(detail::portable_spring_kernels, detail::portable_spring_products, springs, clamped))
            << count << " springs";
    }
  }
}

}  // namespace
}  // namespace electret::test

#endif
