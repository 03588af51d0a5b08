// Steps at the limits of contact: without a size of their own, between walls that leave no place, after
// changes that move obstacles into bodies, and with obstacles that turn fast.

#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/capped_steps.hpp>
#include <electret/dynamics/controls.hpp>

#include "dynamics/body_contact_scenes.hpp"
#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

std::string time_and_gravity(double step, const std::string& gravity = "[0, 0, -9.81]",
                             const std::string& tolerance = "1e-9") {
  return "[time]\nstep = " + std::to_string(step) + "\nsteps = 1000\n[integrator]\ntolerance = " + tolerance +
         "\n[gravity]\nacceleration = " + gravity + "\n";
}

/// Of 10 cm.
std::string cube(const std::string& name, const Vec3& place, double modulus) {
  BoxBody box;
  box.name = name;
  box.cells = {2, 2, 2};
  box.place = place;
  box.modulus = modulus;
  return text_of(box);
}

/// A slab of 1 m × 1 m × 0.5 m whose vertices are all pinned; its top is at z = 0.25.
const std::string pinned_slab =
    "[[body]]\nname = \"slab\"\ngenerate = { shape = \"box\", cells = [2, 2, 1], cell_size = 0.5 }\n"
    "density = 1000.0\n  [[body.group]]\n  name = \"all\"\n  box = [[-9, -9, -9], [9, 9, 9]]\n"
    "  [[body.pin]]\n  group = \"all\"\n"
    "  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = 1e6\n  poissons_ratio = 0.4\n";

/// A scene with a body of one vertex, at `place`.
Simulator with_particle(const std::string& text, const std::string& place) {
  return Simulator(
      compile(load_scene_text(
                  text + "[[body]]\nname = \"p\"\nmesh = \"p.obj\"\nmass = 1.0\ntranslate = " + place + "\n",
                  "scene.toml", ".", {}, [](const std::string&) { return "v 0 0 0\n"; }),
              1));
}

/// `text` with the block at the height `z`.
std::string lifted(std::string text, const std::string& z) {
  const std::string on_floor = "translate = [0.0, 0.0, 0.05]";
  return text.replace(text.find(on_floor), on_floor.size(), "translate = [0.0, 0.0, " + z + "]");
}

/// A particle at rest that a fixed slab pushes away: nothing but contact gives the step a size. It starts at
/// a gap d between D/2 and D, so that m (x - x_t)/h² = κ (D - (d + x - x_t)) with κ = 2m/h² moves it by two
/// thirds of D - d.
TEST(ContactLimits, AStepInWhichContactAloneActsConverges) {
  for (const double gap : {0.0051, 0.0075, 0.0099})
    for (const char* tolerance : {"1e-6", "1e-9", "1e-12"}) {
      Simulator simulator = with_particle(
          time_and_gravity(0.01, "[0, 0, 0]", tolerance) +
              "[contact]\nagainst = [\"bodies\"]\nthickness = 0.01\nfriction = 0.3\n" + pinned_slab,
          "[0.1, 0.05, " + std::to_string(0.25 + gap) + "]");
      const VectorArray start = simulator.state().positions;
      const StepReport report = simulator.step();
      EXPECT_FALSE(report.capped || report.contact.is_unconverged) << gap << " " << tolerance;
      EXPECT_LT(report.elastic_iterations, 40) << gap << " " << tolerance;
      EXPECT_NEAR(simulator.state().positions.back().z - start.back().z, 2.0 / 3.0 * (0.01 - gap), 1e-9);
    }
}

/// A ball that rises into particles at rest, without gravity.
TEST(ContactLimits, AnObstacleAloneMovesWhatRests) {
  Simulator simulator = contact_simulator(
      time_and_gravity(0.01, "[0, 0, 0]") + particles("[0.3, 0.1, 0.7]", "", 2) +
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncentre = [0.25, 0.1, 0.19]\nradius = 0.5\n"
      "friction = 0.3\ntimes = [0.0, 1.0]\noffsets = [[0, 0, 0], [0.1, 0, 0.5]]\n");
  for (int k = 0; k < 20; ++k) {
    const StepReport report = simulator.step();
    EXPECT_FALSE(report.capped || report.contact.is_unconverged) << k;
    EXPECT_LT(report.elastic_iterations, 40) << k;
  }
}

