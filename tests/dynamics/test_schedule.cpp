#include <gtest/gtest.h>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

Assembly with_tracks() {
  NetworkOptions options;
  options.pins = options.moved_pins = true;
  options.step = 0.5;
  Assembly assembly = random_network(options);
  assembly.charge_tracks = {
      {{0, 1, 2}, {{0.0, 1.0}, {1.0, 3.0}, Interpolation::linear}, true, "a"},
      {{1}, KeyFrames<double>::constant(7.0), false, "b"},
      {{2, 3}, {{0.0, 1.0, 1.5}, {-1.0, -2.0, -4.0}, Interpolation::step}, true, "c"},
  };
  assembly.external_charges = {
      {{{0, 0, 0}},
       {{0.0, 2.0}, {4.0, 8.0}, Interpolation::linear},
       KeyFrames<Vec3>::constant({1, 2, 3}),
       0.25},
      {{{1, 0, 0}, {0, 1, 0}}, KeyFrames<double>::constant(3.0), KeyFrames<Vec3>::constant({0, 0, 5}), 0.0},
  };
  assembly.load_tracks = {
      {{1, 2}, {{0, 0, 1}}, {}, "a"},
      {{2, 3}, {{1, 0, 0}, {0, 2, 0}}, {{0.0, 1.0}, {1.0, 3.0}, Interpolation::linear}, "b"},
      {{2}, {{0, 4, 0}}, {{0.0, 1.0}, {0.0, 1.0}, Interpolation::step}, "c"},
  };
  return assembly;
}

TEST(Schedule, LaterChargesWinAndOthersAreTheBodys) {
  const auto system = compile(with_tracks(), 1);
  Inputs inputs;
  system->schedule.evaluate(0.75, inputs);
  EXPECT_EQ(inputs.time, 0.75);
  EXPECT_DOUBLE_EQ(inputs.charges[0], 2.5);
  EXPECT_EQ(inputs.charges[1], 7.0);   // a constant over a key-framed one
  EXPECT_EQ(inputs.charges[2], -1.0);  // the step at t = 1 not reached
  EXPECT_EQ(inputs.charges[3], -1.0);
  EXPECT_EQ(inputs.charges[4], system->assembly.charges[4]);
  EXPECT_TRUE(system->schedule.charges_change());
}

TEST(Schedule, StepsWithinABillionthOfTheTimeStep) {
  const auto system = compile(with_tracks(), 1);
  Inputs inputs;
  system->schedule.evaluate(1.0 - 0.4e-9 * 0.5, inputs);
  EXPECT_EQ(inputs.charges[3], -2.0);
  system->schedule.evaluate(1.0 - 1.0e-8 * 0.5, inputs);
  EXPECT_EQ(inputs.charges[3], -1.0);
}

TEST(Schedule, PlacesExternalCharges) {
  const auto system = compile(with_tracks(), 1);
  Inputs inputs;
  system->schedule.evaluate(1.0, inputs);
  ASSERT_EQ(inputs.external_charges.size(), 3U);
  EXPECT_DOUBLE_EQ(inputs.external_charges[0].charge, 6.0);
  EXPECT_EQ(inputs.external_charges[0].position, (Vec3{1, 2, 3}));
  EXPECT_EQ(inputs.external_charges[0].width, 0.25);
  EXPECT_EQ(inputs.external_charges[2].charge, 1.5);
  EXPECT_EQ(inputs.external_charges[2].position, (Vec3{0, 1, 5}));
}

TEST(Schedule, AddsUpLoads) {
  const auto system = compile(with_tracks(), 1);
  Inputs inputs;
  system->schedule.evaluate(0.5, inputs);
  ASSERT_EQ(inputs.loads.size(), system->assembly.masses.size());
  EXPECT_EQ(inputs.loads[0], Vec3{});
  EXPECT_EQ(inputs.loads[1], (Vec3{0, 0, 1}));
  EXPECT_EQ(inputs.loads[2], (Vec3{2, 0, 1}));  // the third load's step at t = 1 not reached
  EXPECT_EQ(inputs.loads[3], (Vec3{0, 4, 0}));
  system->schedule.update(1.0, inputs);
  EXPECT_EQ(inputs.loads[1], (Vec3{0, 0, 1}));
  EXPECT_EQ(inputs.loads[2], (Vec3{3, 4, 1}));
  EXPECT_EQ(inputs.loads[3], (Vec3{0, 6, 0}));

  compile(random_network({}), 1)->schedule.evaluate(0.0, inputs);
  EXPECT_TRUE(inputs.loads.empty());
}

