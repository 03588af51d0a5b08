#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/adjoint/rollout.hpp>
#include <electret/adjoint/step_gradient.hpp>
#include <electret/scene/parameters.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

constexpr Count steps = 6;

/// Σ over vertices of waves of the last positions and velocities: the same cotangent however it is asked for.
class LastState final : public Loss {
 public:
  explicit LastState(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto t = static_cast<double>(i);
      by_positions.push_back({std::cos(t), std::sin(t), std::cos(2.0 * t)});
      by_velocities.push_back({0.1 * std::sin(3.0 * t), 0.1, 0.1 * std::cos(t)});
    }
  }
  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override {}
  void observe(const LossPoint&) override {}
  [[nodiscard]] double value() const override { return 0.0; }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    for (std::size_t i = 0; i < by_positions.size(); ++i) {
      out.positions[i] += factor * by_positions[i];
      out.velocities[i] += factor * by_velocities[i];
    }
  }

  VectorArray by_positions, by_velocities;
};

struct Taken {
  State start, end;
  StepTape tape;
};

void expect_near(VectorView got, VectorView wanted, const char* what) {
  double scale = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    scale = std::max(scale, norm(wanted[i]));
    apart = std::max(apart, norm(got[i] - wanted[i]));
  }
  EXPECT_GT(scale, 0.0) << what;
  EXPECT_LE(apart, 1e-12 * scale) << what;
}

void expect_near(ScalarView got, ScalarView wanted, const std::string& what) {
  double scale = 0.0, apart = 0.0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    scale = std::max(scale, std::abs(wanted[k]));
    apart = std::max(apart, std::abs(got[k] - wanted[k]));
  }
  EXPECT_LE(apart, 1e-11 * scale) << what;
}

class StepGradients : public testing::TestWithParam<std::string> {};

/// Charges, a pin and loads driven or by the schedule: steps chained back one by one give what the sweep
/// does.
TEST_P(StepGradients, ChainedAreThoseOfTheSweep) {
  Simulator simulator(compile(adjoint_scene(GetParam()), 1));
  std::vector<std::string> names;
  for (const std::string& name : control_names(simulator.system()))
    if (name.ends_with(".charges") || name.ends_with(".positions") || name.ends_with("0.position"))
      names.push_back(name);
  const Controls controls(simulator.system(), names);
  DrivenSteps driven(simulator.system(), controls, std::as_const(simulator).integrator().stage_fractions());
  std::vector<double> action;
  for (const DrivenInput& input : controls.list())
    for (std::size_t k = 0; k < input.size(); ++k) {
      const double wave = std::sin(1.0 + static_cast<double>(action.size()));
      const bool is_pin = input.field == &input::pin_positions;
      const auto& pins = simulator.inputs().pin_positions;
      action.push_back(is_pin ? pins[input.members[k / 3]][static_cast<int>(k % 3)] + 0.01 * wave
                              : (input.unit == "C" ? 1e-6 * wave : 2.0 + wave));
    }
  LastState loss(simulator.state().positions.size());

  Rollout rollout(simulator, controls, {.steps = steps, .hold = 1, .rest_positions = true, .control = {}});
  rollout.forward(loss, [&](Count, const State&, ScalarSpan given) {
    std::copy(action.begin(), action.end(), given.begin());
  });
  const RolloutGradient wanted = rollout.backward(loss, false);

  simulator.restart();
  std::vector<Taken> chain(steps);
  for (Taken& taken : chain) {
    taken.start = simulator.state();
    simulator.step(driven.inputs(simulator.state(), action), &taken.tape);
    taken.end = simulator.state();
  }
  const State before = simulator.state();
  VectorArray a = loss.by_positions, b = loss.by_velocities;
  std::vector<double> by_actions(wanted.by_actions.size());
  std::vector<std::vector<double>> by_parameters;
  for (std::size_t t = chain.size(); t-- > 0;) {
    const StepGradient got = step_gradient(
        simulator, controls, {chain[t].start, chain[t].end, chain[t].tape, action}, {a, b}, true);
    a = got.by_start.positions;
    b = got.by_start.velocities;
    std::copy(got.by_action.begin(), got.by_action.end(),
              by_actions.begin() + static_cast<std::ptrdiff_t>(t * controls.size()));
    std::size_t p = 0;
    for (const Parameter& parameter : parameters(simulator.system().assembly)) {
      const std::vector<double> part = parameter.pull(got.gradient);
      if (by_parameters.size() <= p) by_parameters.emplace_back(part.size());
      for (std::size_t k = 0; k < part.size(); ++k) by_parameters[p][k] += part[k];
      ++p;
    }
  }
  EXPECT_EQ(simulator.state().positions, before.positions);
  expect_near(a, wanted.by_start.positions, "positions");
  expect_near(b, wanted.by_start.velocities, "velocities");
  expect_near(by_actions, wanted.by_actions, "actions");
  std::size_t p = 0;
  for (const Parameter& parameter : parameters(simulator.system().assembly))
    expect_near(by_parameters[p++], parameter.pull(wanted.gradient), parameter.name);
}

