// The energy of surface pairs: its derivatives against differences at every closest feature, what it
// conserves, and its bits at several numbers of threads.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <electret/contact/pair_hessian.hpp>

#include "contact/pair_clusters.hpp"
#include "support/allocation_counter.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

TEST(PairRepulsion, IsSmoothToTheFirstDerivative) {
  constexpr double thickness = 0.3;
  for (const double d : {0.01, 0.1, 0.149, 0.151, 0.25, 0.29}) {
    const auto value = [&](double s) { return pair_repulsion(d + s, thickness).value; };
    const auto slope = [&](double s) { return -pair_repulsion(d + s, thickness).pressure; };
    const PairRepulsion law = pair_repulsion(d, thickness);
    EXPECT_NEAR(-law.pressure, derivative(value, 1e-4), 1e-7) << d;
    EXPECT_NEAR(law.bend, derivative(slope, 1e-4), 1e-4 * law.bend) << d;
  }
  for (const double border : {0.5 * thickness, thickness}) {
    const PairRepulsion below = pair_repulsion(border * (1 - 1e-14), thickness),
                        above = pair_repulsion(border, thickness);
    EXPECT_NEAR(below.value, above.value, 1e-15);
    EXPECT_NEAR(below.pressure, above.pressure, 1e-14);
  }
  EXPECT_EQ(pair_repulsion(thickness, thickness).value, 0.0);
  EXPECT_TRUE(std::isinf(pair_repulsion(0.0, thickness).value));
}

class PairPotentialTest : public testing::TestWithParam<double> {
 protected:
  [[nodiscard]] VectorArray moved(double s, const VectorArray& z) const {
    VectorArray x = cluster_.positions;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += s * z[i];
    return x;
  }
  VectorArray gradient(const VectorArray& x) {
    VectorArray g(x.size());
    potential_.evaluate(x);
    potential_.add_gradient(1.0, g);
    return g;
  }
  VectorArray hessian_product(const VectorArray& x, const VectorArray& z, PairHessian kind) {
    std::vector<StencilVertices> vertices;
    std::vector<StencilBlocks> blocks;
    potential_.evaluate(x);
    potential_.append_hessian(kind, 1.0, vertices, blocks);
    return stencil_product(x.size(), vertices, blocks, z);
  }

  PairCluster cluster_ = pair_cluster();
  Threads threads_{1};
  ListedPairs listed_{cluster_.pairs, GetParam(), threads_};
  PairPotential& potential_ = listed_.potential;
};

TEST_P(PairPotentialTest, GradientIsThatOfDifferences) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const VectorArray z = random_vectors(cluster_.positions.size(), seed);
    const double expected = derivative([&](double s) { return potential_.evaluate(moved(s, z)); }, 1e-4);
    const double slope = dot(gradient(cluster_.positions), z);
    EXPECT_NEAR(slope, expected, 1e-8 * (1.0 + std::abs(expected)));
  }
}

TEST_P(PairPotentialTest, HessianIsThatOfDifferences) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const VectorArray z = random_vectors(cluster_.positions.size(), seed),
                      w = random_vectors(cluster_.positions.size(), 10 + seed);
    const double expected = derivative([&](double s) { return dot(gradient(moved(s, z)), w); }, 1e-5);
    const double product = dot(hessian_product(cluster_.positions, z, PairHessian::exact), w);
    EXPECT_NEAR(product, expected, 1e-6 * (1.0 + std::abs(expected)));
  }
}

TEST_P(PairPotentialTest, ClampedHessianIsNeverBelowZeroNorBelowTheExactOne) {
  const std::size_t n = cluster_.positions.size();
  for (unsigned seed = 0; seed < 200; ++seed) {
    const VectorArray z = random_vectors(n, seed);
    const double clamped = dot(hessian_product(cluster_.positions, z, PairHessian::clamped), z),
                 exact = dot(hessian_product(cluster_.positions, z, PairHessian::exact), z);
    EXPECT_GE(clamped, -1e-12);
    EXPECT_GE(clamped, exact - 1e-9 * std::abs(exact));
  }
}

/// The positive part of a matrix has the quadratic form of the largest of all that the spectrum allows: it is
/// M on M's positive eigenvectors, 0 on the others. M - M⁺ is then negative, and M⁺(M - M⁺) = 0.
TEST_P(PairPotentialTest, ClampedHessianKeepsThePositivePartAlone) {
  for (const auto& [name, pair] : listed_.constants) {
    const PairPlaces x = places_of(pair.pair, cluster_.positions);
    TouchingPair t = touching_pair(pair, x);
    if (t.repulsion.pressure == 0.0 || t.mollifier.value == 0.0) continue;
    t.repulsion.bend = 0.0;  // What is left is a multiple of -∇²d, or the whole.
    const StencilBlocks exact = pair_hessian(t, x, PairHessian::exact, 1.0),
                        clamped = pair_hessian(t, x, PairHessian::clamped, 1.0);
    StencilBlocks rest;
    for (std::size_t k = 0; k < 10; ++k) rest.upper[k] = exact.upper[k] + (-1.0) * clamped.upper[k];
    const std::vector<StencilVertices> all{{0, 1, 2, 3}};
    for (unsigned seed = 0; seed < 5; ++seed) {
      const VectorArray z = random_vectors(4, seed), left = stencil_product(4, all, {rest}, z);
      EXPECT_LE(dot(left, z), 1e-12);
      const double size = norm(stencil_product(4, all, {clamped}, z));
      EXPECT_LE(norm(stencil_product(4, all, {clamped}, left)), 1e-12 * size * (1.0 + size));
    }
  }
}

