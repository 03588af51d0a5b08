#include <cmath>

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/rollout.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/scene/parameters.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

constexpr Count steps = 10, hold = 3;

/// Every kind of control that the scene has, each number once.
std::vector<std::string> driven_names(const System& system) {
  const std::vector<std::string> all = control_names(system);
  std::vector<std::string> names;
  for (const std::string& name : all) {
    std::vector<std::string> longer = names;
    longer.push_back(name);
    try {
      const Controls controls(system, longer);
      names = std::move(longer);
    } catch (const std::runtime_error&) {  // Drives what another drives already.
    }
  }
  return names;
}

/// A value for a control that is `now` in the inputs, moved by a little of each.
double value_near(const DrivenInput& input, double now, double wave) {
  if (input.field == &input::charges) return now + 1e-6 * wave;
  if (input.field == &input::external_charges) return input.unit == "C" ? 1e-5 * wave : 2.0 + wave;
  if (input.field == &input::pin_positions) return (input.is_each ? now : 0.0) + 0.01 * wave;
  if (input.field == &input::loads) return 0.1 * wave;
  if (input.field == &input::activations) return 1.0 + 0.1 * wave;
  if (input.field == &input::grabs) return input.unit == "m" ? now + 0.1 * wave : 2.0 + wave;
  return 0.02 * wave;
}

/// The state's own values at its time, as an action, moved by a little of each.
std::vector<double> action_near(const Simulator& simulator, const Controls& controls) {
  const Inputs& now = simulator.inputs();
  std::vector<double> action;
  for (const DrivenInput& input : controls.list()) {
    const InputRows<const double> rows = input.field->values(now);
    for (std::size_t k = 0; k < input.size(); ++k) {
      const double wave = std::sin(1.0 + static_cast<double>(action.size()));
      const std::size_t member = input.members[k / input.width()];
      // A scene without loads has no rows of them.
      const double value = rows.count == 0 ? 0.0 : rows(member, input.column + k % input.width());
      action.push_back(value_near(input, value, wave));
    }
  }
  return action;
}

TEST(RolloutArguments, AreChecked) {
  Simulator simulator(compile(adjoint_scene("verlet"), 1));
  const Controls none, all(simulator.system(), driven_names(simulator.system()));
  EXPECT_THROW(Rollout(simulator, none, {.steps = 0, .control = {}}), std::invalid_argument);
  EXPECT_THROW(Rollout(simulator, none, {.steps = 1, .hold = 0, .control = {}}), std::invalid_argument);
  EXPECT_THROW(Rollout(simulator, none, {.steps = 1, .memory = -1.0, .control = {}}), std::invalid_argument);
  MixedLoss loss;
  Rollout rollout(simulator, all, {.steps = 2, .control = {}});
  EXPECT_THROW(rollout.backward(loss, true), std::invalid_argument);
  EXPECT_THROW(rollout.forward(loss, {}), std::invalid_argument);
  const auto fails = [](Count, const State&, ScalarSpan) { throw Cancelled(); };
  EXPECT_THROW(rollout.forward(loss, fails), Cancelled);
  EXPECT_THROW(rollout.backward(loss, true), std::invalid_argument);
}

/// Its derivative at one step is no number.
class BadLoss final : public MixedLoss {
 public:
  explicit BadLoss(Count step) : step_(step) {}
  [[nodiscard]] bool reads(Count step, Count /*last_step*/) const override { return step == step_; }
  void add_derivatives(const LossPoint&, double, const LossGradients& out) override {
    out.velocities[3].z = NAN;
  }

 private:
  Count step_;
};

TEST(RolloutArguments, ALossWithoutAFiniteDerivativeIsNamed) {
  Simulator simulator(compile(adjoint_scene("verlet"), 1));
  const Controls none;
  Rollout rollout(simulator, none, {.steps = 4, .control = {}});
  for (const Count step : {0, 2, 4}) {
    BadLoss loss(step);
    rollout.forward(loss, {});
    try {
      rollout.backward(loss, true);
      ADD_FAILURE() << "step " << step;
    } catch (const DivergenceError& error) {
      EXPECT_EQ(error.step(), step);
      EXPECT_EQ(error.vertex(), 3);
      EXPECT_NE(error.cause().find("the loss's own derivative"), std::string::npos) << error.what();
    }
  }
}

class Rollouts : public testing::TestWithParam<std::string> {};

