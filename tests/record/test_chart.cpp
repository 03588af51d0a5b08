#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/detail/chart_labels.hpp>
#include <electret/record/detail/chart_scale.hpp>
#include <electret/record/detail/plot_axis.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;

Chart made_chart() {
  Chart chart;
  chart.title = "Error & <time>";
  chart.x = {.label = "n", .logarithmic = true};
  chart.y = {.label = "s", .logarithmic = true};
  chart.series.push_back(
      {.name = "direct", .x = {10, 100, 1000}, .y = {1e-4, 1e-2, 1}, .error = {0, 2e-2, 0.1}});
  return chart;
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8U | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

TEST(Chart, IsAPngOfTheSizeAskedFor) {
  for (const double scale : {1.0, 2.0}) {
    const std::string png = chart_png(made_chart(), scale);
    ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
    EXPECT_EQ(big_endian(png, 16), static_cast<std::uint32_t>(960 * scale));
    EXPECT_EQ(big_endian(png, 20), static_cast<std::uint32_t>(600 * scale));
  }
}

TEST(Chart, IsAnSvgAndTheSameEveryTime) {
  const std::string svg = chart_svg(made_chart());
  EXPECT_NE(svg.find("<svg "), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg, chart_svg(made_chart()));
}

TEST(Chart, DrawsWhatItIsGiven) {
  const std::string png = chart_png(made_chart());
  Chart other = made_chart();
  other.series[0].y[1] = 5e-2;
  EXPECT_NE(chart_png(other), png) << "a point";
  other = made_chart();
  other.series[0].error[1] = 5e-3;
  EXPECT_NE(chart_png(other), png) << "an error bar";
  other = made_chart();
  other.series[0].name = "fmm";
  EXPECT_NE(chart_png(other), png) << "the legend";
  other = made_chart();
  other.title = "Error";
  EXPECT_NE(chart_png(other), png) << "the title";
  other = made_chart();
  other.x.logarithmic = false;
  EXPECT_NE(chart_png(other), png) << "the axis";
}

TEST(Chart, LeavesOutWhatHasNoPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Chart chart = made_chart();
  const std::string png = chart_png(chart);
  // In the middle of a line they would change it; at its end they leave no trace.
  for (const double bad : {nan, std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
    Chart with = chart;
    with.series[0].x.push_back(500);
    with.series[0].y.push_back(bad);
    with.series[0].error.push_back(0);
    EXPECT_EQ(chart_png(with), png) << bad;
  }
  EXPECT_NO_THROW((void)chart_svg(Chart{}));
}

TEST(Chart, RefusesSeriesOfUnequalLength) {
  Chart chart = made_chart();
  chart.series[0].y.pop_back();
  EXPECT_THROW((void)chart_svg(chart), InternalError);
}

std::vector<std::string> labels(const ChartScale& scale) {
  std::vector<std::string> texts;
  for (const ChartTick& tick : scale.ticks())
    if (!tick.text.empty())
      texts.push_back(tick.text + (tick.superscript.empty() ? "" : "^" + tick.superscript));
  return texts;
}

TEST(ChartScale, LabelsPowersOfTen) {
  const ChartScale scale({.label = "", .logarithmic = true}, {0.02, 5e3}, false);
  EXPECT_THAT(labels(scale), ElementsAre("10^\u22121", "10^0", "10^1", "10^2", "10^3"));
  EXPECT_NEAR(scale.place(10.0), std::log(10.0 / 0.02) / std::log(5e3 / 0.02), 0.03);
  EXPECT_GT(scale.place(0.02), 0.0);
  EXPECT_LT(scale.place(5e3), 1.0);
  EXPECT_FALSE(scale.shows(0.0));
}

TEST(ChartScale, AnAxisOfNamesHasThemAtWholeNumbers) {
  const ChartScale scale({.label = "", .names = {"imex", "verlet", "newton"}}, {0.0, 2.0}, false);
  EXPECT_THAT(labels(scale), ElementsAre("imex", "verlet", "newton"));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(scale.place(k), (k + 0.5) / 3.0, 1e-15);
}

TEST(ChartScale, LabelsNumbersBetweenFewPowers) {
  const ChartScale scale({.label = "", .logarithmic = true}, {0.03, 0.6}, false);
  EXPECT_THAT(labels(scale), ElementsAre("0.05", "0.1", "0.2", "0.5"));
}

TEST(ChartScale, SkipsPowersWhereThereAreMany) {
  const ChartScale scale({.label = "", .logarithmic = true}, {1e-15, 1.0}, false);
  EXPECT_LE(labels(scale).size(), 9U);
  EXPECT_GE(labels(scale).size(), 5U);
}

TEST(ListedTicks, HaveFourDigitsAndACommonPowerOfTen) {
  EXPECT_EQ(listed_ticks({4.0, 8.0, 1.0 / 3.0}).texts, (std::vector<std::string>{"4", "8", "0.3333"}));
  EXPECT_EQ(listed_ticks({4.0, 8.0}).factor, "");
  const ListedTicks small = listed_ticks({1e-6, 2.25e-6, 6e-6, 0.0});
  EXPECT_EQ(small.texts, (std::vector<std::string>{"1", "2.25", "6", "0"}));
  EXPECT_EQ(small.factor, "1e-06");
  EXPECT_EQ(listed_ticks({-2e7, 1e7}).texts, (std::vector<std::string>{"-2", "1"}));
  EXPECT_EQ(listed_ticks({-2e7, 1e7}).factor, "1e+07");
  EXPECT_EQ(listed_ticks({0.0}).texts, std::vector<std::string>{"0"});
  EXPECT_EQ(small.label("charge"), "charge (\u00d7 1e-06)");
}

TEST(ListedTicks, TellNearNumbersApart) {
  EXPECT_EQ(listed_ticks({10.001, 10.0015, 10.002}).texts,
            (std::vector<std::string>{"10.001", "10.0015", "10.002"}));
  // Numbers of a logarithmic list keep four digits.
  EXPECT_EQ(listed_ticks({5.623413e-6, 1.0}).texts, (std::vector<std::string>{"5.623e-06", "1"}));
  // What all have in common stands apart.
  std::vector<double> near(9);
  for (std::size_t k = 0; k < near.size(); ++k) near[k] = 10.0 + 1e-9 * static_cast<double>(k);
  const ListedTicks ticks = listed_ticks(near);
  EXPECT_EQ(ticks.texts, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8"}));
  EXPECT_EQ(ticks.label("length"), "length \u2212 10 (\u00d7 1e-09)");
  const ListedTicks below = listed_ticks({-3.0000004, -3.0000001});
  EXPECT_EQ(below.label("x"), "x + 3.000001 (\u00d7 1e-07)");
  EXPECT_EQ(below.texts, (std::vector<std::string>{"6", "9"}));
  EXPECT_EQ(listed_ticks({7.0, 7.0}).label("x"), "x");
}

TEST(ChartScale, ALinearAxisReachesZeroAndCoversTheData) {
  const ChartScale scale({.label = "", .logarithmic = false}, {3.0, 9.5}, true);
  EXPECT_EQ(scale.ticks().front().value, 0.0);
  EXPECT_GE(scale.ticks().back().value, 9.5);
  EXPECT_EQ(scale.place(0.0), 0.0);
  const ChartScale one({.label = "", .logarithmic = false}, {}, false);
  EXPECT_TRUE(std::isfinite(one.place(0.5)));
}

TEST(ChartScale, ALinearAxisShowsHowNearNumbersDiffer) {
  const ChartScale near({}, {-0.0589, -0.0600}, true);
  EXPECT_GT(std::abs(near.place(-0.0589) - near.place(-0.0600)), 0.5);
  EXPECT_LE(near.ticks().back().value, -0.0588);
  // Rounding alone is not drawn large, and the numbers of two signs have 0 between them.
  const ChartScale rounding({}, {5.0, 5.0 + 1e-9}, true);
  EXPECT_EQ(rounding.ticks().front().value, 0.0);
  const ChartScale far({}, {4.0, 5.1}, true);
  EXPECT_EQ(far.ticks().front().value, 0.0);
  const ChartScale fixed({.label = "", .low = 0.0}, {4.9, 5.0}, true);
  EXPECT_EQ(fixed.place(0.0), 0.0);
}

TEST(ChartScale, WholeNumbersHaveWholeTicks) {
  EXPECT_THAT(labels(ChartScale({}, {1, 2}, false)), ElementsAre("1", "2"));
  EXPECT_THAT(labels(ChartScale({}, {1, 4, 2}, false)), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(labels(ChartScale({}, {0, 40}, false)), ElementsAre("0", "10", "20", "30", "40"));
  EXPECT_THAT(labels(ChartScale({}, {1, 1.5}, false)), ElementsAre("1.0", "1.1", "1.2", "1.3", "1.4", "1.5"));
}

TEST(ChartLabels, LongTextsAreWrapped) {
  const auto characters = [](const std::string& text) { return static_cast<double>(text.size()); };
  EXPECT_THAT(wrapped("one two three", 7.0, characters), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two three", 13.0, characters), ElementsAre("one two three"));
  EXPECT_THAT(wrapped("a incomprehensible b", 5.0, characters), ElementsAre("a", "incomprehensible", "b"));
  EXPECT_TRUE(wrapped("", 5.0, characters).empty());
}

TEST(ChartLabels, TakePlacesThatAreFree) {
  LabelPlaces places;
  const std::vector<LabelBox> same{{0, 0, 10, 5}, {0, 20, 10, 5}};
  EXPECT_EQ(places.take(same), 0U);
  EXPECT_EQ(places.take(same), 1U);
  EXPECT_EQ(places.take(same), 0U) << "none is free";
  EXPECT_EQ(places.take(std::vector<LabelBox>{{9, 4, 10, 5}, {10, 0, 10, 5}}), 1U) << "they touch";
}

}  // namespace
}  // namespace electret
