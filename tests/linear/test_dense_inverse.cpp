/// Inverses of random matrices against their definition.

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/linear/dense_inverse.hpp>

namespace electret::test {
namespace {

TEST(DenseInverse, TimesTheMatrixIsTheIdentity) {
  for (const std::size_t n : {1U, 2U, 7U, 20U}) {
    std::mt19937_64 engine(n);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Rows matrix(n, std::vector<double>(n));
    for (auto& row : matrix)
      for (double& entry : row) entry = uniform(engine);
    const auto inverse = dense_inverse(matrix);
    ASSERT_TRUE(inverse.has_value());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double product = 0.0;
        for (std::size_t k = 0; k < n; ++k) product += matrix[i][k] * (*inverse)[k][j];
        EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-12);
      }
  }
}

TEST(DenseInverse, IsEmptyIfThereIsNone) {
  EXPECT_EQ(dense_inverse({{1.0, 2.0}, {2.0, 4.0}}), std::nullopt);
  EXPECT_EQ(dense_inverse({{0.0}}), std::nullopt);
  EXPECT_EQ(dense_inverse({{std::numeric_limits<double>::quiet_NaN()}}), std::nullopt);
  EXPECT_EQ(dense_inverse({}), Rows{});
  EXPECT_THROW(dense_inverse({{1.0, 2.0}}), InternalError);
}

}  // namespace
}  // namespace electret::test
