/// Optimisers on functions whose minima are known.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

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
  if (GetParam() == "lbfgs") bounds.lower[0] = -100.0;  // The method with bounds.
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

/// Rosenbrock's valley, whose bounds keep the minimum on the wall w = 0.5.
VariableBounds beside_the_valley() {
  return {{-2.0, -1.0}, {3.0, 0.5}};
}

TEST_P(Optimiser, TakesTheSameWayInEveryUnitOfTheFunction) {
  const auto points = [&](double unit) {
    std::vector<double> all;
    const auto f = [&](ScalarView u, ScalarSpan g) {
      all.insert(all.end(), u.begin(), u.end());
      const double value = rosenbrock(u, g);
      g[0] *= unit, g[1] *= unit;
      return unit * value;
    };
    minimise(f, {-1.2, 0.3}, beside_the_valley(), options(60));
    return all;
  };
  const std::vector<double> one = points(1.0);
  EXPECT_EQ(points(0x1p-30), one);  // Powers of two round nothing.
  EXPECT_EQ(points(0x1p30), one);
}

TEST_P(Optimiser, AUnitThatRoundsChangesNothingThatCounts) {
  const double reached = GetParam() == "adam" ? 2e-3 : 1e-5;  // It creeps, in every unit.
  for (const double unit : {1e-8, 1e-3, 1e8}) {
    const auto f = [&](ScalarView u, ScalarSpan g) {
      const double value = bowl(u, g);
      for (double& slope : g) slope *= unit;
      return unit * value;
    };
    VariableBounds bounds = unbounded(4);
    bounds.lower[0] = 0.2, bounds.upper[2] = 1.5, bounds.upper[3] = 50.0;
    const OptimiserResult got = minimise(f, std::vector<double>(4, 0.4), bounds, options());
    EXPECT_EQ(got.variables[0], 0.2) << unit;
    EXPECT_NEAR(got.variables[1], 1.0, reached) << unit;
    EXPECT_EQ(got.variables[2], 1.5) << unit;
    EXPECT_NEAR(got.variables[3], 3.0, reached) << unit;
  }
}

/// A slope that is NaN is no slope of 0.
TEST_P(Optimiser, BacksOffWhereThereIsNoGradient) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto none = [&](ScalarView u, ScalarSpan g) {
    const double value = bowl(u, g);
    g[1] = nan;
    return value;
  };
  const OptimiserResult got = minimise(none, {3.0, 3.0}, unbounded(2), options(20));
  EXPECT_FALSE(has_converged(got.end));
  EXPECT_EQ(got.value, infinity);
  const auto beyond = [&](ScalarView u, ScalarSpan g) {
    const double value = bowl(u, g);
    if (u[0] > 0.5) g[0] = nan;
    return value;
  };
  OptimiserOptions how = options();
  how.gradient_tolerance = 1e-5;
  how.rate = 2.0;
  VariableBounds bounds = unbounded(3);
  if (GetParam() == "lbfgs") bounds.lower[0] = -100.0;
  EXPECT_NEAR(minimise(beyond, {-30.0, 0.0, 0.0}, bounds, how).variables[2], 2.0, 1e-3);
}

TEST(OptimiserBounds, TheNormOfASlopeThatIsNanIsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& slope : {std::vector{nan, 1.0}, std::vector{1.0, nan}})
    EXPECT_TRUE(std::isnan(unbounded(2).free_norm(std::vector{0.0, 0.0}, slope)));
  EXPECT_EQ(unbounded(2).free_norm(std::vector{0.0, 0.0}, std::vector{1.0, -2.0}), 2.0);
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

