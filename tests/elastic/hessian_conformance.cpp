// The suite of elastic_conformance.hpp: second derivatives. Products are compared with differences of the
// gradient, with the slow energy, with float32 and with the assembled blocks.

#include <map>

#include <electret/core/errors.hpp>
#include <electret/linear/block_matrix.hpp>

#include "elastic/elastic_conformance.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ElasticConformance);

namespace {

constexpr HessianKind kinds[] = {HessianKind::exact, HessianKind::clamped};

std::vector<Padded32> padded(const VectorArray& a) {
  std::vector<Padded32> result;
  for (const Vec3& v : a) result.push_back(padded32(v));
  return result;
}

VectorArray unpadded(const std::vector<Padded32>& a) {
  VectorArray result;
  for (const Padded32& v : a) result.push_back(electret::unpadded(v));
  return result;
}

/// The pattern of the elements and, so that their blocks do not simply follow each other, of a chain.
BlockPattern pattern_of(const ElementBlock& elements) {
  std::vector<Index> chain;
  for (Index v = 0; v + 1 < elements.vertex_count(); ++v) chain.insert(chain.end(), {v, v + 1});
  const ElementList lists[] = {{elements.vertices_per_element(), elements.connectivity()}, {2, chain}};
  return BlockPattern::of_elements(elements.vertex_count(), lists);
}

/// The float32 product at the last linearise: `factor` times ∇²E d.
VectorArray product32(ElasticEnergy& energy, float factor, const VectorArray& d) {
  std::vector<Padded32> out(d.size());
  energy.add_hessian_product(factor, padded(d), out);
  for (const Padded32& row : out) EXPECT_EQ(row.lane[3], 0.0F);
  return unpadded(out);
}

/// The lowest Rayleigh quotient of a symmetric `product` that 300 power iterations find, over its largest
/// magnitude.
template <class Product>
double lowest_quotient(std::size_t n, Product&& product) {
  VectorArray d = random_vectors(n, 5);
  double shift = 0.0;
  for (int k = 0; k < 50; ++k) {
    d = product(d);
    shift = norm(d);
    for (Vec3& v : d) v *= 1.0 / shift;
  }
  d = random_vectors(n, 6);
  double quotient = 0.0;
  for (int k = 0; k < 300; ++k) {
    const VectorArray of = product(d);
    quotient = dot(d, of) / dot(d, d) / shift;
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = 1.1 * d[i] - (1.0 / shift) * of[i];
    const double size = norm(d);
    for (Vec3& v : d) v *= 1.0 / size;
  }
  return quotient;
}

/// The majoriser as a map from pairs to values.
struct ScalarMatrix final : ScalarMatrixSink {
  std::map<std::pair<Index, Index>, double> entries;
  void add(Index row, Index column, double value) override { entries[{row, column}] += value; }
  [[nodiscard]] VectorArray product(const VectorArray& x) const {
    VectorArray out(x.size());
    for (const auto& [at, value] : entries)
      out[static_cast<std::size_t>(at.first)] += value * x[static_cast<std::size_t>(at.second)];
    return out;
  }
};

TEST_P(ElasticConformance, LinearisingGivesTheGradientToTheBit) {
  for (const HessianKind kind : kinds) {
    VectorArray g(x_.size(), Vec3{1, 2, 3}), expected = g;
    const double energy = energy_->add_gradient(x_, expected);
    EXPECT_EQ(energy_->linearise(x_, kind, g), energy);
    EXPECT_EQ(g, expected);
  }
}

TEST_P(ElasticConformance, LinearisesWithoutAGradient) {
  for (const HessianKind kind : kinds) {
    const VectorArray d = random_vectors(x_.size(), 2);
    const VectorArray expected = hessian_product(x_, d, kind);
    VectorArray product(x_.size());
    EXPECT_EQ(energy_->linearise(x_, kind, {}), 0.0);
    energy_->add_hessian_product(d, product);
    EXPECT_EQ(product, expected);
  }
}

TEST_P(ElasticConformance, RowsOfTheProductAreTheProductsToTheBit) {
  energy_->linearise(x_, HessianKind::exact, {});
  if (!energy_->begin_row_products()) GTEST_SKIP() << "it has no rows";
  const std::vector<Padded32> d = padded(random_vectors(x_.size(), 2));
  std::vector<Padded32> whole(x_.size()), rows(x_.size());
  energy_->add_hessian_product(0.7F, d, whole);
  const auto n = static_cast<Count>(x_.size()), half = n / 2;
  energy_->add_hessian_product_rows(0.7F, d, rows, half, n);
  for (std::size_t i = 0; i < static_cast<std::size_t>(half); ++i) EXPECT_EQ(rows[i].lane[0], 0.0F);
  energy_->add_hessian_product_rows(0.7F, d, rows, 0, half);
  EXPECT_EQ(unpadded(rows), unpadded(whole));
}

TEST_P(ElasticConformance, DiagonalIsThatOfTheBlocks) {
  const BlockPattern pattern = pattern_of(energy_->elements());
  energy_->attach(pattern);
  for (const HessianKind kind : kinds) {
    energy_->linearise(x_, kind, {});
    BlockMatrix h(pattern);
    energy_->add_hessian_blocks(3.0F, h);
    std::vector<float> diagonal(9 * x_.size(), 0.5F);  // adds to what is there
    energy_->add_hessian_diagonal(3.0F, diagonal);
    float largest = 0.0F;
    for (const float value : h.values()) largest = std::max(largest, std::abs(value));
    for (std::size_t v = 0; v < x_.size(); ++v)
      for (std::size_t k = 0; k < 9; ++k)
        EXPECT_NEAR(diagonal[9 * v + k] - 0.5F, h.block(pattern.diagonal()[v])[k], 2e-6F * largest);
  }
}

TEST_P(ElasticConformance, HessianIsTheGradientsDerivative) {
  const VectorArray z = random_vectors(x_.size(), 1);
  for (std::size_t k = 0; k < 3 * x_.size(); ++k) {
    const VectorArray d = coordinate(k);
    const VectorArray product = hessian_product(x_, d, HessianKind::exact);
    const double expected = derivative([&](double s) { return dot(z, gradient(moved(s, d))); }, 1e-3);
    EXPECT_NEAR(dot(z, product), expected, 1e-9 * norm(z) * norm(product)) << "coordinate " << k;
  }
}

TEST_P(ElasticConformance, ProductsAreThoseOfTheLinearisedPlace) {
  const VectorArray d = random_vectors(x_.size(), 2), elsewhere = random_vectors(x_.size(), 3);
  const BlockPattern pattern = pattern_of(energy_->elements());
  energy_->attach(pattern);
  const auto results = [&](bool move) {
    VectorArray g(x_.size()), out(x_.size());
    BlockMatrix h(pattern);
    energy_->linearise(x_, HessianKind::exact, g);
    if (move) energy_->energy(elsewhere), energy_->add_gradient(elsewhere, g);
    energy_->add_hessian_product(d, out);
    energy_->add_hessian_blocks(1.0F, h);
    const std::vector<float> values(h.values().begin(), h.values().end());
    return std::tuple(out, product32(*energy_, 1.0F, d), values);
  };
  EXPECT_EQ(results(true), results(false));
}

TEST_P(ElasticConformance, ProductsAreTheReferences) {
  if (!GetParam().reference) GTEST_SKIP() << "it is the reference itself";
  for (const Index n : {few, Index{500}}) {
    const VectorArray x = GetParam().positions(n), d = random_vectors(x.size(), 4);
    const auto block = GetParam().elements(n);
    const auto fast = GetParam().make(block, n, threads_, {});
    const auto slow = GetParam().reference(block, n, threads_, {});
    for (const HessianKind kind : kinds) {
      const VectorArray expected = hessian_product(*slow, x, d, kind);
      EXPECT_LE(distance(hessian_product(*fast, x, d, kind), expected), 1e-13 * norm(expected));
    }
  }
}

TEST_P(ElasticConformance, Float32ProductsAreTheFloat64Ones) {
  const VectorArray x = GetParam().positions(many), d = random_vectors(x.size(), 2);
  const auto energy = make(many, threads_);
  for (const HessianKind kind : kinds) {
    VectorArray expected = hessian_product(*energy, x, d, kind);
    for (Vec3& v : expected) v *= -0.25;
    EXPECT_LE(distance(product32(*energy, -0.25F, d), expected), 1e-6 * norm(expected));
    std::vector<Padded32> out = padded(d);  // adds to what is there
    energy->add_hessian_product(-0.25F, padded(d), out);
    VectorArray sum = expected;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += d[i];
    EXPECT_LE(distance(unpadded(out), sum), 1e-6 * norm(sum));
  }
}

TEST_P(ElasticConformance, HessianBlocksGiveTheProduct) {
  const BlockPattern pattern = pattern_of(energy_->elements());
  energy_->attach(pattern);
  for (const HessianKind kind : kinds) {
    const VectorArray d = random_vectors(x_.size(), 2);
    VectorArray expected = hessian_product(x_, d, kind), product(x_.size());
    BlockMatrix h(pattern);
    energy_->add_hessian_blocks(2.0F, h);
    energy_->add_hessian_blocks(1.0F, h);  // adds to what is there
    h.multiply(threads_, d, product);
    for (Vec3& v : expected) v *= 3.0;
    EXPECT_LE(distance(product, expected), 1e-6 * norm(expected));
  }
}

TEST_P(ElasticConformance, HessianIsSymmetric) {
  for (const HessianKind kind : kinds) {
    const VectorArray a = random_vectors(x_.size(), 3), b = random_vectors(x_.size(), 4);
    const double ab = dot(a, hessian_product(x_, b, kind)), ba = dot(b, hessian_product(x_, a, kind));
    EXPECT_NEAR(ab, ba, 1e-13 * norm(a) * norm(hessian_product(x_, b, kind)));
  }
}

TEST_P(ElasticConformance, ClampedHessianIsPositiveSemidefiniteAndTheExactOneIsNot) {
  const auto lowest = [&](HessianKind kind) {
    return lowest_quotient(x_.size(), [&](const VectorArray& d) { return hessian_product(x_, d, kind); });
  };
  EXPECT_GE(lowest(HessianKind::clamped), -1e-13);
  if (GetParam().indefinite) {
    EXPECT_LT(lowest(HessianKind::exact), -1e-3) << "the case needs compressed elements";
  } else {
    EXPECT_GE(lowest(HessianKind::exact), -1e-13);
  }
}

TEST_P(ElasticConformance, ClampedHessianIsPositiveSemidefiniteInFloat32) {
  const BlockPattern pattern = pattern_of(energy_->elements());
  energy_->attach(pattern);
  VectorArray g(x_.size());
  energy_->linearise(x_, HessianKind::clamped, g);
  BlockMatrix h(pattern);
  energy_->add_hessian_blocks(1.0F, h);
  const auto of_blocks = [&](const VectorArray& d) {
    VectorArray out(d.size());
    h.multiply(threads_, d, out);
    return out;
  };
  EXPECT_GE(lowest_quotient(x_.size(), of_blocks), -1e-6);
  EXPECT_GE(lowest_quotient(x_.size(), [&](const VectorArray& d) { return product32(*energy_, 1.0F, d); }),
            -1e-6);
}

TEST_P(ElasticConformance, MajoriserIsSymmetricAndBoundsTheHessian) {
  ScalarMatrix l;
  energy_->add_majoriser(l);
  for (const auto& [at, value] : l.entries) EXPECT_EQ(value, (l.entries[{at.second, at.first}]));
  if (!GetParam().majorised) GTEST_SKIP() << "not a majoriser, by its docstring";
  const auto gap = [&](const VectorArray& d) {
    VectorArray out = l.product(d);
    const VectorArray product = hessian_product(x_, d, HessianKind::exact);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= product[i];
    return out;
  };
  EXPECT_GE(lowest_quotient(x_.size(), gap), -1e-13);
  const VectorArray shift(x_.size(), Vec3{1, 2, 3});
  EXPECT_LE(norm(l.product(shift)), 1e-12 * norm(l.product(x_)));
}

/// Products of both kinds and blocks, in float32, from values that are already there.
std::vector<float> products(ElasticEnergy& energy, const BlockPattern& pattern, const VectorArray& x) {
  std::vector<Padded32> out = padded(random_vectors(x.size(), 10));
  const std::vector<Padded32> d = padded(random_vectors(x.size(), 11));
  BlockMatrix h(pattern);
  energy.attach(pattern);
  VectorArray g(x.size());
  for (const HessianKind kind : kinds) {
    energy.linearise(x, kind, g);
    energy.add_hessian_product(0.5F, d, out);
    energy.add_hessian_blocks(0.5F, h);
  }
  std::vector<float> all(h.values().begin(), h.values().end());
  for (const Padded32& row : out) all.insert(all.end(), row.lane, row.lane + 4);
  return all;
}

TEST_P(ElasticConformance, ProductsAreBitwiseTheSameForAnyNumberOfThreads) {
  const VectorArray x = GetParam().positions(many);
  const auto alone = make(many, threads_);
  const BlockPattern pattern = pattern_of(alone->elements());
  const std::vector<float> expected = products(*alone, pattern, x);
  for (const int count : {2, 3, 7}) {
    Threads threads(count);
    const auto energy = make(many, threads);
    EXPECT_TRUE(products(*energy, pattern, x) == expected) << count << " threads";
    // Seven threads on fewer processors are scheduled otherwise each time.
    if (count == 7) {
      EXPECT_TRUE(products(*energy, pattern, x) == expected) << "7 threads, again";
    }
  }
}

/// Two energies of the same elements: what one keeps or works in is none of the other's.
TEST_P(ElasticConformance, SharesItsElements) {
  const VectorArray other_place = moved(0.1, random_vectors(x_.size(), 13)),
                    d = random_vectors(x_.size(), 14);
  const auto block = GetParam().elements(few);
  const auto first = GetParam().make(block, few, threads_, {});
  const auto second = GetParam().make(block, few, threads_, {0, 0, 0.5});
  const auto alone = make(few, threads_, {0, 0, 0.5});
  EXPECT_EQ(&first->elements(), &second->elements());
  const VectorArray of_first = hessian_product(*energy_, x_, d, HessianKind::exact);
  const VectorArray of_second = hessian_product(*alone, other_place, d, HessianKind::exact);
  VectorArray g(x_.size()), out(x_.size()), out2(x_.size());
  const BlockPattern pattern = pattern_of(*block);
  first->attach(pattern);
  second->attach(pattern);
  first->linearise(x_, HessianKind::exact, g);
  second->linearise(other_place, HessianKind::exact, g);
  first->add_hessian_product(d, out);
  second->add_hessian_product(d, out2);
  EXPECT_EQ(out, of_first);
  EXPECT_EQ(out2, of_second);
  BlockMatrix h(pattern);
  first->add_hessian_blocks(1.0F, h);
  second->add_hessian_blocks(1.0F, h);
  VectorArray sum(x_.size());
  h.multiply(threads_, d, sum);
  for (std::size_t i = 0; i < sum.size(); ++i) out[i] += out2[i];
  EXPECT_LE(distance(sum, out), 1e-6 * norm(out));
}

TEST_P(ElasticConformance, ProductsAllocateNothingAfterTheFirst) {
  const VectorArray x = GetParam().positions(many), d = random_vectors(x.size(), 12);
  const std::vector<Padded32> d32 = padded(d);
  const auto energy = make(many, threads_);
  const BlockPattern pattern = pattern_of(energy->elements());
  energy->attach(pattern);
  BlockMatrix h(pattern);
  VectorArray out(x.size());
  std::vector<Padded32> out32(x.size());
  const auto call = [&] {
    energy->linearise(x, HessianKind::exact, out);
    energy->add_hessian_product(d, out);
    energy->add_hessian_product(1.0F, d32, out32);
    energy->add_hessian_blocks(1.0F, h);
  };
  call();
  const AllocationCounter counter;
  call();
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(ElasticConformance, RejectsProductsWithoutALinearisation) {
  VectorArray out(x_.size()), wrong(x_.size() + 1);
  std::vector<Padded32> out32(x_.size()), wrong32(x_.size() + 1);
  const BlockPattern pattern = pattern_of(energy_->elements());
  BlockMatrix h(pattern);
  EXPECT_THROW(energy_->add_hessian_product(x_, out), InternalError);
  EXPECT_THROW(energy_->add_hessian_product(1.0F, out32, out32), InternalError);
  EXPECT_THROW(energy_->add_hessian_blocks(1.0F, h), InternalError);
  energy_->linearise(x_, HessianKind::exact, out);
  EXPECT_THROW(energy_->add_hessian_product(wrong, out), InternalError);
  EXPECT_THROW(energy_->add_hessian_product(1.0F, wrong32, out32), InternalError);
}

TEST_P(ElasticConformance, RejectsMatricesThatLackItsBlocks) {
  VectorArray out(x_.size());
  energy_->linearise(x_, HessianKind::exact, out);
  const BlockPattern pattern = pattern_of(energy_->elements());
  BlockMatrix h(pattern);
  EXPECT_THROW(energy_->add_hessian_blocks(1.0F, h), InternalError) << "nothing is attached";
  const auto n = static_cast<Index>(x_.size());
  const Index chain[] = {0, 1};
  const ElementList lists[] = {{2, chain}};
  EXPECT_THROW(energy_->attach(BlockPattern::of_elements(n, lists)), InternalError);
  EXPECT_THROW(energy_->attach(BlockPattern::of_elements(n + 1, lists)), InternalError);
  energy_->attach(pattern);
  const BlockPattern other = BlockPattern::of_elements(n, lists);
  BlockMatrix small(other);
  EXPECT_THROW(energy_->add_hessian_blocks(1.0F, small), InternalError);
}

}  // namespace
}  // namespace electret::test
