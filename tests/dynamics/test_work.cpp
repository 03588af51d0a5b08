#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

FieldExpression saddle_field(double strength) {
  FieldExpression field;
  std::vector<ExpressionError> errors;
  field.constant_names = {"a"};
  field.constants = {strength};
  const char* text[] = {"a*y", "-a*x*(1+t)", "a*sin(z)"};
  for (std::size_t k = 0; k < 3; ++k)
    field.components[k] = Expression::parse(text[k], field.constant_names, errors);
  EXPECT_TRUE(errors.empty());
  return field;
}

/// Everything that does work: an expression field, loads, key-framed charges, a moving, key-framed external
/// charge, moved pins, grabs that move, begin and end, drag and spring damping.
Assembly working(const std::string& method, double step) {
  NetworkOptions options;
  options.method = method;
  options.step = step;
  options.gravity = options.pins = options.moved_pins = true;
  options.drag = 0.5;
  options.spring_damping = 0.3;
  Assembly assembly = random_network(options);
  assembly.fields = {saddle_field(3e4)};
  assembly.charge_tracks = {{{8, 9, 10, 11}, {{0.0, 0.3}, {1e-5, -2e-5}, Interpolation::cubic}, true, "c"}};
  assembly.external_charges = {{{{0, 0, 0}},
                                {{0.0, 0.3}, {4e-5, 1e-5}, Interpolation::linear},
                                {{0.0, 0.3}, {{-1, -1, -1}, {-1.5, -1, 0}}, Interpolation::linear},
                                0.5}};
  assembly.load_tracks = {{{6, 10}, {{3.0, -1.0, 2.0}}, {}, "constant"},
                          {{10, 12, 2},
                           {{4.0, 0.0, 1.0}, {-2.0, 1.0, 3.0}, {1.0, 1.0, 1.0}},
                           {{0.0, 0.1, 0.3}, {0.0, 1.5, -1.0}, Interpolation::cubic},
                           "key-framed"}};
  assembly.grabs = {{{6, 14},
                     {0.5, 0.5},
                     40.0,
                     2.0,
                     {{0.0, 0.1, 0.24}, {{1, 2, 1}, {2, 2, 0}, {0, 3, 1}}, Interpolation::cubic}},
                    {{10, 11, 17}, {0.2, 0.3, 0.5}, 30.0, 3.0, {{0.04}, {{2, 1, 2}}}, 0.2}};
  // Pins that move smoothly, for a ratio of errors without the kinks' own.
  assembly.pin_tracks[1].offsets = {
      {0.0, 0.1, 0.3}, {{}, {0.1, 0.0, 0.1}, {0.3, 0.2, 0.0}}, Interpolation::cubic};
  return assembly;
}

struct Balance {
  double change = 0.0;  ///< E_f - E_0, J.
  WorkAccounts work;
  double error() const {
    return change - (work.field_work + work.keyframe_work + work.pin_work - work.dissipation);
  }
};

Balance balance(Assembly assembly, double duration) {
  const double h = assembly.scene.time.step;
  Simulator run = simulator(std::move(assembly));
  const double start = run.energies().total();
  run.run(std::lround(duration / h));
  return {run.energies().total() - start, run.work()};
}

class Accounts : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Methods, Accounts, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(Accounts, BalanceTheEnergyToFirstOrder) {
  const Balance coarse = balance(working(std::string(GetParam()), 0.002), 0.24);
  const Balance fine = balance(working(std::string(GetParam()), 0.0005), 0.24);
  EXPECT_NEAR(coarse.error() / fine.error(), 4.0, 0.6) << coarse.error() << ", " << fine.error();
  // Without its first-order part the balance would notice any of the accounts missing.
  const double extrapolated = std::abs(4.0 * fine.error() - coarse.error()) / 3.0;
  for (const double part :
       {fine.work.field_work, fine.work.keyframe_work, fine.work.pin_work, fine.work.dissipation})
    EXPECT_GT(std::abs(part), 5.0 * extrapolated);
  EXPECT_GT(fine.work.dissipation, 0.0);
}

/// Pins of a network that start, turn and stop suddenly, each at a step of both runs.
TEST_P(Accounts, BalanceTheEnergyWherePinsHaveKinks) {
  const auto error = [&](double step) {
    NetworkOptions options;
    options.method = GetParam();
    options.step = step;
    options.pins = options.moved_pins = true;
    Assembly assembly = random_network(options);
    assembly.pin_tracks[1].offsets = {
        {0.04, 0.12, 0.2}, {{}, {0.3, 0.1, 0.0}, {0.1, 0.0, 0.2}}, Interpolation::linear};
    return balance(std::move(assembly), 0.24);
  };
  const Balance coarse = error(0.002), fine = error(0.0005);
  // An error of ½ m |Δv|² at each kink would be tens of joules.
  EXPECT_LT(std::abs(fine.error()), 0.1);
  EXPECT_GT(coarse.error() / fine.error(), 3.5) << coarse.error() << ", " << fine.error();
}

/// A vertex without forces, 2 kg, from rest to 3 m/s and back to rest between two steps: the pin does the
/// work ½ m v² and takes it back, in every method and at any step.
TEST_P(Accounts, CountWhatPinsThatStartSuddenlyGain) {
  for (const double step : {0.1, 0.01}) {
    Assembly assembly = loose_vertices({{1, 2, 3}}, step, std::string(GetParam()));
    assembly.masses = {2.0};
    add_pins(assembly, {0}, {{0.3, 0.8}, {{}, {0.9, 1.2, 0.0}}, Interpolation::linear});
    const Balance moving = balance(assembly, 0.6), stopped = balance(assembly, 1.0);
    EXPECT_NEAR(moving.work.pin_work, 9.0, 1e-11) << step;
    EXPECT_NEAR(moving.error(), 0.0, 1e-11) << step;
    EXPECT_NEAR(stopped.work.pin_work, 0.0, 1e-11) << step;
  }
}

