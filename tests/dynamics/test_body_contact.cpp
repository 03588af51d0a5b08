// Bodies that touch each other: rest, sliding and collisions against analytic motions, what is conserved, and
// what must not change the bits.

#include <gtest/gtest.h>

#include <electret/core/same_bits.hpp>
#include <electret/dynamics/body_energy.hpp>

#include "dynamics/body_contact_scenes.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 1e-3;

/// A block of two layers on a long pinned slab, a thickness apart, in a gravity turned by `angle` (radians).
std::string block_on_slab(double angle, double turned) {
  RunSettings tilted;
  tilted.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  const BoxBody slab{"slab", {16, 4, 1}, 0.05, {0.3, 0, 0}, 0.0, pinned_below(-0.025)};
  const BoxBody block{"block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.025 + thickness + 0.04}, turned, ""};
  return settings_text(tilted) + text_of(slab) + text_of(block);
}

/// Takes steps; returns the block's mean speed along x after each.
std::vector<double> speeds_of(Simulator& simulator, int steps) {
  std::vector<double> speeds;
  StepStatistics statistics;
  for (int k = 0; k < steps; ++k) {
    statistics.add(simulator.step());
    speeds.push_back(momentum_of(simulator, 1).x / mass_of(simulator, 1));
  }
  EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
  return speeds;
}

double acceleration(const std::vector<double>& speeds, std::size_t first, std::size_t last) {
  return (speeds[last] - speeds[first]) / (0.01 * static_cast<double>(last - first));
}

TEST(BodyContact, BlockRestsOnASlabAndPressesItByItsWeight) {
  Simulator simulator = body_contact_simulator(block_on_slab(0.0, 17.0), {});
  StepStatistics statistics;
  for (int k = 0; k < 100; ++k) statistics.add(simulator.step());
  EXPECT_EQ(statistics.unconverged, 0);
  EXPECT_LT(statistics.newton, 200);
  EXPECT_EQ(norm(momentum_of(simulator)), 0.0);
  EXPECT_GT(smallest_gap(simulator), 0.9 * thickness);
  Vec3 reaction;
  for (const Vec3& force : simulator.pin_reactions()) reaction += force;
  const double weight = 9.81 * (mass_of(simulator, 0) + mass_of(simulator, 1));
  EXPECT_NEAR(reaction.z, weight, 1e-6 * weight);
}

TEST(BodyContact, BlockWithoutFrictionSlidesAsOnAPlane) {
  const double angle = 0.35;
  Simulator simulator = body_contact_simulator(block_on_slab(angle, 17.0), {.friction = 0.0});
  EXPECT_NEAR(acceleration(speeds_of(simulator, 40), 9, 39), 9.81 * std::sin(angle), 1e-4 * 9.81);
}

TEST(BodyContact, TellsWhatItsPairsDo) {
  Simulator simulator = body_contact_simulator(block_on_slab(std::atan(0.3), 17.0), {});
  for (int k = 0; k < 60; ++k) simulator.step();
  const BodyContactState& state = simulator.system().body_contacts->state();
  double normal = 0.0, tangential = 0.0;
  for (const PairForce& force : state.forces) {
    normal += force.normal;
    tangential += force.tangential;
    EXPECT_LE(force.tangential, 0.5 * force.normal * (1.0 + 1e-9));
    EXPECT_FALSE(force.slips);
    EXPECT_LT(force.gap, thickness);
    EXPECT_GE(force.gap, state.smallest_gap);
  }
  const double weight = 9.81 * mass_of(simulator, 1);
  EXPECT_NEAR(normal, weight * std::cos(std::atan(0.3)), 1e-5 * weight);
  EXPECT_GE(tangential, weight * std::sin(std::atan(0.3)) * (1.0 - 1e-5));
  EXPECT_GT(state.energy, 0.0);
  EXPECT_NEAR(state.work, 0.0, 1e-12);
}

/// A block of 10 cm on a long slab of 1 MPa, in a gravity turned by `angle` (radians).
std::string soft_block_on_slab(double angle, double modulus) {
  RunSettings tilted;
  tilted.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  const BoxBody slab{"slab", {20, 6, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025)};
  const BoxBody block{"block", {4, 4, 4}, 0.025, {-0.35, 0.001, 0.025 + thickness + 0.05}, 17.0, "", modulus};
  return settings_text(tilted) + text_of(slab) + text_of(block);
}

/// The slope of a line through the speeds after each step from `first` on.
double mean_acceleration(const std::vector<double>& speeds, std::size_t first) {
  const auto count = static_cast<double>(speeds.size() - first);
  double moment = 0.0;
  for (std::size_t k = first; k < speeds.size(); ++k)
    moment += (static_cast<double>(k - first) - 0.5 * (count - 1.0)) * speeds[k];
  return 12.0 * moment / (0.01 * count * (count * count - 1.0));
}

class SoftBlock : public testing::TestWithParam<double> {};

/// Its vertices are pressed to half of the thickness. Edges within the slab's faces do not hold them.
TEST_P(SoftBlock, SlidesAsOnAPlane) {
  for (const auto& [friction, tangent] : {std::array{0.0, 0.05}, std::array{0.5, 0.55}}) {
    const double angle = std::atan(tangent);
    Simulator simulator =
        body_contact_simulator(soft_block_on_slab(angle, GetParam()), {.friction = friction});
    const double exact = 9.81 * (std::sin(angle) - friction * std::cos(angle));
    const double reached = mean_acceleration(speeds_of(simulator, 150), 50);
    EXPECT_NEAR(reached, exact, (friction > 0.0 ? 0.04 : 0.005) * exact) << friction;
    EXPECT_GT(simulator.system().body_contacts->state().mean_gap, 0.5 * thickness);
  }
}

INSTANTIATE_TEST_SUITE_P(Moduli, SoftBlock, testing::Values(3e4, 6e4, 1e5));

TEST(BodyContact, EdgesWithinFacesReachLess) {
  Simulator simulator = body_contact_simulator(block_on_slab(0.0, 17.0), {});
  BodyContacts& contacts = *const_cast<System&>(simulator.system()).body_contacts;
  const ContactSurface& surface = contacts.surface();
  std::array<int, 2> counts{};
  for (const Edge& a : surface.edges())
    for (const Edge& b : surface.edges()) {
      if (surface.body(a[0]) == surface.body(b[0])) continue;
      const bool is_short = surface.is_flat(a) || surface.is_flat(b);
      EXPECT_EQ(contacts.reach({PairKind::edge_edge, {a[0], a[1], b[0], b[1]}}),
                (is_short ? flat_edge_reach : 1.0) * thickness);
      ++counts[is_short ? 1 : 0];
    }
  EXPECT_GT(counts[0], 0);
  EXPECT_GT(counts[1], counts[0]);
  EXPECT_EQ(contacts.reach({PairKind::vertex_triangle, {0, 1, 2, 3}}), thickness);
}

/// Two cubes that fly at each other, the upper one turned and shifted.
std::string two_cubes(double speed, const RunSettings& settings, double modulus) {
  const auto flies = [&](double v) { return "velocity = [0, 0, " + std::to_string(v) + "]\n"; };
  const BoxBody lower{"lower", {3, 3, 3}, 0.03, {0, 0, 0}, 0.0, flies(0.5 * speed), modulus};
  const BoxBody upper{"upper", {3, 3, 3}, 0.03, {0.01, 0.007, 0.12}, 20.0, flies(-0.5 * speed), modulus};
  return settings_text(settings) + text_of(lower) + text_of(upper);
}

TEST(BodyContact, CollisionsConserveMomentum) {
  for (const double friction : {0.0, 0.5}) {
    Simulator simulator =
        body_contact_simulator(two_cubes(2.0, {0.005, 1e-10, {}}, 1e5), {.friction = friction});
    const double size = mass_of(simulator, 0);
    for (int k = 0; k < 40; ++k) {
      simulator.step();
      ASSERT_LT(norm(momentum_of(simulator)), 1e-9 * size) << friction << ", step " << k;
    }
    EXPECT_LT(momentum_of(simulator, 0).z, -0.1 * size);  // They have bounced.
  }
}

/// A block that is thrown along a slab sticks to it and swings. What slips store counts as elastic energy:
/// friction gives it back in some steps, in which its work is negative; what it dissipates never is.
TEST(BodyContact, FrictionNeverBringsEnergy) {
  const BoxBody slab{"slab", {4, 4, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025), 3e4};
  const BoxBody block{
      "block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.025 + thickness + 0.04}, 17.0, "velocity = [0.2, 0, 0]\n",
      3e4};
  Simulator simulator = body_contact_simulator(
      settings_text({0.005, 1e-10, {0, 0, -9.81}}) + text_of(slab) + text_of(block), {.friction = 2.0});
  const double size = simulator.energies().kinetic;
  double least_work = 0.0, most_stored = 0.0;
  for (int k = 0; k < 20; ++k) {
    const double before = simulator.work().dissipation;
    simulator.step();
    EXPECT_GE(simulator.work().dissipation - before, -1e-12 * size) << k;
    least_work = std::min(least_work, simulator.system().body_contacts->state().work);
    most_stored = std::max(most_stored, slip_energy(simulator.system(), simulator.state()));
  }
  EXPECT_LT(least_work, -1e-3 * size);
  EXPECT_GT(most_stored, 1e-2 * size);
}

TEST(BodyContact, CollisionsConvergeForManyStiffnessesStepsAndFrictions) {
  StepStatistics all;
  double least = thickness;
  for (const double friction : {0.0, 0.6, 2.0})
    for (const double modulus : {1e4, 1e6, 1e7})
      for (const double step : {0.002, 0.01})
        for (const double speed : {1.0, 4.0}) {
          Simulator simulator =
              body_contact_simulator(two_cubes(speed, {step, 1e-8, {}}, modulus), {.friction = friction});
          const int steps = static_cast<int>((speed < 2.0 ? 0.07 : 0.04) / step);
          for (int k = 0; k < steps; ++k) {
            all.add(simulator.step());
            least = std::min(least, smallest_gap(simulator));
          }
        }
  EXPECT_EQ(all.unconverged, 0) << all.text();
  EXPECT_LE(all.most, 60) << all.text();
  EXPECT_GT(least, 0.0);
  EXPECT_LT(least, 0.5 * thickness);  // Some were pressed hard.
}

/// Cubes that hit each other, rebound and slide off each other do not pass through each other, nor does one
/// that misses the other.
TEST(BodyContact, OtherMotionsAreNoPassages) {
  for (const double speed : {1.0, 4.0}) {
    Simulator simulator = body_contact_simulator(two_cubes(speed, {0.01, 1e-8, {}}, 1e5), {.friction = 0.3});
    for (int k = 0; k < 12; ++k) {
      simulator.step();
      EXPECT_FALSE(simulator.system().body_contacts->state().passage.has_value()) << speed << ", " << k;
    }
  }
  const BoxBody still{"still", {2, 2, 2}, 0.05, {0, 0, 0}, 0.0, ""};
  const BoxBody fast{"fast", {2, 2, 2}, 0.05, {0.12, 0.11, 0}, 0.0, "velocity = [-50, 0, 0]\n"};
  Simulator missing =
      body_contact_simulator(settings_text({0.01, 1e-6, {}}) + text_of(still) + text_of(fast), {});
  missing.step();
  EXPECT_FALSE(missing.system().body_contacts->state().passage.has_value());
}

TEST(BodyContact, FastBodiesDoNotPassThroughASlab) {
  for (const double speed : {20.0, 50.0}) {
    const BoxBody slab{"slab", {6, 6, 1}, 0.1, {0, 0, 0}, 0.0, pinned_below(-0.05)};
    const BoxBody cube{"cube", {3, 3, 3},
                       0.03,   {0.01, 0.007, 0.12},
                       20.0,   "velocity = [0, 0, " + std::to_string(-speed) + "]\n"};
    Simulator simulator =
        body_contact_simulator(settings_text({0.01, 1e-6, {}}) + text_of(slab) + text_of(cube), {});
    StepStatistics statistics;
    for (int k = 0; k < 8; ++k) {
      statistics.add(simulator.step());
      ASSERT_EQ(crossings(simulator), 0) << speed << ", step " << k;
    }
    EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
    EXPECT_GT(momentum_of(simulator, 1).z, 0.0) << speed;
  }
}

TEST(BodyContact, HasTheSameBitsAtAnyNumberOfThreads) {
  std::vector<VectorArray> ends;
  for (const int threads : {1, 2, 3}) {
    Simulator simulator = body_contact_simulator(two_cubes(2.0, {0.01, 1e-8, {0.5, 0, 0}}, 1e5), {}, threads);
    for (int k = 0; k < 12; ++k) simulator.step();
    ends.push_back(simulator.state().positions);
  }
  EXPECT_EQ(ends[1], ends[0]);
  EXPECT_EQ(ends[2], ends[0]);
}

TEST(BodyContact, GoesOnFromAStateAsIfItHadNeverStopped) {
  const std::string text = block_on_slab(std::atan(0.5 * 0.99), 17.0);
  Simulator whole = body_contact_simulator(text, {}), resumed = body_contact_simulator(text, {});
  for (int k = 0; k < 10; ++k) whole.step();
  ASSERT_FALSE(whole.state().memory.find("pair_anchors").empty());
  State middle = whole.state();
  for (int k = 0; k < 10; ++k) whole.step();
  resumed.restore(middle, {});
  for (int k = 0; k < 10; ++k) resumed.step();
  EXPECT_EQ(resumed.state().positions, whole.state().positions);
  // Without its anchors the block has nothing to hold it at first.
  for (auto& array : middle.memory.arrays)
    if (array.name == "pair_anchors") array.values.clear();
  resumed.restore(middle, {});
  for (int k = 0; k < 10; ++k) resumed.step();
  EXPECT_GT(distance(resumed.state().positions, whole.state().positions), 1e-9);
}

/// A solid of 2028 vertices on pins, which sags while a plate comes down on it and goes up again.
std::string tapped_solid() {
  const BoxBody solid{"solid", {12, 12, 11}, 0.02, {0, 0, 0}, 0.0, pinned_below(-0.11), 1e5};
  const BoxBody plate{
      "plate",
      {1, 1, 1},
      0.04,
      {0.003, 0.002, 0.11 + 0.005 + 0.02},
      17.0,
      "  [[body.group]]\n  name = \"all\"\n  box = [[-9, -9, -9], [9, 9, 9]]\n  [[body.pin]]\n"
      "  group = \"all\"\n  times = [0.0, 0.01, 0.02]\n  offsets = [[0, 0, 0], [0, 0, "
      "-0.0055], [0, 0, 0]]\n"};
  return settings_text({0.005, 1e-4, {0, 0, -1.0}}) + text_of(solid) + text_of(plate);
}

/// Large solids have multigrid while no pairs touch, and block-Jacobi while some do. What a step begins with
/// hangs on the state alone, not on which of them served in the step before.
TEST(BodyContact, GoesOnFromAnyStepOfASolidThatIsTapped) {
  constexpr int steps = 6;
  Simulator whole = body_contact_simulator(tapped_solid(), {});
  ASSERT_GE(whole.state().positions.size(), 2000U) << "multigrid is where it begins";
  std::vector<State> states{whole.state()};
  std::string touches, by_multigrid;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = whole.step();
    EXPECT_FALSE(report.capped);
    EXPECT_GT(report.counts.of("linear_iterations"), 0);
    states.push_back(whole.state());
    touches += whole.system().body_contacts->state().forces.empty() ? '-' : 'x';
    by_multigrid += whole.state().memory.find("elastic_solver")[0] != 0.0 ? 'x' : '-';
  }
  EXPECT_EQ(touches, "-xx---");
  EXPECT_EQ(by_multigrid, "x--xxx");
  for (std::size_t k = 0; k < steps; ++k) {
    Simulator resumed = body_contact_simulator(tapped_solid(), {});
    resumed.restore(states[k], {});
    resumed.step();
    const State& end = states[k + 1];
    EXPECT_EQ(resumed.state().positions, end.positions) << k;
    EXPECT_EQ(resumed.state().velocities, end.velocities) << k;
    ASSERT_EQ(resumed.state().memory.arrays.size(), end.memory.arrays.size()) << k;
    for (const auto& array : end.memory.arrays)
      EXPECT_TRUE(same_bits(array.values, resumed.state().memory.find(array.name))) << k << array.name;
  }
}

TEST(BodyContact, RefusesAMemoryOfAnotherShape) {
  Simulator simulator = body_contact_simulator(block_on_slab(0.1, 0.0), {});
  State state = simulator.state();
  state.memory.values("pair_anchors", 13);
  EXPECT_THROW(simulator.restore(state, {}), std::invalid_argument);
}

}  // namespace
}  // namespace electret::test
