// The suite of elastic_conformance.hpp: what an energy says of its elements, by which solvers choose.

#include <algorithm>
#include <cmath>

#include "elastic/elastic_conformance.hpp"

namespace electret::test {
namespace {

/// The largest volume that four vertices of element `e` span, m³.
double largest_volume(const ElementBlock& block, std::size_t e, const VectorArray& x) {
  const auto count = static_cast<std::size_t>(block.vertices_per_element());
  const auto at = [&](std::size_t a) {
    return x[static_cast<std::size_t>(block.connectivity()[e * count + a])];
  };
  double largest = 0.0;
  for (std::size_t a = 1; a < count; ++a)
    for (std::size_t b = 1; b < a; ++b)
      for (std::size_t c = 1; c < b; ++c)
        largest = std::max(largest, std::abs(dot(at(a) - at(0), cross(at(b) - at(0), at(c) - at(0)))) / 6.0);
  return largest;
}

TEST_P(ElasticConformance, SolidsFillAVolumeAndOthersCannotInvert) {
  const ElementBlock& block = energy_->elements();
  if (energy_->is_solid()) {
    for (std::size_t e = 0; e < static_cast<std::size_t>(block.size()); ++e)
      EXPECT_GT(largest_volume(block, e, x_), 0.01) << "element " << e;
    return;
  }
  VectorArray mirrored = x_, at_a_point(x_.size());
  for (Vec3& x : mirrored) x.z = -2.0 * x.z;
  EXPECT_TRUE(std::isfinite(energy_->energy(mirrored)));
  EXPECT_TRUE(std::isfinite(energy_->energy(at_a_point)));
}

/// Σ_i d_iᵀ B_ii d_i with diagonal blocks of 9 floats.
double of_blocks(const std::vector<float>& blocks, const VectorArray& d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t row = 0; row < 3; ++row)
        sum += d[i][static_cast<int>(row)] * static_cast<double>(blocks[9 * i + 3 * column + row]) *
               d[i][static_cast<int>(column)];
  return sum;
}

TEST_P(ElasticConformance, ItsBoundHoldsForTheClampedHessian) {
  const double bound = energy_->smoother_bound();
  EXPECT_LE(bound, energy_->elements().vertices_per_element());
  if (bound == 0.0) GTEST_SKIP() << "no bound";
  energy_->linearise(x_, HessianKind::clamped, {});
  std::vector<float> blocks(9 * x_.size(), 0.0F);
  energy_->add_hessian_diagonal(1.0F, blocks);
  double largest = 0.0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const VectorArray d = random_vectors(x_.size(), 300 + seed);
    VectorArray product(x_.size());
    energy_->add_hessian_product(d, product);
    largest = std::max(largest, dot(d, product) / of_blocks(blocks, d));
  }
  EXPECT_LE(largest, bound * (1.0 + 1e-5));
  EXPECT_GT(largest, 0.5 * bound) << "a solver had better estimate it";
}

/// dᵀLd, and Σ_i L_ii d_i².
struct Quadratic final : ScalarMatrixSink {
  explicit Quadratic(const std::vector<double>& of) : d(of) {}
  void add(Index row, Index column, double value) override {
    const double part = value * d[static_cast<std::size_t>(row)] * d[static_cast<std::size_t>(column)];
    whole += part;
    if (row == column) diagonal += part;
  }
  const std::vector<double>& d;
  double whole = 0.0, diagonal = 0.0;
};

TEST_P(ElasticConformance, ItsBoundHoldsForTheMajoriser) {
  const double bound = energy_->smoother_bound();
  if (bound == 0.0) GTEST_SKIP() << "no bound";
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::vector<double> d = random_numbers(x_.size(), 600 + seed, -1.0, 1.0);
    Quadratic quadratic(d);
    energy_->add_majoriser(quadratic);
    EXPECT_LE(quadratic.whole, bound * quadratic.diagonal * (1.0 + 1e-12));
  }
}

TEST_P(ElasticConformance, SaysWhatItsElementsAreCalledAndWhatTheyCost) {
  EXPECT_GE(energy_->words().size(), 2U);
  EXPECT_EQ(energy_->words().back(), 's') << "messages speak of several";
  const ElementCosts costs = energy_->element_costs();
  const int vertices = energy_->elements().vertices_per_element();
  EXPECT_GT(costs.product, 0.0);
  EXPECT_GE(costs.matrix, 0.0);
  EXPECT_GT(costs.blocks, 0.0);
  EXPECT_LE(costs.blocks, vertices * (vertices - 1));
}

}  // namespace
}  // namespace electret::test
