#include <cmath>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/controls.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

constexpr const char* scene_text = R"(
[time]
step = 0.01
steps = 6
[integrator]
method = "METHOD"
tolerance = 1e-12
[coulomb]
[[body]]
name = "b"
generate = { shape = "lattice", nx = 3, ny = 3, nz = 2, spacing = 0.2 }
mass = 0.02
charge = 1e-7
[[body.springs]]
from = "nearest"
stiffness = 20
[[body.group]]
name = "low"
box = [[-9, -9, -9], [9, 9, 0.05]]
[[body.group]]
name = "held"
indices = [0, 1]
[[body.group_charge]]
group = "low"
times = [0, 0.02, 0.04]
values = [1e-7, 3e-7, -2e-7]
interpolation = "step"
[[body.pin]]
group = "held"
[[body.load]]
group = "low"
force = [0, 0, 0.01]
[[external_charge]]
charge = -1e-6
position = [0, 0, 2]
)";

Simulator simulator_of(const std::string& method) {
  std::string text = scene_text;
  text.replace(text.find("METHOD"), 6, method);
  return Simulator(compile(load_scene_text(text, "scene", ".", {}, read_regular_file), 1));
}

const std::vector<std::string> all_names = {"body.b.charge[held]",        "external_charge.0.charge",
                                            "external_charge.0.position", "body.b.pin[held].positions",
                                            "body.b.load.0.force",        "body.b.forces"};

/// The schedule's own values at the start of the scene.
std::vector<double> scheduled_action(const System& system) {
  std::vector<double> action = {1e-7, -1e-6, 0.0, 0.0, 2.0};
  for (const Index pin : system.pins)
    for (int axis = 0; axis < 3; ++axis)
      action.push_back(system.assembly.initial_positions[static_cast<std::size_t>(pin)][axis]);
  action.insert(action.end(), {0.0, 0.0, 0.01});
  action.resize(action.size() + 3 * system.assembly.masses.size());
  return action;
}

/// A first-order method reads inputs at the start of a step alone, as key-frames that jump are read.
TEST(Controls, DrivenWithTheKeyFramesValuesGiveTheirBits) {
  for (const char* method : {"imex", "symplectic_euler"}) {
    Simulator scheduled = simulator_of(method), driven = simulator_of(method);
    const Controls controls(driven.system(), {"body.b.charge[low]"});
    DrivenSteps steps(driven.system(), controls, std::as_const(driven).integrator().stage_fractions());
    for (int k = 0; k < 6; ++k) {
      const double charge = k < 2 ? 1e-7 : k < 4 ? 3e-7 : -2e-7;
      scheduled.step();
      driven.step(steps.inputs(driven.state(), std::vector{charge}));
      EXPECT_EQ(scheduled.state().positions, driven.state().positions) << method << ", step " << k;
    }
  }
}

TEST(Controls, HoldWhatTheyNameOverTheStepAndNothingElse) {
  Simulator simulator = simulator_of("kick_trbdf2");
  const System& system = simulator.system();
  const Controls controls(system, all_names);
  const auto fractions = std::as_const(simulator).integrator().stage_fractions();
  ASSERT_FALSE(fractions.empty());
  DrivenSteps steps(system, controls, fractions);
  std::vector<double> action = scheduled_action(system);
  ASSERT_EQ(controls.size(), action.size());
  const StepInputs before = steps.inputs(simulator.state(), action);
  EXPECT_TRUE(same_inputs(before.start, simulator.inputs(), read_by_potentials + read_through_positions));
  for (std::size_t k = 0; k < action.size(); ++k) {
    std::vector<double> moved = action;
    moved[k] += 0.25;
    const StepInputs after = steps.inputs(simulator.state(), moved);
    const bool is_charge = k < 1, is_external = k >= 1 && k < 5, is_pin = k >= 5 && k < 11;
    EXPECT_EQ(after.start.charges != before.start.charges, is_charge) << k;
    EXPECT_EQ(after.start.charges, after.end.charges);
    EXPECT_EQ(after.start.pin_positions, before.start.pin_positions) << "pins start where they are";
    EXPECT_EQ(after.end.pin_positions != before.end.pin_positions, is_pin) << k;
    EXPECT_EQ(after.start.loads != before.start.loads, !is_charge && !is_external && !is_pin) << k;
    EXPECT_EQ(after.start.loads, after.end.loads);
    EXPECT_EQ(!same_inputs(after.start, before.start, read_by_potentials), is_charge || is_external) << k;
    if (is_pin)
      for (std::size_t s = 0; s < fractions.size(); ++s) {
        const Vec3 way = after.stages[s].pin_positions[(k - 5) / 3] - after.start.pin_positions[(k - 5) / 3];
        EXPECT_NEAR(way[static_cast<int>((k - 5) % 3)], fractions[s] * 0.25, 1e-15);
      }
  }
}