TEST_P(PairPotentialTest, ConservesMomentumAndAngularMomentum) {
  const VectorArray g = gradient(cluster_.positions);
  Vec3 force, torque;
  for (std::size_t i = 0; i < g.size(); ++i) {
    force += g[i];
    torque += cross(cluster_.positions[i], g[i]);
  }
  EXPECT_GT(norm(g), 0.01);
  EXPECT_LT(norm(force), 1e-13 * norm(g));
  EXPECT_LT(norm(torque), 1e-13 * norm(g));
}

TEST_P(PairPotentialTest, TurnsWithThePairs) {
  const double value = potential_.evaluate(cluster_.positions);
  EXPECT_NEAR(potential_.evaluate(rotated(cluster_.positions)), value, 1e-13 * value);
  const VectorArray g = rotated(gradient(cluster_.positions));
  EXPECT_LT(distance(gradient(rotated(cluster_.positions)), g), 1e-12 * norm(g));
}

TEST_P(PairPotentialTest, ReachesNoFartherThanTheThickness) {
  double energy = 0.0;
  std::size_t near = 0;
  std::vector<SurfacePair> pairs;
  for (const auto& [name, pair] : listed_.constants) {
    if (pair.are_lines) continue;  // test_line_ends.cpp
    pairs.push_back(name);
    const TouchingPair t = touching_pair(pair, places_of(pair.pair, cluster_.positions));
    energy += pair.stiffness * t.mollifier.value * t.repulsion.value;
    near += t.at.distance < GetParam() ? 1 : 0;
  }
  potential_.set_pairs(pairs);
  EXPECT_NEAR(potential_.evaluate(cluster_.positions), energy, 1e-14);
  EXPECT_EQ(potential_.touching().size(), near);
  VectorArray apart = cluster_.positions;
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] += Vec3{100.0 * static_cast<double>(i), 0, 0};
  EXPECT_EQ(potential_.evaluate(apart), 0.0);
  EXPECT_EQ(norm(gradient(apart)), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Thickness, PairPotentialTest, testing::Values(0.3, 0.5, 2.0));

TEST(PairPotential, IsInfiniteWherePartsMeet) {
  PairConstants pair;
  pair.pair.vertices = {0, 1, 2, 3};
  pair.stiffness = 1.0;
  Threads threads(1);
  ListedPairs listed({pair}, 0.1, threads);
  const VectorArray x{{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_TRUE(std::isinf(listed.potential.evaluate(x)));
}

/// A thousand clusters side by side.
struct ManyClusters {
  VectorArray positions;
  std::vector<PairConstants> pairs;
  ManyClusters() {
    const PairCluster one = pair_cluster();
    for (int k = 0; k < 1000; ++k) {
      const auto first = static_cast<Index>(positions.size());
      for (const Vec3& x : one.positions) positions.push_back(x + Vec3{0, 0, 10.0 * k});
      for (PairConstants pair : one.pairs) {
        // The last vertices are shared by neighbours.
        for (Index& v : pair.pair.vertices) v = std::max(0, first + v - 2 * k);
        pairs.push_back(pair);
      }
    }
  }
};

TEST(PairPotential, IsBitwiseTheSameAtAnyNumberOfThreadsAndAllocatesNothingTwice) {
  const ManyClusters many;
  std::vector<double> values;
  std::vector<VectorArray> gradients, products;
  const VectorArray z = random_vectors(many.positions.size(), 4);
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    ListedPairs listed(many.pairs, 1e5, threads);
    PairPotential& potential = listed.potential;
    StencilMatrix matrix;
    VectorArray g(many.positions.size()), product(many.positions.size());
    std::vector<StencilVertices> vertices;
    std::vector<StencilBlocks> blocks;
    const auto all = [&] {
      values.push_back(potential.evaluate(many.positions));
      potential.add_gradient(1.0, g);
      vertices.clear();
      blocks.clear();
      potential.append_hessian(PairHessian::exact, 1.0, vertices, blocks);
      matrix.assemble(threads, g.size(), vertices, blocks);
      matrix.add_product(threads, z, product);
    };
    values.reserve(10);
    all();
    gradients.push_back(g);
    products.push_back(product);
    const AllocationCounter counter;
    all();
    if (count == 1 && AllocationCounter::works()) {
      EXPECT_EQ(counter.count(), 0);
    }
  }
  for (const double value : values) EXPECT_EQ(value, values.front());
  for (std::size_t k = 1; k < gradients.size(); ++k) {
    EXPECT_EQ(gradients[k], gradients.front());
    EXPECT_EQ(products[k], products.front());
  }
}

}  // namespace
}  // namespace electret::test
