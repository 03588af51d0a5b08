// Obstacles that move: against motions in closed form, the energy's accounts, resumed and driven runs.

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <electret/dynamics/controls.hpp>
#include <electret/geometry/shapes/shapes.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/warnings.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

constexpr double gravity = 9.81, stiffness = 400.0;

/// One vertex of 1 kg on a level floor that pushes like a spring, at the depth at which it rests.
Assembly resting(double step, const std::string& method = "verlet") {
  Assembly assembly = loose_vertices({{0.2, -0.1, -gravity / stiffness}}, step, method);
  assembly.scene.gravity = Vec3{0, 0, -gravity};
  assembly.obstacles.push_back({.surface = {make_plane({0, 0, 1}), {}},
                                .stiffness = stiffness,
                                .exponent = 2.0,
                                .name = "obstacle.a"});
  assembly.scene.obstacles.push_back({.name = "a", .shape = "plane"});
  return assembly;
}

Simulator after(Assembly assembly, double duration) {
  const double h = assembly.scene.time.step;
  Simulator run = simulator(std::move(assembly));
  run.run(std::lround(duration / h));
  return run;
}

/// A floor that rises with the speed V from time 0 on: seen from it, the vertex starts downwards with V and
/// swings about its depth of rest.
TEST(MovingObstacles, LiftAVertexThatSwingsOnThem) {
  constexpr double speed = 0.2, duration = 0.32;
  const double omega = std::sqrt(stiffness);
  ASSERT_LT(speed / omega, gravity / stiffness) << "never leaves the floor";
  const double expected =
      -gravity / stiffness + speed * duration - speed / omega * std::sin(omega * duration);
  std::vector<double> errors;
  for (const double step : {0.004, 0.002}) {
    Assembly assembly = resting(step);
    assembly.obstacles[0].offsets = {{0.0, 1.0}, {{0, 0, 0}, {0, 0, speed}}};
    const Simulator run = after(assembly, duration);
    errors.push_back(run.state().positions[0].z - expected);
    EXPECT_EQ(run.state().positions[0].x, 0.2);
  }
  EXPECT_LT(std::abs(errors[1]), 1e-5);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.1);
}

/// A level floor that slides: Coulomb's friction takes the vertex along until it has the floor's speed.
TEST(MovingObstacles, TakeAVertexAlongByFriction) {
  constexpr double friction = 0.3, speed = 0.5, damping = 50.0, h = 1e-4;
  Assembly assembly = resting(h);
  assembly.obstacles[0].friction = friction;
  assembly.obstacles[0].friction_stiffness = damping;
  assembly.obstacles[0].offsets = {{0.0, 10.0}, {{0, 0, 0}, {10.0 * speed, 0, 0}}};
  const double sliding = 0.1;
  const Simulator early = after(assembly, sliding);
  EXPECT_NEAR(early.state().velocities[0].x, friction * gravity * sliding, 1e-9);
  EXPECT_NEAR(early.state().positions[0].x, 0.2 + 0.5 * friction * gravity * sliding * sliding, 1e-9);
  // Below the speed μ f_n/k_f against the floor the rest of it decays with the rate k_f/m.
  const double slow = friction * gravity / damping, from = (speed - slow) / (friction * gravity);
  const double duration = 0.25;
  const Simulator late = after(assembly, duration);
  EXPECT_NEAR(late.state().velocities[0].x, speed - slow * std::exp(-damping * (duration - from)), 2e-4);
  EXPECT_EQ(late.state().velocities[0].y, 0.0);
}

/// A turning floor takes a vertex along with ω × r: it starts across its arm.
TEST(MovingObstacles, TakeAVertexAlongAsTheyTurn) {
  constexpr double friction = 0.3, h = 1e-4, duration = 0.02;
  Assembly assembly = resting(h);
  assembly.obstacles[0].friction = friction;
  assembly.obstacles[0].friction_stiffness = 50.0;
  assembly.obstacles[0].rotations = {{0.0, 1.0}, {{0, 0, 0}, {0, 0, 720.0}}};
  const Vec3 v = after(assembly, duration).state().velocities[0];
  const Vec3 arm{0.2, -0.1, 0.0};
  const Vec3 along = (friction * gravity * duration / norm(arm)) * Vec3{-arm.y, arm.x, 0.0};
  EXPECT_LE(norm(v - along), 0.02 * norm(along));
}

