// The stiffness of vertices from which contact between bodies takes its own, against the second derivatives
// of the energies, and its derivatives against differences.

#include <gtest/gtest.h>

#include <electret/dynamics/compile_gradient.hpp>

#include "dynamics/body_contact_scenes.hpp"
#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

Assembly springs() {
  NetworkOptions options;
  options.step = 0.02;
  Assembly assembly = random_network(options);
  assembly.obstacles.clear();
  return assembly;
}

std::vector<double> scales_of(const Assembly& assembly) {
  return body_scales(*compile(assembly, 1));
}

TEST(BodyScales, AreMassesAndMeanSecondDerivativesAtRest) {
  for (const Assembly& assembly : {springs(), solid({.element = "hex"}), solid({.element = "tet"})}) {
    const auto system = compile(assembly, 1);
    const std::vector<double> scales = body_scales(*system);
    const VectorArray& x = assembly.rest_positions;
    for (const std::size_t i : {std::size_t{0}, x.size() / 2, x.size() - 1}) {
      double sum = 0.0;
      for (int axis = 0; axis < 3; ++axis)
        sum += derivative(
            [&](double s) {
              VectorArray place = x, gradient(x.size());
              place[i][axis] += s;
              for (const auto& energy : system->elastic) energy->add_gradient(place, gradient);
              return gradient[i][axis];
            },
            1e-4);
      const double h = system->time_step;
      const double expected = system->masses()[i] / (h * h) + sum / 3.0;
      EXPECT_NEAR(scales[i], expected, 1e-8 * expected) << i;
    }
  }
}

/// Springs that are pressed together at rest bend their vertices aside: contact would pull by such a
/// stiffness.
TEST(BodyScales, AreThoseOfMassesAloneWhereSpringsArePressedTogether) {
  Assembly assembly = springs();
  for (Spring& spring : assembly.springs) spring.rest_length *= 4.0;
  const auto system = compile(assembly, 1);
  const std::vector<double> scales = body_scales(*system);
  const double h = system->time_step;
  for (std::size_t i = 0; i < scales.size(); ++i)
    EXPECT_NEAR(scales[i], system->masses()[i] / (h * h), 1e-14 * scales[i]) << i;
  ParameterGradients parameters = ParameterGradients::zero(*system);
  add_body_scale_gradient(*system, std::vector<double>(scales.size(), 1.0), parameters);
  for (const auto& of_energy : parameters.elastic)
    for (const auto& values : of_energy)
      for (const double value : values) EXPECT_EQ(value, 0.0);
  EXPECT_EQ(parameters.masses.front(), 1.0 / (h * h));
}

TEST(BodyScales, DerivativesAreThoseOfDifferences) {
  for (const bool has_springs : {true, false}) {
    const Assembly assembly = has_springs ? springs() : solid({.element = "hex"});
    const auto system = compile(assembly, 1);
    ParameterGradients parameters = ParameterGradients::zero(*system);
    if (!has_springs) parameters.rest_positions.resize(assembly.masses.size());
    const std::vector<double> weights = random_numbers(assembly.masses.size(), 3, -1.0, 1.0);
    add_body_scale_gradient(*system, weights, parameters);
    const auto sum_of = [&](const Assembly& of) {
      const std::vector<double> scales = scales_of(of);
      double sum = 0.0;
      for (std::size_t i = 0; i < scales.size(); ++i) sum += weights[i] * scales[i];
      return sum;
    };
    const auto difference = [&](NumberId kind, std::size_t k, double step) {
      return derivative(
          [&](double s) {
            Assembly moved = assembly;
            numbers(moved, kind)[k] += s;
            return sum_of(moved);
          },
          step);
    };
    const auto expect = [&](double slope, double expected, const char* what) {
      EXPECT_NEAR(slope, expected, 1e-7 * (1e-3 + std::abs(expected))) << what;
    };
    expect(parameters.masses[2], difference(number::masses, 2, 1e-3), "mass");
    if (has_springs) {
      expect(parameters.elastic[0][0][3], difference(number::spring_stiffness, 3, 1e-2), "stiffness");
      expect(parameters.elastic[0][1][3], difference(number::rest_lengths, 3, 1e-4), "rest length");
      continue;
    }
    ParameterGradients given = ParameterGradients::zero(*system);
    given.body_scales = weights;
    AssemblyGradient gradient = AssemblyGradient::zero(assembly);
    add_parameter_gradients(*system, given, gradient);
    expect(numbers(gradient, {number::youngs_modulus, 0})[0],
           difference({number::youngs_modulus, 0}, 0, 10.0), "modulus");
    for (const std::size_t k : {std::size_t{0}, std::size_t{10}, std::size_t{22}}) {
      const double expected = difference(number::rest_positions, k, 1e-4);
      EXPECT_NEAR(parameters.rest_positions[k / 3][static_cast<int>(k % 3)], expected,
                  1e-6 * (1.0 + std::abs(expected)));
    }
  }
}

}  // namespace
}  // namespace electret::test
