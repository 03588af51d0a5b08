#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/same_bits.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/grip.hpp>
#include <electret/studio/session/pulls.hpp>
#include <electret/studio/session/system_info.hpp>

#include "studio/played.hpp"

namespace electret::studio {
namespace {

constexpr double h = 0.01;
double time_of(Count step) {
  return static_cast<double>(step) * h;
}

class StudioPulls : public ::testing::Test {
 protected:
  std::uint32_t begun(Count first, Count last) {
    const std::uint32_t number = pulls.begin({{3, 5}, {0.25, 0.75}, 10.0, 1.0, {}}, 1.0);
    for (Count step = first; step <= last; ++step)
      pulls.aim(number, step, time_of(step), {static_cast<double>(step), 0, 0});
    return number;
  }
  [[nodiscard]] std::vector<double> targets_at(Count step) const {
    std::vector<PlacedGrab> grabs;
    pulls.add_to(grabs, time_of(step), h);
    std::vector<double> targets;
    for (const PlacedGrab& grab : grabs) targets.push_back(grab.target.x);
    return targets;
  }
  using Targets = std::vector<double>;
  Pulls pulls;
};

TEST_F(StudioPulls, ActFromTheirFirstKeyUntilTheyEnd) {
  const auto number = begun(3, 5);
  EXPECT_EQ(targets_at(2), Targets{});
  EXPECT_EQ(targets_at(3), Targets{3});
  EXPECT_EQ(targets_at(9), Targets{5});
  pulls.end(number, 8, time_of(8));
  EXPECT_EQ(targets_at(7), Targets{5});
  EXPECT_EQ(targets_at(8), Targets{});
  EXPECT_TRUE(pulls.find(number)->acts_at(7));
  EXPECT_FALSE(pulls.find(number)->acts_at(8));
  EXPECT_FALSE(pulls.find(number)->acts_after(7));
}

TEST_F(StudioPulls, ATargetThatStaysHasOneKeyAndAPullWithoutAStepLeavesNothing) {
  const auto number = begun(3, 3);
  for (Count step = 4; step < 9; ++step) pulls.aim(number, step, time_of(step), {3, 0, 0});
  EXPECT_EQ(pulls.find(number)->steps, std::vector<Count>{3});
  const auto before = pulls.revision();
  const auto other = pulls.begin({{1}, {1.0}, 1.0, 1.0, {}}, 1.0);
  pulls.end(other, 4, time_of(4));
  EXPECT_EQ(pulls.find(other), nullptr);
  EXPECT_GT(pulls.revision(), before);
}

TEST_F(StudioPulls, ForgetWhatCameAfterAStep) {
  const auto past = begun(1, 2);
  pulls.end(past, 4, time_of(4));
  const auto moving = begun(3, 9), later = begun(8, 9), tack = begun(2, 4), left = begun(2, 4);
  pulls.end(moving, 12, time_of(12));
  pulls.let_stand(tack, 5);
  pulls.end(tack, 11, time_of(11));
  pulls.let_stand(left, 8);
  pulls.forget_after(6, time_of(7));
  EXPECT_EQ(pulls.find(past)->end, 4);
  EXPECT_EQ(pulls.find(moving)->end, 7);
  EXPECT_EQ(pulls.find(moving)->steps.back(), 6);
  EXPECT_EQ(pulls.find(later), nullptr);
  // A tack that stood there stands on; what became one later was a hand, which lets go.
  EXPECT_EQ(pulls.find(tack)->end, Pull::never);
  EXPECT_TRUE(pulls.find(tack)->is_tack_at(100));
  EXPECT_EQ(pulls.find(left)->end, 7);
  EXPECT_FALSE(pulls.find(left)->is_tack_at(100));
  EXPECT_EQ(targets_at(6), (Targets{6, 4, 4}));
  EXPECT_EQ(targets_at(7), Targets{4});
}

TEST_F(StudioPulls, TheTablesUpToAStepAreReadAsTheSameTracks) {
  const Assembly assembly =
      load_scene_text(test::chain_scene("imex"), "chain.toml", ".", {}, read_regular_file);
  const auto ended = begun(1, 3), held = begun(4, 12);
  pulls.end(ended, 6, time_of(6));
  pulls.end(held, 14, time_of(14));
  begun(11, 12);
  const auto tracks = pulls.tracks_until(9);
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0].until, time_of(6));
  EXPECT_EQ(tracks[1].until, std::numeric_limits<double>::infinity());
  EXPECT_EQ(tracks[1].targets.times.back(), time_of(9));
  const std::string text = test::chain_scene("imex") + grab_tables(tracks, assembly);
  const Assembly read = load_scene_text(text, "chain.toml", ".", {}, read_regular_file);
  ASSERT_EQ(read.grabs.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(read.grabs[k].vertices, tracks[k].vertices);
    EXPECT_TRUE(same_bits(read.grabs[k].weights, tracks[k].weights));
    EXPECT_TRUE(same_bits(read.grabs[k].targets.times, tracks[k].targets.times));
    EXPECT_TRUE(same_bits(read.grabs[k].targets.values, tracks[k].targets.values));
    EXPECT_EQ(read.grabs[k].targets.interpolation, Interpolation::step);
    EXPECT_EQ(read.grabs[k].until, tracks[k].until);
    EXPECT_EQ(read.grabs[k].stiffness, 10.0);
    EXPECT_EQ(read.grabs[k].damping, 1.0);
  }
}