/// Along random directions of all actions at once.
void compare_actions(Assembly assembly) {
  Simulator simulator(compile(std::move(assembly), 1));
  const Controls controls(simulator.system(), driven_names(simulator.system()));
  const std::vector<double> near = action_near(simulator, controls);
  const std::size_t m = controls.size();
  const std::size_t intervals = (steps + hold - 1) / hold;
  std::vector<double> actions;
  for (std::size_t j = 0; j < intervals; ++j)
    for (std::size_t k = 0; k < m; ++k) actions.push_back(near[k] * (1.0 + 0.01 * static_cast<double>(j)));
  Rollout rollout(simulator, controls, {.steps = steps, .hold = hold, .control = {}});
  MixedLoss loss;
  const auto value = [&](const std::vector<double>& given) {
    rollout.forward(loss, [&](Count interval, const State&, ScalarSpan action) {
      std::copy_n(given.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(interval) * m), m,
                  action.begin());
    });
    return loss.value();
  };
  value(actions);
  const RolloutGradient got = rollout.backward(loss, true);
  for (const DrivenInput& input : controls.list()) {
    std::vector<double> direction(actions.size());
    double size = 0.0, slope = 0.0;
    for (std::size_t j = 0; j < intervals; ++j)
      for (std::size_t k = input.first; k < input.first + input.size(); ++k) {
        const double reach = std::abs(near[k]) + 1e-9;
        direction[j * m + k] = reach * std::cos(3.0 * static_cast<double>(j + 7 * k));
        slope += got.by_actions[j * m + k] * direction[j * m + k];
        size += std::abs(got.by_actions[j * m + k] * direction[j * m + k]);
      }
    const Difference wanted = difference(
        [&](double offset) {
          std::vector<double> moved = actions;
          for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += offset * direction[k];
          return value(moved);
        },
        0.05);
    EXPECT_NEAR(slope, wanted.value, 1e-6 * size + 10.0 * wanted.error) << input.name;
    EXPECT_GT(size, 0.0) << input.name;
  }
}

TEST_P(Rollouts, ActionsGradientIsThatOfDifferences) {
  compare_actions(adjoint_scene(GetParam()));
}

TEST_P(Rollouts, PlacementsGradientIsThatOfDifferences) {
  compare_actions(obstacle_adjoint_scene(GetParam()));
}

TEST_P(Rollouts, MemoryAndASecondSweepChangeNoBit) {
  Simulator simulator(compile(adjoint_scene(GetParam()), 1));
  const Controls controls(simulator.system(), driven_names(simulator.system()));
  const std::vector<double> near = action_near(simulator, controls);
  const auto sweep = [&](double memory, bool twice) {
    simulator.restart();
    Rollout rollout(simulator, controls, {.steps = steps, .hold = hold, .memory = memory, .control = {}});
    MixedLoss loss;
    rollout.forward(loss, [&](Count, const State&, ScalarSpan action) {
      std::copy(near.begin(), near.end(), action.begin());
    });
    if (twice) static_cast<void>(rollout.backward(loss, true));
    return rollout.backward(loss, true);
  };
  const RolloutGradient all = sweep(1e9, false);
  for (const RolloutGradient& other : {sweep(1.0, false), sweep(1e9, true), sweep(1.0, true)}) {
    EXPECT_TRUE(same_bits(all.by_actions, other.by_actions));
    EXPECT_EQ(all.by_start.positions, other.by_start.positions);
    EXPECT_TRUE(same_bits(all.gradient.scalars(number::spring_stiffness),
                          other.gradient.scalars(number::spring_stiffness)));
  }
  EXPECT_EQ(all.report.forward_steps, steps);
  EXPECT_EQ(sweep(1.0, false).report.stored_states, 2);
}

/// Undriven it is what loss_and_gradient computes.
TEST_P(Rollouts, WithoutControlsGivesTheGradientsBits) {
  Simulator simulator(compile(adjoint_scene(GetParam()), 1));
  MixedLoss loss;
  const LossAndGradient wanted = loss_and_gradient(simulator, loss, {.steps = steps, .control = {}});
  simulator.restart();
  const Controls none;
  Rollout rollout(simulator, none, {.steps = steps, .rest_positions = true, .control = {}});
  rollout.forward(loss, {});
  EXPECT_EQ(loss.value(), wanted.loss);
  const RolloutGradient got = rollout.backward(loss, true);
  for (const Parameter& parameter : parameters(simulator.system().assembly))
    EXPECT_TRUE(same_bits(parameter.pull(got.gradient), parameter.pull(wanted.gradient))) << parameter.name;
}

INSTANTIATE_TEST_SUITE_P(Methods, Rollouts,
                         testing::Values("imex", "newton", "linear_implicit", "kick_midpoint", "kick_trbdf2",
                                         "verlet", "symplectic_euler", "explicit_euler"));

}  // namespace
}  // namespace electret::test