/// Two boxes with a slot between them of half the width `half`, whose tops are at z = 0.
std::string two_boxes(double half, const std::string& keys) {
  const auto box = [&](const char* name, double x) {
    return "[[obstacle]]\nname = \"" + std::string(name) + "\"\nshape = \"box\"\ncentre = [" +
           std::to_string(x) + ", 0.0, -0.5]\nsize = [1.0, 2.0, 1.0]\n";
  };
  return box("l", -0.5 - half) + box("r", 0.5 + half) + "[contact]\n" + keys;
}

/// The thickness closes a slot of 1 cm, so that particles that fall on it rest on the edges of both boxes, at
/// √(t² - a²), however fast they come.
TEST(ContactLimits, ASlotThatTheThicknessClosesHolds) {
  for (const double thickness : {0.006, 0.0051})
    for (const char* friction : {"0.0", "0.5"})
      for (const double beside : {0.0, 0.001}) {
        Simulator simulator = contact_simulator(
            time_and_gravity(0.005) + particles("[" + std::to_string(beside) + ", 0.0, 0.05]", "", 2) +
            two_boxes(0.005, "thickness = " + std::to_string(thickness) + "\nfriction = " + friction + "\n"));
        int unconverged = 0;
        for (int k = 0; k < 100; ++k) unconverged += simulator.step().contact.is_unconverged ? 1 : 0;
        EXPECT_EQ(unconverged, 0) << thickness << " " << friction << " " << beside;
        const double height = std::sqrt(thickness * thickness - 0.005 * 0.005);
        for (const Vec3& x : simulator.state().positions) {
          EXPECT_NEAR(x.z, height, beside == 0.0 ? 1e-9 : 1.0) << thickness << " " << friction;
          EXPECT_GT(x.z, 0.99 * height) << thickness << " " << friction << " " << beside;
        }
      }
}

/// Tiles whose joint the thickness closes bear a cube a row of whose vertices is over it.
TEST(ContactLimits, ACubeOnTilesStaysAbove) {
  for (const char* friction : {"0.0", "0.3"}) {
    Simulator simulator =
        contact_simulator(time_and_gravity(0.005) + cube("cube", {0.0, 0.0, 0.1}, 1e5) +
                          two_boxes(0.001, std::string("thickness = 0.002\nfriction = ") + friction + "\n"));
    for (int k = 0; k < 60; ++k) {
      const double before = simulator.energies().total();
      ASSERT_FALSE(simulator.step().contact.is_unconverged) << friction << ", step " << k;
      EXPECT_LT(simulator.energies().total() - before, 1e-6) << friction << ", step " << k;
    }
    for (const Vec3& x : simulator.state().positions) EXPECT_GT(x.z, 0.0) << friction;
  }
}

/// A lid sinks below the floor: no step can meet both. None is said to, and no wall pulls.
TEST(ContactLimits, WallsThatLeaveNoPlaceAreNotMet) {
  Simulator simulator = contact_simulator(
      time_and_gravity(0.01) + particles("[0.0, 0.0, 0.0]", "velocity = [0.3, 0.0, 0.0]\n", 2) +
      plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.3\n", "floor") +
      "[[obstacle]]\nname = \"lid\"\nshape = \"plane\"\npoint = [0.0, 0.0, 0.1]\nnormal = [0.0, 0.0, -1.0]\n"
      "friction = 0.3\ntimes = [0.0, 0.6]\noffsets = [[0.0, 0.0, 0.0], [0.0, 0.0, -0.15]]\n");
  for (int k = 1; k <= 60; ++k) {
    const bool is_unconverged = simulator.step().contact.is_unconverged;
    EXPECT_EQ(is_unconverged, k > 40) << "the lid is at z = 0 after 40 steps; step " << k;
    for (const ContactForce& push : simulator.contacts()) EXPECT_GE(push.normal, 0.0) << k;
  }
  EXPECT_THAT(capped_steps_notice(20, 60, simulator.system().assembly.scene),
              ::testing::HasSubstr("where obstacles or pins leave a body no room, no step can meet it"));
  EXPECT_THAT(capped_steps_notice(20, 60, Scene{}), ::testing::Not(::testing::HasSubstr("no room")));
}