TEST(StudioDigits, AreSeven) {
  EXPECT_EQ(seven_digits(1.23456789), 1.234568);
  EXPECT_EQ(seven_digits(-0.00012345678), -1.234568e-4);
  EXPECT_EQ(seven_digits(1e300 / 3.0), 3.333333e299);
  for (const double value : {0.0, 2.0, 0.1, 123456.7, 5e-324}) EXPECT_EQ(seven_digits(value), value);
}

/// A chain of 12 vertices of 0.01 kg along x, 1/11 m apart; the first is pinned.
class StudioGrip : public ::testing::Test {
 protected:
  StudioGrip()
      : system(compile(load_scene_text(test::chain_scene("imex"), "chain.toml", ".", {}, read_regular_file),
                       1)) {
    scenery = scenery_of(system->assembly, 1, 1);
  }
  [[nodiscard]] std::optional<Grip> at(std::size_t point, double brush) const {
    return grip_at(*system, scenery.shown, system->assembly.initial_positions, point, brush);
  }
  std::unique_ptr<System> system;
  Scenery scenery;
};

TEST_F(StudioGrip, HoldsTheNearestVertexOrThoseOfTheBrush) {
  const auto one = at(6, 0.0);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->vertices, std::vector<Index>{6});
  EXPECT_EQ(one->weights, std::vector<double>{1.0});
  EXPECT_DOUBLE_EQ(one->mass, 0.01);
  EXPECT_DOUBLE_EQ(one->stiffness, 200.0);  // Two springs of 100 N/m.
  EXPECT_NEAR(one->diagonal, 1.0, 1e-12);
  const double length = norm(system->assembly.initial_positions[1] - system->assembly.initial_positions[0]);
  const auto three = at(6, 1.5 * length);
  ASSERT_TRUE(three);
  EXPECT_EQ(three->vertices, (std::vector<Index>{5, 6, 7}));
  EXPECT_NEAR(three->weights[0] / three->weights[1], 25.0 / 81.0, 1e-9);  // (1 - 1/1.5²)².
  EXPECT_NEAR(std::accumulate(three->weights.begin(), three->weights.end(), 0.0), 1.0, 1e-15);
  double mobility = 0.0;
  for (const double w : three->weights) mobility += w * w / 0.01;
  EXPECT_DOUBLE_EQ(three->mass, 1.0 / mobility);
  EXPECT_EQ(at(6, 100.0)->vertices.size(), 11U);
}

TEST_F(StudioGrip, NeverHoldsWhatIsPinned) {
  EXPECT_FALSE(at(0, 0.0));
  EXPECT_FALSE(at(0, 0.01));
  const auto beside = at(0, 0.2);
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->vertices, (std::vector<Index>{1, 2}));
}

