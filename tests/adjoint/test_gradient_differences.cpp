/// Gradients by every parameter of the registry against central differences of whole runs, method by method.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/scene/parameters.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

double loss_at(const Assembly& assembly, const Parameter& parameter, const std::vector<double>& values) {
  Assembly changed = assembly;
  parameter.write(changed, values);
  Simulator simulator(compile(std::move(changed), 1));
  MixedLoss loss;
  return loss_of_run(simulator, loss);
}

/// Five-point difference of the loss along `direction`, `step` of it at a time.
double difference(const Assembly& assembly, const Parameter& parameter, const std::vector<double>& direction,
                  double step) {
  const std::vector<double> base = parameter.read(assembly);
  const auto at = [&](double s) {
    std::vector<double> moved = base;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += s * step * direction[k];
    return loss_at(assembly, parameter, moved);
  };
  return (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * step);
}

double length(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double value : a) sum += value * value;
  return std::sqrt(sum);
}

/// How far differences go: a small part of what the parameter is, or of what its kind usually is.
double reach(const Parameter& parameter, const std::vector<double>& values) {
  const double size = length(values) / std::sqrt(static_cast<double>(values.size()));
  if (size > 0.0) return 1e-3 * size;
  return parameter.unit == "C" ? 1e-8 : 1e-3;
}

class GradientDifferences : public testing::TestWithParam<std::string_view> {};

TEST_P(GradientDifferences, AgreeForEveryParameter) {
  const Assembly assembly = adjoint_scene(std::string(GetParam()));
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  const AssemblyGradient gradient = loss_and_gradient(simulator, loss).gradient;
  std::size_t seen = 0;
  for (const Parameter& parameter : parameters(assembly)) {
    const std::vector<double> slope = parameter.pull(gradient);
    const double size = length(slope);
    ASSERT_GT(size, 0.0) << parameter.name;
    // The clamped Hessian of linear_implicit has kinks where a spring passes its rest length.
    const bool may_kink = GetParam() == "linear_implicit" && (parameter.name == "body.net.positions" ||
                                                              parameter.name == "body.net.rest_lengths");
    const double step = (may_kink ? 0.01 : 1.0) * reach(parameter, parameter.read(assembly));
    // Along the gradient itself, and along a direction that averages nothing away.
    for (int trial = 0; trial < (slope.size() == 1 ? 1 : 2); ++trial) {
      std::vector<double> direction(slope.size());
      double expected = 0.0;
      for (std::size_t k = 0; k < slope.size(); ++k) {
        direction[k] = trial == 0 ? slope[k] / size : std::sin(5.0 * static_cast<double>(k) + 1.0);
        expected += direction[k] * slope[k];
      }
      EXPECT_NEAR(expected, difference(assembly, parameter, direction, step), 1e-6 * size)
          << parameter.name << ", direction " << trial;
    }
    ++seen;
  }
  EXPECT_GE(seen, 20U);
}

/// Large enough for expansions: most pairs are summed through them. The field's own error, here 1e-7, is
/// noise to differences.
TEST(GradientOfFmm, AgreesWithDifferencesWhereExpansionsCarryIt) {
  const Assembly assembly =
      adjoint_scene("verlet", {"body.0.generate.nx=14", "body.0.generate.ny=14", "body.0.generate.nz=14",
                               "time.steps=2", "coulomb.solver=fmm", "coulomb.accuracy=1e-7"});
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  const AssemblyGradient gradient = loss_and_gradient(simulator, loss).gradient;
  for (const char* name : {"body.net.charges", "external_charge.1.values"}) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> slope = parameter.pull(gradient);
    const double size = length(slope);
    std::vector<double> direction(slope.size());
    double expected = 0.0;
    for (std::size_t k = 0; k < slope.size(); ++k) {
      direction[k] = slope[k] / size + std::sin(5.0 * static_cast<double>(k) + 1.0) /
                                           std::sqrt(static_cast<double>(slope.size()));
      expected += direction[k] * slope[k];
    }
    const std::vector<double> values = parameter.read(assembly);
    const double step = 0.02 * length(values) / length(direction);
    EXPECT_NEAR(expected, difference(assembly, parameter, direction, step), 1e-4 * size) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, GradientDifferences, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace electret::test
