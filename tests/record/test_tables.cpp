#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/closest_charges.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/plot_axis.hpp>
#include <electret/record/energy_plot.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/observables.hpp>

#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::TemporaryFolder;
using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

double slow_distance(VectorView points) {
  double least = infinity;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, norm(points[i] - points[j]));
  return least;
}

TEST(ClosestPair, AgreesWithEveryPairOnAllSortsOfPoints) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  ClosestPair closest;  // One for all: the pair remembered must not matter.
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 2 + random() % 150;
    const int kind = round % 5;
    const double scale = std::pow(10.0, 6.0 * unit(random));
    VectorArray points;
    for (std::size_t i = 0; i < n; ++i) {
      Vec3 p{unit(random), unit(random), unit(random)};
      if (kind == 1) p.z = 0.0;                                            // A plane.
      if (kind == 2) p = {std::round(3 * p.x), std::round(3 * p.y), 0.0};  // Coinciding points.
      if (kind == 3 && i % 2 == 1) p = points.back() + 1e-9 * p;           // Crowds.
      if (kind == 4) p = {p.x, 0.0, 0.0};                                  // A line.
      points.push_back(kind == 3 ? p : scale * p);
    }
    ASSERT_EQ(closest.distance(points), slow_distance(points)) << "round " << round;
  }
}

/// Neighbours in the points' order bound the distance; the closest pair is just below that bound, anywhere
/// among points that are farther apart.
TEST(ClosestPair, IsFoundJustBelowItsFirstBound) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(-1.0, 1.0), part(0.5, 1.0);
  const auto direction = [&] {
    Vec3 d;
    do d = {unit(random), unit(random), unit(random)};
    while (squared_norm(d) > 1.0 || squared_norm(d) < 0.1);
    return (1.0 / norm(d)) * d;
  };
  ClosestPair closest;
  for (int round = 0; round < 3000; ++round) {
    VectorArray points;
    for (int cell = 0; cell < 27; ++cell)
      points.push_back(Vec3{4.0 * (cell % 3), 4.0 * (cell / 3 % 3), 4.0 * (cell / 9)} +
                       0.5 * Vec3{unit(random), unit(random), unit(random)});
    points.push_back(points.back() + direction());                         // The bound: 1 m.
    points.push_back(points[random() % 26] + part(random) * direction());  // The closest pair.
    ASSERT_EQ(closest.distance(points), slow_distance(points)) << round;
    closest = {};
  }
}

TEST(ClosestPair, OfFewerThanTwoIsInfinite) {
  ClosestPair closest;
  EXPECT_EQ(closest.distance({}), infinity);
  const VectorArray one{{1, 2, 3}};
  EXPECT_EQ(closest.distance(one), infinity);
}

TEST(Observables, AreThoseOfTheirDefinitions) {
  Observer observer;
  const std::vector<double> masses{1.0, 3.0}, charges{1e-6, 0.0};
  const VectorArray x{{0, 0, 0}, {4, 0, 0}}, v{{0, 1, 0}, {0, 0, 2}};
  const Observables o = observer.observe(0.5, masses, charges, x, v);
  EXPECT_EQ(o.centre_of_mass, (Vec3{3, 0, 0}));
  EXPECT_DOUBLE_EQ(o.radius_of_gyration, std::sqrt((9.0 + 3.0) / 4.0));
  EXPECT_EQ(o.linear_momentum, (Vec3{0, 1, 6}));
  EXPECT_EQ(o.angular_momentum, (Vec3{0, -24, 0}));
  EXPECT_EQ(o.smallest_charge_distance, infinity);
  const std::string row = observables_row(o);
  EXPECT_EQ(row.substr(row.rfind(',')), ",inf");
  EXPECT_EQ(std::count(row.begin(), row.end(), ','),
            std::count(observables_header, observables_header + std::string(observables_header).size(), ','));
  const std::vector<double> both{1e-6, -1e-6};
  EXPECT_EQ(observer.observe(0.5, masses, both, x, v).smallest_charge_distance, 4.0);
}