/// A tilting floor pushes along its turned normal.
TEST(MovingObstacles, PushAlongTheirTurnedNormal) {
  Assembly assembly = resting(1e-4);
  assembly.obstacles[0].rotations = KeyFrames<Vec3>::constant({-30.0, 0, 0});
  assembly.scene.gravity.reset();
  Simulator run = simulator(assembly);
  const Vec3 normal{0.0, 0.5, std::sqrt(0.75)};
  const double depth = -dot(normal, run.state().positions[0]);
  ASSERT_GT(depth, 0.0);
  EXPECT_NEAR(run.energies().external, 0.5 * stiffness * depth * depth, 1e-12);
  run.step();
  const Vec3 v = run.state().velocities[0];
  EXPECT_LE(norm(v - (1e-4 * stiffness * depth) * normal), 1e-5 * norm(v));
}

/// Obstacles that lift, drag and turn a body with friction.
Assembly driven_body(const std::string& method, double step) {
  NetworkOptions options;
  options.method = method;
  options.step = step;
  options.gravity = true;
  Assembly assembly = random_network(options);
  const KeyFrames<Vec3> smooth{
      {0.0, 0.1, 0.3}, {{}, {0.05, 0.0, 0.04}, {0.3, 0.1, -0.05}}, Interpolation::cubic};
  const KeyFrames<Vec3> turning{{0.0, 0.2, 0.3}, {{}, {4, -3, 30}, {6, 2, 60}}, Interpolation::cubic};
  for (const double height : {0.3, 0.6}) {
    ObstacleTrack track{.surface = {make_plane({0, 0, 1}), {1, 1, height}}, .stiffness = 150.0};
    if (height > 0.5) track.surface = {make_capsule({1, 0, 0}, 0.8, 2.0), {1, 1, -0.2}}, track.radius = 0.8;
    track.friction = 0.4, track.friction_stiffness = 6.0;
    track.offsets = smooth, track.rotations = turning;
    track.name = "obstacle." + std::to_string(assembly.obstacles.size());
    assembly.scene.obstacles.push_back(
        {.name = std::to_string(assembly.obstacles.size()), .shape = height > 0.5 ? "capsule" : "plane"});
    assembly.obstacles.push_back(std::move(track));
  }
  return assembly;
}

struct Account {
  double error = 0.0;
  WorkAccounts work;
};

Account account_of(const std::string& method, double step) {
  Assembly assembly = driven_body(method, step);
  Simulator start = simulator(assembly);
  const double before = start.energies().total();
  Simulator run = after(std::move(assembly), 0.24);
  const WorkAccounts& work = run.work();
  return {run.energies().total() - before - work.work() + work.dissipation, work};
}

class MovingObstacleMethods : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Methods, MovingObstacleMethods, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(MovingObstacleMethods, WorkAndDissipationBalanceTheEnergyToFirstOrder) {
  const Account coarse = account_of(std::string(GetParam()), 0.002),
                fine = account_of(std::string(GetParam()), 0.0005);
  EXPECT_NEAR(coarse.error / fine.error, 4.0, 0.8) << coarse.error << ", " << fine.error;
  const double extrapolated = std::abs(4.0 * fine.error - coarse.error) / 3.0;
  EXPECT_GT(std::abs(fine.work.keyframe_work), 5.0 * extrapolated);
  EXPECT_GT(fine.work.dissipation, 5.0 * extrapolated);
}

