/// Charts of more runs than a picture has room for.

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/record/chart.hpp>
#include <electret/record/colour_map.hpp>
#include <electret/sweep/sweep_plot.hpp>
#include <electret/sweep/units.hpp>

namespace electret::test {
namespace {

struct Place {
  double x = 0.0, y = 0.0;
};

/// The places of all round markers in a picture, in units of its own. A marker begins at its right end.
std::vector<Place> markers_in(const std::string& svg) {
  const std::string start = " d=\"M ";
  std::vector<Place> places;
  for (std::size_t at = svg.find("fill-opacity"); at != std::string::npos;
       at = svg.find("fill-opacity", at + 1)) {
    const std::size_t path = svg.find(start, at);
    if (path == std::string::npos || path > svg.find('>', at)) continue;
    Place place;
    const char* const end = svg.data() + svg.size();
    const char* const after_x = std::from_chars(svg.data() + path + start.size(), end, place.x).ptr;
    const char* const after_y = std::from_chars(after_x + 1, end, place.y).ptr;
    if (std::string(after_y, 2) == " C") places.push_back(place);
  }
  return places;
}

/// The corners of all dashed lines in a picture, line by line.
std::vector<std::vector<Place>> dashed_lines_in(const std::string& svg) {
  std::vector<std::vector<Place>> lines;
  for (std::size_t at = svg.find("stroke-dasharray"); at != std::string::npos;
       at = svg.find("stroke-dasharray", at + 1)) {
    const std::size_t path = svg.find(" d=\"", at);
    std::istringstream words(svg.substr(path + 4, svg.find('"', path + 4) - path - 4));
    std::vector<Place>& line = lines.emplace_back();
    for (std::string letter; words >> letter && (letter == "M" || letter == "L");) {
      Place place;
      if (words >> place.x >> place.y) line.push_back(place);
    }
  }
  return lines;
}

/// What a merge found of a sweep in which one key varies: its values, and one quantity of each run.
struct MadeSweep {
  SweepPlan plan;
  SweepResults results;

  MadeSweep(const std::vector<std::string>& values, const std::vector<double>& quantities) {
    plan.design = SweepDesign({"body.0.mass"}, values);
    plan.quantities = {{"size", Reduction::last, "total"}};
    for (Count run = 0; run < plan.design.runs(); ++run) results.runs.push_back(run);
    results.status.assign(values.size(), SweepStatus::done);
    results.quantities = quantities;
  }

  [[nodiscard]] std::string picture() const {
    const SweepPictures pictures = sweep_pictures(plan, results);
    EXPECT_EQ(pictures.files.size(), 1U);
    return pictures.files.at(0).second;
  }

