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

using ::testing::HasSubstr;
using testing::TemporaryFolder;

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
      rows.push_back({number(), {number(), number(), number(), number(), number()}});
      file.append(energy_row(rows.back()));
    }
  }
  const std::string text = read_file(path);
  EXPECT_EQ(text.substr(0, text.find('\n')), "time,kinetic,elastic,coulomb,external,gravity,total");
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
  EXPECT_EQ(energy_row({0.1, {1.0 / 3.0, 0, 0, 0, 0}}),
            "0.10000000000000001,0.33333333333333331,0,0,0,0,0.33333333333333331");
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

TEST(EnergyPlot, ShowsTheColumnsThatAreNotZeroAndEscapesItsTitle) {
  std::vector<EnergyRow> rows;
  for (int k = 0; k < 100000; ++k) {
    const double t = 1e-4 * k;
    rows.push_back({t, {1 + std::sin(9 * t), 1 - std::sin(9 * t), 3 / (1 + t), 0, -0.4 * t}});
  }
  rows[50000].energies.kinetic = 17.0;  // A peak of one row is kept.
  const std::string svg = energy_plot(rows, "a < b & \"c\"");
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; \"c\""));
  EXPECT_THAT(svg, HasSubstr(">kinetic<"));
  EXPECT_THAT(svg, ::testing::Not(HasSubstr(">external<")));
  const auto first = svg.find("<polyline"), points = svg.find("points=\"", first);
  const std::string curve = svg.substr(points, svg.find("\"/>", points) - points);
  EXPECT_LE(std::count(curve.begin(), curve.end(), ','), 2000);
  double highest = 540.0;  // Pixels, from the top.
  for (auto comma = curve.find(','); comma != std::string::npos; comma = curve.find(',', comma + 1))
    highest = std::min(highest, std::stod(curve.substr(comma + 1)));
  EXPECT_LT(highest, 56.0 + (478.0 - 56.0) * 0.2);
  EXPECT_THAT(energy_plot({}, "nothing"), HasSubstr("</svg>"));
  const EnergyRow one{0.0, {1, 2, 3, 4, 5}};
  const std::string dots = energy_plot({&one, 1}, "one");
  for (const char* colour : {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#222222"})
    EXPECT_THAT(dots, ::testing::ContainsRegex("<circle cx=\"84.00\" cy=\"[0-9.]+\" r=\"[0-9.]+\" fill=\"" +
                                               std::string(colour)));
  if (const char* keep = std::getenv("ELECTRET_TEST_KEEP_PLOT")) std::ofstream(keep) << svg;
}

}  // namespace
}  // namespace electret
