/// Designs: which run has which values.

#include <cmath>
#include <fstream>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/design.hpp>
#include <electret/sweep/points.hpp>

#include "../record/temporary_folder.hpp"

namespace electret::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

SweepDesign design_of(const std::string& rest, const std::string& sweep = "",
                      const std::string& folder = ".") {
  Report report;
  const SweepJob job =
      parse_sweep_job("[sweep]\nscene = \"s.toml\"\n" + sweep + "\n" + rest, "job.toml", folder, report);
  SweepDesign design = make_design(job, report);
  report.throw_if_any("job.toml");
  return design;
}

std::string fault_of(const std::string& rest, const std::string& sweep = "",
                     const std::string& folder = ".") {
  try {
    (void)design_of(rest, sweep, folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string vary(const std::string& key, const std::string& more) {
  return "[[vary]]\nkey = \"" + key + "\"\n" + more + "\n";
}

TEST(SweepDesign, AGridAdvancesItsLastKeyFastest) {
  const SweepDesign design =
      design_of(vary("a", "values = [1, 2]") + vary("b", "values = [\"x\", \"y\", \"z\"]"));
  EXPECT_THAT(design.keys(), ElementsAre("a", "b"));
  ASSERT_EQ(design.runs(), 6);
  EXPECT_THAT(design.overrides(0), ElementsAre("a=1", "b=x"));
  EXPECT_THAT(design.overrides(1), ElementsAre("a=1", "b=y"));
  EXPECT_THAT(design.overrides(5), ElementsAre("a=2", "b=z"));
}

TEST(SweepDesign, KeysOfOneTextAdvanceTogether) {
  const SweepDesign design =
      design_of(vary("a", "values = [1, 2]\ntogether = \"t\"") + vary("c", "values = [5, 6, 7]") +
                vary("b", "values = [3, 4]\ntogether = \"t\""));
  ASSERT_EQ(design.runs(), 6);
  EXPECT_THAT(design.overrides(2), ElementsAre("a=1", "c=7", "b=3"));
  EXPECT_THAT(design.overrides(3), ElementsAre("a=2", "c=5", "b=4"));
}

TEST(SweepDesign, SeveralKeysGetOneValue) {
  const SweepDesign design = design_of("[[vary]]\nkeys = [\"a\", \"b\"]\nvalues = [1, 2]\n");
  EXPECT_THAT(design.overrides(1), ElementsAre("a=2", "b=2"));
}

TEST(SweepDesign, ARangeEndsExactlyAtItsEnds) {
  const SweepDesign linear = design_of(vary("a", "range = [0.1, 0.7]\npoints = 4"));
  EXPECT_EQ(linear.number(0, 0), 0.1);
  EXPECT_NEAR(*linear.number(1, 0), 0.3, 1e-16);
  EXPECT_EQ(linear.number(3, 0), 0.7);
  const SweepDesign log = design_of(vary("a", "range = [1e-7, 1e-3]\npoints = 5\nscale = \"log\""));
  EXPECT_EQ(log.number(0, 0), 1e-7);
  EXPECT_NEAR(*log.number(2, 0) / 1e-5, 1.0, 1e-14);
  EXPECT_EQ(log.number(4, 0), 1e-3);
}

TEST(SweepDesign, MoreSamplesKeepTheFirstRuns) {
  const std::string tables =
      vary("m", "values = [\"x\", \"y\"]") + vary("a", "range = [1, 2]") + vary("b", "normal = [3, 0.5]");
  for (const char* method : {"random", "sobol"}) {
    if (method == std::string("sobol") && !has_sobol_points()) continue;
    const std::string sweep = std::string("method = \"") + method + "\"\nsamples = ";
    const SweepDesign few = design_of(tables, sweep + "20"), many = design_of(tables, sweep + "30");
    ASSERT_EQ(few.runs(), 40);
    ASSERT_EQ(many.runs(), 60);
    EXPECT_FALSE(few.first_difference(many));
    EXPECT_EQ(many.first_difference(few), 40);
    // Both methods meet the same points.
    EXPECT_EQ(few.value(6, 1), few.value(7, 1));
    EXPECT_EQ(few.value(6, 0), "x");
    EXPECT_EQ(few.value(7, 0), "y");
    for (Count run = 0; run < 40; ++run) {
      EXPECT_GT(*few.number(run, 1), 1.0);
      EXPECT_LT(*few.number(run, 1), 2.0);
    }
    double mean = 0.0, square = 0.0;
    for (Count run = 0; run < 60; ++run) {
      const double value = (*many.number(run, 2) - 3.0) / 0.5;
      mean += value / 60, square += value * value / 60;
    }
    EXPECT_NEAR(mean, 0.0, 4 / std::sqrt(30.0));
    EXPECT_NEAR(square, 1.0, 4 * std::sqrt(2.0 / 30));
  }
}

TEST(SweepDesign, SampledKeysHaveTheCoordinatesOfTheSeedsPoints) {
  const std::string tables = vary("a", "range = [2, 5]") + vary("m", "values = [\"x\", \"y\"]") +
                             vary("b", "range = [-1, 0.5]") + vary("c", "normal = [3, 0.5]");
  const std::vector<std::string> sampled{"a", "b", "c"};
  for (const std::string method : {"random", "sobol"}) {
    if (method == "sobol" && !has_sobol_points()) continue;
    const SweepDesign design = design_of(tables, "method = \"" + method + "\"\nseed = 7\nsamples = 12");
    ASSERT_EQ(design.runs(), 24);
    const auto points = method == "sobol" ? sobol_points(sampled, 7) : random_points(sampled, 7);
    for (Count run = 0; run < design.runs(); run += 2) {
      const std::vector<double> point = points->next();
      for (const Count each : {run, run + 1}) {
        EXPECT_EQ(design.number(each, 0), 2.0 + 3.0 * point[0]) << method << " " << each;
        EXPECT_EQ(design.number(each, 2), -1.0 + 1.5 * point[1]) << method << " " << each;
        EXPECT_EQ(design.number(each, 3), 3.0 + 0.5 * normal_quantile(point[2])) << method << " " << each;
      }
    }
  }
}

TEST(SweepDesign, TellsItsFirstDifference) {
  const SweepDesign design = design_of(vary("a", "values = [1, 2, 3]"));
  EXPECT_EQ(design.first_difference(design_of(vary("a", "values = [1, 5, 3]"))), 1);
  EXPECT_EQ(design.first_difference(design_of(vary("b", "values = [1, 2, 3]"))), 0);
  EXPECT_FALSE(design.first_difference(design_of(vary("a", "values = [1, 2, 3, 4]"))));
}

TEST(SweepDesign, ItsFileHoldsEveryBit) {
  const TemporaryFolder folder;
  const SweepDesign design =
      design_of(vary("m", "values = [\"x\", \"y\"]") + vary("a", "range = [1e-9, 1e9]\nscale = \"log\""),
                "samples = 50");
  write_design(folder / "design.csv", design);
  const SweepDesign read = read_design(folder / "design.csv");
  EXPECT_EQ(read.keys(), design.keys());
  ASSERT_EQ(read.runs(), 100);
  EXPECT_FALSE(design.first_difference(read));
  std::ofstream(folder / "design.csv") << "run,a\n0,1\n2,1\n";
  EXPECT_THROW((void)read_design(folder / "design.csv"), InputError);
}

TEST(SweepDesign, ATableThatIsNotPlainIsReadWithTheSameValues) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    std::ofstream(folder / "t.csv", std::ios::binary) << text;
    EXPECT_FALSE(read_plain_design(folder / "t.csv", false)) << text;
    return design_of("", "table = \"t.csv\"", folder.path());
  };
  const std::string plain = "a,run,b\n1,7,x\n2.5,9,y z\n";
  std::ofstream(folder / "t.csv", std::ios::binary) << plain;
  const SweepDesign wanted = read_plain_design(folder / "t.csv", false).value();
  EXPECT_THAT(wanted.keys(), ElementsAre("a", "b"));
  EXPECT_THAT(wanted.overrides(1), ElementsAre("a=2.5", "b=y z"));
  EXPECT_FALSE(read_plain_design(folder / "t.csv", true)) << "its runs are not numbered";
  for (const char* text : {"a,run,b\r\n1,7,x\r\n2.5,9,y z\r\n", "a,run,b\n1,7,x\n2.5,9,y z",
                           "# t\na,run,b\n1,7,x\n2.5,9,y z\n", "a,run,b\n1,7,x\n\n2.5,9,y z\n",
                           "a,run,\"b\"\n1 ,\t7,x\n2.5,9,\"y z\"\n", "a,run,b\n1,7,x\t\n2.5,9,y z\n"}) {
    const SweepDesign other = read(text);
    EXPECT_EQ(other.keys(), wanted.keys()) << text;
    EXPECT_EQ(other.first_difference(wanted), std::nullopt) << text;
    EXPECT_EQ(other.runs(), 2) << text;
  }
}

TEST(SweepDesign, MayComeFromATable) {
  const TemporaryFolder folder;
  std::ofstream(folder / "t.csv") << "body.0.charge,integrator.method\n1e-6,imex\n2e-6,verlet\n";
  const SweepDesign design = design_of("", "table = \"t.csv\"", folder.path());
  ASSERT_EQ(design.runs(), 2);
  EXPECT_THAT(design.overrides(1), ElementsAre("body.0.charge=2e-6", "integrator.method=verlet"));
  EXPECT_THAT(fault_of("", "table = \"none.csv\"", folder.path()),
              HasSubstr("job.toml:3:9: error: table \"none.csv\": cannot read "));
  std::ofstream(folder / "t.csv") << "a b,c\n1,\n2\n";
  EXPECT_THAT(fault_of("", "table = \"t.csv\"", folder.path()), HasSubstr("t.csv:3"));
  std::ofstream(folder / "t.csv") << "a b,c\n1,\n2,3\n";
  const std::string all = fault_of("", "table = \"t.csv\"", folder.path());
  EXPECT_THAT(all, HasSubstr("\"a b\" is no key"));
  EXPECT_THAT(all, HasSubstr("run 0 has no value of \"c\""));
}

TEST(SweepDesign, TheTableOfAnotherSweepMayBeTheTable) {
  const TemporaryFolder folder;
  const SweepDesign first = design_of(vary("a", "values = [1, 2]") + vary("b", "values = [\"x\", \"y\"]"));
  write_design(folder / "design.csv", first);
  const SweepDesign second = design_of("", "table = \"design.csv\"", folder.path());
  EXPECT_EQ(second.keys(), first.keys());
  EXPECT_FALSE(first.first_difference(second));
  EXPECT_EQ(second.runs(), 4);
  std::ofstream(folder / "t.csv") << "run\n0\n1\n";
  EXPECT_THAT(fault_of("", "table = \"t.csv\"", folder.path()), HasSubstr("the table has no key"));
}

TEST(SweepDesign, TextsOfATableAreThoseThatItsOwnTableCanHold) {
  const TemporaryFolder folder;
  std::ofstream(folder / "t.csv") << "body.0.mesh,body.0.name\na.obj,\"\"a\"\"\nb#.obj,\"ball\"\n";
  const std::string all = fault_of("", "table = \"t.csv\"", folder.path());
  EXPECT_THAT(all, HasSubstr("t.csv:2:7: error: run 0: \"\"a\"\" cannot stand in a table"));
  EXPECT_THAT(all, HasSubstr("t.csv:3:1: error: run 1: \"b#.obj\" cannot stand in a table"));
  EXPECT_THAT(all, Not(HasSubstr("ball")));
}

TEST(SweepDesign, ContradictionsAreTold) {
  EXPECT_THAT(fault_of(""), HasSubstr("nothing varies"));
  EXPECT_THAT(fault_of(vary("a", "values = [1]") + vary("a", "values = [2]")),
              HasSubstr("job.toml:8:7: error: \"a\" varies twice"));
  EXPECT_THAT(fault_of(vary("a b", "values = [1]")), HasSubstr("\"a b\" is no key"));
  EXPECT_THAT(fault_of(vary("a", "values = [\"x,y\"]")), HasSubstr("cannot stand in a table"));
  EXPECT_THAT(
      fault_of(vary("a", "values = [1, 2]\ntogether = \"t\"") + vary("b", "values = [1]\ntogether = \"t\"")),
      HasSubstr("1 values advance together with 2 of \"a\""));
  EXPECT_THAT(fault_of(vary("a", "range = [1, 2]")), HasSubstr("\"samples\" in [sweep] is missing"));
  EXPECT_THAT(fault_of(vary("a", "values = [1]"), "samples = 5"),
              HasSubstr("\"samples\" without a sampled key"));
  if (!has_sobol_points()) {
    EXPECT_THAT(fault_of(vary("a", "range = [1, 2]"), "method = \"sobol\"\nsamples = 4"),
                HasSubstr("libboost-dev"));
  }
  std::string many;
  for (const char* key : {"a", "b", "c", "d"}) many += vary(key, "range = [1, 2]\npoints = 1000");
  EXPECT_THAT(fault_of(many), HasSubstr("1e+12 runs"));
}

}  // namespace
}  // namespace electret::test