TEST(Controls, ArraysOfAnotherSizeAreACallersMistake) {
  Simulator simulator = simulator_of("verlet");
  const System& system = simulator.system();
  const Controls controls(system, all_names);
  DrivenSteps steps(system, controls, {});
  const std::vector<double> action = scheduled_action(system);
  const std::vector<double> few(action.begin(), action.end() - 1);
  EXPECT_THROW(steps.inputs(simulator.state(), few), std::invalid_argument);
  EXPECT_THROW(steps.inputs({}, action), std::invalid_argument);
  EXPECT_THROW((void)steps.inputs_at({}, action), std::invalid_argument);
  EXPECT_THROW((void)steps.inputs_at(simulator.state(), few), std::invalid_argument);
  Inputs inputs = simulator.inputs();
  EXPECT_NO_THROW(controls.write(action, inputs));
  inputs.pin_positions.pop_back();
  EXPECT_THROW(controls.write(action, inputs), std::invalid_argument);
  const InputGradients zero = InputGradients::zero(simulator.inputs());
  StepInputGradients by_inputs{zero, zero, {}};
  VectorArray by_positions(system.assembly.masses.size());
  std::vector<double> by_action(action.size());
  EXPECT_NO_THROW(controls.take_gradient({}, by_inputs, by_positions, by_action));
  EXPECT_THROW(controls.take_gradient({}, by_inputs, by_positions, ScalarSpan(by_action).first(3)),
               std::invalid_argument);
  EXPECT_THROW(controls.take_gradient({}, by_inputs, VectorSpan(by_positions).first(3), by_action),
               std::invalid_argument);
  by_inputs.end.charges.pop_back();
  EXPECT_THROW(controls.take_gradient({}, by_inputs, by_positions, by_action), std::invalid_argument);
  AssemblyGradient other;
  EXPECT_THROW(controls.clear_driven(other), std::invalid_argument);
}

/// The transpose: derivatives by a step's inputs and by the action give the same change of a linear function.
TEST(Controls, GradientIsTheTransposeOfWriting) {
  Simulator simulator = simulator_of("kick_trbdf2");
  const System& system = simulator.system();
  const Controls controls(system, all_names);
  const auto fractions = std::as_const(simulator).integrator().stage_fractions();
  DrivenSteps steps(system, controls, fractions);
  auto weight = [n = 0]() mutable { return std::sin(1.0 + n++); };
  const StepInputs base = steps.inputs(simulator.state(), scheduled_action(system));
  StepInputGradients weights{InputGradients::zero(base.start), InputGradients::zero(base.end), {}};
  for (std::size_t s = 0; s < fractions.size(); ++s)
    weights.stages.push_back(InputGradients::zero(base.stages[s]));
  std::vector<std::pair<const Inputs*, InputGradients*>> times = {{&base.start, &weights.start},
                                                                  {&base.end, &weights.end}};
  for (std::size_t s = 0; s < fractions.size(); ++s) times.emplace_back(&base.stages[s], &weights.stages[s]);
  for (auto& [inputs, by] : times) {
    for (double& w : by->charges) w = weight();
    for (auto& e : by->external_charges) e = {{weight(), weight(), weight()}, weight()};
    for (Vec3& w : by->pin_positions) w = {weight(), weight(), weight()};
    for (Vec3& w : by->loads) w = {weight(), weight(), weight()};
  }
  const auto value = [&](const StepInputs& at) {
    double sum = 0.0;
    const auto add = [&](const Inputs& inputs, const InputGradients& by) {
      for (std::size_t i = 0; i < by.charges.size(); ++i) sum += by.charges[i] * inputs.charges[i];
      for (std::size_t i = 0; i < by.external_charges.size(); ++i)
        sum += by.external_charges[i].charge * inputs.external_charges[i].charge +
               dot(by.external_charges[i].position, inputs.external_charges[i].position);
      for (std::size_t i = 0; i < by.pin_positions.size(); ++i)
        sum += dot(by.pin_positions[i], inputs.pin_positions[i]);
      for (std::size_t i = 0; i < by.loads.size(); ++i) sum += dot(by.loads[i], inputs.loads[i]);
    };
    add(at.start, weights.start);
    add(at.end, weights.end);
    for (std::size_t s = 0; s < at.stages.size(); ++s) add(at.stages[s], weights.stages[s]);
    return sum;
  };
  std::vector<double> action = scheduled_action(system), by_action(action.size());
  const double first = value(steps.inputs(simulator.state(), action));
  std::vector<double> differences;
  for (std::size_t k = 0; k < action.size(); ++k) {
    std::vector<double> moved = action;
    moved[k] += 1.0;
    differences.push_back(value(steps.inputs(simulator.state(), moved)) - first);
  }
  VectorArray by_positions(system.assembly.masses.size());
  controls.take_gradient(fractions, weights, by_positions, by_action);
  for (std::size_t k = 0; k < action.size(); ++k) EXPECT_NEAR(by_action[k], differences[k], 1e-12) << k;
  // What was driven is taken: the schedule's parameters get none of it.
  EXPECT_EQ(weights.end.charges[0], 0.0);
  EXPECT_EQ(weights.end.pin_positions[1], Vec3{});
  EXPECT_NE(weights.end.charges[5], 0.0);
}