TEST(Accounts, AreZeroWhereNothingWorks) {
  const Balance still = balance(random_network({}), 0.1);
  EXPECT_EQ(still.work.field_work, 0.0);
  EXPECT_EQ(still.work.keyframe_work, 0.0);
  EXPECT_EQ(still.work.pin_work, 0.0);
  EXPECT_EQ(still.work.dissipation, 0.0);
}

/// One charge in a uniform field, one step: W = q e·(x' - x), e and q those of the step's start.
TEST(Accounts, CountTheFieldOfTheStepsStart) {
  Assembly assembly = loose_vertices({{1, 2, 3}}, 0.1, "symplectic_euler");
  assembly.initial_velocities = {{1.0, 0.0, 0.0}};
  assembly.fields = {saddle_field(2.0)};
  assembly.charge_tracks = {{{0}, {{0.0, 1.0}, {3.0, 4.0}, Interpolation::linear}, true, "q"}};
  Simulator run = simulator(std::move(assembly));
  run.step();
  const Vec3 force = 3.0 * Vec3{4.0, -2.0, 2.0 * std::sin(3.0)};
  const Vec3 moved = 0.1 * (Vec3{1, 0, 0} + 0.1 * force);
  EXPECT_NEAR(run.work().field_work, dot(force, moved), 1e-12);
  EXPECT_EQ(run.work().keyframe_work, 0.0);
}

/// One vertex under a load that grows, one step: W = f(t_n)·(x' - x), with the load of the step's start. A
/// constant load gives the energy that it takes from nowhere else.
TEST(Accounts, CountTheLoadOfTheStepsStart) {
  for (const char* method : {"imex", "linear_implicit", "kick_midpoint", "kick_trbdf2", "verlet",
                             "symplectic_euler", "explicit_euler"}) {
    Assembly assembly = loose_vertices({{1, 2, 3}}, 0.1, method);
    assembly.initial_velocities = {{1.0, 0.0, 0.5}};
    assembly.load_tracks = {{{0}, {{4.0, -2.0, 1.0}}, {{0.0, 1.0}, {3.0, 4.0}, Interpolation::linear}, "f"}};
    Simulator run = simulator(std::move(assembly));
    run.step();
    const Vec3 moved = run.state().positions[0] - Vec3{1, 2, 3};
    EXPECT_GT(norm(moved), 0.05) << method;
    EXPECT_NEAR(run.work().field_work, dot(3.0 * Vec3{4.0, -2.0, 1.0}, moved), 1e-12) << method;
  }
}

/// Charges that change while pinned in place: the work is the change of U, whatever the step.
TEST(Accounts, CountKeyFramedChargesExactly) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {2, 0, 0}}, 0.1, "verlet");
  assembly.scene.coulomb = FieldOptions{};
  assembly.charges = {1e-6, 2e-6};
  assembly.charge_tracks = {{{0}, {{0.0, 0.5}, {1e-6, 5e-6}, Interpolation::linear}, true, "q"}};
  assembly.external_charges = {
      {{{0, 0, 0}}, KeyFrames<double>::constant(1e-6), KeyFrames<Vec3>::constant({0, 4, 0}), 0.0}};
  add_pins(assembly, {0, 1});
  Simulator run = simulator(std::move(assembly));
  run.run(5);
  const double k = coulomb_constant;
  EXPECT_NEAR(run.work().keyframe_work, k * (4e-6 * 2e-6 / 2.0 + 4e-6 * 1e-6 / 4.0), 1e-15);
  EXPECT_EQ(run.work().pin_work, 0.0);
}

/// Verlet's reaction takes the mean of the forces at both ends of the step: a charge carried away from a held
/// one, and back at a kink of its path.
TEST(Accounts, TakeTheMeanForceForVerletsPins) {
  constexpr double h = 0.1, m = 2.0;
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, h, "verlet");
  assembly.masses = {1.0, m};
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.coulomb->constant = 1.0;
  assembly.charges = {1.0, 1.0};
  add_pins(assembly, {0});
  add_pins(assembly, {1}, {{0.0, h, 2 * h}, {{}, {1, 0, 0}, {0.5, 0, 0}}, Interpolation::linear});
  Simulator run = simulator(std::move(assembly));
  run.run(2);
  const double there = -0.5 * (1.0 + 1.0 / 4.0) * 1.0;
  const double back = 0.5 * m * (5.0 * 5.0 - 10.0 * 10.0) - 0.5 * (1.0 / 4.0 + 1.0 / 2.25) * -0.5;
  EXPECT_NEAR(run.work().pin_work, there + back, 1e-11);
}

/// A weight carried up at a constant speed: the pin works against gravity, in every method.
TEST(Accounts, CountWhatPinsLift) {
  for (const char* method : {"imex", "linear_implicit", "kick_midpoint", "kick_trbdf2", "verlet",
                             "symplectic_euler", "explicit_euler"}) {
    Assembly assembly = loose_vertices({{0, 0, 0}}, 0.01, method);
    assembly.masses = {2.0};
    assembly.scene.gravity = Vec3{0, 0, -9.81};
    add_pins(assembly, {0}, {{0.0, 1.0}, {{}, {0, 0, 3}}, Interpolation::linear});
    const Balance lifted = balance(std::move(assembly), 1.0);
    EXPECT_NEAR(lifted.work.pin_work, 2.0 * 9.81 * 3.0, 1e-9) << method;
    EXPECT_NEAR(lifted.error(), 0.0, 1e-9) << method;
  }
}

}  // namespace
}  // namespace electret::test
