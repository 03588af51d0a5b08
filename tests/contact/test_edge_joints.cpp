// Edges that meet at a joint push what crosses there as one edge does: energy and push along the chain, its
// derivatives against differences, and chains on both sides.

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "contact/pair_clusters.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr double chain_reach = 0.3;

/// A chain of edges through `first` places, and one through `second` places. Their pairs have the stiffnesses
/// of `stiffness` in turn.
class TwoChains {
 public:
  TwoChains(VectorArray first, const VectorArray& second, const std::vector<double>& stiffness = {2.0})
      : positions_(std::move(first)) {
    const auto border = static_cast<Index>(positions_.size());
    positions_.insert(positions_.end(), second.begin(), second.end());
    std::vector<PairConstants> all;
    for (Index a = 0; a + 1 < border; ++a)
      for (Index b = border; b + 1 < static_cast<Index>(positions_.size()); ++b) {
        PairConstants pair;
        pair.pair = {PairKind::edge_edge, {a, a + 1, b, b + 1}};
        const PairPlaces x = places_of(pair.pair, positions_);
        pair.threshold = mollifier_threshold(x[1] - x[0], x[3] - x[2]);
        pair.stiffness = stiffness[all.size() % stiffness.size()];
        all.push_back(pair);
      }
    pairs_ = std::make_unique<ListedPairs>(all, chain_reach, threads_);
  }
  [[nodiscard]] const VectorArray& positions() const { return positions_; }
  PairPotential& potential() { return pairs_->potential; }
  double energy() { return potential().evaluate(positions_); }
  VectorArray gradient(const VectorArray& x) {
    VectorArray g(x.size());
    potential().evaluate(x);
    potential().add_gradient(1.0, g);
    return g;
  }
  VectorArray hessian_product(const VectorArray& x, const VectorArray& z) {
    std::vector<StencilVertices> vertices;
    std::vector<StencilBlocks> blocks;
    potential().evaluate(x);
    potential().append_hessian(PairHessian::exact, 1.0, vertices, blocks);
    return stencil_product(x.size(), vertices, blocks, z);
  }

 private:
  Threads threads_{1};
  VectorArray positions_;
  std::unique_ptr<ListedPairs> pairs_;
};

/// Places along x at the height 0.
VectorArray straight(const std::vector<double>& at) {
  VectorArray places;
  for (const double x : at) places.push_back({x, 0, 0});
  return places;
}

/// Places along y at x = `s` and the height `z`.
VectorArray across(double s, double z, const std::vector<double>& at) {
  VectorArray places;
  for (const double y : at) places.push_back({s, y, z});
  return places;
}

TEST(EdgeJoints, AreNoBumpsOnAStraightChain) {
  const double one = 2.0 * pair_repulsion(0.2, chain_reach).value;
  for (double s = -0.4; s <= 0.4; s += 0.05) {
    TwoChains rod(straight({-1, 0, 1}), across(s, 0.2, {-1, 1}));
    EXPECT_NEAR(rod.energy(), one, 1e-14) << s;
    TwoChains two_joints(straight({-1, 0, 1}), across(s, 0.2, {-1, 0.02, 1}));
    EXPECT_NEAR(two_joints.energy(), one, 1e-14) << s;
    TwoChains short_edges(straight({-1, -0.15, 0, 0.15, 1}), across(s, 0.2, {-1, -0.1, 0.02, 1}));
    EXPECT_NEAR(short_edges.energy(), one, 1e-14) << s;
    for (const Vec3& g : rod.gradient(rod.positions())) EXPECT_NEAR(g.x, 0.0, 1e-14) << s;
  }
}

TEST(EdgeJoints, TakeTheMeanStiffnessOfTheirEdges) {
  TwoChains rod(straight({-1, 0, 1}), across(0.0, 0.2, {-1, 1}), {2.0, 6.0});
  EXPECT_NEAR(rod.energy(), 4.0 * pair_repulsion(0.2, chain_reach).value, 1e-14);
}

TEST(EdgeJoints, PushAtLeastAsTheNearestEdgeInABend) {
  const double one = 2.0 * pair_repulsion(0.2, chain_reach).value;
  for (const double bend : {0.3, -0.3}) {
    TwoChains rod({{-1, 0, bend}, {0, 0, 0}, {1, 0, bend}}, across(0.0, 0.2, {-1, 1}));
    EXPECT_GE(rod.energy(), one * (1.0 - 1e-14)) << bend;
  }
}

TEST(EdgeJoints, HaveTheDerivativesOfDifferences) {
  VectorArray first = straight({-1, -0.12, 0.02, 0.2, 1}), second = across(0.03, 0.2, {-1, -0.1, 0.05, 1});
  const VectorArray off = random_vectors(first.size() + second.size(), 3);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] += 0.02 * off[i];
  for (std::size_t i = 0; i < second.size(); ++i) second[i] += 0.02 * off[first.size() + i];
  TwoChains chains(first, second, {2.0, 3.0, 5.0});
  const VectorArray& x = chains.positions();
  EXPECT_GT(chains.energy(), 0.0);
  const auto moved = [&](double s, const VectorArray& z) {
    VectorArray y = x;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += s * z[i];
    return y;
  };
  for (unsigned seed = 0; seed < 4; ++seed) {
    const VectorArray z = random_vectors(x.size(), seed), w = random_vectors(x.size(), 10 + seed);
    const double slope = derivative([&](double s) { return chains.potential().evaluate(moved(s, z)); }, 1e-4);
    EXPECT_NEAR(dot(chains.gradient(x), z), slope, 1e-7 * (1.0 + std::abs(slope)));
    const double bend = derivative([&](double s) { return dot(chains.gradient(moved(s, z)), w); }, 1e-5);
    EXPECT_NEAR(dot(chains.hessian_product(x, z), w), bend, 1e-6 * (1.0 + std::abs(bend)));
  }
}

}  // namespace
}  // namespace electret::test
