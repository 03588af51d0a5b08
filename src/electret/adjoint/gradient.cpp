#include <algorithm>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/reverse_sweep.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>
#include <electret/dynamics/step_schedule.hpp>

namespace electret {
namespace {

Count step_count(const Simulator& simulator, Count steps) {
  return steps > 0 ? steps : simulator.system().assembly.scene.time.steps;
}

void observe(Simulator& simulator, Loss& loss, Count steps) {
  const State& state = simulator.state();
  if (loss.reads(state.step, steps)) loss.observe({simulator.system(), state, simulator.inputs(), steps});
}

void tell(const Control& control, Count done, Count total) {
  if (control.stop.stop_requested()) throw Cancelled();
  if (control.progress) control.progress({done, total});
}

}  // namespace

Count states_within(double memory, double bytes_of_one, Count steps) {
  if (memory <= 0.0) memory = 0.5 * memory_available().value_or(8e9);
  const double most = std::min(memory / bytes_of_one, static_cast<double>(steps) + 1.0);
  return std::max<Count>(3, static_cast<Count>(most));
}

double bytes_of_state(const Simulator& simulator) {
  const State& state = simulator.state();
  double bytes = simulator.integrator().memory_in_state();
  for (const auto& array : state.memory.arrays) bytes += 8.0 * static_cast<double>(array.values.size());
  return bytes + 72.0 * static_cast<double>(state.positions.size()) + 256.0;
}

double loss_of_run(Simulator& simulator, Loss& loss, Count steps, const Control& control) {
  const Count last = step_count(simulator, steps);
  simulator.restart();
  loss.start();
  observe(simulator, loss, last);
  while (simulator.state().step < last) {
    simulator.step();
    observe(simulator, loss, last);
    tell(control, simulator.state().step, last);
  }
  return loss.value();
}

LossAndGradient loss_and_gradient(Simulator& simulator, Loss& loss, const GradientOptions& options) {
  LossAndGradient result;
  GradientReport& report = result.report;
  report.steps = step_count(simulator, options.steps);
  simulator.restart();
  loss.start();
  const Count states = states_within(options.memory, bytes_of_state(simulator), report.steps);
  const Count total = forward_steps(report.steps, states - 1) + report.steps;
  StateStore* running = nullptr;
  StateStore store(simulator, report.steps, states, [&](const State&, const StepReport& step) {
    observe(simulator, loss, report.steps);
    if (step.capped) ++report.capped_steps;
    if (running) tell(options.control, running->forward_steps(), total);
  });
  running = &store;
  ReverseSweep sweep(simulator, loss, report.steps, options.rest_positions);
  StepSchedule schedule(simulator.system(), simulator.integrator().stage_fractions());
  for (Count step = report.steps; step-- > 0;) {
    const StateStore::Reversed reversed = store.previous();
    schedule.evaluate(reversed.start->step);
    sweep.step_back(reversed, schedule.inputs(), report);
    if (step == 0) sweep.end_at(*reversed.start, schedule.inputs());
    sweep.add_input_gradients(schedule.inputs());
    tell(options.control, store.forward_steps() + report.steps - step, total);
  }
  result.loss = loss.value();
  result.gradient = sweep.finish();
  report.stored_states = store.most_stored();
  report.forward_steps = store.forward_steps();
  return result;
}

}  // namespace electret
