// Bodies that are pressed together: by pins that move, at the start, and by pins that meet.

#include <regex>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/body_energy.hpp>

#include "dynamics/body_contact_scenes.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 1e-3;

/// A cube between a slab and a plate, all of whose vertices are pinned and move down by `way` in 50 ms.
std::string press(double way) {
  const std::string moves =
      "  [[body.group]]\n  name = \"all\"\n  box = [[-9, -9, -9], [9, 9, 9]]\n  [[body.pin]]\n  group = "
      "\"all\"\n  times = [0.0, 0.05]\n  offsets = [[0, 0, 0], [0, 0, " +
      std::to_string(-way) + "]]\n";
  const BoxBody slab{"slab", {4, 4, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025)};
  const BoxBody cube{"cube", {3, 3, 3}, 0.03, {0.003, 0.002, 0.025 + 0.0465}, 20.0, ""};
  const BoxBody plate{"plate", {2, 2, 1}, 0.07, {0, 0, 0.025 + 0.093 + 0.0365}, 0.0, moves};
  return settings_text({0.01, 1e-7, {}}) + text_of(slab) + text_of(cube) + text_of(plate);
}

TEST(PressedBodies, PinsPressABodyWithoutCrossingIt) {
  Simulator simulator = body_contact_simulator(press(0.03), {});
  StepStatistics statistics;
  for (int k = 0; k < 20; ++k) {
    statistics.add(simulator.step());
    ASSERT_EQ(crossings(simulator), 0) << k;
  }
  EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
  const Assembly& assembly = simulator.system().assembly;
  double low = 1.0, high = -1.0;
  for (auto i = static_cast<std::size_t>(assembly.body_offsets[1]);
       i < static_cast<std::size_t>(assembly.body_offsets[2]); ++i) {
    low = std::min(low, simulator.state().positions[i].z);
    high = std::max(high, simulator.state().positions[i].z);
  }
  EXPECT_LT(high - low, 0.08);
  EXPECT_GT(high - low, 0.05);
  // The plate pushes back as much as the slab.
  Vec3 sum;
  for (const Vec3& force : simulator.pin_reactions()) sum += force;
  EXPECT_LT(norm(sum), 1e-2);
}

/// The message names the nearest pair: one vertex or edge is the plate's or the cube's, the other one is not
/// its own body's.
TEST(PressedBodies, PinsThatMeetEndTheRunWhichNamesThePair) {
  Simulator simulator = body_contact_simulator(press(5.0), {});
  try {
    for (int k = 0; k < 5; ++k) simulator.step();
    FAIL() << "no pin met anything";
  } catch (const DivergenceError& error) {
    std::smatch found;
    const std::string text = error.what();
    const std::regex pair(
        "press surfaces into each other: vertices (\\d+), (\\d+), (\\d+) and (\\d+) are (\\S+) m apart");
    ASSERT_TRUE(std::regex_search(text, found, pair)) << text;
    const ContactSurface& surface = simulator.system().body_contacts->surface();
    const auto body = [&](std::size_t k) {
      return surface.body(static_cast<Index>(std::stoi(found[k].str())));
    };
    EXPECT_NE(body(1), body(4)) << text;
    EXPECT_EQ(body(3), body(4)) << text;
    EXPECT_EQ(error.vertex(), std::stoi(found[1].str())) << text;
    EXPECT_LT(std::stod(found[5].str()), thickness) << text;
  }
}

/// What bodies push each other with at the start is the gradient of their repulsion.
TEST(PressedBodies, PushesAreThoseOfTheRepulsion) {
  const BoxBody slab{"slab", {4, 4, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025)};
  const BoxBody block{"block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.025 + 0.7 * thickness + 0.04}, 17.0, ""};
  const BoxBody away{"away", {1, 1, 1}, 0.04, {0.0, 0.0, 0.5}, 0.0, ""};
  Simulator simulator =
      body_contact_simulator(settings_text({}) + text_of(slab) + text_of(block) + text_of(away), {});
  System& system = const_cast<System&>(simulator.system());
  const VectorArray x = simulator.state().positions;
  VectorArray gradient(x.size());
  std::vector<double> by_scales(x.size(), 0.0);
  add_body_contact_gradient(system, x, gradient, by_scales);
  Vec3 on_block;
  for (auto i = static_cast<std::size_t>(system.assembly.body_offsets[1]);
       i < static_cast<std::size_t>(system.assembly.body_offsets[2]); ++i)
    on_block -= gradient[i];
  const std::vector<BodyPush> pushes = body_pushes(system, x);
  ASSERT_EQ(pushes.size(), 1U);
  EXPECT_EQ(pushes[0].bodies, (std::array<std::size_t, 2>{0, 1}));
  EXPECT_GT(pushes[0].force, 1.0);
  EXPECT_NEAR(pushes[0].force, on_block.z, 1e-9 * on_block.z);
}

}  // namespace
}  // namespace electret::test