TEST(EnergyTable, ReadsBackToTheSameBitsAndLeavesOutARowCutShort) {
  const TemporaryFolder folder;
  const std::string path = folder / "energy.csv";
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-300, 300);
  std::vector<EnergyRow> rows;
  {
    RowFile file(path, energy_header);
    for (int k = 0; k < 200; ++k) {
      const auto number = [&] { return std::pow(10.0, exponent(random)) * (random() % 2 == 0 ? 1 : -1); };
      rows.push_back({number(), {number(), number(), number(), number(), number()}, number(), number()});
      file.append(energy_row(rows.back()));
    }
  }
  const std::string text = read_file(path);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "time,kinetic,elastic,coulomb,external,gravity,total,work,dissipation");
  std::ofstream(path, std::ios::app) << "1,2,3";
  const auto read = read_energies(path);
  ASSERT_EQ(read.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(energy_row(read[k]), energy_row(rows[k]));
  {
    RowFile file(path, static_cast<Count>(text.size()));
    file.append(energy_row(rows[0]));
  }
  EXPECT_EQ(read_file(path), text + energy_row(rows[0]) + "\n");
  EXPECT_THROW(RowFile(path, static_cast<Count>(text.size()) * 9), IoError);
  std::ofstream(folder / "other.csv") << "a,b\n1,2\n";
  EXPECT_THROW(static_cast<void>(read_energies(folder / "other.csv")), IoError);
}

TEST(EnergyTable, WritesSeventeenDigits) {
  EXPECT_EQ(energy_row({0.1, {1.0 / 3.0, 0, 0, 0, 0}, 2.0, 0.2}),
            "0.10000000000000001,0.33333333333333331,0,0,0,0,0.33333333333333331,2,0.20000000000000001");
}

TEST(EnergyTable, OfAnEarlierVersionHasNoWork) {
  const TemporaryFolder folder;
  const std::string path = folder / "energy.csv";
  std::ofstream(path)
      << "time,kinetic,elastic,coulomb,external,gravity,total\n0,1,2,3,4,5,15\n1,1,2,3,4,6,16\n";
  const auto rows = read_energies(path);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].energies.gravity, 6.0);
  EXPECT_TRUE(std::isnan(rows[1].work) && std::isnan(rows[1].dissipation) && std::isnan(rows[1].balance()));
  EXPECT_FALSE(balance_chart(rows).has_value());
  EXPECT_EQ(energy_plot(rows, "old"), chart_svg(energy_chart(rows, "old")));
  std::ofstream(path, std::ios::app) << "2,1,2,3,4,6,16,7,8\n";
  EXPECT_THROW(static_cast<void>(read_energies(path)), IoError);
}

TEST(Ticks, AreRoundAndInsideOrAround) {
  const Ticks inside = make_ticks(0.0, 15.0, 8, false);
  EXPECT_EQ(inside.step, 2.0);
  EXPECT_EQ(inside.last(), 14.0);
  const Ticks around = make_ticks(-0.13, 0.92, 7, true);
  EXPECT_EQ(around.label(0), "\u22120.2");
  EXPECT_EQ(around.label(1), "0.0");
  EXPECT_EQ(around.label(around.intervals), "1.0");
  EXPECT_EQ(unit_prefix(0.02).symbol, "m");
  EXPECT_EQ(unit_prefix(0.0).symbol, "");
}

std::vector<std::string> names(const Chart& chart) {
  std::vector<std::string> result;
  for (const Series& series : chart.series) result.push_back(series.name);
  return result;
}

