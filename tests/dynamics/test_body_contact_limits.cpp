// Bodies that touch each other at the limits of the law: next to the cone of friction, for many steps, and at
// speeds that carry them past each other within a step.

#include <gtest/gtest.h>

#include "dynamics/body_contact_scenes.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 1e-3, g = 9.81, friction = 0.5;

struct SlidingBlock {
  double share = 1.0;    ///< tan θ/μ.
  double turned = 0.0;   ///< Of the block about the normal, degrees.
  double gap = 1.0;      ///< At the start, in thicknesses.
  double modulus = 1e6;  ///< Pa.

  [[nodiscard]] double angle() const { return std::atan(friction * share); }
  /// By the law, m/s².
  [[nodiscard]] double acceleration() const { return g * (std::sin(angle()) - friction * std::cos(angle())); }
  /// A block of two layers on a long pinned slab, in a turned gravity.
  [[nodiscard]] Simulator simulator() const {
    RunSettings tilted;
    tilted.gravity = {g * std::sin(angle()), 0, -g * std::cos(angle())};
    const BoxBody slab{"slab", {16, 4, 1}, 0.05, {0.3, 0, 0}, 0.0, pinned_below(-0.025), modulus};
    const BoxBody block{"block", {2, 2, 2}, 0.04,   {0.003, 0.002, 0.025 + gap * thickness + 0.04},
                        turned,  "",        modulus};
    return body_contact_simulator(settings_text(tilted) + text_of(slab) + text_of(block),
                                  {.friction = friction});
  }
};

double speed_of_block(const Simulator& simulator) {
  return momentum_of(simulator, 1).x / mass_of(simulator, 1);
}

class AtTheCone : public testing::TestWithParam<double> {};

/// In the first step nothing pushes a block that starts a thickness away, so that friction has to stop the
/// speed g h sin θ; at 0.99 of the cone that takes a second.
TEST_P(AtTheCone, HoldsBelowItToTheLastBit) {
  for (const double share : {0.93, 0.99}) {
    Simulator simulator = SlidingBlock{.share = share, .turned = GetParam()}.simulator();
    for (int k = 0; k < 200; ++k) ASSERT_FALSE(simulator.step().capped) << share << ", step " << k;
    EXPECT_EQ(speed_of_block(simulator), 0.0) << share;
    const VectorArray rest = simulator.state().positions;
    for (int k = 200; k < 1000; ++k) simulator.step();
    EXPECT_EQ(simulator.state().positions, rest) << share;
  }
}

TEST_P(AtTheCone, SlowsDownFirstAsFrictionSays) {
  const SlidingBlock scene{.share = 0.99, .turned = GetParam()};
  Simulator simulator = scene.simulator();
  for (int k = 0; k < 61; ++k) simulator.step();
  // The lower side is a step behind, and so friction begins.
  EXPECT_NEAR(speed_of_block(simulator), 0.01 * g * std::sin(scene.angle()) + 0.6 * scene.acceleration(),
              2e-3);
}

/// One that lies on the slab from the start stays there.
TEST_P(AtTheCone, ABlockThatLiesThereHoldsSoon) {
  Simulator simulator = SlidingBlock{.share = 0.99, .turned = GetParam(), .gap = 0.97}.simulator();
  for (int k = 0; k < 100; ++k) simulator.step();
  for (const Vec3& v : simulator.state().velocities) ASSERT_LE(norm(v), 1e-9);
}

/// How far accelerations over 0.3 s are from the law's, in g.
struct Deviation {
  double mean_square = 0.0, largest = 0.0;
};

Deviation deviation(const SlidingBlock& scene, int steps) {
  Simulator simulator = scene.simulator();
  std::vector<double> speeds;
  for (int k = 0; k < steps; ++k) {
    EXPECT_FALSE(simulator.step().capped);
    speeds.push_back(speed_of_block(simulator));
  }
  Deviation of;
  const std::size_t first = 20, window = 30, count = speeds.size() - window - first;
  for (std::size_t k = first; k < first + count; ++k) {
    const double each = ((speeds[k + window] - speeds[k]) / (0.01 * window) - scene.acceleration()) / g;
    of.mean_square += each * each / static_cast<double>(count);
    of.largest = std::max(of.largest, std::abs(each));
  }
  return of;
}

/// Vertices that come under the front edge of the block are bumps, of soft bodies above all.
TEST_P(AtTheCone, SlidesAboveItAsTheLawSays) {
  const Deviation soft = deviation({.share = 1.01, .turned = GetParam()}, 240);
  EXPECT_LT(std::sqrt(soft.mean_square), 1e-4);
  EXPECT_LT(soft.largest, GetParam() == 0.0 ? 1e-4 : 3e-4);
  EXPECT_LT(deviation({.share = 1.01, .turned = GetParam(), .modulus = 1e8}, 110).largest, 1e-4);
}

