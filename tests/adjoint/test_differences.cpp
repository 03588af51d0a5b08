/// Derivatives by differences, against functions whose derivatives are known.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>

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

TEST(Differences, OfPlacesDoNotDependOnTheOrigin) {
  Assembly far = adjoint_scene("verlet");
  const Vec3 shift{1e5, 0, 0};
  for (Vec3& x : far.initial_positions) x += shift;
  for (ExternalChargeTrack& track : far.external_charges)
    for (Vec3& x : track.position.values) x += shift;
  const Assembly near = adjoint_scene("verlet");
  // Smooth, and of the places relative to the first vertex alone.
  const auto loss = [](const Assembly& a) {
    double sum = 0.0;
    for (std::size_t i = 1; i < a.initial_positions.size(); ++i)
      sum += std::sin(3.0 * (a.initial_positions[i].x - a.initial_positions[0].x));
    for (const ExternalChargeTrack& track : a.external_charges)
      for (const Vec3& x : track.position.values)
        sum += 1.0 / (1.0 + squared_norm(x - a.initial_positions[0]));
    return sum;
  };
  for (const char* name : {"body.net.positions", "external_charge.0.position"}) {
    const Parameter parameter = find_parameter(near, name);
    const auto here = differences(near, parameter, loss), there = differences(far, parameter, loss);
    double largest = 0.0;
    for (const Difference& each : here) largest = std::max(largest, std::abs(each.value));
    ASSERT_GT(largest, 1e-3) << name;
    for (std::size_t k = 0; k < here.size(); ++k)
      EXPECT_NEAR(there[k].value, here[k].value, 1e-7 * largest) << name << k;
  }
}

/// Young's modulus and Poisson's ratio of a solid near and at the ends of their ranges.
TEST(Differences, NoValueLeavesItsRange) {
  const auto cube = [](double ratio) {
    return load_scene_text(
        "[time]\nstep = 0.01\nsteps = 2\n[[body]]\nname = \"c\"\ndensity = 1000\n"
        "velocity = [0.1, 0, 0]\n"
        "generate = { shape = \"box\", cells = [1, 1, 1], cell_size = 0.1, element = \"hex\" }\n"
        "[[body.material]]\nmodel = \"linear\"\nyoungs_modulus = 1e4\npoissons_ratio = " +
            std::to_string(ratio) + "\n",
        "scene.toml", ".", {}, read_regular_file);
  };
  for (const double ratio : {0.3, 0.4955, 0.49999}) {
    const Assembly assembly = cube(ratio);
    const Parameter parameter = find_parameter(assembly, "body.c.poissons_ratio");
    const auto loss = [&](const Assembly& a) {
      const double now = parameter.read(a)[0];
      EXPECT_TRUE(parameter.range.contains(now)) << now;
      return 1.0 / (1.0 - 2.0 * now);
    };
    const double exact = 2.0 / ((1.0 - 2.0 * ratio) * (1.0 - 2.0 * ratio));
    EXPECT_NEAR(differences(assembly, parameter, loss)[0].value, exact, 1e-6 * exact) << ratio;
  }
  // A value at the end itself is moved away from it alone, to either side.
  const Assembly assembly = adjoint_scene("verlet");
  Parameter drag = find_parameter(assembly, "damping.drag");
  const double value = drag.read(assembly)[0];
  for (const bool at_top : {false, true}) {
    drag.range = at_top ? NumberRange{-1.0, value} : NumberRange{value, value + 1.0};
    const auto loss = [&](const Assembly& a) {
      const double now = drag.read(a)[0];
      EXPECT_TRUE(drag.range.contains(now)) << now;
      return std::exp(2.0 * (now - value));
    };
    EXPECT_NEAR(differences(assembly, drag, loss)[0].value, 2.0, 1e-8) << at_top;
  }
}

/// Members that share a value, of which it is the mean, keep within the range each.
TEST(Differences, NoMemberLeavesItsRange) {
  Assembly assembly = adjoint_scene("verlet");
  assembly.masses[0] = 1e-3 * assembly.masses[1];
  const Parameter mass = find_parameter(assembly, "body.net.mass");
  const auto loss = [&](const Assembly& a) {
    for (const double each : a.masses) EXPECT_GT(each, 0.0);
    return std::log(a.masses[0]);
  };
  const double exact = 1.0 / assembly.masses[0];
  EXPECT_NEAR(differences(assembly, mass, loss)[0].value, exact, 1e-6 * exact);
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
