/// Fits of one value for numbers that differ: wherever it is written, the numbers keep their differences, and
/// the derivative is that of what is written.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/fit/fit_plan.hpp>
#include <electret/scene/read.hpp>

#include "fit_testing.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// A chain of two kinds of springs, 10 and 100 N/m, and of unequal masses.
Assembly chain() {
  constexpr const char* text = R"toml(
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-12
[gravity]
acceleration = [0, 0, -9.81]
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 4 }
masses = [0.1, 0.2, 0.3, 0.6]
  [[body.springs]]
  stiffness = 10.0
  [[body.springs]]
  from = "pairs"
  pairs = [[0, 2], [1, 3]]
  stiffness = 100.0
  [[body.group]]
  name = "top"
  indices = [0]
  [[body.pin]]
  group = "top"
)toml";
  return load_scene_text(text, "chain.toml", "", {}, read_regular_file);
}

struct Planned {
  FitPlan plan;
  std::string findings;
};

/// The plan of a job whose [[parameter]] is the body's `name` with these lines.
Planned planned(const std::string& name, const std::string& lines) {
  const std::filesystem::path folder(::testing::TempDir());
  const std::string file = (folder / "common_values.toml").string();
  std::ofstream(file) << fmt::format(
      "[fit]\nscene = \"chain.toml\"\n[[parameter]]\nname = \"body.chain.{}\"\n{}\n"
      "[[loss]]\nof = \"centre_of_mass:0.2,0.1,-0.05\"\n",
      name, lines);
  Report report;
  const FitJob job = read_fit_job(file, report);
  try {
    return {plan_fit(job, report, file, [](const std::vector<std::string>&) { return chain(); }), ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

std::vector<double> stiffnesses(const Assembly& assembly) {
  return find_parameter(assembly, "body.chain.stiffnesses").read(assembly);
}

TEST(CommonValues, StartWithTheDifferencesThatTheSceneHas) {
  const Planned at = planned("stiffness", "start = 60.0");
  ASSERT_EQ(at.findings, "");
  const double mean = find_parameter(chain(), "body.chain.stiffness").read(chain())[0];
  std::vector<double> wanted = stiffnesses(chain());
  for (double& value : wanted) value += 60.0 - mean;
  EXPECT_THAT(stiffnesses(at.plan.assembly), ::testing::Pointwise(::testing::DoubleNear(1e-12), wanted));
  ASSERT_EQ(at.plan.options.starts.size(), 1U);
  EXPECT_NEAR(at.plan.options.starts[0][0], 60.0, 1e-12);
}

TEST(CommonValues, ThatStartAtTheirOwnMeanChangeNothing) {
  const double mean = find_parameter(chain(), "body.chain.stiffness").read(chain())[0];
  const Planned with = planned("stiffness", fmt::format("start = {:.17g}", mean));
  const Planned without = planned("stiffness", "");
  EXPECT_EQ(stiffnesses(with.plan.assembly), stiffnesses(chain()));
  EXPECT_EQ(with.plan.options.starts, without.plan.options.starts);
}

TEST(CommonValues, OfAScanAreThoseOfTheStart) {
  std::vector<std::vector<double>> losses;
  for (const char* start : {"", "start = 80.0"}) {
    const Planned one = planned("stiffness", start);
    losses.push_back(scan_loss(one.plan.assembly, one.plan.parameters, *one.plan.loss, {{50.0}, {55.0}}, 1));
  }
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(losses[0][k], losses[1][k], 1e-12 * losses[0][k]);
}

TEST(CommonValues, HaveTheDerivativeOfWhatIsWritten) {
  for (const char* name : {"stiffness", "mass"}) {
    const double start = name[0] == 's' ? 60.0 : 0.7, step = 1e-4 * start;
    const Planned one = planned(name, fmt::format("start = {}", start));
    ASSERT_EQ(one.findings, "");
    Simulator run(compile(one.plan.assembly, 1));
    const LossAndGradient found = loss_and_gradient(run, *one.plan.loss);
    const std::vector<double> slope = one.plan.parameters[0].parameter.pull(found.gradient);
    const std::vector<double> losses = scan_loss(one.plan.assembly, one.plan.parameters, *one.plan.loss,
                                                 {{start - step}, {start + step}}, 1);
    ASSERT_EQ(slope.size(), 1U);
    EXPECT_NEAR(slope[0], (losses[1] - losses[0]) / (2.0 * step), 1e-6 * std::abs(slope[0])) << name;
    EXPECT_NE(slope[0], 0.0);
  }
}

TEST(CommonValues, KeepEachNumberInItsRange) {
  const std::string wrong = planned("stiffness", "start = 5.0").findings;
  EXPECT_THAT(wrong, HasSubstr("common_values.toml:5:9: error: \"start\" = 5 is out of range; allowed: ≥ "));
  EXPECT_THAT(wrong, HasSubstr(", so that each of the values that it shifts stays ≥ 0"));
  EXPECT_THAT(planned("stiffness",
                      "[[scan]]\nparameter = \"body.chain.stiffness\"\nfrom = 5.0\nto = 60.0\npoints = 3")
                  .findings,
              HasSubstr("\"from\" = 5 is out of range; allowed: ≥ "));
  // A list's values all start at the number itself.
  const Planned list = planned("stiffnesses", "start = 5.0");
  EXPECT_THAT(stiffnesses(list.plan.assembly), ::testing::Each(5.0));
}

}  // namespace
}  // namespace electret::test