TEST(Controls, JumpsOfTheActionAreKeyFrameWork) {
  Simulator simulator = simulator_of("imex");
  const Controls controls(simulator.system(), {"body.b.charge", "external_charge.0.charge"});
  DrivenSteps steps(simulator.system(), controls, std::as_const(simulator).integrator().stage_fractions());
  const double before = simulator.energies().total();
  simulator.restore(simulator.state(), {}, steps.inputs_at(simulator.state(), std::vector{4e-7, -3e-6}));
  const double jump = simulator.energies().total() - before;
  Simulator stepped = simulator_of("imex");
  stepped.step(steps.inputs(stepped.state(), std::vector{4e-7, -3e-6}));
  EXPECT_NEAR(stepped.work().keyframe_work, jump, 1e-12 * std::abs(jump));
  EXPECT_GT(std::abs(jump), 1e-6);
  // The same action goes on: no more work.
  stepped.step(steps.inputs(stepped.state(), std::vector{4e-7, -3e-6}));
  EXPECT_NEAR(stepped.work().keyframe_work, jump, 1e-12 * std::abs(jump));
}

TEST(Controls, RefusesUnknownNamesAndNumbersDrivenTwice) {
  const Simulator simulator = simulator_of("imex");
  try {
    const Controls controls(simulator.system(), {"body.b.chrge", "body.b.charge", "body.b.charge[low]"});
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.findings().size(), 2U);
    EXPECT_NE(error.findings()[0].allowed.find("body.b.charge"), std::string::npos);
    EXPECT_NE(error.findings()[1].message.find("drives numbers that"), std::string::npos);
  }
}

TEST(Controls, RefuseActivationsBelowMinusOneAsScenesDo) {
  const Simulator simulator(compile(load_scene_text(R"(
[time]
step = 0.01
steps = 1
[[body]]
name = "b"
generate = { shape = "box", cells = [2, 1, 1] }
density = 1000
[[body.muscle]]
fibre = [1, 0, 0]
stiffness = 1e4
activation = 1
)",
                                                    "scene", ".", {}, read_regular_file),
                                    1));
  for (const char* name : {"body.b.muscle.0.activation", "body.b.muscle.0.activations"}) {
    const Controls controls(simulator.system(), {name});
    Inputs inputs = simulator.inputs();
    std::vector<double> action(controls.size());
    controls.write(action, inputs);
    EXPECT_EQ(inputs.activations[1], 0.0);
    action.back() = -1.0;
    controls.write(action, inputs);
    EXPECT_EQ(inputs.activations[1], -1.0);
    action.back() = -1.25;
    try {
      controls.write(action, inputs);
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_EQ(to_string(error.findings()[0]),
                std::string(name) + ": error: is set to -1.25; allowed: number ≥ -1");
    }
  }
}

}  // namespace
}  // namespace electret::test