TEST(Schedule, UpdateEqualsEvaluate) {
  const auto system = compile(with_tracks(), 1);
  Inputs moved, fresh;
  system->schedule.evaluate(0.0, moved);
  for (const double time : {0.02, 0.07, 1.0, 1.7, 9.0}) {
    system->schedule.update(time, moved);
    system->schedule.evaluate(time, fresh);
    EXPECT_TRUE(same_inputs(moved, fresh, ~0U)) << time;
  }
}

TEST(Schedule, SaysWhetherChargesChange) {
  EXPECT_FALSE(compile(random_network({}), 1)->schedule.charges_change());
  EXPECT_TRUE(compile(with_tracks(), 1)->schedule.charges_change());
}

TEST(Compile, ListsPinsInOrderAndStartsThem) {
  NetworkOptions options;
  options.pins = options.moved_pins = true;
  options.step = 0.01;
  const Assembly assembly = random_network(options);
  const auto system = compile(assembly, 1);
  EXPECT_EQ(system->pins, (std::vector<Index>{0, 2, 4, 5, 7}));
  const State state = initial_state(*system);
  EXPECT_EQ(state.step, 0);
  EXPECT_EQ(state.positions, assembly.initial_positions);
  EXPECT_EQ(state.velocities[0], Vec3{});  // held, whatever the body's velocity
  const Vec3 speed = (1.0 / 0.03) * Vec3{0.05, 0.0, 0.02};
  EXPECT_LE(norm(state.velocities[2] - speed), 1e-12);
  EXPECT_EQ(state.velocities[1], assembly.initial_velocities[1]);
}

TEST(Compile, HasOnlyWhatTheSceneHas) {
  const auto bare = compile(loose_vertices({{0, 0, 0}}, 0.1, "verlet"), 1);
  EXPECT_TRUE(bare->elastic.empty());
  // Loads and grabs alone, which a caller's inputs may bring.
  ASSERT_EQ(bare->forces.size(), 3U);
  EXPECT_EQ(bare->forces[0]->name(), "load");
  EXPECT_EQ(bare->forces[1]->name(), "grab");
  EXPECT_EQ(bare->forces[2]->name(), "grab_damping");
  EXPECT_TRUE(bare->field_choice.empty());
  NetworkOptions options;
  options.gravity = true;
  options.drag = options.spring_damping = 0.1;
  const auto full = compile(random_network(options), 1);
  EXPECT_EQ(full->elastic.size(), 1U);
  EXPECT_EQ(full->forces.size(), 7U);
  EXPECT_FALSE(full->field_choice.empty());
}

TEST(Schedule, AnExternalChargeMovesOnByItsValueOrByItsPlace) {
  Assembly assembly = loose_vertices({{0, 0, 0}}, 0.5, "verlet");
  const KeyFrames<double> fixed = KeyFrames<double>::constant(1.0),
                          growing{{0.0, 2.0}, {4.0, 8.0}, Interpolation::linear};
  const KeyFrames<Vec3> here = KeyFrames<Vec3>::constant({1, 2, 3}),
                        moving{{0.0, 2.0}, {{1, 0, 0}, {3, 0, 0}}, Interpolation::linear};
  const auto changes = [&](const KeyFrames<double>& charge, const KeyFrames<Vec3>& position) {
    assembly.external_charges = {{{{0, 0, 0}}, charge, position, 0.0}};
    const auto system = compile(assembly, 1);
    Inputs start, later;
    system->schedule.evaluate(0.0, start);
    later = start;
    system->schedule.update(1.0, later);
    return !same_inputs(start, later, read_by_potentials);
  };
  EXPECT_FALSE(changes(fixed, here));
  EXPECT_TRUE(changes(growing, here));
  EXPECT_TRUE(changes(fixed, moving));
}

TEST(Compile, HasEveryElectricField) {
  Assembly assembly = loose_vertices({{0, 0, 0}}, 0.1, "explicit_euler");
  assembly.charges = {3.0};
  std::vector<ExpressionError> errors;
  for (const char* text : {"1", "20"}) {
    FieldExpression field;
    for (auto& component : field.components) component = Expression::parse(text, {}, errors);
    assembly.fields.push_back(field);
  }
  EXPECT_NEAR(state_after(assembly, 1).velocities[0].y, 0.1 * 3.0 * 21.0, 1e-14);
}

TEST(Compile, TimesAreMultiples) {
  System system;
  system.time_step = system.assembly.scene.time.step = 0.1;
  EXPECT_EQ(system.time(3), 3 * 0.1);
}

}  // namespace
}  // namespace electret::test