TEST_P(AtTheCone, SlidesFarAboveItAsTheLawSays) {
  const double mu = 0.2, angle = std::atan(1.8 * mu);
  RunSettings tilted;
  tilted.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  const BoxBody slab{"slab", {16, 4, 1}, 0.05, {0.3, 0, 0}, 0.0, pinned_below(-0.025)};
  const BoxBody block{"block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.025 + thickness + 0.04}, GetParam(), ""};
  Simulator simulator =
      body_contact_simulator(settings_text(tilted) + text_of(slab) + text_of(block), {.friction = mu});
  for (int k = 0; k < 30; ++k) simulator.step();
  const double before = speed_of_block(simulator);
  for (int k = 0; k < 40; ++k) simulator.step();
  EXPECT_NEAR((speed_of_block(simulator) - before) / 0.4, g * (std::sin(angle) - mu * std::cos(angle)),
              2e-4 * g);
}

INSTANTIATE_TEST_SUITE_P(Meshes, AtTheCone, testing::Values(0.0, 17.0));

TEST(BodyContactLimits, AStackOfFiveStandsForFiveSeconds) {
  std::string text = settings_text({0.01, 1e-6, {0, 0, -g}});
  for (int b = 0; b < 5; ++b)
    text += text_of({"box" + std::to_string(b),
                     {2, 2, 2},
                     0.05,
                     {0, 0, 0.101 * b},
                     5.0 * b,
                     b == 0 ? pinned_below(-0.05) : ""});
  Simulator simulator = body_contact_simulator(text, {});
  StepStatistics statistics;
  for (int k = 0; k < 100; ++k) statistics.add(simulator.step());
  EXPECT_LT(statistics.newton, 500);
  for (int k = 100; k < 500; ++k) statistics.add(simulator.step());
  EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
  EXPECT_GT(smallest_gap(simulator), 0.8 * thickness);
  EXPECT_LT(norm(momentum_of(simulator)), 1e-6);
}

/// Two cubes of 10 cm that fly at each other with half of `speed` each, 2 cm apart.
Simulator head_on(double speed, double step, double modulus = 1e6) {
  const auto flies = [](double v) { return "velocity = [" + std::to_string(v) + ", 0, 0]\n"; };
  const BoxBody left{"left", {2, 2, 2}, 0.05, {0, 0, 0}, 0.0, flies(0.5 * speed), modulus};
  const BoxBody right{"right", {2, 2, 2}, 0.05, {0.12, 0, 0}, 0.0, flies(-0.5 * speed), modulus};
  return body_contact_simulator(settings_text({step, 1e-6, {}}) + text_of(left) + text_of(right), {});
}

double middle_of(const Simulator& simulator, std::size_t body) {
  const auto& offsets = simulator.system().assembly.body_offsets;
  double sum = 0.0;
  for (Count i = offsets[body]; i < offsets[body + 1]; ++i)
    sum += simulator.state().positions[static_cast<std::size_t>(i)].x;
  return sum / static_cast<double>(offsets[body + 1] - offsets[body]);
}

/// As long as bodies come nearer to each other by one and a half of their length in a step, or less, neither
/// gets past the other.
TEST(BodyContactLimits, BodiesStopEachOtherUpToOneAndAHalfLengthsAStep) {
  for (const double speed : {10.0, 20.0, 50.0})
    for (const double way : {0.05, 0.1, 0.15}) {
      Simulator simulator = head_on(speed, way / speed);
      StepStatistics statistics;
      for (int k = 0; k < 6; ++k) {
        statistics.add(simulator.step());
        ASSERT_EQ(crossings(simulator), 0) << speed << ", " << way;
        EXPECT_FALSE(simulator.system().body_contacts->state().passage.has_value()) << speed << ", " << way;
      }
      EXPECT_EQ(statistics.unconverged, 0) << statistics.text();
      EXPECT_GT(middle_of(simulator, 1) - middle_of(simulator, 0), 0.05) << speed << ", " << way;
    }
}

/// From two lengths on the least g is where they have gone round each other. No edge goes through a face on
/// the way, and from three on the run tells of it.
TEST(BodyContactLimits, FasterOnesGoRoundEachOtherWhichIsTold) {
  for (const double way : {0.3, 0.5, 1.0}) {
    Simulator simulator = head_on(50.0, way / 50.0);
    simulator.step();
    EXPECT_EQ(crossings(simulator), 0) << way;
    EXPECT_LT(middle_of(simulator, 1) - middle_of(simulator, 0), 0.0) << way;
    const std::optional<BodyPassage> passage = simulator.system().body_contacts->state().passage;
    ASSERT_TRUE(passage.has_value()) << way;
    const ContactSurface& surface = simulator.system().body_contacts->surface();
    EXPECT_NE(surface.body(passage->pair.vertices[0]), surface.body(passage->pair.vertices[3]));
    EXPECT_NEAR(passage->extent, 0.1, 1e-6);
    EXPECT_GT(passage->depth, passage->extent);
    EXPECT_LE(passage->depth, way);
    simulator.step();
    EXPECT_FALSE(simulator.system().body_contacts->state().passage.has_value());  // They are apart again.
  }
}

/// Without friction nor elasticity that matters: at 50 m/s a step of 10 ms leads one through the other,
/// freely; at 2.5 ms both go on together.
TEST(BodyContactLimits, APassageIsAsLongAsTheFlight) {
  const auto hits = [](double step) {
    const BoxBody still{"still", {2, 2, 2}, 0.05, {0, 0, 0}, 0.0, ""};
    const BoxBody fast{"fast", {2, 2, 2}, 0.05, {0.12, 0, 0}, 0.0, "velocity = [-50, 0, 0]\n"};
    return body_contact_simulator(settings_text({step, 1e-6, {}}) + text_of(still) + text_of(fast), {});
  };
  Simulator large = hits(0.01);
  large.step();
  const std::optional<BodyPassage> passage = large.system().body_contacts->state().passage;
  ASSERT_TRUE(passage.has_value());
  EXPECT_NEAR(passage->way, 0.5, 1e-3);
  EXPECT_NEAR(passage->depth, 0.5 - 0.02, 1e-3);  // 2 cm are between the cubes.
  Simulator small = hits(0.0025);
  for (int k = 0; k < 8; ++k) {
    small.step();
    EXPECT_FALSE(small.system().body_contacts->state().passage.has_value()) << k;
  }
  EXPECT_LT(momentum_of(small, 0).x, -15.0 * mass_of(small, 0));
}

}  // namespace
}  // namespace electret::test
