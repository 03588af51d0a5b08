#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <electret/dynamics/energy_balance.hpp>
#include <electret/scene/read.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

TEST(EnergyBalance, LeavesOutWorkAndDissipationAndIsMeasuredByTheLargestEnergies) {
  EnergyBalance balance;
  const WorkAccounts before{1.0, 2.0, 3.0, 4.0};  // a recording may begin in the middle of a simulation
  balance.begin({.kinetic = 1.0, .elastic = 2.0, .coulomb = -5.0, .external = 1.0, .gravity = -1e6}, before);
  EXPECT_EQ(balance.largest_gain, 0.0);
  EXPECT_EQ(balance.largest_size, 9.0);  // gravity counts from here
  EXPECT_EQ(balance.relative(), 0.0);
  const WorkAccounts after{1.0 + 8.0, 2.0 - 16.0, 3.0 + 32.0, 4.0 + 64.0};  // 24 J of work, 64 J taken
  Energies now{.kinetic = 10.0, .elastic = 2.0, .coulomb = -5.0, .external = 1.0, .gravity = -1e6 - 50.0};
  balance.add_frame(now, after);
  // E - E_0 = -41 J, of which the accounts explain -40 J.
  EXPECT_DOUBLE_EQ(balance.gain(now, after), -1.0);
  EXPECT_DOUBLE_EQ(balance.largest_gain, -1.0);
  EXPECT_DOUBLE_EQ(balance.largest_size, 68.0);
  now.kinetic = 10.5;
  balance.add_frame(now, after);  // -0.5 J is no larger
  EXPECT_DOUBLE_EQ(balance.largest_gain, -1.0);
  EXPECT_DOUBLE_EQ(balance.relative(), 1.0 / 68.5);
}

TEST(EnergyBalance, OfNothingIsZeroAndOfWorkWithoutEnergiesInfinite) {
  EnergyBalance balance;
  balance.begin({}, {});
  balance.add_frame({}, {});
  EXPECT_EQ(balance.relative(), 0.0);
  balance.add_frame({}, {.pin_work = 1.0});
  EXPECT_TRUE(std::isinf(balance.relative()));
}

/// The balance over a whole run with a frame at every step.
EnergyBalance balance_of(Assembly assembly, Count steps) {
  Simulator run = simulator(std::move(assembly));
  EnergyBalance balance;
  balance.begin(run.energies(), run.work());
  while (run.state().step < steps) {
    run.run(run.state().step + 1);
    balance.add_frame(run.energies(), run.work());
  }
  return balance;
}

/// Charges that are key-framed from 0 blow the body up: all of its energy is the key-frames' work. The
/// accounts know it to the order of the step.
TEST(EnergyBalance, OfKeyFramedChargesShrinksWithTheStep) {
  const auto relative = [](double step) {
    Assembly assembly = charged_torus(step, "verlet");
    std::vector<Index> all(assembly.charges.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    assembly.charge_tracks = {{all, {{0.0, 0.5}, {0.0, 6e-6}, Interpolation::linear}, true, "q"}};
    return balance_of(std::move(assembly), std::lround(1.0 / step)).relative();
  };
  const double coarse = relative(0.01), fine = relative(0.0025);
  EXPECT_GT(coarse, 0.0);
  EXPECT_LT(coarse, 0.01);
  EXPECT_LT(fine, 0.5 * coarse);
}

/// A soft bar that a current carries along: the water's work, which is taken negatively, is all of its
/// energy. The accounts know it to the order of the step.
TEST(EnergyBalance, InACurrentShrinksWithTheStep) {
  for (const char* method : {"verlet", "kick_midpoint"}) {
    const auto balance = [&](Count steps) {
      const std::string text = fmt::format(R"toml(
[time]
step = {}
steps = {}
[integrator]
method = "{}"
tolerance = 1e-10
[[body]]
name = "bar"
generate = {{ shape = "box", cells = [4, 1, 2], cell_size = 0.1, element = "hex" }}
density = 1000.0
  [[body.material]]
  model = "neo_hookean"
  youngs_modulus = 1e4
  poissons_ratio = 0.2
[[hydrodynamics]]
velocity = [-0.4, 0.35, 0.1]
)toml",
                                           0.2 / static_cast<double>(steps), steps, method);
      return balance_of(load_scene_text(text, "bar.toml", ".", {}, {}), steps);
    };
    const EnergyBalance coarse = balance(100), fine = balance(200);
    EXPECT_NEAR(coarse.start, 0.0, 1e-12);
    EXPECT_GT(coarse.largest_size, 0.1) << "J: the current has set it going";
    EXPECT_LT(coarse.relative(), 0.02) << method;
    EXPECT_NEAR(fine.relative() / coarse.relative(), 0.5, 0.05) << method;
  }
}

/// Free charges that fly apart: their Coulomb energy turns into kinetic energy.
TEST(EnergyBalance, OfVerletIsThatOfTheMotionNotOfTheStart) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 1e-3, "verlet");
  assembly.charges = {1e-6, 1e-6};
  assembly.initial_velocities = {{-3, 0, 0}, {3, 0, 0}};
  assembly.scene.coulomb = FieldOptions{};
  const EnergyBalance balance = balance_of(assembly, 300);
  EXPECT_LT(balance.relative(), 1e-6);
  EXPECT_GT(balance.largest_size, balance.start);
}

TEST(EnergyBalance, SaysThatImexLosesEnergy) {
  EXPECT_LT(balance_of(charged_torus(0.03, "imex"), 100).largest_gain, 0.0);
}

}  // namespace
}  // namespace electret::test
