/// Points of sampled keys: even, reproducible, and the same whatever else is sampled.

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include <electret/sweep/points.hpp>

namespace electret::test {
namespace {

TEST(RandomPoints, AreEvenAndIndependent) {
  const auto points = random_points({"a", "b"}, 3);
  constexpr int count = 20000;
  double mean_a = 0.0, mean_b = 0.0, square = 0.0, product = 0.0;
  for (int k = 0; k < count; ++k) {
    const auto p = points->next();
    ASSERT_GT(p[0], 0.0);
    ASSERT_LT(p[0], 1.0);
    mean_a += p[0] / count, mean_b += p[1] / count;
    square += p[0] * p[0] / count, product += p[0] * p[1] / count;
  }
  // Four standard deviations of the means.
  EXPECT_NEAR(mean_a, 0.5, 4 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(mean_b, 0.5, 4 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(square, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / count));
  EXPECT_NEAR(product - mean_a * mean_b, 0.0, 4.0 / 12 / std::sqrt(count));
}

TEST(RandomPoints, DependOnSeedAndKeyAlone) {
  const auto alone = random_points({"b"}, 3), beside = random_points({"a", "b"}, 3),
             other = random_points({"b"}, 4);
  for (int k = 0; k < 10; ++k) {
    const double value = alone->next()[0];
    EXPECT_EQ(value, beside->next()[1]);
    EXPECT_NE(value, other->next()[0]);
  }
}

TEST(SobolPoints, DivideEveryAxisEvenly) {
  if (!has_sobol_points()) GTEST_SKIP() << "this build has no Sobol' points";
  const auto points = sobol_points({"a", "b", "c"}, 5);
  std::vector<std::vector<double>> all;
  for (int k = 0; k < 64; ++k) all.push_back(points->next());
  for (int begin = 0; begin < 64; begin += 16)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::set<int> parts;
      for (int k = begin; k < begin + 16; ++k)
        parts.insert(static_cast<int>(all[static_cast<std::size_t>(k)][axis] * 16.0));
      EXPECT_EQ(parts.size(), 16U) << "axis " << axis << " from point " << begin;
    }
  // In two dimensions, too: 4 by 4 parts of 16 points have one each.
  std::set<int> cells;
  for (std::size_t k = 0; k < 16; ++k)
    cells.insert(static_cast<int>(all[k][0] * 4.0) * 4 + static_cast<int>(all[k][1] * 4.0));
  EXPECT_EQ(cells.size(), 16U);
  EXPECT_NE(sobol_points({"a"}, 5)->next(), sobol_points({"a"}, 6)->next());
}

TEST(NormalQuantile, InvertsTheDistribution) {
  for (const double part : {1e-300, 1e-50, 1e-10, 1e-3, 0.02425, 0.1, 0.3, 0.4999, 0.5}) {
    const double x = normal_quantile(part);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2) / part, 1.0, 1e-12) << part;
    if (part > 1e-3) {
      EXPECT_NEAR(normal_quantile(1.0 - part), -x, 1e-12) << part;
    }
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);  // Tables of the distribution.
  EXPECT_NEAR(normal_quantile(0.05), -1.6448536269514729, 1e-14);
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

}  // namespace
}  // namespace electret::test
