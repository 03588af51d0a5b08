// Block patterns and matrices against dense ones, for every instruction set and number of threads.

#include <cstring>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_operator.hpp>
#include <electret/linear/detail/block_kernels.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

bool same_bits(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

void expect_near(const std::vector<Padded32>& a, const Eigen::VectorXd& expected, double scale,
                 const std::string& name) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      ASSERT_NEAR(a[i].lane[k], expected(3 * static_cast<Eigen::Index>(i) + k), 3e-6 * scale) << name << i;
    ASSERT_EQ(a[i].lane[3], 0.0F) << name << i;
  }
}

/// 3×3 blocks along a dense matrix' diagonal.
Eigen::MatrixXd dense_of_blocks(std::span<const float> blocks) {
  const auto n = static_cast<Eigen::Index>(blocks.size() / 9);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index e = 0; e < 9; ++e)
      result(3 * i + e % 3, 3 * i + e / 3) = blocks[static_cast<std::size_t>(9 * i + e)];
  return result;
}

TEST(BlockPattern, HoldsEveryPairOfAnElementAndTheDiagonal) {
  const std::vector<Index> triangles{0, 2, 5, 5, 2, 3}, springs{1, 3, 3, 5};
  const std::vector<ElementList> lists{{3, triangles}, {2, springs}};
  const BlockPattern pattern = BlockPattern::of_elements(7, lists);
  EXPECT_EQ(pattern.rows(), 7);
  const std::vector<std::vector<Index>> expected{{0, 2, 5}, {1, 3},       {0, 2, 3, 5}, {1, 2, 3, 5},
                                                 {4},       {0, 2, 3, 5}, {6}};
  Count slot = 0;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    EXPECT_EQ(pattern.offsets()[r], slot);
    for (const Index column : expected[r]) {
      EXPECT_EQ(pattern.columns()[static_cast<std::size_t>(slot)], column);
      EXPECT_EQ(pattern.slot(static_cast<Index>(r), column), slot);
      if (column == static_cast<Index>(r)) {
        EXPECT_EQ(pattern.diagonal()[r], slot);
      }
      ++slot;
    }
  }
  EXPECT_EQ(pattern.blocks(), slot);
  for (const Index column : {1, 3, 4, 6, 7, -1}) EXPECT_EQ(pattern.slot(0, column), -1);
}

TEST(BlockPattern, RejectsWhatIsNoPattern) {
  const std::vector<Index> outside{0, 3}, half{0, 1, 2};
  const ElementList a{2, outside}, b{2, half};
  EXPECT_THROW(BlockPattern::of_elements(3, {&a, 1}), InternalError);
  EXPECT_THROW(BlockPattern::of_elements(3, {&b, 1}), InternalError);
  EXPECT_THROW(BlockPattern({0, 1}, {0, 1}), InternalError);
  EXPECT_THROW(BlockPattern({0, 1, 2}, {0, 0}), InternalError) << "no diagonal";
  EXPECT_THROW(BlockPattern({0, 2, 3}, {1, 0, 1}), InternalError) << "descending";
  EXPECT_THROW(BlockPattern({0, 0}, {}), InternalError) << "an empty row";
  EXPECT_THROW(BlockPattern({0, 2}, {0, 1}), InternalError) << "a column outside";
  EXPECT_EQ(BlockPattern::of_elements(0, {}).rows(), 0);
}

TEST(BlockMatrix, MultipliesAsADenseOneDoesForAnyNumberOfThreads) {
  for (const Network& network : networks()) {
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
    const VectorArray values = random_vectors(network.rest.size(), 1),
                      others = random_vectors(values.size(), 2);
    const std::vector<Padded32> x = padded(values), b = padded(others);
    const Eigen::VectorXd expected = dense(matrix) * dense(unpadded(x));
    const double scale = dense(matrix).cwiseAbs().rowwise().sum().maxCoeff();
    const Eigen::VectorXd difference = dense(unpadded(b)) - expected;
    std::vector<Padded32> first;
    for (const int count : {1, 2, 3, 7}) {
      Threads threads(count);
      std::vector<Padded32> y(x.size(), Padded32{{9, 9, 9, 9}}), r = b;
      matrix.multiply(threads, x, y);
      expect_near(y, expected, scale, network.name);
      matrix.residual(threads, r, x, r);
      expect_near(r, difference, scale, network.name);
      if (first.empty()) first = y;
      EXPECT_TRUE(same_bits(y, first)) << network.name << " by " << count << " threads";
      AssembledOperator map(matrix, threads);
      VectorArray product(x.size());
      map.multiply(unpadded(x), product);
      EXPECT_LE((dense(product) - expected).norm(), 1e-13 * scale * (1.0 + expected.norm()));
    }
  }
}

