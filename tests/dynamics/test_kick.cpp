#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

/// Two masses of 1 kg on one spring along y with h ω = `stiffness`, ω² = 2k/m, stretched by `stretch` m.
Assembly stiff_spring(const std::string& method, double stiffness, double stretch) {
  constexpr double h = 0.1;
  Assembly assembly = loose_vertices({{0, 0, 0}, {0, 1.0 + stretch, 0}}, h, method);
  assembly.springs = {{0, 1, 0.5 * stiffness * stiffness / (h * h), 1.0}};
  assembly.scene.integrator.tolerance = 1e-12;
  return assembly;
}

/// The energy of its oscillation after `steps` steps, of that at the start.
double energy_left(const std::string& method, Count steps) {
  Simulator run = simulator(stiff_spring(method, 1e4, 1e-3));
  const double first = run.energies().total();
  run.run(steps);
  return run.energies().total() / first;
}

TEST(Kick, MidpointKeepsTheEnergyOfASpringBeyondTheStep) {
  for (const Count steps : {1, 2, 10}) EXPECT_NEAR(energy_left("kick_midpoint", steps), 1.0, 1e-6) << steps;
}

TEST(Kick, TrBdf2TakesTheEnergyOfASpringBeyondTheStepAway) {
  EXPECT_LT(energy_left("kick_trbdf2", 1), 1e-3);
  EXPECT_LT(energy_left("kick_trbdf2", 10), 1e-12);
}

/// The force is a source in both stages and read again at the end, with the velocity there.
TEST(Kick, TrBdf2IsOfSecondOrderWithDampedSprings) {
  const auto at = [](double step) {
    NetworkOptions options;
    options.method = "kick_trbdf2";
    options.step = step;
    options.drag = 0.5;
    options.spring_damping = 1.0;
    return state_after(random_network(options), std::lround(0.32 / step)).positions;
  };
  const VectorArray coarse = at(0.008), middle = at(0.004), fine = at(0.002);
  const double order = std::log2(largest_difference(coarse, middle) / largest_difference(middle, fine));
  EXPECT_NEAR(order, 2.0, 0.15);
}

/// Largest relative change of the energy of the published torus over 15 s.
double torus_error(const std::string& method) {
  Simulator run = simulator(charged_torus(0.03, method));
  const Energies first = run.energies();
  double worst = 0.0;
  for (Count step = 10; step <= 500; step += 10) {
    run.run(step);
    worst = std::max(worst, std::abs(run.energies().total() - first.total()));
  }
  return worst / std::max(std::abs(first.total()), 0.5 * first.magnitude());
}

TEST(Kick, MidpointKeepsTheEnergyThatImexDampsAway) {
  EXPECT_LT(torus_error("kick_midpoint"), 1e-3);
  EXPECT_LT(torus_error("kick_trbdf2"), 0.02);
  EXPECT_NEAR(torus_error("imex"), 0.148, 0.01);
}

}  // namespace
}  // namespace electret::test
