// Muscles in motion: their schedule, their work, and runs that go on where others stopped.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/scene/parameters.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

TEST(Muscles, ActivationsAreInputs) {
  const auto system = compile(muscular({}), 1);
  Inputs inputs, fresh;
  system->schedule.evaluate(0.0, inputs);
  ASSERT_EQ(inputs.activations.size(), 3U + 8U + 3U);
  EXPECT_EQ(inputs.activations[1], 1.2);
  EXPECT_EQ(inputs.activations[5], 1.0);
  for (const double time : {0.06, 0.11, 9.0}) {
    system->schedule.update(time, inputs);
    system->schedule.evaluate(time, fresh);
    EXPECT_TRUE(same_inputs(inputs, fresh, ~0U)) << time;
    EXPECT_EQ(inputs.activations[0], 0.7);
    EXPECT_EQ(inputs.activations[10], evaluate(system->assembly.muscles[1].keys, time, 0.01));
    EXPECT_NEAR(inputs.activations[12], 1.0 + 0.2 * std::sin(0.3 * (time / 0.01 - 1.0)), 1e-14);
  }
  EXPECT_EQ(inputs.activations[3], 1.2);
}

/// As a fit may try them: the run has no value, and nothing is at fault.
TEST(Muscles, AreNotRunWithAFormulaThatHasNoActivation) {
  Assembly assembly = muscular({});
  const Parameter amplitude = find_parameter(assembly, "body.solid.muscle.2.A");
  for (const double wrong : {-5.0, 3.0}) {
    amplitude.write(assembly, std::vector{wrong});
    try {
      compile(assembly, 1);
      ADD_FAILURE() << wrong;
    } catch (const DivergenceError& error) {
      EXPECT_NE(std::string(error.what()).find("the activation of body.solid.muscle.2 is"),
                std::string::npos);
    }
  }
  amplitude.write(assembly, std::vector{0.5});
  EXPECT_NO_THROW(compile(assembly, 1));
}

TEST(Muscles, ScheduleHasItsTranspose) {
  const Assembly assembly = muscular({});
  const auto system = compile(assembly, 1);
  const auto activations_at = [](const Assembly& a, double time) {
    Inputs inputs;
    compile(a, 1)->schedule.evaluate(time, inputs);
    return inputs.activations;
  };
  for (const double time : {0.0, 0.06, 0.1, 0.7}) {
    Inputs inputs;
    system->schedule.evaluate(time, inputs);
    InputGradients by_inputs = InputGradients::zero(inputs);
    by_inputs.activations = random_numbers(inputs.activations.size(), 31, -1.0, 1.0);
    AssemblyGradient gradient = AssemblyGradient::zero(assembly);
    system->schedule.add_gradient(time, by_inputs, gradient);
    for (const char* name :
         {"muscle.0.activations", "muscle.0.activation", "muscle.1.values", "muscle.2.A"}) {
      const Parameter p = find_parameter(assembly, std::string("body.solid.") + name);
      const std::vector<double> values = p.read(assembly), slope = p.pull(gradient);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const auto moved = [&](double by) {
          std::vector<double> changed = values;
          changed[k] += by;
          Assembly other = assembly;
          p.write(other, changed);
          double sum = 0.0;
          const auto at = activations_at(other, time);
          for (std::size_t i = 0; i < at.size(); ++i) sum += by_inputs.activations[i] * at[i];
          return sum;
        };
        EXPECT_NEAR(slope[k], (moved(0.25) - moved(-0.25)) / 0.5, 1e-12) << p.name << " at " << time;
      }
    }
  }
}

class MusclesMove : public testing::TestWithParam<std::string_view> {
 protected:
  [[nodiscard]] static SolidOptions options(double step = 0.005) {
    SolidOptions made;
    made.method = std::string(GetParam());
    made.step = made.method == "explicit_euler" ? 0.1 * step : step;
    return made;
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, MusclesMove,
                         testing::Values("imex", "newton", "kick_midpoint", "kick_trbdf2", "verlet",
                                         "symplectic_euler", "explicit_euler"),
                         [](const auto& method) { return std::string(method.param); });

/// What changing activations do is the key-frames' work: without it the balance's error would not fall with
/// the step.
TEST_P(MusclesMove, AndTheirWorkIsAccounted) {
  const auto balance = [](double step) {
    Simulator run = simulator(muscular(options(step)));
    const double start = run.energies().total();
    run.run(std::lround(0.12 / run.system().time_step));
    return std::pair(run.energies().total() - start - run.work().keyframe_work, run.work().keyframe_work);
  };
  const auto [coarse, much] = balance(0.002);
  const auto [fine, also] = balance(0.0005);
  EXPECT_GT(std::abs(also), 0.02);
  const double rest = (4.0 * fine - coarse) / 3.0;
  EXPECT_LT(std::abs(rest), 0.1 * std::abs(also)) << coarse << ", " << fine << ", work " << also;
}

TEST_P(MusclesMove, ARestoredRunGoesOnToTheBit) {
  const Assembly assembly = muscular(options());
  Simulator whole = simulator(assembly), resumed = simulator(assembly);
  whole.run(6);
  const State state = whole.state();
  const WorkAccounts work = whole.work();
  whole.run(12);
  resumed.restore(state, work);
  resumed.run(12);
  EXPECT_EQ(whole.state().positions, resumed.state().positions);
  EXPECT_EQ(whole.state().velocities, resumed.state().velocities);
  EXPECT_EQ(whole.work().keyframe_work, resumed.work().keyframe_work);
  EXPECT_EQ(whole.energies().elastic, resumed.energies().elastic);
}

/// Activations that a caller brings act as the scene's own, and are not remembered for the next step.
TEST_P(MusclesMove, ByActivationsOfTheCallersOwn) {
  const Assembly assembly = muscular(options());
  Assembly still = assembly;
  still.muscles[1].keys = KeyFrames<double>::constant(1.0);
  still.muscles[2].keys = KeyFrames<double>::constant(1.0);
  Simulator scheduled = simulator(assembly), driven = simulator(still);
  const Schedule& schedule = scheduled.system().schedule;
  StepInputs inputs;
  inputs.stages.resize(driven.integrator().stage_fractions().size());
  for (Count k = 0; k < 3; ++k) {
    scheduled.step();
    schedule.evaluate(scheduled.system().time(k), inputs.start);
    schedule.evaluate(scheduled.system().time(k + 1), inputs.end);
    for (std::size_t s = 0; s < inputs.stages.size(); ++s)
      schedule.evaluate(scheduled.system().time(k) +
                            driven.integrator().stage_fractions()[s] * scheduled.system().time_step,
                        inputs.stages[s]);
    driven.step(inputs);
  }
  EXPECT_LE(largest_difference(scheduled.state().positions, driven.state().positions), 1e-13);
  Simulator fresh = simulator(still);
  fresh.restore(driven.state(), driven.work());
  driven.step();
  fresh.step();
  EXPECT_EQ(driven.state().positions, fresh.state().positions);
}

}  // namespace
}  // namespace electret::test
