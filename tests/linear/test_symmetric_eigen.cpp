/// Eigenvalues and vectors of random symmetric matrices against their definition.

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/linear/symmetric_eigen.hpp>

namespace electret::test {
namespace {

Rows random_symmetric(std::size_t n) {
  std::mt19937_64 engine(n);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Rows matrix(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) matrix[i][j] = matrix[j][i] = uniform(engine);
  return matrix;
}

TEST(SymmetricEigen, VectorsAreOnlyStretchedAndOrthogonal) {
  for (const std::size_t n : {1U, 2U, 5U, 12U, 40U}) {
    const Rows matrix = random_symmetric(n);
    const SymmetricEigen solved = symmetric_eigen(matrix);
    ASSERT_EQ(solved.values.size(), n);
    EXPECT_TRUE(std::is_sorted(solved.values.begin(), solved.values.end()));
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        double product = 0.0, with_other = 0.0;
        for (std::size_t j = 0; j < n; ++j) {
          product += matrix[i][j] * solved.vectors[k][j];
          with_other += solved.vectors[i][j] * solved.vectors[k][j];
        }
        EXPECT_NEAR(product, solved.values[k] * solved.vectors[k][i], 1e-13 * static_cast<double>(n));
        EXPECT_NEAR(with_other, i == k ? 1.0 : 0.0, 1e-13);
      }
    }
  }
}

TEST(SymmetricEigen, TakesTheSymmetricPart) {
  const SymmetricEigen solved = symmetric_eigen({{1.0, 5.0}, {-1.0, 1.0}});
  EXPECT_NEAR(solved.values[0], -1.0, 1e-14);
  EXPECT_NEAR(solved.values[1], 3.0, 1e-14);
}

TEST(SymmetricEigen, OfNothingAndOfNoSquare) {
  EXPECT_TRUE(symmetric_eigen({}).values.empty());
  EXPECT_THROW(symmetric_eigen({{1.0, 2.0}}), InternalError);
}

}  // namespace
}  // namespace electret::test
