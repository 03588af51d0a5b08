/// Gradients by every parameter of the registry against central differences of whole runs, method by method.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/elastic/options.hpp>
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

/// How many parameters there are, after each has been compared: along its gradient, and, `trials` = 2, along
/// a direction that averages nothing away. `part`: of the usual reach of differences.
std::size_t compare_all(const Assembly& assembly, int trials, double (*part)(const Parameter&)) {
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  const AssemblyGradient gradient = loss_and_gradient(simulator, loss).gradient;
  std::size_t seen = 0;
  for (const Parameter& parameter : parameters(assembly)) {
    const std::vector<double> slope = parameter.pull(gradient);
    const double size = length(slope);
    EXPECT_GT(size, 0.0) << parameter.name;
    const double step = part(parameter) * reach(parameter, parameter.read(assembly));
    for (int trial = 0; trial < (slope.size() == 1 ? 1 : trials); ++trial) {
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
  return seen;
}

class GradientDifferences : public testing::TestWithParam<std::string_view> {};

TEST_P(GradientDifferences, AgreeForEveryParameter) {
  const bool is_clamped = GetParam() == "linear_implicit";
  // The clamped Hessian of linear_implicit has kinks where a spring passes its rest length.
  const auto kinked = [](const Parameter& p) {
    if (p.name == "body.net.positions" || p.name == "body.net.rest_lengths") return 0.01;
    return p.name.starts_with("body.net.stiffness") || p.name.starts_with("grab.") ? 0.02 : 1.0;
  };
  const auto smooth = [](const Parameter&) { return 1.0; };
  const Assembly assembly = adjoint_scene(std::string(GetParam()));
  EXPECT_GE(is_clamped ? compare_all(assembly, 2, kinked) : compare_all(assembly, 2, smooth), 20U);
}

/// Of solids, whose parameters the scene above lacks.
std::size_t compare_solid(const std::string& method, const std::string& element, const std::string& model) {
  // Five-point differences of rest positions and of the stage's minimum: neither too far nor too near.
  const auto part = [](const Parameter& p) { return p.source.kind == &number::rest_positions ? 0.1 : 1.0; };
  return compare_all(solid_adjoint_scene(method, element, model), 2, part);
}

class SolidGradients : public testing::TestWithParam<std::tuple<const char*, std::string_view>> {};

TEST_P(SolidGradients, AgreeForEveryModel) {
  EXPECT_GE(compare_solid("imex", std::get<0>(GetParam()), std::string(std::get<1>(GetParam()))), 25U);
}

INSTANTIATE_TEST_SUITE_P(Models, SolidGradients,
                         testing::Combine(testing::Values("hex", "tet"), testing::ValuesIn(material_models)),
                         [](const auto& of) {
                           return std::string(std::get<1>(of.param)) + "_" + std::get<0>(of.param);
                         });

class SolidGradientsOfMethods : public testing::TestWithParam<const char*> {};

TEST_P(SolidGradientsOfMethods, Agree) {
  EXPECT_GE(compare_solid(GetParam(), "hex", "stable_neo_hookean"), 25U);
}

INSTANTIATE_TEST_SUITE_P(Methods, SolidGradientsOfMethods,
                         testing::Values("newton", "kick_midpoint", "kick_trbdf2", "verlet",
                                         "symplectic_euler", "explicit_euler"),
                         [](const auto& of) { return std::string(of.param); });

class ObstacleGradients : public testing::TestWithParam<std::string_view> {};

TEST_P(ObstacleGradients, Agree) {
  // Springs of linear_implicit have kinks where they pass their rest length.
  const auto part = [](const Parameter& p) {
    return p.name.ends_with(".positions") || p.name.ends_with(".rest_lengths") ? 0.01 : 1.0;
  };
  EXPECT_GE(compare_all(obstacle_adjoint_scene(std::string(GetParam())), 2, part), 20U);
}

INSTANTIATE_TEST_SUITE_P(Methods, ObstacleGradients, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

class BallGradients : public testing::TestWithParam<std::string_view> {};

TEST_P(BallGradients, Agree) {
  // Springs of linear_implicit have kinks where they pass their rest length.
  const auto part = [](const Parameter& p) {
    return p.name.ends_with(".positions") || p.name.ends_with(".rest_lengths") ? 0.01 : 1.0;
  };
  // Charges and gravity move nothing here, or all alike.
  const Assembly assembly = ball_adjoint_scene(std::string(GetParam()));
  Simulator simulator(compile(assembly, 1, IdleForces::kept));
  MixedLoss loss;
  const AssemblyGradient gradient = loss_and_gradient(simulator, loss).gradient;
  for (const char* name : {"ball_contact.0.radius", "ball_contact.0.stiffnesses", "ball_contact.0.frictions",
                           "body.one.positions", "body.two.velocities", "body.one.stiffnesses"}) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> slope = parameter.pull(gradient);
    const double size = length(slope);
    ASSERT_GT(size, 0.0) << name;
    std::vector<double> direction = slope;
    for (double& each : direction) each /= size;
    const double step = part(parameter) * reach(parameter, parameter.read(assembly));
    EXPECT_NEAR(size, difference(assembly, parameter, direction, step), 1e-6 * size) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, BallGradients, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

/// Of one parameter, along its gradient and a direction that averages nothing away, together. `part`: of what
/// the parameter is.
void compare_along_both(const Assembly& assembly, const AssemblyGradient& gradient, const std::string& name,
                        double part, double tolerance) {
  const Parameter parameter = find_parameter(assembly, name);
  const std::vector<double> slope = parameter.pull(gradient);
  const double size = length(slope);
  ASSERT_GT(size, 0.0) << name;
  std::vector<double> direction(slope.size());
  double expected = 0.0;
  for (std::size_t k = 0; k < slope.size(); ++k) {
    direction[k] = slope[k] / size + std::sin(5.0 * static_cast<double>(k) + 1.0) /
                                         std::sqrt(static_cast<double>(slope.size()));
    expected += direction[k] * slope[k];
  }
  const double step = part * length(parameter.read(assembly)) / length(direction);
  EXPECT_NEAR(expected, difference(assembly, parameter, direction, step), tolerance * size) << name;
}

/// Large enough for the lattice's multigrid, by which the steps and their adjoints are solved.
class LargeSolidGradients : public testing::TestWithParam<const char*> {};

TEST_P(LargeSolidGradients, AgreeWithDifferencesOverTheLattice) {
  const Assembly assembly = solid_adjoint_scene("imex", GetParam(), "stable_neo_hookean",
                                                {"body.0.generate.cells=[17, 10, 10]", "time.steps=2"});
  ASSERT_GE(assembly.masses.size(), 2000U);
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  const auto [value, gradient, report] = loss_and_gradient(simulator, loss);
  EXPECT_EQ(report.solves, 2);
  EXPECT_EQ(report.multigrid_solves, 2);
  EXPECT_LE(report.worst_residual, 1e-10);
  for (const auto& [name, part] :
       {std::pair{"body.solid.positions", 1e-4}, std::pair{"body.solid.rest_positions", 1e-5},
        std::pair{"body.solid.muscle.1.values", 1e-2}, std::pair{"body.solid.muscle.1.stiffness", 1e-2}})
    compare_along_both(assembly, gradient, name, part, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Elements, LargeSolidGradients, testing::Values("hex", "tet"),
                         [](const auto& of) { return std::string(of.param); });

/// Large enough for expansions: most pairs are summed through them. The field's own error, here 1e-7, is
/// noise to differences.
TEST(GradientOfFmm, AgreesWithDifferencesWhereExpansionsCarryIt) {
  const Assembly assembly =
      adjoint_scene("verlet", {"body.0.generate.nx=14", "body.0.generate.ny=14", "body.0.generate.nz=14",
                               "time.steps=2", "coulomb.solver=fmm", "coulomb.accuracy=1e-7"});
  Simulator simulator(compile(assembly, 1));
  MixedLoss loss;
  const AssemblyGradient gradient = loss_and_gradient(simulator, loss).gradient;
  for (const char* name : {"body.net.charges", "external_charge.1.values"})
    compare_along_both(assembly, gradient, name, 0.02, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Methods, GradientDifferences, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace electret::test