/// A change lifts the floor by 2 cm into a block that slides on it. What that brings is the work of what
/// moved the floor, and friction goes on taking energy.
TEST(ContactLimits, AChangeThatLiftsAnObstacleDoesWork) {
  Simulator simulator = contact_simulator(
      lifted(block_scene("[1.0, 0.0, -9.81]", "velocity = [0.5, 0.0, 0.0]\n", "1e5"), "0.0600001") +
      plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.3\n") + "[contact]\nthickness = 0.01\n");
  simulator.run(40);
  Assembly moved = simulator.system().assembly;
  moved.obstacles[0].surface.origin.z += 0.02;
  simulator.change(moved);
  const WorkAccounts before = simulator.work();
  const double energy = simulator.energies().total();
  simulator.step();
  const double gained = simulator.energies().total() - energy;
  EXPECT_GT(gained, 0.5);
  EXPECT_GE(simulator.work().dissipation - before.dissipation, 0.0);
  EXPECT_GT(simulator.work().keyframe_work - before.keyframe_work, gained);
}

/// One that lifts it by more than its thickness can trace ends the run, and says why.
TEST(ContactLimits, AChangeThatPutsAnObstacleIntoABodyIsNamed) {
  Simulator simulator = contact_simulator(lifted(block_scene("[0.0, 0.0, -9.81]"), "0.0510001") +
                                          plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.3\n") +
                                          "[contact]\nthickness = 0.001\n");
  simulator.run(10);
  Assembly moved = simulator.system().assembly;
  moved.obstacles[0].surface.origin.z += 0.05;
  simulator.change(moved);
  try {
    simulator.step();
    FAIL() << "no divergence";
  } catch (const DivergenceError& error) {
    EXPECT_NE(error.cause().find("as after a change that moves the obstacle"), std::string::npos)
        << error.cause();
    EXPECT_EQ(error.cause().find("edge"), std::string::npos) << error.cause();
  }
}

/// A change that lets two bodies touch that are in each other tells the step that it came before.
TEST(ContactLimits, AChangeThatLetsBodiesTouchWithinEachOtherIsNamed) {
  const std::string bodies = cube("a", {}, 1e6) + cube("b", {0.01, 0.02, 0.06}, 1e6);
  const std::string start = time_and_gravity(0.01, "[0, 0, 0]") +
                            "[contact]\nagainst = [\"bodies\"]\nthickness = 0.001\n  [[contact.pair]]\n  "
                            "between = [\"a\", \"b\"]\n";
  Simulator simulator = contact_simulator(start + "  ignore = true\n" + bodies);
  simulator.run(3);
  Assembly touching = simulator.system().assembly;
  touching.contact_pairs[0].is_ignored = false;
  try {
    simulator.change(touching);
    FAIL() << "no divergence";
  } catch (const DivergenceError& error) {
    EXPECT_EQ(error.step(), 3);
    EXPECT_NE(error.cause().find("which a change lets it touch"), std::string::npos) << error.cause();
  }
}

/// An action may turn an obstacle by 30 degrees in a step, and no farther: the step would not know which way
/// its surface came.
TEST(ContactLimits, ActionsThatTurnAnObstacleFastAreRefused) {
  Simulator simulator = contact_simulator(time_and_gravity(0.01) + particles("[0.3, 0.0, 0.0]", "", 2) +
                                          plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.3\n"));
  const Controls controls(simulator.system(), {"obstacle.ground.placement"});
  DrivenSteps steps(simulator.system(), controls, std::as_const(simulator).integrator().stage_fractions());
  std::vector<double> action(12, 0.0);
  action[11] = 2900.0;
  EXPECT_NO_THROW(steps.inputs(simulator.state(), action));
  action[11] = 36000.0;
  EXPECT_THROW(steps.inputs(simulator.state(), action), InputError);
}

/// A wall pushes particles along over a floor: they stay on the wall and slide on the floor.
TEST(ContactLimits, WhatAWallPushesOverAFloorSlides) {
  Simulator simulator = contact_simulator(
      time_and_gravity(0.01) + particles("[0.001, 0.0, 0.0]", "", 2) +
      plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.3\n") +
      "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [1, 0, 0]\n"
      "times = [0, 10]\noffsets = [[0, 0, 0], [5, 0, 0]]\n");
  for (int k = 0; k < 20; ++k) {
    const StepReport report = simulator.step();
    if (k == 0) continue;
    EXPECT_EQ(report.contact.sticking, 0) << k;
    EXPECT_EQ(report.contact.slipping, 2) << k;
  }
}

}  // namespace
}  // namespace electret::test
