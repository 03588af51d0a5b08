/// Derivatives by differences, against functions whose derivatives are known.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

TEST(Differences, ConvergeOnSmoothFunctions) {
  const Difference of_exp = difference([](double s) { return std::exp(3.0 * s); }, 0.2);
  EXPECT_NEAR(of_exp.value, 3.0, 1e-11);
  EXPECT_LT(of_exp.error, 1e-9);
  EXPECT_GE(2.0 * of_exp.error, std::abs(of_exp.value - 3.0));
  EXPECT_NEAR(difference([](double s) { return std::sin(1.0 + s); }, 0.5).value, std::cos(1.0), 1e-11);
  EXPECT_EQ(difference([](double) { return 4.0; }, 0.5).value, 0.0);
}

TEST(Differences, SeeBetweenKinks) {
  const auto kinked = [](double s) { return std::sin(s) + (s > 0.002 ? 5.0 * (s - 0.002) : 0.0); };
  EXPECT_NEAR(difference(kinked, 0.2).value, 1.0, 1e-9);
}

TEST(Differences, OneSidedOnesNeverLookBelow) {
  const Difference got = difference(
      [](double s) {
        EXPECT_GE(s, 0.0);
        return std::exp(3.0 * s);
      },
      0.2, true);
  EXPECT_NEAR(got.value, 3.0, 1e-8);
}

TEST(Differences, StepsThatDivergeAreLeftOut) {
  const auto diverges_far_out = [](double s) {
    return std::abs(s) > 0.06 ? std::numeric_limits<double>::infinity() : std::exp(s);
  };
  EXPECT_NEAR(difference(diverges_far_out, 0.2).value, 1.0, 1e-10);
  const Difference none = difference([](double s) { return s / 0.0 * 0.0; }, 0.2);
  EXPECT_EQ(none.error, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(none.value));
}

TEST(Differences, TellTheirNoise) {
  const Difference noisy = difference([](double s) { return s + 1e-6 * std::sin(1e9 * s + 1.0); }, 0.01);
  EXPECT_NEAR(noisy.value, 1.0, 1e-2);
  EXPECT_GT(noisy.error, 1e-8);
}

TEST(Differences, OfRunsAgreeWithTheGradient) {
  const Assembly assembly = adjoint_scene("verlet");
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  const AssemblyGradient gradient = loss_and_gradient(simulator, loss).gradient;
  const auto run = [](Assembly changed) {
    Simulator each(compile(std::move(changed), 1));
    MixedLoss its;
    return loss_of_run(each, its);
  };
  for (const char* name : {"body.net.charge[tip]", "body.net.pin[moved].offsets", "damping.drag"}) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> slope = parameter.pull(gradient);
    Count done = 0;
    Control control;
    control.progress = [&](const Progress& progress) { done = progress.done; };
    const auto found = differences(assembly, parameter, run, control);
    ASSERT_EQ(found.size(), slope.size());
    EXPECT_EQ(done, static_cast<Count>(slope.size()));
    for (std::size_t k = 0; k < slope.size(); ++k)
      EXPECT_NEAR(found[k].value, slope[k], 1e-7 * std::abs(slope[k]) + 10.0 * found[k].error) << name << k;
  }
}

TEST(Differences, CallersMistakesAreTold) {
  const auto f = [](double x) { return x; };
  EXPECT_THROW(difference(nullptr, 1.0), std::invalid_argument);
  EXPECT_THROW(difference(f, 0.0), std::invalid_argument);
  EXPECT_THROW(difference(f, std::numeric_limits<double>::infinity()), std::invalid_argument);
  const Assembly assembly = adjoint_scene("verlet");
  EXPECT_THROW(differences(assembly, parameters(assembly).front(), nullptr), std::invalid_argument);
}

TEST(Differences, StopWhenAskedTo) {
  const Assembly assembly = adjoint_scene("verlet");
  std::stop_source stop;
  Control control;
  control.stop = stop.get_token();
  int runs = 0;
  const auto run = [&](const Assembly&) {
    if (++runs == 3) stop.request_stop();
    return static_cast<double>(runs);
  };
  EXPECT_THROW(differences(assembly, find_parameter(assembly, "body.net.masses"), run, control), Cancelled);
  EXPECT_EQ(runs, 3);
}

}  // namespace
}  // namespace electret::test
