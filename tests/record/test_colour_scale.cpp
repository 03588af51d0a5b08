/// The numbers beside the colours of maps.

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/record/detail/colour_scale.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(const ColourScale& scale) {
  std::vector<std::string> all;
  for (const ColourScale::Tick& tick : scale.ticks()) all.push_back(tick.text);
  return all;
}

TEST(ColourScale, ReachesZeroUnlessAllValuesAreFarFromIt) {
  const ColourScale near({0.2, 1.0});
  EXPECT_EQ(near.part(0.0), 0.0);
  EXPECT_THAT(texts(near), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  const ColourScale far({100.2, 101.0});
  EXPECT_EQ(texts(far).front(), "100.2");
  EXPECT_NEAR(far.part(100.2), 0.0, 1e-9);
  EXPECT_NEAR(far.part(101.0), 1.0, 1e-9);
  const ColourScale below({-101.0, -100.2});
  EXPECT_EQ(texts(below).front(), "\u2212101.0");
  const ColourScale both({-1.0, 3.0});
  EXPECT_GT(both.part(0.0), 0.0);
  EXPECT_LT(both.part(0.0), both.part(3.0));
}

TEST(ColourScale, SmallNumbersHaveTheirPowerOfTenAtTheLabel) {
  const ColourScale scale({1e-8, 4e-8});
  EXPECT_THAT(texts(scale), ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_EQ(scale.label("kinetic"), "kinetic (\u00d7 1e-08)");
  EXPECT_EQ(scale.text(2.5e-8), "2.5");
  EXPECT_FALSE(scale.is_plain());
  EXPECT_TRUE(ColourScale({1.0, 2.0}).is_plain());
}

TEST(ColourScale, CellsTellValuesThatAreNearlyEqualApart) {
  for (const double step : {1e-2, 1e-4, 1e-7, 1e-10}) {
    std::vector<double> values(9);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = 10.0 + step * static_cast<double>(k);
    const ColourScale scale(values);
    std::set<std::string> cells;
    double last = -1.0;
    for (const double value : values) {
      cells.insert(scale.text(value));
      EXPECT_LE(scale.text(value).size(), 8U);
      EXPECT_GT(scale.part(value), last);
      last = scale.part(value);
    }
    EXPECT_EQ(cells.size(), values.size()) << step;
    const std::vector<std::string> ticks = texts(scale);
    EXPECT_EQ(std::set<std::string>(ticks.begin(), ticks.end()).size(), ticks.size()) << step;
  }
}

TEST(ColourScale, OfEqualValuesOrNoneIsAScaleAllTheSame) {
  EXPECT_EQ(ColourScale({5.0, 5.0}).part(5.0), 1.0);
  EXPECT_EQ(ColourScale({0.0}).part(0.0), 0.0);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_GE(ColourScale({none}).ticks().size(), 2U);
  EXPECT_EQ(texts(ColourScale({none, 2.0, 1.0})), texts(ColourScale({1.0, 2.0})));
}

}  // namespace
}  // namespace electret
