#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/networks.hpp"
#include "dynamics/reference.hpp"

namespace electret::test {
namespace {

TEST(Energies, AgreeWithTheReference) {
  NetworkOptions options;
  options.gravity = true;
  options.pins = true;
  const Assembly assembly = random_network(options);
  const Reference reference(assembly);
  Simulator run = simulator(assembly);
  run.run(5);
  const Energies energies = run.energies();
  const State& state = run.state();
  double kinetic = 0.0, gravity = 0.0;
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    kinetic += 0.5 * assembly.masses[i] * squared_norm(state.velocities[i]);
    gravity -= assembly.masses[i] * dot(*assembly.scene.gravity, state.positions[i]);
  }
  EXPECT_NEAR(energies.kinetic, kinetic, 1e-13 * kinetic);
  EXPECT_NEAR(energies.gravity, gravity, 1e-13 * std::abs(gravity));
  const double elastic = reference.elastic_energy(state.positions);
  EXPECT_NEAR(energies.elastic, elastic, 1e-13 * elastic);
  const double coulomb = reference.coulomb_energy(state.positions);
  EXPECT_NEAR(energies.coulomb, coulomb, 1e-12 * std::abs(coulomb));
  EXPECT_EQ(energies.external, 0.0);
  EXPECT_EQ(energies.total(),
            energies.kinetic + energies.elastic + energies.coulomb + energies.external + energies.gravity);
  EXPECT_EQ(energies.magnitude(), std::abs(energies.kinetic) + std::abs(energies.elastic) +
                                      std::abs(energies.coulomb) + std::abs(energies.gravity));
}

TEST(Energies, UseSofteningAndExternalChargesAtTheirTime) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {3, 0, 0}}, 0.1, "verlet");
  assembly.charges = {2e-6, -1e-6};
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.coulomb->softening = 4.0;
  assembly.external_charges = {{{{0, 0, 0}},
                                {{0.0, 1.0}, {1e-6, 3e-6}, Interpolation::linear},
                                KeyFrames<Vec3>::constant({0, 5, 0}),
                                0.0}};
  const auto system = compile(std::move(assembly), 1);
  Inputs inputs;
  system->schedule.evaluate(0.5, inputs);
  const Energies energies = electret::energies(*system, initial_state(*system), inputs);
  EXPECT_NEAR(energies.coulomb, coulomb_constant * -2e-12 / 5.0, 1e-17);
  EXPECT_NEAR(energies.external, coulomb_constant * 2e-6 * (2e-6 / 5.0 - 1e-6 / std::sqrt(34.0)), 1e-16);
}

TEST(Energies, UseTheScenesCoulombConstantForExternalChargesToo) {
  Assembly assembly = loose_vertices({{0, 0, 0}}, 0.1, "verlet");
  assembly.charges = {2.0};
  assembly.external_charges = {
      {{{0, 0, 0}}, KeyFrames<double>::constant(3.0), KeyFrames<Vec3>::constant({0, 5, 0}), 0.0}};
  EXPECT_NEAR(simulator(assembly).energies().external, coulomb_constant * 6.0 / 5.0, 1e-5);
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.coulomb->constant = 7.0;
  EXPECT_NEAR(simulator(assembly).energies().external, 7.0 * 6.0 / 5.0, 1e-14);
}

}  // namespace
}  // namespace electret::test
