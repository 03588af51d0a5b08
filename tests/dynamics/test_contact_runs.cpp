// Runs with obstacles that push exactly, as a scene describes them.

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>

#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

/// A block that stands on a plane with `ground`, its keys beside place and law.
std::string block_on(const std::string& ground, const std::string& gravity, const std::string& more = "") {
  return block_scene(gravity, more) + plane_obstacle("[0.0, 0.0, 1.0]", "law = \"exact\"\n" + ground);
}

TEST(ContactRuns, FrictionHoldsForEver) {
  Simulator simulator =
      contact_simulator(block_on("friction = 0.5\n", "[4.85, 0.0, -9.81]"));  // .99 of the cone
  take_steps(simulator, 300);
  const VectorArray rest = simulator.state().positions;
  take_steps(simulator, 100);
  EXPECT_TRUE(simulator.state().positions == rest);
}

TEST(ContactRuns, BeyondTheConeItSlides) {
  Simulator simulator = contact_simulator(block_on("friction = 0.5\n", "[5.0, 0.0, -9.81]"));
  take_steps(simulator, 300);
  const double before = mean_velocity_of(simulator).x;
  take_steps(simulator, 20);
  EXPECT_NEAR((mean_velocity_of(simulator).x - before) / 0.2, 5.0 - 0.5 * 9.81, 1e-6);
}

TEST(ContactRuns, AConveyorTakesBodiesAlong) {
  const std::string belt = "friction = 0.4\ntimes = [0.0, 10.0]\noffsets = [[0, 0, 0], [5.0, 0, 0]]\n";
  Simulator simulator = contact_simulator(block_on(belt, "[0.0, 0.0, -9.81]"));
  take_steps(simulator, 5);
  EXPECT_LT(mean_velocity_of(simulator).x, 0.3);  // it slips at first: 0.4 g for 0.05 s
  take_steps(simulator, 195);
  EXPECT_NEAR(mean_velocity_of(simulator).x, 0.5, 1e-7);
  // The belt's work is the block's kinetic energy and what the slip has lost: v² m/2 each.
  double mass = 0.0;
  for (const double m : simulator.system().masses()) mass += m;
  EXPECT_NEAR(simulator.work().keyframe_work, 0.25 * mass, 0.01 * mass);
  EXPECT_NEAR(simulator.work().dissipation, 0.125 * mass, 0.01 * mass);
}

TEST(ContactRuns, PinnedVerticesDoNotTouch) {
  const std::string held =
      "  [[body.group]]\n  name = \"top\"\n  box = [[-1, -1, 0.09], [1, 1, 1]]\n"
      "  [[body.pin]]\n  group = \"top\"\n  times = [0.0, 1.0]\n"
      "  offsets = [[0, 0, 0], [0, 0, -0.02]]\n";
  Simulator simulator = contact_simulator(block_on("", "[0.0, 0.0, 0.0]", held));
  take_steps(simulator, 100);
  double lowest = 1.0;
  for (const Vec3& x : simulator.state().positions) lowest = std::min(lowest, x.z);
  EXPECT_NEAR(lowest, 0.0, 1e-12);
  double force = 0.0;
  for (const Vec3& reaction : simulator.pin_reactions()) force += reaction.z;
  double push = 0.0;
  for (const Vec3& f : simulator.system().contacts->forces()) push += f.z;
  EXPECT_GT(push, 1.0);
  EXPECT_NEAR(force, -push, 1e-3 * push);
}

TEST(ContactRuns, AreTheSameBitsOnAnyThreadsAndAfterARestart) {
  const std::string text = block_on("friction = 0.3\n", "[5.0, 1.0, -9.81]", "velocity = [0.3, 0.0, -1.0]");
  Simulator one = contact_simulator(text, 1), three = contact_simulator(text, 3);
  take_steps(one, 30);
  take_steps(three, 30);
  EXPECT_TRUE(one.state().positions == three.state().positions);
  Simulator other = contact_simulator(text, 2);
  other.restore(one.state(), one.work());
  take_steps(one, 30);
  take_steps(other, 30);
  EXPECT_TRUE(one.state().positions == other.state().positions);
  EXPECT_EQ(one.work().dissipation, other.work().dissipation);
}

TEST(ContactRuns, StepsThatMissTheLawAreCapped) {
  std::string text = block_on("friction = 0.5\n", "[3.0, 0.0, -9.81]", "velocity = [0.0, 0.0, -2.0]");
  const std::string tolerance = "tolerance = 1e-9\n";
  text.replace(text.find(tolerance), tolerance.size(), "tolerance = 1e-9\nmax_iterations = 1\n");
  Simulator simulator = contact_simulator(text);
  int unconverged = 0;
  for (int k = 0; k < 50; ++k) {
    const StepReport report = simulator.step();
    EXPECT_EQ(report.contact.is_unconverged, report.capped) << k;
    unconverged += report.capped ? 1 : 0;
  }
  EXPECT_GT(unconverged, 0);
}

TEST(ContactRuns, StickingIsCountedWithItsDepth) {
  std::string text = block_on("", "[0.0, 0.0, -9.81]", "velocity = [0.0, 0.0, -1.0]\n");
  const std::string law = "law = \"exact\"";
  text.replace(text.find(law), law.size(), "law = \"sticking\"");
  Simulator simulator = contact_simulator(text);
  Count most = 0;
  for (int k = 0; k < 30; ++k) {
    const ContactCounts counts = simulator.step().contact;
    const std::span<const ContactState> states = simulator.system().contacts->states();
    EXPECT_EQ(counts.sticking, std::count(states.begin(), states.end(), ContactState::stick));
    double depth = 0.0;
    for (const Vec3& x : simulator.state().positions) depth = std::max(depth, -x.z);
    EXPECT_NEAR(counts.penetration, depth, 1e-15) << k;
    EXPECT_FALSE(counts.is_unconverged) << k;
    most = std::max(most, counts.sticking);
  }
  EXPECT_GT(most, 0);
}

TEST(ContactRuns, MethodsThatCannotSolveForItSaySo) {
  try {
    Assembly assembly = assemble(parse_scene(block_on("", "[0.0, 0.0, -9.81]"), "scene.toml", "."));
    assembly.scene.integrator.method = "verlet";
    Simulator simulator(compile(std::move(assembly), 1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("exact"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace electret::test
