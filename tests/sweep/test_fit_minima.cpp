/// Distinct minima of many fits, on ends that are made up.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/sweep/fit_minima.hpp>

namespace electret::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

FitEndPoint end_at(Count run, double loss, std::vector<double> values, bool has_converged = true) {
  return {run, loss, has_converged, std::move(values)};
}

TEST(FitMinima, EndsWithinOnePercentAreOne) {
  const std::vector<FitEndPoint> ends{end_at(0, 2.0, {1.0, 5.0}), end_at(1, 1.0, {1.009, 5.04}),
                                      end_at(2, 1.5, {1.02, 5.0}), end_at(3, 3.0, {-1.0, 5.0})};
  const FitMinima found = distinct_minima(ends, {{false, false}, {0.0, 0.0}});
  ASSERT_EQ(found.minima.size(), 3U);
  EXPECT_EQ(found.minima[0].run, 1);
  EXPECT_EQ(found.minima[0].loss, 1.0);
  EXPECT_EQ(found.minima[0].values, (std::vector<double>{1.009, 5.04}));
  EXPECT_EQ(found.minima[0].fits, 2);
  EXPECT_EQ(found.of, (std::vector<int>{0, 0, 1, 2}));
  EXPECT_EQ(found.elsewhere, 0);
}

TEST(FitMinima, LinearValuesAroundZeroAreComparedInUnitsOfTheirMedianSize) {
  // Around 0 no ratio would tell anything.
  const FitMinima found =
      distinct_minima({end_at(0, 1.0, {1e-9}), end_at(1, 1.0, {-1e-9}), end_at(2, 1.0, {1e-6}),
                       end_at(3, 1.0, {2e-8}), end_at(4, 1.0, {1e-6}), end_at(5, 1.0, {1.001e-6})},
                      {{false}, {0.0}});
  ASSERT_EQ(found.minima.size(), 3U);
  EXPECT_EQ(found.of, (std::vector<int>{0, 0, 1, 2, 1, 1}));
}

TEST(FitMinima, AFitThatRanFarAwayLeavesTheOthersApart) {
  const std::vector<FitEndPoint> ends{end_at(0, 1.0, {0.5236}), end_at(1, 1.0, {2.618}),
                                      end_at(2, 1.0, {633.0}), end_at(3, 1.0, {1e12}, false),
                                      end_at(4, infinity, {1e15})};
  EXPECT_EQ(distinct_minima(ends, {{false}, {0.0}}).of, (std::vector<int>{0, 1, 2, -1, -1}));
}

TEST(FitMinima, PlacesAreComparedInUnitsOfTheirSizeWhereverTheOriginIs) {
  for (const double shift : {0.0, 1e5, -1e8}) {
    const std::vector<FitEndPoint> ends{end_at(0, 1.0, {shift}), end_at(1, 1.0, {shift + 0.25}),
                                        end_at(2, 1.0, {shift + 0.0009765625}),
                                        end_at(3, 1.0, {shift + 0.5})};
    EXPECT_EQ(distinct_minima(ends, {{false}, {0.125}}).of, (std::vector<int>{0, 1, 0, 2})) << shift;
  }
}

TEST(FitMinima, LogarithmicValuesAreComparedByTheirRatio) {
  const std::vector<FitEndPoint> ends{end_at(0, 1.0, {1e-3}), end_at(1, 1.0, {2e-3}), end_at(2, 1.0, {1e3}),
                                      end_at(3, 1.0, {1.009e-3})};
  EXPECT_EQ(distinct_minima(ends, {{true}, {0.0}}).of, (std::vector<int>{0, 1, 2, 0}));
  EXPECT_EQ(distinct_minima(ends, {{false}, {0.0}}).of, (std::vector<int>{0, 1, 2, 0}))
      << "the median is small here";
}

TEST(FitMinima, FitsThatHaveNotConvergedMakeNoMinimum) {
  const std::vector<FitEndPoint> ends{end_at(0, 0.5, {1.0}, false), end_at(1, 1.0, {1.001}),
                                      end_at(2, 0.1, {3.0}, false), end_at(3, infinity, {1.0}),
                                      end_at(4, std::numeric_limits<double>::quiet_NaN(), {1.0})};
  const FitMinima found = distinct_minima(ends, {{true}, {0.0}});
  ASSERT_EQ(found.minima.size(), 1U);
  EXPECT_EQ(found.minima[0].run, 1) << "the minimum is that of a fit that has converged";
  EXPECT_EQ(found.minima[0].fits, 2);
  EXPECT_EQ(found.elsewhere, 1);
  EXPECT_EQ(found.of, (std::vector<int>{0, 0, -1, -1, -1}));
}

TEST(FitMinima, DoNotDependOnTheOrder) {
  std::vector<FitEndPoint> ends;
  for (Count run = 0; run < 60; ++run)
    ends.push_back(end_at(run, 1.0 + static_cast<double>(run % 3), {1.0 + 0.004 * static_cast<double>(run)},
                          run % 5 != 0));
  const FitMinima wanted = distinct_minima(ends, {{true}, {0.0}});
  EXPECT_GT(wanted.minima.size(), 5U);
  std::reverse(ends.begin(), ends.end());
  FitMinima found = distinct_minima(ends, {{true}, {0.0}});
  std::reverse(found.of.begin(), found.of.end());
  EXPECT_EQ(found.of, wanted.of);
  ASSERT_EQ(found.minima.size(), wanted.minima.size());
  for (std::size_t m = 0; m < wanted.minima.size(); ++m) {
    EXPECT_EQ(found.minima[m].run, wanted.minima[m].run);
    EXPECT_EQ(found.minima[m].fits, wanted.minima[m].fits);
  }
}

TEST(FitMinima, AFlatValleyIsNotSearchedForever) {
  std::vector<FitEndPoint> ends;
  for (Count run = 0; run < 3000; ++run)
    ends.push_back(end_at(run, 1.0, {std::pow(1.02, static_cast<double>(run))}));
  const FitMinima found = distinct_minima(ends, {{true}, {0.0}});
  EXPECT_EQ(found.minima.size(), most_minima);
  EXPECT_EQ(found.elsewhere, 3000 - static_cast<Count>(most_minima));
}

}  // namespace
}  // namespace electret::test
