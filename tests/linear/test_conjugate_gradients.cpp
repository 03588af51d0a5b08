// Conjugate gradients with maps that have rows, in one pass, against maps that have none, bit by bit.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/conjugate_gradients.hpp>

#include "linear/block_problems.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

/// An assembled matrix, which has rows or does not.
class Matrix final : public LinearMap {
 public:
  Matrix(const BlockMatrix& matrix, Threads& threads, bool rows)
      : matrix_(matrix), threads_(threads), rows_(rows) {}
  void apply(PaddedView32 x, PaddedSpan32 y) override { matrix_.multiply(threads_, x, y); }
  [[nodiscard]] bool has_rows() const override { return rows_; }
  void apply_rows(PaddedView32 x, PaddedSpan32 y, Count begin, Count end) const override {
    Threads one(1);
    std::vector<Padded32> whole(x.size());
    matrix_.multiply(one, x, whole);
    std::copy(whole.begin() + begin, whole.begin() + end, y.begin() + begin);
  }

 private:
  const BlockMatrix& matrix_;
  Threads& threads_;
  bool rows_;
};

class Jacobi final : public LinearMap {
 public:
  Jacobi(BlockJacobi& jacobi, bool rows) : jacobi_(jacobi), rows_(rows) {}
  void apply(PaddedView32 x, PaddedSpan32 y) override { jacobi_.apply(x, y); }
  [[nodiscard]] bool has_rows() const override { return rows_; }
  [[nodiscard]] bool is_block_diagonal() const override { return rows_; }
  void apply_rows(PaddedView32 x, PaddedSpan32 y, Count begin, Count end) const override {
    jacobi_.apply_rows(x, y, begin, end);
  }

 private:
  BlockJacobi& jacobi_;
  bool rows_;
};

TEST(ConjugateGradients, InOnePassHaveTheBitsOfSeparateOnes) {
  const Network net = lattice(13, 12, 9);  // three chunks
  const BlockPattern pattern = net.pattern();
  const BlockMatrix h = spring_hessian(net, pattern, 50.0);
  const std::vector<Padded32> rhs = padded(random_vectors(net.rest.size(), 3));
  VectorArray results[2];
  int iterations[2] = {};
  for (const bool rows : {false, true}) {
    Threads threads(rows ? 2 : 1);
    BlockJacobi jacobi(threads);
    ASSERT_TRUE(jacobi.refresh(h, {}));
    Matrix a(h, threads, rows);
    Jacobi b(jacobi, rows);
    std::vector<Padded32> x(rhs.size());
    ConjugateGradients cg(threads);
    const KrylovReport report = cg.solve(a, b, rhs, {1e-3, 500}, x);
    EXPECT_TRUE(report.converged);
    results[rows] = unpadded(x);
    iterations[rows] = report.iterations;
  }
  EXPECT_GT(iterations[0], 5);
  EXPECT_EQ(iterations[0], iterations[1]);
  EXPECT_EQ(results[0], results[1]);
}

TEST(BlockJacobi, OfTheDiagonalAloneIsThatOfTheMatrix) {
  const Network net = lattice(7, 5, 3);
  const BlockPattern pattern = net.pattern();
  const BlockMatrix h = spring_hessian(net, pattern, 50.0);
  std::vector<float> blocks;
  for (const Count slot : pattern.diagonal()) blocks.insert(blocks.end(), h.block(slot), h.block(slot) + 9);
  std::vector<char> held(net.rest.size(), 0);
  held[4] = 1;
  Threads threads(2);
  BlockJacobi of_matrix(threads), of_blocks(threads);
  ASSERT_TRUE(of_matrix.refresh(h, held));
  ASSERT_TRUE(of_blocks.refresh(blocks, held));
  EXPECT_TRUE(std::equal(of_matrix.inverses().begin(), of_matrix.inverses().end(),
                         of_blocks.inverses().begin(), of_blocks.inverses().end()));
  blocks[9 * 7] = -1.0F;
  EXPECT_FALSE(of_blocks.refresh(blocks, held));
}

}  // namespace
}  // namespace electret::test