  [[nodiscard]] std::vector<Place> markers() const { return markers_in(picture()); }
};

constexpr Count shown = 4000, every = 3;
/// As many that a chart shows one in three of them, and the last one is among these.
constexpr Count runs = every * (shown - 1) + 1;

/// The number of the run for those that are shown; for others a value far from their neighbours'.
std::vector<double> telling_quantities() {
  std::vector<double> quantities;
  for (Count run = 0; run < runs; ++run)
    quantities.push_back(run % every == 0 ? static_cast<double>(run) : -static_cast<double>(runs));
  return quantities;
}

std::vector<std::string> ascending_values(Count count) {
  std::vector<std::string> values;
  for (Count run = 0; run < count; ++run) values.push_back(std::to_string(run + 1) + ".5");
  return values;
}

/// Runs 0, 3, 6, … are on a straight line of even steps, and others would be off it.
void expect_every_third(const std::vector<Place>& found) {
  ASSERT_EQ(found.size(), static_cast<std::size_t>(shown));
  const Place first = found.front(), last = found.back();
  EXPECT_GT(last.x - first.x, 300.0);
  EXPECT_LT(last.y - first.y, -100.0);  // Upwards.
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(shown - 1);
    ASSERT_NEAR(found[k].x, first.x + part * (last.x - first.x), 1e-2) << k;
    ASSERT_NEAR(found[k].y, first.y + part * (last.y - first.y), 1e-2) << k;
  }
}

TEST(SweepPlot, PointsOfManyRunsAreEveryKthOne) {
  const MadeSweep sweep(ascending_values(runs), telling_quantities());
  expect_every_third(sweep.markers());
}

TEST(SweepPlot, CurvesOfManyRunsHaveEveryKthOne) {
  MadeSweep sweep(ascending_values(runs), telling_quantities());
  VaryTable vary;
  vary.key = "body.0.mass";
  vary.range = {1.5, static_cast<double>(runs) + 0.5};
  vary.points = runs;
  sweep.plan.job.vary = {vary};
  expect_every_third(sweep.markers());
}

TEST(SweepPlot, ManyRunsByTheirNumberAreEveryKthOne) {
  const MadeSweep sweep(std::vector<std::string>(static_cast<std::size_t>(runs), "text"),
                        telling_quantities());
  expect_every_third(sweep.markers());
}

TEST(SweepPlot, MediansAndDashedBandsAreThoseOfAllRuns) {
  constexpr int samples = 2001;  // More runs than a chart of points shows.
  std::vector<std::string> values;
  std::vector<double> quantities;
  for (int sample = 0; sample < samples; ++sample)
    for (int mass = 1; mass <= 3; ++mass) {
      values.insert(values.end(), {std::to_string(mass), std::to_string(sample) + ".25"});
      // Around 1000 for each mass, in an order of their own; the farther half of them is far away.
      const int around = (sample * 7) % samples - samples / 2;
      quantities.push_back(1000.0 * mass + around * (std::abs(around) > samples / 4 ? 10.0 : 0.1));
    }
  MadeSweep sweep({}, quantities);
  sweep.plan.design = SweepDesign({"body.0.mass", "body.0.charge"}, values);
  for (Count run = 0; run < sweep.plan.design.runs(); ++run) sweep.results.runs.push_back(run);
  sweep.results.status.assign(sweep.results.runs.size(), SweepStatus::done);
  VaryTable listed, sampled;
  listed.key = "body.0.mass";
  listed.values.texts = {"1", "2", "3"};
  sampled.key = "body.0.charge";
  sampled.range = {0.0, static_cast<double>(samples)};
  sweep.plan.job.vary = {listed, sampled};
  const std::string picture = sweep.picture();
  const std::vector<Place> medians = markers_in(picture);
  ASSERT_EQ(medians.size(), 3U);
  EXPECT_GT(medians[1].x - medians[0].x, 100.0);
  EXPECT_NEAR(medians[2].x - medians[1].x, medians[1].x - medians[0].x, 1e-2);
  EXPECT_LT(medians[1].y - medians[0].y, -10.0);  // Upwards.
  EXPECT_NEAR(medians[2].y - medians[1].y, medians[1].y - medians[0].y, 1e-2);
  // Of 2001 runs in order, numbers 100 and 1900 are 900 places from the middle, where ten units a place make
  // nine medians' distances.
  const std::vector<std::vector<Place>> bands = dashed_lines_in(picture);
  ASSERT_EQ(bands.size(), 2U);
  const double distance = medians[1].y - medians[0].y;
  for (std::size_t band = 0; band < 2; ++band) {
    ASSERT_EQ(bands[band].size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(bands[band][k].y, medians[k].y + (band == 0 ? -9.0 : 9.0) * distance, 0.1)
          << band << ", " << k;
      EXPECT_NEAR(bands[band][k].x, bands[0][k].x, 1e-2);
    }
  }
}

TEST(SweepPlot, AKeyOfLogarithmicScaleHasALogarithmicAxis) {
  MadeSweep sweep({"1", "10", "1000"}, {1.0, 2.0, 3.0});
  VaryTable vary;
  vary.key = "body.0.mass";
  vary.range = {1.0, 1000.0};
  for (const char* scale : {"linear", "log"}) {
    vary.scale = scale;
    for (const Count points : {0, 3}) {  // Sampled, and listed.
      vary.points = points;
      sweep.plan.job.vary = {vary};
      const std::vector<Place> found = sweep.markers();
      ASSERT_EQ(found.size(), 3U);
      const double part = (found[1].x - found[0].x) / (found[2].x - found[0].x);
      EXPECT_NEAR(part, vary.scale == "log" ? 1.0 / 3.0 : 9.0 / 999.0, 1e-3) << scale << " " << points;
    }
  }
}

TEST(SweepPlot, AMapHasItsFirstKeyUpwardsAndItsSecondAcross) {
  MadeSweep sweep({}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  sweep.plan.design = SweepDesign({"body.0.mass", "body.0.charge"},
                                  {"1", "4", "1", "5", "1", "6", "2", "4", "2", "5", "2", "6"});
  VaryTable mass, charge;
  mass.key = "body.0.mass";
  mass.values.texts = {"1", "2"};
  charge.key = "body.0.charge";
  charge.values.texts = {"4", "5", "6"};
  sweep.plan.job.vary = {mass, charge};
  for (Count run = 0; run < 6; ++run) sweep.results.runs.push_back(run);
  sweep.results.status.assign(6, SweepStatus::done);
  const ColourMap map{.title = "size",
                      .subtitle = "6 of 6 runs",
                      .x_label = "body.0.charge (C)",
                      .y_label = "body.0.mass (kg)",
                      .x = {4.0, 5.0, 6.0},
                      .y = {1.0, 2.0},
                      .value = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}},
                      .value_label = "size (J)"};
  EXPECT_EQ(sweep.picture(), colour_map_svg(map));
}

