/// Pins of a body at rest carry its weight, in every method.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"

namespace electret::test {
namespace {

constexpr double g = 9.81;

double weight(const System& system) {
  double mass = 0.0;
  for (const double m : system.masses()) mass += m;
  return g * mass;
}

Vec3 total(VectorView vectors) {
  Vec3 sum;
  for (const Vec3& each : vectors) sum += each;
  return sum;
}

/// A chain of masses that hangs at rest from its first vertex: each spring is as long as the weight below it
/// makes it.
Assembly hanging_chain() {
  constexpr double stiffness = 50.0;
  Assembly assembly = loose_vertices({{}, {}, {}, {}}, 0.01, "imex");
  assembly.masses = {0.5, 1.0, 0.25, 2.0};
  assembly.scene.gravity = Vec3{0, 0, -g};
  double height = 0.0;
  for (std::size_t i = 1; i < 4; ++i) {
    double below = 0.0;
    for (std::size_t j = i; j < 4; ++j) below += assembly.masses[j];
    height -= 0.3 + below * g / stiffness;
    assembly.initial_positions[i] = assembly.rest_positions[i] = {0, 0, height};
    assembly.springs.push_back({static_cast<Index>(i - 1), static_cast<Index>(i), stiffness, 0.3});
  }
  add_pins(assembly, {0});
  return assembly;
}

/// A cube of 27 vertices that is held at x = 0 and has come to rest under gravity.
Assembly sagging_cube(const std::string& element) {
  SolidOptions options;
  options.element = element;
  options.step = 0.004;
  Assembly assembly = solid(options);
  assembly.scene.gravity = Vec3{0, 0, -g};
  std::vector<Index> wall;
  for (std::size_t i = 0; i < assembly.rest_positions.size(); ++i)
    if (assembly.rest_positions[i].x < -0.05) wall.push_back(static_cast<Index>(i));
  EXPECT_EQ(wall.size(), 9U);
  add_pins(assembly, wall);
  Assembly damped = assembly;
  damped.scene.damping.drag = 20.0;
  damped.scene.time.step = 0.05;
  assembly.initial_positions = state_after(std::move(damped), 600).positions;
  return assembly;
}

Vec3 momentum(const Simulator& run) {
  Vec3 sum;
  for (std::size_t i = 0; i < run.system().masses().size(); ++i)
    sum += run.system().masses()[i] * run.state().velocities[i];
  return sum;
}

void expect_weight(Assembly assembly, const std::string& method, const std::string& what) {
  assembly.scene.integrator.method = method;
  Simulator run = simulator(std::move(assembly));
  run.run(5);
  const double whole = weight(run.system());
  const Vec3 sum = total(run.pin_reactions());
  EXPECT_NEAR(sum.z, whole, 1e-10 * whole) << what;
  EXPECT_NEAR(std::hypot(sum.x, sum.y), 0.0, 1e-10 * whole) << what;
}

TEST(Reactions, OfAHangingChainAreItsWeight) {
  for (const std::string_view method : integrator_methods)
    expect_weight(hanging_chain(), std::string(method), std::string(method));
}

TEST(Reactions, OfASolidAtRestAreItsWeight) {
  for (const char* element : {"hex", "tet"}) {
    const Assembly resting = sagging_cube(element);
    for (const std::string_view method : integrator_methods) {
      if (method == "linear_implicit") continue;  // It knows springs alone.
      expect_weight(resting, std::string(method), std::string(element) + " " + std::string(method));
    }
  }
}

/// A pin that is moved carries the change of momentum, too: m (v' - v)/h = f + reaction, summed over all
/// vertices, where the springs' forces cancel.
TEST(Reactions, AndWeightsChangeTheMomentum) {
  for (const std::string_view method : integrator_methods) {
    NetworkOptions options;
    options.method = std::string(method);
    options.coulomb = false, options.gravity = true, options.pins = true, options.moved_pins = true;
    Simulator run = simulator(random_network(options));
    const Vec3 gravity = *run.system().assembly.scene.gravity;
    for (int k = 0; k < 5; ++k) {
      const Vec3 before = momentum(run);
      run.step();
      const Vec3 force = (1.0 / run.system().time_step) * (momentum(run) - before);
      const Vec3 expected = force - (weight(run.system()) / g) * gravity;
      EXPECT_LT(norm(total(run.pin_reactions()) - expected), 1e-9 * norm(expected)) << method << k;
    }
  }
}

}  // namespace
}  // namespace electret::test
