#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/integrator_choice.hpp>
#include <electret/dynamics/stability.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

using testing::StartsWith;

/// Two vertices with h ω = `springs` on the one spring between them and, charges being estimated at half
/// their distance, `charges`.
Assembly pair_of(double springs, double charges) {
  constexpr double h = 0.1, m = 1.0;
  Assembly assembly = loose_vertices({{0, 0, 0}, {0, 1, 0}}, h, "auto");
  if (springs > 0.0) assembly.springs = {{0, 1, 0.5 * m * springs * springs / (h * h), 1.0}};
  assembly.scene.coulomb = FieldOptions{};
  // ω² = 4 k_c q²/(m r³) at r = ½ m.
  const double q = charges / h * std::sqrt(m / (32.0 * coulomb_constant));
  assembly.charges = {q, -q};
  return assembly;
}

Choice choice(double springs, double charges) {
  return choose_integrator(*compile(pair_of(springs, charges), 1));
}

TEST(IntegratorChoice, GoesByWhatTheStepResolves) {
  EXPECT_EQ(choice(0.4, 0.2).name, "verlet");
  EXPECT_EQ(choice(0.0, 0.9).name, "verlet");
  EXPECT_EQ(choice(0.0, 3.0).name, "verlet");
  EXPECT_EQ(choice(0.6, 0.2).name, "kick_midpoint");
  EXPECT_EQ(choice(0.4, 0.6).name, "kick_midpoint");
  EXPECT_EQ(choice(3.0, 0.9).name, "kick_midpoint");
  EXPECT_EQ(choice(3.3, 0.9).name, "kick_trbdf2");
  EXPECT_EQ(choice(100.0, 0.0).name, "kick_trbdf2");
  EXPECT_EQ(choice(3.3, 1.1).name, "imex");
  EXPECT_EQ(choice(0.4, 1.1).name, "imex");
}

TEST(IntegratorChoice, SaysWhy) {
  EXPECT_EQ(choice(3.0, 0.5).why,
            "springs are fast for the step, and the method keeps their energy (h ω = 3 for springs, 0.5 for "
            "charges)");
}

TEST(IntegratorChoice, IsTheMethodThatSteps) {
  Simulator run = simulator(pair_of(3.3, 0.9));
  EXPECT_EQ(run.integrator().name(), "kick_trbdf2");
  EXPECT_EQ(run.integrator().choice().name, "kick_trbdf2");
  EXPECT_THAT(run.integrator().choice().why, StartsWith("springs are far too fast"));
  Assembly named = pair_of(3.3, 0.9);
  named.scene.integrator.method = "kick_trbdf2";
  run.run(5);
  EXPECT_EQ(run.state().positions, state_after(named, 5).positions);
  EXPECT_TRUE(simulator(named).integrator().choice().empty());
}

/// A resumed run names the choice it started with.
TEST(IntegratorChoice, IsKeptWhereOneWasMade) {
  const auto system = compile(pair_of(3.3, 0.9), 1);
  const Choice earlier{"verlet", "it was so"};
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator, earlier);
  EXPECT_EQ(integrator->name(), "verlet");
  EXPECT_EQ(integrator->choice(), earlier);
}

/// The published settings: at 0.03 s the kick is right, at 0.15 s the charges are too fast for it.
TEST(IntegratorChoice, TellsThePublishedTorusApart) {
  EXPECT_EQ(choose_integrator(*compile(charged_torus(0.03, "auto"), 1)).name, "kick_midpoint");
  EXPECT_EQ(choose_integrator(*compile(charged_torus(0.15, "auto"), 1)).name, "imex");
}

}  // namespace
}  // namespace electret::test
