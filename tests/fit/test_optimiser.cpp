/// Optimisers on functions whose minima are known.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/fit/optimiser.hpp>

namespace electret::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

VariableBounds unbounded(std::size_t n) {
  return {std::vector<double>(n, -infinity), std::vector<double>(n, infinity)};
}

/// (1 - u)² + 100 (w - u²)².
double rosenbrock(ScalarView u, ScalarSpan g) {
  const double a = 1.0 - u[0], b = u[1] - u[0] * u[0];
  g[0] = -2.0 * a - 400.0 * u[0] * b;
  g[1] = 200.0 * b;
  return a * a + 100.0 * b * b;
}

/// Σ k (u_k - k)².
double bowl(ScalarView u, ScalarSpan g) {
  double sum = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double weight = 1.0 + static_cast<double>(k), d = u[k] - static_cast<double>(k);
    g[k] = 2.0 * weight * d;
    sum += weight * d * d;
  }
  return sum;
}

class Optimiser : public testing::TestWithParam<std::string_view> {
 protected:
  [[nodiscard]] OptimiserOptions options(Count evaluations = 2000) const {
    OptimiserOptions result;
    result.method = GetParam();
    result.evaluations = evaluations;
    return result;
  }
};

TEST_P(Optimiser, FindsTheBottomOfABowl) {
  OptimiserOptions how = options();
  how.gradient_tolerance = 1e-6;
  const OptimiserResult got = minimise(bowl, std::vector<double>(6, 0.4), unbounded(6), how);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(got.variables[k], static_cast<double>(k), 1e-4);
  EXPECT_NE(got.end, FitEnd::evaluations);
  EXPECT_LE(got.evaluations, 2000);
}

TEST_P(Optimiser, FollowsACurvedValley) {
  // Methods without curvature creep along it.
  const double reached = GetParam() == "lbfgs" ? 1e-12 : GetParam() == "mma" ? 1e-3 : 0.5;
  const OptimiserResult got = minimise(rosenbrock, {-1.2, 1.0}, unbounded(2), options());
  EXPECT_LE(got.value, reached);  // 24.2 at the start.
}

TEST_P(Optimiser, StaysWithinBounds) {
  VariableBounds bounds = unbounded(4);
  bounds.lower[1] = 2.0;   // The minimum is at 1.
  bounds.upper[3] = 2.5;   // At 3.
  bounds.lower[0] = -1.0;  // Not in the way.
  const auto f = [&](ScalarView u, ScalarSpan g) {
    for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(u[k] >= bounds.lower[k] && u[k] <= bounds.upper[k]);
    return bowl(u, g);
  };
  OptimiserOptions how = options();
  how.gradient_tolerance = 1e-6;
  const OptimiserResult got = minimise(f, {5.0, 5.0, 5.0, 5.0}, bounds, how);
  EXPECT_NEAR(got.variables[0], 0.0, 1e-4);
  EXPECT_EQ(got.variables[1], 2.0);
  EXPECT_NEAR(got.variables[2], 2.0, 1e-4);
  EXPECT_EQ(got.variables[3], 2.5);
  EXPECT_EQ(got.end, FitEnd::gradient);
}

TEST_P(Optimiser, BacksOffWhereThereIsNoValue) {
  // A wall right behind the minimum.
  int met = 0;
  const auto f = [&](ScalarView u, ScalarSpan g) {
    if (u[0] > 0.5) ++met;
    return u[0] > 0.5 ? infinity : bowl(u, g);
  };
  OptimiserOptions how = options();
  how.gradient_tolerance = 1e-5;
  how.rate = 2.0;
  VariableBounds bounds = unbounded(3);
  if (GetParam() == "lbfgs") bounds.lower[0] = -100.0;  // The library with bounds.
  const OptimiserResult got = minimise(f, {-30.0, 0.0, 0.0}, bounds, how);
  EXPECT_NEAR(got.variables[0], 0.0, 1e-3);
  EXPECT_NEAR(got.variables[2], 2.0, 1e-3);
  if (GetParam() == "adam") {
    EXPECT_GT(met, 0);
  }
}

TEST_P(Optimiser, EndsForEveryReason) {
  OptimiserOptions few = options(7);
  EXPECT_EQ(minimise(rosenbrock, {-1.2, 1.0}, unbounded(2), few).end, FitEnd::evaluations);
  EXPECT_EQ(minimise(rosenbrock, {-1.2, 1.0}, unbounded(2), few).evaluations, 7);
  OptimiserOptions rough = options();
  rough.loss_tolerance = 0.5;
  const OptimiserResult got = minimise(bowl, {3.0, 3.0}, unbounded(2), rough);
  EXPECT_EQ(got.end, FitEnd::loss);
  EXPECT_LE(got.value, 0.5);
  // Noise of 1e-3 around 1: nothing changes by a tenth.
  OptimiserOptions flat = options();
  flat.change_tolerance = 0.1;
  flat.gradient_tolerance = 0.0;
  const auto f = [](ScalarView u, ScalarSpan g) { return 1.0 + 1e-3 * rosenbrock(u, g); };
  const FitEnd end = minimise(f, {3.0, 3.0}, unbounded(2), flat).end;
  EXPECT_TRUE(end == FitEnd::change || end == FitEnd::stalled);
}

TEST_P(Optimiser, PassesExceptionsOn) {
  int calls = 0;
  const auto f = [&](ScalarView u, ScalarSpan g) {
    if (++calls == 4) throw std::runtime_error("enough");
    return rosenbrock(u, g);
  };
  EXPECT_THROW(minimise(f, {-1.2, 1.0}, unbounded(2), options()), std::runtime_error);
  EXPECT_EQ(calls, 4);
}

TEST_P(Optimiser, IsDeterministic) {
  const OptimiserResult one = minimise(rosenbrock, {-1.2, 1.0}, unbounded(2), options(50));
  const OptimiserResult two = minimise(rosenbrock, {-1.2, 1.0}, unbounded(2), options(50));
  EXPECT_EQ(one.variables, two.variables);
  EXPECT_EQ(one.value, two.value);
}

INSTANTIATE_TEST_SUITE_P(Methods, Optimiser, testing::ValuesIn(optimisers),
                         [](const auto& method) { return std::string(method.param); });

TEST(OptimiserArguments, AreChecked) {
  OptimiserOptions wrong;
  wrong.method = "bfgs";
  EXPECT_THROW(minimise(bowl, {1.0}, unbounded(1), wrong), std::invalid_argument);
  EXPECT_THROW(minimise(bowl, {1.0}, unbounded(2), {}), std::invalid_argument);
  wrong = {};
  wrong.evaluations = 0;
  EXPECT_THROW(minimise(bowl, {1.0}, unbounded(1), wrong), std::invalid_argument);
  wrong = {};
  wrong.rate = -1.0;
  EXPECT_THROW(minimise(bowl, {1.0}, unbounded(1), wrong), std::invalid_argument);
}

}  // namespace
}  // namespace electret::test
