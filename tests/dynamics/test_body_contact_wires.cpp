// Bodies without faces that touch: wires and lattices, in scenes in which nothing has a face.

#include <algorithm>
#include <cmath>

#include "dynamics/body_contact_scenes.hpp"
#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

/// Steps of 10 ms without gravity, in which bodies touch as `against` says.
std::string settings(const std::string& against, const std::string& thickness) {
  return "[time]\nstep = 0.01\nsteps = 1000\n[contact]\nagainst = [" + against +
         "]\nthickness = " + thickness + "\nfriction = 0.3\n";
}

/// A wire or lattice of `shape` whose edges are springs.
std::string springs(const std::string& name, const std::string& shape, const std::string& more) {
  return "[[body]]\nname = \"" + name + "\"\ngenerate = " + shape + "\nmass = 0.01\n" + more +
         "  [[body.springs]]\n  from = \"edges\"\n  stiffness = 20.0\n";
}

double mean_height(const Simulator& simulator, std::size_t body) {
  const Assembly& assembly = simulator.system().assembly;
  double sum = 0.0;
  for (Count v = assembly.body_offsets[body]; v < assembly.body_offsets[body + 1]; ++v)
    sum += simulator.state().positions[static_cast<std::size_t>(v)].z;
  return sum / static_cast<double>(assembly.body_offsets[body + 1] - assembly.body_offsets[body]);
}

/// The second of two wires falls across the first one and takes it along, without passing it.
TEST(BodyContactWires, CollideWithoutAFaceInTheScene) {
  const std::string chain = "{ shape = \"chain\", vertices = 5 }";
  Simulator simulator = contact_simulator(
      settings("\"bodies\"", "0.05") + springs("a", chain, "") +
      springs("b", chain,
              "rotate = [0, 0, 90]\ntranslate = [0.4, -0.4, 0.5]\nvelocity = [0.0, 0.0, -2.0]\n"));
  ASSERT_TRUE(simulator.system().body_contacts);
  const double momentum = momentum_of(simulator).z;
  double gap = 1.0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_FALSE(simulator.step().capped) << k;
    gap = std::min(gap, smallest_gap(simulator));
  }
  EXPECT_LT(gap, 0.05);
  EXPECT_GT(gap, 0.01);
  EXPECT_LT(mean_height(simulator, 1), mean_height(simulator, 0) - 0.05)
      << "their ends, which nothing stops, have swung past each other";
  EXPECT_LT(mean_height(simulator, 0), -0.1);
  EXPECT_GT(mean_height(simulator, 1), -0.6);
  EXPECT_NEAR(momentum_of(simulator).z, momentum, 1e-6 * std::abs(momentum));
}

/// Two lattices that meet stop each other.
TEST(BodyContactWires, LatticesStopEachOther) {
  const std::string lattice = "{ shape = \"lattice\", nx = 3, ny = 3, nz = 3, spacing = 0.2 }";
  Simulator simulator = contact_simulator(
      settings("\"bodies\"", "0.05") + springs("a", lattice, "") +
      springs("b", lattice, "translate = [0.05, 0.03, 0.8]\nvelocity = [0.0, 0.0, -2.0]\n"));
  const double start = mean_height(simulator, 1);
  for (int k = 0; k < 40; ++k) ASSERT_FALSE(simulator.step().capped) << k;
  EXPECT_GT(mean_height(simulator, 1) - mean_height(simulator, 0), 0.1);
  EXPECT_GT(mean_height(simulator, 1), start - 0.7) << "free flight is 0.8 m";
}

/// The two ends of a rope that is bent to a hook are thrown at each other. They meet.
TEST(BodyContactWires, ARopeTouchesItself) {
  const std::string hook =
      "initial_positions = [[0, 0, 0], [0.2, 0, 0], [0.4, 0, 0], [0.4, 0.2, 0], [0.3, 0.2, 0.2], [0.3, 0, "
      "0.2], [0.3, -0.2, 0.2]]\n"
      "velocities = [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, -1], [0, 0, -1], [0, 0, -1]]\n";
  const std::string rope = springs("rope", "{ shape = \"chain\", vertices = 7, length = 1.2 }", hook);
  const auto least_gap = [&](const std::string& against) {
    Simulator simulator = contact_simulator(settings(against, "0.05") + rope);
    double upper = 1.0;
    for (int k = 0; k < 25; ++k) {
      simulator.step();
      const VectorArray& x = simulator.state().positions;
      upper = std::min(upper, 0.5 * (x[5].z + x[6].z) - 0.5 * (x[1].z + x[2].z));
    }
    return upper;
  };
  EXPECT_GT(least_gap("\"self\""), -0.03) << "the ends bend round each other";
  EXPECT_LT(least_gap("\"obstacles\""), -0.2) << "without contact they pass";
}

/// Nothing joins lone vertices with each other: the run has no contact of bodies, and costs none.
TEST(BodyContactWires, CloudsAloneDoNotTouch) {
  EXPECT_FALSE(contact_simulator(settings("\"bodies\", \"self\"", "0.01") +
                                 "[[body]]\nname = \"a\"\ngenerate = { shape = \"torus\", vertices = 24, "
                                 "sampling = \"best_candidate\" }\nmass = 0.01\n")
                   .system()
                   .body_contacts);
}

/// A wire that falls beside a parallel one, off by a quarter of the thickness, does not pass it.
TEST(BodyContactWires, ParallelWiresDoNotPassEachOther) {
  const std::string
      chain = "{ shape = \"chain\", vertices = 5 }",
      pins =
          "  [[body.group]]\n  name = \"all\"\n  indices = [0, 1, 2, 3, 4]\n  [[body.pin]]\n  group = "
          "\"all\"\n";
  Simulator simulator =
      contact_simulator(settings("\"bodies\"", "0.04") + springs("a", chain, "") + pins +
                        springs("b", chain, "translate = [0, 0.01, 0.06]\nvelocity = [0, 0, -1.0]\n"));
  double gap = 1.0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_FALSE(simulator.step().capped) << k;
    gap = std::min(gap, smallest_gap(simulator));
    ASSERT_GT(mean_height(simulator, 1), -0.02) << k;
  }
  EXPECT_LT(gap, 0.04);
  EXPECT_GT(simulator.state().positions[7].y, 0.015) << "it began at 0.01 and is pushed aside";
}

/// Two wires that meet end on rebound, with the momentum that they had.
TEST(BodyContactWires, WiresThatMeetEndOnKeepTheirMomentum) {
  const std::string chain = "{ shape = \"chain\", vertices = 5 }";
  Simulator simulator =
      contact_simulator(settings("\"bodies\"", "0.04") + springs("a", chain, "velocity = [1.0, 0, 0]\n") +
                        springs("b", chain, "translate = [1.1, 0, 0]\n"));
  const double momentum = momentum_of(simulator).x;
  double gap = 1.0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_FALSE(simulator.step().capped) << k;
    gap = std::min(gap, smallest_gap(simulator));
    ASSERT_NEAR(momentum_of(simulator).x, momentum, 1e-6 * momentum) << k;
  }
  EXPECT_LT(gap, 0.04);
  EXPECT_GT(simulator.state().velocities[7].x, 0.2) << "the second one flies";
}

}  // namespace
}  // namespace electret::test