TEST_F(StudioGrip, IsAsStrongAsIsSafe) {
  const Grip grip = *at(6, 0.0);
  // A free mass in one step: C = h²/m.
  const double free = h * h / grip.mass;
  const GripStrength known = strength_of(grip, free, h, "imex", 1.0);
  EXPECT_DOUBLE_EQ(known.stiffness, 0.3 / free);
  EXPECT_DOUBLE_EQ(known.damping, 0.3 * h / free);
  EXPECT_DOUBLE_EQ(strength_of(grip, free, h, "kick_midpoint", 1.0).stiffness, 0.05 / free);
  EXPECT_DOUBLE_EQ(strength_of(grip, 0.0, h, "imex", 1.0).stiffness, 0.1 / free);
  EXPECT_DOUBLE_EQ(strength_of(grip, free, h, "imex", 0.5).stiffness, 0.15 / free);
  // What pulls beside it takes its part.
  EXPECT_DOUBLE_EQ(strength_of(grip, free, h, "imex", 1.0, 2.0).stiffness, 0.075 / free);
  EXPECT_DOUBLE_EQ(strength_of(grip, free, h, "imex", 1.0, 1.0).damping, 0.15 * h / free);
  // Small steps do not make it violent.
  const GripStrength small = strength_of(grip, 1e-12, 1e-5, "imex", 1.0);
  EXPECT_DOUBLE_EQ(small.stiffness, grip.mass / (0.03 * 0.03) + 200.0);
  EXPECT_DOUBLE_EQ(small.damping, 2.0 * std::sqrt(small.stiffness * grip.mass));
  EXPECT_FALSE(may_reach_beyond("kick_midpoint"));
  EXPECT_TRUE(may_reach_beyond("imex"));
}

TEST_F(StudioGrip, OverlapIsTheCosineOfWhatTheyHold) {
  const Grip three = *at(6, 0.15), same = *at(6, 0.15), next = *at(7, 0.15), far = *at(10, 0.0);
  EXPECT_NEAR(overlap(*system, three, same.vertices, same.weights), 1.0, 1e-15);
  EXPECT_EQ(overlap(*system, three, far.vertices, far.weights), 0.0);
  double both = 0.0, own = 0.0, other = 0.0;  // All masses are equal.
  for (std::size_t k = 0; k < three.vertices.size(); ++k) own += three.weights[k] * three.weights[k];
  for (std::size_t k = 0; k < next.vertices.size(); ++k) {
    other += next.weights[k] * next.weights[k];
    for (std::size_t i = 0; i < three.vertices.size(); ++i)
      if (three.vertices[i] == next.vertices[k]) both += three.weights[i] * next.weights[k];
  }
  EXPECT_GT(both, 0.0);
  EXPECT_NEAR(overlap(*system, three, next.vertices, next.weights), both / std::sqrt(own * other), 1e-14);
}

TEST(StudioGrips, OfASurfaceHoldTheVerticesAroundIt) {
  const std::string scene = R"([time]
step = 0.01
steps = 10
[[body]]
name = "first"
generate = { shape = "chain", length = 1.0, vertices = 5 }
mass = 1.0
[[body]]
name = "duck"
density = 1000.0
generate = { shape = "fill", surface = ")" ELECTRET_EXAMPLES R"(/duck.obj", cell_size = 0.3 }
  [[body.material]]
  model = "corotated"
  youngs_modulus = 2e4
  poissons_ratio = 0.4
)";
  const auto system = compile(load_scene_text(scene, "filled.toml", ".", {}, read_regular_file), 1);
  const Scenery scenery = scenery_of(system->assembly, 1, 1);
  const VectorView x = system->assembly.initial_positions;
  ASSERT_GT(scenery.shown.points(), scenery.shown.vertices());
  const std::size_t point = scenery.shown.vertices() + 7;
  EXPECT_EQ(scenery.shown.body_of_point(point), 1U);
  const Vec3 place = scenery.shown.place(point, x);
  const auto grip = grip_at(*system, scenery.shown, x, point, 0.0);
  ASSERT_TRUE(grip);
  ASSERT_EQ(grip->vertices.size(), 1U);
  const double distance = norm(x[static_cast<std::size_t>(grip->vertices[0])] - place);
  for (std::size_t i = 5; i < x.size(); ++i) EXPECT_GE(norm(x[i] - place), distance);
}

}  // namespace
}  // namespace electret::studio