/// ½ uᵀAu - bᵀu of a random positive matrix A whose eigenvalues span `condition`.
class Quadratic {
 public:
  Quadratic(std::size_t n, double condition, unsigned seed) : b_(n), a_(n, std::vector<double>(n)) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> direction(n);
      for (double& each : direction) each = normal(engine);
      const double size = std::pow(condition, -static_cast<double>(k) / static_cast<double>(n));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) a_[i][j] += size * direction[i] * direction[j];
      b_[k] = normal(engine);
    }
  }
  double operator()(ScalarView u, ScalarSpan g) const {
    double value = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      double product = 0.0;
      for (std::size_t j = 0; j < u.size(); ++j) product += a_[i][j] * u[j];
      g[i] = product - b_[i];
      value += u[i] * (0.5 * product - b_[i]);
    }
    return value;
  }

 private:
  std::vector<double> b_;
  std::vector<std::vector<double>> a_;
};

/// A convex function has no other point at which no free variable has a slope and all held ones point
/// outwards.
TEST(BoundedLbfgs, FindsTheMinimaOfQuadraticsInBoxes) {
  Count worst = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const std::size_t n = 1 + seed % 25;
    const Quadratic f(n, 1e4, seed);
    const double half = 0.05 * static_cast<double>(seed);
    const VariableBounds bounds{std::vector<double>(n, -half), std::vector<double>(n, half)};
    OptimiserOptions how;
    how.gradient_tolerance = 1e-9;
    how.change_tolerance = 0.0;
    how.evaluations = 2000;
    const OptimiserResult got = minimise(f, std::vector<double>(n, 0.5 * half), bounds, how);
    EXPECT_EQ(got.end, FitEnd::gradient) << seed;
    std::vector<double> slope(n);
    f(std::vector<double>(n, 0.5 * half), slope);
    const double first = bounds.free_norm(std::vector<double>(n, 0.5 * half), slope);
    f(got.variables, slope);
    EXPECT_LE(bounds.free_norm(got.variables, slope), 1e-9 * first) << seed;
    worst = std::max(worst, got.evaluations);
  }
  EXPECT_LE(worst, 200);
}

TEST(BoundedLbfgs, AStartFromWhichEveryWayLeadsOutIsTheMinimum) {
  VariableBounds bounds = unbounded(2);
  bounds.lower = {1.0, 2.0};
  const OptimiserResult got = minimise(bowl, {1.0, 2.0}, bounds, {});
  EXPECT_EQ(got.end, FitEnd::gradient);
  EXPECT_EQ(got.evaluations, 1);
  EXPECT_EQ(got.variables, (std::vector{1.0, 2.0}));
}

/// A point without a value at the bound itself, as Poisson's ratio ½ is.
TEST(BoundedLbfgs, GoesBackFromAnOpenBound) {
  int met = 0;
  const auto f = [&](ScalarView u, ScalarSpan g) {
    if (u[0] >= 0.5 && ++met > 0) return infinity;
    g[0] = 2.0 * (u[0] - 0.49);
    return (u[0] - 0.49) * (u[0] - 0.49);
  };
  const OptimiserResult got = minimise(f, {0.3}, {{-1.0}, {0.5}}, {});
  EXPECT_NEAR(got.variables[0], 0.49, 1e-8);
  EXPECT_EQ(got.end, FitEnd::gradient);
  EXPECT_GT(met, 0);
}

/// Values are exact to 1e-10 only, while slopes are exact: as those of a run.
TEST(BoundedLbfgs, ConvergesWhereRoundingHidesTheValue) {
  const auto f = [](ScalarView u, ScalarSpan g) {
    const double value = 1.0 + 1e-2 * rosenbrock(u, g);
    g[0] *= 1e-2, g[1] *= 1e-2;
    return value + 1e-10 * std::sin(1e12 * (u[0] + u[1]));
  };
  const OptimiserResult got = minimise(f, {-1.2, 1.0}, {{-2.0, -2.0}, {2.0, 2.0}}, {});
  EXPECT_EQ(got.end, FitEnd::gradient);
  EXPECT_NEAR(got.variables[0], 1.0, 1e-4);
  EXPECT_LE(got.evaluations, 100);
}

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
