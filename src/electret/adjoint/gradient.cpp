#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/rollout.hpp>
#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>
#include <electret/scene/changes.hpp>

namespace electret {
namespace {

Count step_count(const Simulator& simulator, Count steps) {
  require_argument(steps >= 0, "a run of a negative number of steps");
  return steps > 0 ? steps : simulator.system().assembly.scene.time.steps;
}

void tell(const Control& control, Count done, Count total) {
  if (control.stop.stop_requested()) throw Cancelled();
  if (control.progress) control.progress({done, total});
}

}  // namespace

Count states_within(double memory, double bytes_of_one, Count steps) {
  require_argument(memory >= 0.0 && bytes_of_one > 0.0 && steps >= 0,
                   "the memory, the bytes of a state or the number of steps is negative");
  if (memory == 0.0) memory = 0.5 * memory_available().value_or(8e9);
  const double most = std::min(memory / bytes_of_one, static_cast<double>(steps) + 1.0);
  return std::max<Count>(3, static_cast<Count>(most));
}

double bytes_of_state(const Simulator& simulator) {
  const State& state = simulator.state();
  const std::size_t n = state.positions.size();
  const double tape = simulator.system().contacts ? 32.0 : 24.0;  // A place; or a force and a state.
  return bytes_of(simulator.integrator().memory_layout(), n) + (48.0 + tape) * static_cast<double>(n) + 256.0;
}

void observe_state(Simulator& simulator, Loss& loss, Count last_step) {
  const State& state = simulator.state();
  if (loss.reads(state.step, last_step))
    loss.observe({simulator.system(), state, simulator.inputs(), last_step});
}

double loss_of_run(Simulator& simulator, Loss& loss, Count steps, const Control& control) {
  const Count last = step_count(simulator, steps);
  simulator.restart();
  loss.start();
  observe_state(simulator, loss, last);
  while (simulator.state().step < last) {
    simulator.step();
    observe_state(simulator, loss, last);
    tell(control, simulator.state().step, last);
  }
  return loss.value();
}

LossAndGradient loss_and_gradient(Simulator& simulator, Loss& loss, const GradientOptions& options) {
  refuse_changes(simulator.system().assembly.scene, "a gradient");
  simulator.restart();
  const Controls none;
  Rollout rollout(simulator, none,
                  {.steps = step_count(simulator, options.steps),
                   .memory = options.memory,
                   .rest_positions = options.rest_positions,
                   .control = options.control});
  rollout.forward(loss, {});
  if (!std::isfinite(loss.value()))
    throw DivergenceError(simulator.state().step, -1, "the loss is not finite", "check it and its target");
  const bool from_scene = true;
  RolloutGradient back = rollout.backward(loss, from_scene);
  return {loss.value(), std::move(back.gradient), back.report};
}

}  // namespace electret