TEST(BlockMatrix, EveryInstructionSetMultipliesAsADenseOneDoes) {
  const Network network = lattice(6, 5, 4);
  const BlockPattern pattern = network.pattern();
  const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
  const std::vector<Padded32> x = padded(random_vectors(network.rest.size(), 3));
  const Eigen::VectorXd expected = dense(matrix) * dense(unpadded(x));
  const double scale = dense(matrix).cwiseAbs().rowwise().sum().maxCoeff();
  const detail::BlockRows rows{pattern.offsets().data(), pattern.columns().data(), matrix.block(0)};
  std::vector<const detail::BlockKernels*> sets{&detail::portable_block_kernels};
#ifdef ELECTRET_HAS_AVX2
  if (is_supported(InstructionSet::avx2)) sets.push_back(&detail::avx2_block_kernels);
#endif
  for (const auto* set : sets) {
    std::vector<Padded32> y(x.size(), Padded32{{9, 9, 9, 9}}), zero(x.size());
    set->multiply(rows, 0, pattern.rows(), x[0].lane, y[0].lane);
    expect_near(y, expected, scale, "multiply ");
    set->residual(rows, 0, pattern.rows(), zero[0].lane, x[0].lane, y[0].lane);
    expect_near(y, -expected, scale, "residual ");

    // The smoother's kernels, D made of the inverse blocks.
    const std::vector<Padded32> b = padded(random_vectors(x.size(), 8));
    Threads threads(1);
    BlockJacobi jacobi(threads);
    ASSERT_TRUE(jacobi.refresh(matrix, {}));
    const Eigen::MatrixXd diagonal = dense_of_blocks(jacobi.inverses());
    const Eigen::VectorXd right = dense(unpadded(b)), left = right - expected, place = dense(unpadded(x));
    std::vector<Padded32> d(x.size(), Padded32{{9, 9, 9, 9}}), rest = d, improved = b;
    const float* inverses = jacobi.inverses().data();
    set->scale(inverses, 0.5F, 0, pattern.rows(), b[0].lane, d[0].lane);
    expect_near(d, 0.5 * diagonal * right, 1.0, "scale ");
    set->correction(rows, inverses, 0.5F, 0, pattern.rows(), b[0].lane, x[0].lane, rest[0].lane, d[0].lane);
    expect_near(rest, left, scale, "residual of a correction ");
    expect_near(d, 0.5 * diagonal * left, 10.0, "correction ");
    set->smooth(rows, inverses, 0.25F, 0.5F, 0, pattern.rows(), b[0].lane, x[0].lane, improved[0].lane);
    expect_near(improved, right + 0.25 * place + 0.5 * diagonal * left, 10.0, "smooth ");
  }
}

TEST(BlockMatrix, IsSetToZeroAndGivenMasses) {
  const Network network = lattice(12, 11, 10);
  const BlockPattern pattern = network.pattern();
  BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
  Threads threads(3);
  matrix.set_zero(threads);
  std::vector<double> masses(network.rest.size());
  for (std::size_t i = 0; i < masses.size(); ++i) masses[i] = static_cast<double>(i) + 1.0;
  matrix.add_diagonal(threads, masses);
  matrix.add_diagonal(threads, masses);
  for (Index row = 0; row < pattern.rows(); ++row)
    for (Count k = pattern.offsets()[static_cast<std::size_t>(row)];
         k < pattern.offsets()[static_cast<std::size_t>(row) + 1]; ++k)
      for (int e = 0; e < 9; ++e)
        EXPECT_EQ(matrix.block(k)[e], k == pattern.diagonal()[static_cast<std::size_t>(row)] && e % 4 == 0
                                          ? 2.0F * static_cast<float>(row + 1)
                                          : 0.0F);
  EXPECT_EQ(matrix.values().size(), 9 * static_cast<std::size_t>(pattern.blocks()));
  std::vector<Padded32> wrong(3), right(masses.size());
  EXPECT_THROW(matrix.multiply(threads, wrong, right), InternalError);
  EXPECT_THROW(matrix.residual(threads, wrong, right, right), InternalError);
  EXPECT_THROW(matrix.add_diagonal(threads, ScalarView(masses).first(3)), InternalError);
}

TEST(BlockJacobi, InvertsEachBlockAndHoldsWhatIsHeld) {
  for (const Network& network : networks()) {
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
    const std::vector<Padded32> r = padded(random_vectors(network.rest.size(), 4));
    const Eigen::MatrixXd a = dense(matrix);
    const std::vector<char> held = network.held();
    std::vector<Padded32> first;
    for (const int count : {1, 2, 3, 7}) {
      Threads threads(count);
      BlockJacobi jacobi(threads);
      ASSERT_TRUE(jacobi.refresh(matrix, held));
      std::vector<Padded32> z(r.size(), Padded32{{9, 9, 9, 9}});
      jacobi.apply(r, z);
      if (first.empty()) first = z;
      EXPECT_TRUE(same_bits(z, first)) << network.name;
      for (std::size_t i = 0; i < r.size(); ++i) {
        const auto at = 3 * static_cast<Eigen::Index>(i);
        const Vec3 v = electret::unpadded(r[i]);
        Eigen::Vector3d expected = a.block<3, 3>(at, at).inverse() * Eigen::Vector3d(v.x, v.y, v.z);
        if (held[i]) expected.setZero();
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(z[i].lane[k], expected(k), 1e-5) << network.name;
        EXPECT_EQ(z[i].lane[3], 0.0F);
      }
    }
  }
}

TEST(BlockJacobi, SaysWhenABlockIsNotPositiveDefinite) {
  const BlockPattern pattern = BlockPattern::of_elements(3, {});
  Threads threads(1);
  BlockJacobi jacobi(threads);
  for (const int entry : {0, 4, 8})
    for (const float value : {0.0F, -1.0F, std::nanf("")}) {
      BlockMatrix matrix(pattern);
      matrix.add_diagonal(threads, std::vector<double>{1.0, 1.0, 1.0});
      matrix.block(1)[entry] = value;
      EXPECT_FALSE(jacobi.refresh(matrix, {}));
      EXPECT_TRUE(jacobi.refresh(matrix, std::vector<char>{0, 1, 0})) << "held vertices do not matter";
    }
  BlockMatrix saddle(pattern);
  saddle.add_diagonal(threads, std::vector<double>{1.0, 1.0, 1.0});
  saddle.block(2)[1] = saddle.block(2)[3] = 2.0F;
  EXPECT_FALSE(jacobi.refresh(saddle, {}));
}

}  // namespace
}  // namespace electret::test