TEST(EnergyPlot, ShowsTheColumnsThatAreNotZeroInAUnitThatFits) {
  std::vector<EnergyRow> rows;
  for (int k = 0; k < 1500; ++k) {
    const double t = 1e-2 * k;
    rows.push_back(
        {t,
         {1e-3 * (1 + std::sin(2 * t)), 1e-3 * (1 - std::sin(2 * t)), 3e-3 / (1 + t), 0, -4e-5 * t},
         0.0,
         0.0});
  }
  const Chart chart = energy_chart(rows, "a < b");
  EXPECT_EQ(names(chart), (std::vector<std::string>{"kinetic", "elastic", "Coulomb", "gravity", "total"}));
  EXPECT_EQ(chart.title, "a < b");
  EXPECT_EQ(chart.x.label, "time (s)");
  EXPECT_EQ(chart.x.low, rows.front().time);
  EXPECT_EQ(chart.x.high, rows.back().time);
  EXPECT_EQ(chart.y.label, "energy (mJ)");
  ASSERT_EQ(chart.series[4].y.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(chart.series[0].x[k], rows[k].time);
    EXPECT_DOUBLE_EQ(chart.series[0].y[k], 1e3 * rows[k].energies.kinetic);
    EXPECT_DOUBLE_EQ(chart.series[4].y[k], 1e3 * rows[k].energies.total());
  }
  EXPECT_GT(chart.series[4].stroke, chart.series[0].stroke);
  for (std::size_t a = 0; a < chart.series.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(chart.series[a].colour, chart.series[b].colour);
  const std::string svg = energy_plot(rows, "a < b");
  const std::vector<Chart> both{chart, balance_chart(rows).value()};
  EXPECT_EQ(svg, charts_svg(both));
  EXPECT_TRUE(chart.series[4].dashed) << "what is as large as the total is seen through it";
  if (const char* keep = std::getenv("ELECTRET_TEST_KEEP_PLOT")) std::ofstream(keep) << chart_png(chart);
}

/// A drift of a nanojoule beside energies of a joule, with work and dissipation a thousand times the drift.
TEST(EnergyPlot, ShowsTheBalanceOnAnAxisOfItsOwn) {
  std::vector<EnergyRow> rows;
  for (int k = 0; k <= 100; ++k) {
    const double t = 0.1 * k, work = 2e-6 * t, dissipation = 1e-6 * t, drift = -1e-9 * t;
    rows.push_back({t, {1.0 + work - dissipation + drift, 0, 0, 0, 0}, 7.0 + work, 3.0 + dissipation});
  }
  const Chart chart = balance_chart(rows).value();
  EXPECT_EQ(chart.y.label, "change (nJ)");
  ASSERT_EQ(chart.series.size(), 1U);
  ASSERT_EQ(chart.series[0].y.size(), rows.size());
  EXPECT_EQ(chart.series[0].y[0], 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k)
    EXPECT_NEAR(chart.series[0].y[k], -rows[k].time, 1e-5) << k;  // of rounding in joules: 1e-15 J
  EXPECT_FALSE(balance_chart({}).has_value());
  if (const char* keep = std::getenv("ELECTRET_TEST_KEEP_PLOT")) std::ofstream(keep) << chart_png(chart);
}

TEST(EnergyPlot, KeepsExtremesOfManyRowsWhereverTheyAre) {
  // 5000 rows are drawn by stretches of 5: one row stands out, the first, … the last of a stretch.
  for (std::size_t spike = 2500; spike < 2506; ++spike)
    for (const double height : {17.0, -17.0}) {
      std::vector<EnergyRow> rows;
      for (int k = 0; k < 5000; ++k) rows.push_back({1e-4 * k, {1.0 + 1e-3 * (k % 3), 0, 0, 0, 0}, 0.0, 0.0});
      rows[spike].energies.kinetic = height;
      const Chart chart = energy_chart(rows, "");
      const auto& y = chart.series[0].y;
      EXPECT_LE(y.size(), 2000u);
      EXPECT_EQ(std::count(y.begin(), y.end(), height), 1) << spike;
      EXPECT_TRUE(std::is_sorted(chart.series[0].x.begin(), chart.series[0].x.end()));
    }
}

TEST(EnergyPlot, DrawsOneRowNoneAndAnyTitle) {
  EXPECT_THAT(energy_plot({}, "nothing"), HasSubstr("</svg>"));
  const EnergyRow one{0.0, {1, 2, 3, 4, 5}, 0.0, 0.0};
  const Chart chart = energy_chart({&one, 1}, "one");
  ASSERT_EQ(chart.series.size(), 6u);
  for (const Series& series : chart.series) EXPECT_EQ(series.marker, Marker::circle);
  EXPECT_THAT(energy_plot({&one, 1}, "not UTF-8: \xff, a bell \a and <&>"), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace electret
