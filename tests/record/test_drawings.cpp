#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/colour_map.hpp>

namespace electret {
namespace {

ColourMap made_map() {
  ColourMap map;
  map.title = "Error";
  map.x = {2.0, 3.0, 4.0};
  map.y = {1.0, 6.0};
  map.value = {{0.01, 0.02, 0.03}, {0.1, 0.15, 0.2}};
  map.scale = 100.0;
  return map;
}

TEST(ColourMap, IsAnSvgAndTheSameEveryTime) {
  const std::string svg = colour_map_svg(made_map());
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg, colour_map_svg(made_map()));
  EXPECT_EQ(colour_map_png(made_map()).substr(0, 8), "\x89PNG\r\n\x1A\n");
}

TEST(ColourMap, ColoursGrowLighterWithTheValue) {
  // Of the document's fills "rgb(r%, g%, b%)", each cell's comes in the order of the rows.
  ColourMap map = made_map();
  map.value = {{0.0, 0.05, 0.1}, {0.15, 0.2, 0.25}};
  const std::string svg = colour_map_svg(map);
  double last = -1.0;
  std::size_t at = svg.find("<rect ");  // the page
  ASSERT_NE(at, std::string::npos);
  for (int cell = 0; cell < 6; ++cell) {
    at = svg.find("fill-rule", at);
    ASSERT_NE(at, std::string::npos);
    at = svg.find("rgb(",
                  at);  // Cairo 1.16 writes `fill:rgb(1%,2%,3%)`, version 1.18 `fill="rgb(1%, 2%, 3%)"`.
    ASSERT_NE(at, std::string::npos);
    double red = 0.0, green = 0.0, blue = 0.0;
    ASSERT_EQ(std::sscanf(svg.c_str() + at, "rgb(%lf%%, %lf%%, %lf%%)", &red, &green, &blue), 3);
    const double lightness = 0.30 * red + 0.59 * green + 0.11 * blue;
    EXPECT_GT(lightness, last) << cell;
    last = lightness;
  }
}

TEST(ColourMap, LeavesOutWhatIsNotFinite) {
  ColourMap map = made_map();
  const std::string whole = colour_map_png(map);
  map.value[0][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(colour_map_png(map), whole);
  map.value[0][0] = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW((void)colour_map_svg(map));
}

TEST(ColourMap, RefusesAMissingCell) {
  ColourMap map = made_map();
  map.value[1].pop_back();
  EXPECT_THROW((void)colour_map_svg(map), InternalError);
  map.value.pop_back();
  EXPECT_THROW((void)colour_map_png(map), InternalError);
}

TEST(Chart, ADashedLineMayLeadFarAway) {
  Chart chart;
  chart.y = {.label = "m", .low = 0.0, .high = 1.0};
  chart.series.push_back({.name = "diverged", .x = {0, 1, 2}, .y = {0.5, 1e38, 1e300}, .dashed = true});
  EXPECT_LT(chart_svg(chart).size(), 1'000'000U);
}

}  // namespace
}  // namespace electret