/// A listed key.
VaryTable listed(const std::string& key, const std::vector<std::string>& values,
                 const std::string& together = "") {
  VaryTable vary;
  vary.key = key;
  vary.values.texts = values;
  vary.together = together;
  return vary;
}

/// A sweep over these listed keys, whose design has the rows `values`, with one quantity per run.
MadeSweep listed_sweep(const std::vector<VaryTable>& vary, const std::vector<std::string>& values,
                       const std::vector<double>& quantities) {
  MadeSweep sweep({}, quantities);
  std::vector<std::string> keys;
  for (const VaryTable& table : vary) keys.push_back(table.key);
  sweep.plan.design = SweepDesign(keys, values);
  sweep.plan.job.vary = vary;
  for (Count run = 0; run < sweep.plan.design.runs(); ++run) sweep.results.runs.push_back(run);
  sweep.results.status.assign(quantities.size(), SweepStatus::done);
  return sweep;
}

TEST(SweepPlot, AMapLosesNoCellOfKeysThatAdvanceTogether) {
  // The masses repeat, the stiffnesses do not: these are the axis.
  const MadeSweep sweep =
      listed_sweep({listed("body.0.mass", {"1", "1", "2"}, "t"), listed("body.0.charge", {"4", "5"}),
                    listed("body.0.springs.0.stiffness", {"7", "8", "9"}, "t")},
                   {"1", "4", "7", "1", "5", "7", "1", "4", "8", "1", "5", "8", "2", "4", "9", "2", "5", "9"},
                   {1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  const ColourMap map{.title = "size",
                      .subtitle = "6 of 6 runs",
                      .x_label = "body.0.charge (C)",
                      .y_label = "body.0.springs.0.stiffness (N/m)",
                      .x = {4.0, 5.0},
                      .y = {7.0, 8.0, 9.0},
                      .value = {{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}},
                      .value_label = "size (J)"};
  EXPECT_EQ(sweep.picture(), colour_map_svg(map));
}

TEST(SweepPlot, AMapOfManyValuesShowsEveryKthOne) {
  std::vector<std::string> masses, values;
  std::vector<double> quantities;
  for (int mass = 1; mass <= 401; ++mass) {
    masses.push_back(std::to_string(mass));
    for (const char* charge : {"4", "5"}) {
      values.insert(values.end(), {masses.back(), charge});
      quantities.push_back(mass % 3 == 1 ? mass : -1e9);  // Those that are left out would be seen.
    }
  }
  const MadeSweep sweep =
      listed_sweep({listed("body.0.mass", masses), listed("body.0.charge", {"4", "5"})}, values, quantities);
  ColourMap map{.title = "size",
                .subtitle = "802 of 802 runs, 268 are shown",
                .x_label = "body.0.charge (C)",
                .y_label = "body.0.mass (kg)",
                .x = {4.0, 5.0},
                .value_label = "size (J)"};
  for (int mass = 1; mass <= 401; mass += 3) {
    map.y.push_back(mass);
    map.value.push_back({static_cast<double>(mass), static_cast<double>(mass)});
  }
  EXPECT_EQ(sweep.picture(), colour_map_svg(map));
}

TEST(SweepPlot, KeysThatTellRowsApartOnlyTogetherAreAllShown) {
  // Of three rows no single number differs in all, but both together do.
  const MadeSweep numbers = listed_sweep(
      {listed("body.0.mass", {"1", "1", "2"}, "t"), listed("body.0.charge", {"4", "5", "4"}, "t")},
      {"1", "4", "1", "5", "2", "4"}, {1.0, 2.0, 3.0});
  const ColourMap map{.title = "size",
                      .subtitle = "3 of 3 runs",
                      .x_label = "body.0.charge (C)",
                      .y_label = "body.0.mass (kg)",
                      .x = {4.0, 5.0},
                      .y = {1.0, 2.0},
                      .value = {{1.0, 2.0}, {3.0, std::nan("")}},
                      .value_label = "size (J)"};
  EXPECT_EQ(numbers.picture(), colour_map_svg(map));
  // A text beside a number that repeats: a curve for each text.
  const MadeSweep texts =
      listed_sweep({listed("body.0.mass", {"1", "1", "2", "2"}, "t"),
                    listed("integrator.method", {"imex", "verlet", "imex", "verlet"}, "t")},
                   {"1", "imex", "1", "verlet", "2", "imex", "2", "verlet"}, {1.0, 2.0, 3.0, 4.0});
  Chart chart{.title = "size",
              .subtitle = "4 of 4 runs",
              .x = {.label = "body.0.mass (kg)"},
              .y = {.label = "size (J)"},
              .height = 420.0};
  chart.series.push_back({.name = "imex", .x = {1.0, 2.0}, .y = {1.0, 3.0}});
  chart.series.push_back({.name = "verlet", .x = {1.0, 2.0}, .y = {2.0, 4.0}, .colour = 1});
  EXPECT_EQ(texts.picture(), chart_svg(chart));
}

TEST(SweepPlot, AKeyOfTextsIsAnAxis) {
  const std::vector<std::string> methods{"imex", "verlet", "newton"};
  const MadeSweep sweep = listed_sweep({listed("integrator.method", methods)}, methods, {1.0, 3.0, 2.0});
  Chart chart{.title = "size",
              .subtitle = "3 of 3 runs",
              .x = {.label = "integrator.method", .names = methods},
              .y = {.label = "size (J)"},
              .height = 420.0};
  chart.series.push_back({.x = {0.0, 1.0, 2.0}, .y = {1.0, 3.0, 2.0}, .line = false});
  EXPECT_EQ(sweep.picture(), chart_svg(chart));
  const std::vector<Place> found = sweep.markers();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[2].x - found[1].x, found[1].x - found[0].x, 1e-2);
  EXPECT_GT(found[1].x - found[0].x, 100.0);
}

TEST(SweepPlot, AxesHaveUnits) {
  EXPECT_EQ(unit_of_key("body.0.charge"), "C");
  EXPECT_EQ(unit_of_key("body.12.springs.3.stiffness"), "N/m");
  EXPECT_EQ(unit_of_key("time.step"), "s");
  EXPECT_EQ(unit_of_key("integrator.method"), "");
  EXPECT_EQ(unit_of_key("none.of.these"), "");
  const auto unit = [](const char* text) { return unit_of(parse_quantity("q", text).value()); };
  EXPECT_EQ(unit("last of total"), "J");
  EXPECT_EQ(unit("time of max of total"), "s");
  EXPECT_EQ(unit("last of time"), "s");
  EXPECT_EQ(unit("mean of linear_momentum_x"), "kg m/s");
  EXPECT_EQ(unit("max of force_of_floor_z"), "N");
  EXPECT_EQ(unit_of({"of a function", Reduction::last, ""}), "");
}

TEST(SweepPlot, FewerRunsAreAllShown) {
  for (const Count few : {10, 5000}) {
    const MadeSweep sweep(ascending_values(few), std::vector<double>(static_cast<std::size_t>(few), 1.0));
    EXPECT_EQ(sweep.markers().size(), static_cast<std::size_t>(few));
  }
  const MadeSweep one_more(ascending_values(5001), std::vector<double>(5001, 1.0));
  EXPECT_EQ(one_more.markers().size(), 2501U);
}

}  // namespace
}  // namespace electret::test