TEST(StepGradientArguments, AreChecked) {
  Simulator simulator(compile(adjoint_scene("verlet"), 1));
  const Controls none;
  const State start = simulator.state();
  StepTape tape;
  simulator.step(&tape);
  const State end = simulator.state();
  const VectorArray right(end.positions.size()), few(3);
  const std::vector<double> action(2);
  const auto of = [&](const StepTaken& step, const StateCotangent& by_end) {
    return step_gradient(simulator, none, step, by_end, false);
  };
  EXPECT_NO_THROW(of({start, end, tape, {}}, {right, {}}));
  EXPECT_THROW(of({start, end, tape, {}}, {few, {}}), std::invalid_argument);
  EXPECT_THROW(of({start, end, tape, {}}, {right, few}), std::invalid_argument);
  EXPECT_THROW(of({start, start, tape, {}}, {right, {}}), std::invalid_argument);
  EXPECT_THROW(of({start, end, tape, action}, {right, {}}), std::invalid_argument);
  EXPECT_THROW(of({State{}, end, tape, {}}, {right, {}}), std::invalid_argument);
  StepTape other;
  other.values("stage", 7);
  EXPECT_THROW(of({start, end, other, {}}, {right, {}}), std::invalid_argument);
}

TEST(StepGradientArguments, AMethodThatFillsTheTapeNeedsIt) {
  Simulator simulator(compile(adjoint_scene("kick_trbdf2"), 1));
  const Controls none;
  const State start = simulator.state();
  StepTape tape;
  simulator.step(&tape);
  const State end = simulator.state();
  const VectorArray by_end(end.positions.size());
  EXPECT_NO_THROW(step_gradient(simulator, none, {start, end, tape, {}}, {by_end, {}}, false));
  const StepTape empty;
  EXPECT_THROW(step_gradient(simulator, none, {start, end, empty, {}}, {by_end, {}}, false),
               std::invalid_argument);
}

/// Without an action a driven pin still starts where the state has it.
TEST_P(StepGradients, WithoutAnActionAreThoseOfDifferences) {
  Simulator simulator(compile(adjoint_scene(GetParam(), {"integrator.tolerance=1e-13"}), 1));
  std::vector<std::string> names;
  for (const std::string& name : control_names(simulator.system()))
    if (name.ends_with(".positions")) names.push_back(name);
  ASSERT_FALSE(names.empty());
  const Controls controls(simulator.system(), names);
  DrivenSteps driven(simulator.system(), controls, std::as_const(simulator).integrator().stage_fractions());
  const LastState loss(simulator.state().positions.size());
  State start = simulator.state();
  const auto step_from = [&](const State& from, StepTape* tape) {
    simulator.restore(from, {}, driven.inputs_at(from, {}));
    simulator.step(driven.inputs(from, {}), tape);
    double value = 0.0;
    for (std::size_t i = 0; i < from.positions.size(); ++i)
      value += dot(simulator.state().positions[i], loss.by_positions[i]) +
               dot(simulator.state().velocities[i], loss.by_velocities[i]);
    return value;
  };
  StepTape tape;
  step_from(start, &tape);
  const State end = simulator.state();
  const StepGradient got = step_gradient(simulator, controls, {start, end, tape, {}},
                                         {loss.by_positions, loss.by_velocities}, false);
  EXPECT_THAT(got.by_action, testing::IsEmpty());
  for (const std::size_t i : {std::size_t{0}, start.positions.size() / 2, start.positions.size() - 1})
    for (int axis = 0; axis < 3; ++axis) {
      const double reach = 1e-5, place = start.positions[i][axis];
      start.positions[i][axis] = place + reach;
      const double above = step_from(start, nullptr);
      start.positions[i][axis] = place - reach;
      const double below = step_from(start, nullptr);
      start.positions[i][axis] = place;
      const double slope = (above - below) / (2.0 * reach);
      EXPECT_NEAR(got.by_start.positions[i][axis], slope, 1e-5 * (1.0 + std::abs(slope))) << i << " " << axis;
    }
  for (const Index pin : simulator.system().pins) {
    const auto i = static_cast<std::size_t>(pin);
    const double reach = 1e-5, place = start.positions[i].x;
    start.positions[i].x = place + reach;
    const double above = step_from(start, nullptr);
    start.positions[i].x = place - reach;
    const double below = step_from(start, nullptr);
    start.positions[i].x = place;
    EXPECT_NEAR(got.by_start.positions[i].x, (above - below) / (2.0 * reach), 1e-4) << "pin " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, StepGradients,
                         testing::Values("imex", "newton", "linear_implicit", "kick_midpoint", "kick_trbdf2",
                                         "verlet", "symplectic_euler", "explicit_euler"));

}  // namespace
}  // namespace electret::test