TEST_P(MovingObstacleMethods, GoOnFromACheckpointWithTheSameBits) {
  const Assembly assembly = driven_body(std::string(GetParam()), 0.005);
  Simulator whole = simulator(assembly), first = simulator(assembly), second = simulator(assembly, 2);
  whole.run(24);
  first.run(11);
  second.restore(first.state(), first.work());
  second.run(24);
  EXPECT_EQ(whole.state().positions, second.state().positions);
  EXPECT_EQ(whole.state().velocities, second.state().velocities);
  EXPECT_EQ(whole.work().keyframe_work, second.work().keyframe_work);
  EXPECT_EQ(whole.work().dissipation, second.work().dissipation);
}

/// A particle of 1 kg that rests on a penalty floor, but for a hundredth of its depth.
std::string resting_particle(double hardness, double exponent) {
  const double depth = std::pow(gravity / hardness, 1.0 / (exponent - 1.0));
  char text[900];
  std::snprintf(
      text, sizeof text,
      "[time]\nstep = 0.01\nsteps = 1000\n[integrator]\nmethod = \"verlet\"\n[gravity]\nacceleration = "
      "[0, 0, -9.81]\n[[body]]\nname = \"dust\"\ngenerate = { shape = \"chain\", vertices = 2 }\n"
      "translate = [0, 0, %.17e]\nmass = 1.0\n[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n"
      "point = [0, 0, 0]\nnormal = [0, 0, 1]\nlaw = \"penalty\"\nstiffness = %.17e\nexponent = %.17e\n",
      -1.01 * depth, hardness, exponent);
  return text;
}

/// How far it gets from its place of rest, in times of how far it began.
double growth(double hardness, double exponent) {
  const double depth = std::pow(gravity / hardness, 1.0 / (exponent - 1.0));
  Simulator simulator(compile(assemble(parse_scene(resting_particle(hardness, exponent), "s.toml", ".")), 1));
  double most = 0.0;
  for (int k = 0; k < 600; ++k) {
    simulator.step();
    most = std::max(most, std::abs(simulator.state().positions[0].z + depth));
  }
  return most / (0.01 * depth);
}

/// What rests on a floor that is as stiff as the warning allows stays there, and flies off one that is a
/// fifth stiffer.
TEST(PenaltyObstacles, TheStiffnessThatTheWarningAllowsIsTheLargestStableOne) {
  for (const double exponent : {2.0, 3.0}) {
    const auto warnings =
        scene_warnings(assemble(parse_scene(resting_particle(1e9, exponent), "scene.toml", ".")));
    ASSERT_EQ(warnings.size(), 1U);
    const std::string text = to_string(warnings[0]), before = "or a stiffness of at most ";
    ASSERT_NE(text.find(before), std::string::npos) << text;
    const double most = std::stod(text.substr(text.find(before) + before.size()));
    EXPECT_LT(growth(0.98 * most, exponent), 20.0) << exponent;
    EXPECT_GT(growth(1.2 * most, exponent), 100.0) << exponent;
  }
}

/// A method that reads inputs at the start of a step alone is driven by the key-frames' placements there.
TEST(MovingObstacles, DrivenByACallerLikeByKeyFrames) {
  const Assembly assembly = driven_body("symplectic_euler", 0.005);
  Simulator scheduled = simulator(assembly), driven = simulator(assembly);
  const Controls controls(driven.system(), {"obstacle.0.placement", "obstacle.1.placement"});
  ASSERT_EQ(controls.size(), 24U);
  DrivenSteps steps(driven.system(), controls, {});
  for (int k = 0; k < 12; ++k) {
    std::vector<double> action;
    for (const Placement& p : scheduled.inputs().placements)
      for (const Vec3& row : {p.offset, p.rotation, p.velocity, p.turning})
        action.insert(action.end(), {row.x, row.y, row.z});
    scheduled.step();
    driven.step(steps.inputs(driven.state(), action));
    ASSERT_EQ(scheduled.state().positions, driven.state().positions) << k;
  }
  Simulator left = simulator(assembly);
  left.step(steps.inputs(left.state(), std::vector<double>(24)));
  Simulator by_keys = simulator(assembly);
  by_keys.step();
  EXPECT_NE(left.state().velocities, by_keys.state().velocities) << "the action counts";
}

}  // namespace
}  // namespace electret::test
