#include <gtest/gtest.h>

#include <electret/core/errors.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

TEST(Simulator, StartsAtStepZeroWithItsInputs) {
  const Simulator run = simulator(random_network({}));
  EXPECT_EQ(run.state().step, 0);
  EXPECT_EQ(run.inputs().time, 0.0);
  EXPECT_EQ(run.inputs().charges, run.system().assembly.charges);
}

TEST(Simulator, InputsAreThoseOfTheStatesTime) {
  Assembly assembly = random_network({});
  assembly.charge_tracks = {{{4}, {{0.0, 1.0}, {0.0, 1.0e-5}, Interpolation::linear}, true, "q"}};
  Simulator run = simulator(assembly);
  for (int k = 1; k <= 5; ++k) {
    run.step();
    EXPECT_EQ(run.inputs().time, k * assembly.scene.time.step);
    EXPECT_EQ(run.inputs().charges[4], evaluate(assembly.charge_tracks[0].charge, k * 0.01, 0.01));
  }
}

/// The schedule's values handed in by the caller give the same bits; others give other motion, and the
/// schedule takes over again afterwards.
TEST(Simulator, TakesInputsOfTheCallersOwn) {
  NetworkOptions options;
  options.pins = options.moved_pins = true;
  for (const char* method : {"verlet", "imex"}) {
    options.method = method;
    Assembly assembly = random_network(options);
    assembly.charge_tracks = {{{4}, {{0.0, 1.0}, {0.0, 1.0e-4}, Interpolation::linear}, true, "q"}};
    Simulator scheduled = simulator(assembly), mixed = simulator(assembly);
    scheduled.run(6);
    mixed.run(2);
    for (Count k = 2; k < 4; ++k) {
      StepInputs inputs;
      mixed.system().schedule.evaluate(mixed.system().time(k), inputs.start);
      mixed.system().schedule.evaluate(mixed.system().time(k + 1), inputs.end);
      mixed.step(inputs);
      EXPECT_EQ(mixed.inputs().charges, inputs.end.charges);
    }
    mixed.run(6);
    EXPECT_EQ(scheduled.state().positions, mixed.state().positions) << method;

    Simulator dragged = simulator(assembly);
    StepInputs inputs{dragged.inputs(), dragged.inputs(), {}};
    inputs.end.pin_positions[0] += Vec3{0.01, 0.0, 0.0};
    dragged.step(inputs);
    EXPECT_EQ(dragged.state().positions[0], inputs.end.pin_positions[0]);
    // What the caller changed for one step must not be remembered for the next.
    Simulator fresh = simulator(assembly);
    fresh.restore(dragged.state(), dragged.work());
    dragged.step();
    fresh.step();
    EXPECT_EQ(dragged.state().positions, fresh.state().positions) << method;
    EXPECT_EQ(dragged.state().velocities, fresh.state().velocities) << method;
  }
}

/// Loads that the caller brings to a scene without any act as the scene's own do, in every method, and are
/// not remembered for the next step.
TEST(Simulator, TakesLoadsOfTheCallersOwn) {
  for (const char* method : {"imex", "verlet", "symplectic_euler", "explicit_euler"}) {
    NetworkOptions options;
    options.method = method;
    const Assembly without = random_network(options);
    Assembly with = without;
    with.load_tracks = {{{3, 8}, {{0.5, -2.0, 1.0}}, {}, "load"}};
    Simulator scheduled = simulator(with), driven = simulator(without);
    StepInputs inputs{driven.inputs(), driven.inputs(), {}};
    for (Count k = 0; k < 3; ++k) {
      scheduled.step();
      scheduled.system().schedule.evaluate(scheduled.system().time(k), inputs.start);
      scheduled.system().schedule.evaluate(scheduled.system().time(k + 1), inputs.end);
      driven.step(inputs);
    }
    EXPECT_EQ(scheduled.state().positions, driven.state().positions) << method;
    EXPECT_EQ(scheduled.state().velocities, driven.state().velocities) << method;
    EXPECT_EQ(scheduled.work().field_work, driven.work().field_work) << method;
    EXPECT_NE(driven.work().field_work, 0.0);

    Simulator fresh = simulator(without);
    fresh.restore(driven.state(), driven.work());
    driven.step();
    fresh.step();
    EXPECT_EQ(driven.state().positions, fresh.state().positions) << method;
    EXPECT_EQ(driven.state().velocities, fresh.state().velocities) << method;
  }
}

TEST(Simulator, RunReportsProgressAndStopsWhenAsked) {
  Simulator run = simulator(random_network({}));
  std::stop_source source;
  Count last = 0;
  Control control;
  control.stop = source.get_token();
  control.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.done, last + 1);
    EXPECT_EQ(progress.total, 10);
    last = progress.done;
    if (last == 4) source.request_stop();
  };
  EXPECT_THROW(run.run(10, control), Cancelled);
  EXPECT_EQ(run.state().step, 4);
  run.run(10);
  EXPECT_EQ(run.state().positions, state_after(random_network({}), 10).positions);
}

TEST(Simulator, RefusesStatesAndInputsOfAnotherSize) {
  Simulator run = simulator(random_network({}));
  EXPECT_THROW(Simulator(nullptr), std::invalid_argument);
  EXPECT_THROW(run.run(-1), std::invalid_argument);
  EXPECT_THROW(run.restore({}, {}), std::invalid_argument);
  State early = run.state();
  early.step = -1;
  EXPECT_THROW(run.restore(early, {}), std::invalid_argument);
  EXPECT_THROW(run.restore(run.state(), {}, {}), std::invalid_argument);
  StepInputs inputs{run.inputs(), run.inputs(), {}};
  inputs.end.charges.pop_back();
  EXPECT_THROW(run.step(inputs), std::invalid_argument);
  inputs = {run.inputs(), run.inputs(), {}};
  inputs.start.loads.resize(3);
  EXPECT_THROW(run.step(inputs), std::invalid_argument);
  inputs = {run.inputs(), run.inputs(), {}};
  inputs.start.activations.resize(3);
  EXPECT_THROW(run.step(inputs), std::invalid_argument);
  inputs = {run.inputs(), run.inputs(), {run.inputs()}};
  EXPECT_THROW(run.step(inputs), std::invalid_argument);
}

TEST(Simulator, ReportsTheImplicitSolve) {
  NetworkOptions options;
  options.method = "imex";
  options.tolerance = 1e-9;
  Simulator run = simulator(random_network(options));
  const StepReport report = run.step();
  EXPECT_GT(report.elastic_iterations, 0);
  EXPECT_FALSE(report.capped);
  EXPECT_LE(report.residual, report.residual_target);
  options.method = "verlet";
  EXPECT_EQ(simulator(random_network(options)).step().elastic_iterations, 0);
}

}  // namespace
}  // namespace electret::test
