#include <algorithm>
#include <cmath>
#include <string>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>
#include <electret/dynamics/compile_gradient.hpp>
#include <electret/dynamics/step_schedule.hpp>

namespace electret {
namespace {

Count step_count(const Simulator& simulator, Count steps) {
  return steps > 0 ? steps : simulator.system().assembly.scene.time.steps;
}

/// States that fit into `memory`, three at least and `steps` + 1 at most: every state.
Count states_within(double memory, double bytes_of_one, Count steps) {
  if (memory <= 0.0) memory = 0.5 * memory_available().value_or(8e9);
  const double most = std::min(memory / bytes_of_one, static_cast<double>(steps) + 1.0);
  return std::max<Count>(3, static_cast<Count>(most));
}

/// The sweep back: states come from a StateStore; the cotangent goes from the last to the first.
class ReverseSweep {
 public:
  ReverseSweep(Simulator& simulator, Loss& loss, Count steps, bool rest_positions)
      : system_(simulator.system()),
        integrator_(simulator.integrator()),
        loss_(loss),
        steps_(steps),
        schedule_(system_, integrator_.stage_fractions()),
        cotangent_(StepCotangent::zero(simulator.state())),
        parameters_(ParameterGradients::zero(system_)),
        gradient_(AssemblyGradient::zero(system_.assembly)) {
    const auto is_solid = [](const auto& energy) { return energy->has_rest_shape(); };
    if (rest_positions && std::any_of(system_.elastic.begin(), system_.elastic.end(), is_solid))
      parameters_.rest_positions.resize(static_cast<std::size_t>(system_.vertex_count()));
  }

  /// The step `at.start` → `at.end`, the loss's terms at its end included.
  void step_back(const StateStore::Reversed& at, GradientReport& report) {
    const Count step = at.start->step;
    schedule_.evaluate(step);
    const StepInputs& inputs = schedule_.inputs();
    by_inputs_.start = InputGradients::zero(inputs.start);
    by_inputs_.end = InputGradients::zero(inputs.end);
    by_inputs_.stages.resize(inputs.stages.size());
    for (std::size_t k = 0; k < inputs.stages.size(); ++k)
      by_inputs_.stages[k] = InputGradients::zero(inputs.stages[k]);

    add_loss(*at.end, inputs.end, by_inputs_.end);
    const AdjointReport solve = integrator_.step_backward({*at.start, *at.end, inputs, *at.tape}, cotangent_,
                                                          {by_inputs_, parameters_});
    count(solve, step, report);
    if (step == 0) {
      integrator_.finish_backward(*at.start, inputs.start, cotangent_, by_inputs_.start, parameters_);
      add_loss(*at.start, inputs.start, by_inputs_.start);
    }
    check_finite(step);
    add_input_gradients(inputs);
  }

  AssemblyGradient finish() {
    add_initial_state_gradient(system_, cotangent_, gradient_);
    add_parameter_gradients(system_, parameters_, gradient_);
    return std::move(gradient_);
  }

 private:
  void add_loss(const State& state, const Inputs& inputs, InputGradients& by_inputs) {
    if (!loss_.reads(state.step, steps_)) return;
    loss_.add_derivatives({system_, state, inputs, steps_}, 1.0,
                          {cotangent_.positions, cotangent_.velocities, by_inputs, parameters_});
  }

  void add_input_gradients(const StepInputs& inputs) {
    const Schedule& schedule = system_.schedule;
    schedule.add_gradient(inputs.start.time, by_inputs_.start, gradient_);
    schedule.add_gradient(inputs.end.time, by_inputs_.end, gradient_);
    for (std::size_t k = 0; k < inputs.stages.size(); ++k)
      schedule.add_gradient(inputs.stages[k].time, by_inputs_.stages[k], gradient_);
  }

  static void count(const AdjointReport& solve, Count step, GradientReport& report) {
    if (solve.method.empty()) return;
    ++report.solves;
    report.iterations += solve.iterations;
    if (solve.method == "direct") ++report.direct_solves;
    if (solve.method == "multigrid") ++report.multigrid_solves;
    if (solve.method == "quasi_newton") ++report.quasi_newton_solves;
    if (solve.residual > report.worst_residual || !std::isfinite(solve.residual)) {
      report.worst_residual = solve.residual;
      report.worst_step = step;
    }
  }

  void check_finite(Count step) const {
    for (const VectorArray* array : {&cotangent_.positions, &cotangent_.velocities})
      for (std::size_t i = 0; i < array->size(); ++i)
        if (const Vec3& d = (*array)[i]; !std::isfinite(d.x + d.y + d.z))
          throw DivergenceError(
              step + 1, static_cast<Index>(i),
              "the derivative of the loss left the range of numbers on the way back to this step",
              "use a shorter time, or a smaller step: the motion is too sensitive to its start");
  }

  System& system_;
  Integrator& integrator_;
  Loss& loss_;
  Count steps_;
  StepSchedule schedule_;
  StepCotangent cotangent_;
  ParameterGradients parameters_;
  AssemblyGradient gradient_;
  StepInputGradients by_inputs_;
};

void observe(Simulator& simulator, Loss& loss, Count steps) {
  const State& state = simulator.state();
  if (loss.reads(state.step, steps)) loss.observe({simulator.system(), state, simulator.inputs(), steps});
}

void tell(const Control& control, Count done, Count total) {
  if (control.stop.stop_requested()) throw Cancelled();
  if (control.progress) control.progress({done, total});
}

}  // namespace

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
  for (Count step = report.steps; step-- > 0;) {
    const StateStore::Reversed reversed = store.previous();
    sweep.step_back(reversed, report);
    tell(options.control, store.forward_steps() + report.steps - step, total);
  }
  result.loss = loss.value();
  result.gradient = sweep.finish();
  report.stored_states = store.most_stored();
  report.forward_steps = store.forward_steps();
  return result;
}

}  // namespace electret
