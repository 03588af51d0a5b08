#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <electret/adjoint/cotangent_scale.hpp>
#include <electret/adjoint/reverse_sweep.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/compile_gradient.hpp>

namespace electret {
namespace {

void count(const AdjointReport& solve, Count step, GradientReport& report) {
  if (solve.method.empty()) return;
  ++report.solves;
  report.iterations += solve.iterations;
  if (solve.method == "direct") ++report.direct_solves;
  if (solve.method == "multigrid") ++report.multigrid_solves;
  if (solve.method == "gmres") ++report.gmres_solves;
  if (solve.method == "quasi_newton") ++report.quasi_newton_solves;
  if (solve.residual > report.worst_residual || !std::isfinite(solve.residual)) {
    report.worst_residual = solve.residual;
    report.worst_step = step;
  }
}

}  // namespace

ReverseSweep::ReverseSweep(Simulator& simulator, Loss& loss, Count last_step, bool rest_positions)
    : system_(simulator.system()),
      integrator_(simulator.integrator()),
      loss_(loss),
      last_step_(last_step),
      cotangent_(StepCotangent::zero(simulator.state(), simulator.integrator().memory_layout())),
      parameters_(ParameterGradients::zero(system_)),
      gradient_(AssemblyGradient::zero(system_.assembly)) {
  const auto is_solid = [](const auto& energy) { return energy->has_rest_shape(); };
  if (rest_positions && std::any_of(system_.elastic.begin(), system_.elastic.end(), is_solid))
    parameters_.rest_positions.resize(static_cast<std::size_t>(system_.vertex_count()));
}

void ReverseSweep::step_back(const StateStore::Reversed& at, const StepInputs& inputs,
                             GradientReport& report) {
  by_inputs_.start = InputGradients::zero(inputs.start);
  by_inputs_.end = InputGradients::zero(inputs.end);
  by_inputs_.stages.resize(inputs.stages.size());
  for (std::size_t k = 0; k < inputs.stages.size(); ++k)
    by_inputs_.stages[k] = InputGradients::zero(inputs.stages[k]);

  add_loss(*at.end, inputs.end, by_inputs_.end);
  const AdjointReport solve = integrator_.step_backward({*at.start, *at.end, inputs, *at.tape}, cotangent_,
                                                        {by_inputs_, parameters_});
  count(solve, at.start->step, report);
  check_finite(at.start->step);
}

void ReverseSweep::finish_forces(const State& start, const StepInputs& inputs) {
  integrator_.finish_backward(start, inputs.start, cotangent_, by_inputs_.start, parameters_);
  check_finite(start.step);
}

/// A list's derivatives have the size of the list, which other states than the simulator's have.
bool ReverseSweep::is_list(std::string_view name) const {
  const std::vector<MemoryArray> layout = integrator_.memory_layout();
  return std::any_of(layout.begin(), layout.end(),
                     [&](const MemoryArray& array) { return array.is_list && array.name == name; });
}

void ReverseSweep::add_memory(std::span<const NamedArrays::Array> by_memory) {
  for (const auto& by : by_memory) {
    const auto found = std::find_if(cotangent_.memory.arrays.begin(), cotangent_.memory.arrays.end(),
                                    [&](const auto& array) { return array.name == by.name; });
    if (found == cotangent_.memory.arrays.end() && is_list(by.name)) {
      std::copy(by.values.begin(), by.values.end(),
                cotangent_.memory.values(by.name, by.values.size()).begin());
      continue;
    }
    if (found == cotangent_.memory.arrays.end())
      throw std::invalid_argument("the method's memory \"" + by.name + "\" has no derivatives");
    if (found->values.size() != by.values.size())
      throw std::invalid_argument("the derivatives by the memory \"" + by.name + "\" have another size");
    for (std::size_t k = 0; k < by.values.size(); ++k) found->values[k] += by.values[k];
  }
}

void ReverseSweep::end_at(const State& start, const StepInputs& inputs, bool begins_anew) {
  finish_forces(start, inputs);
  if (begins_anew) {
    integrator_.start_backward(start, inputs, cotangent_, {by_inputs_, parameters_});
    check_finite(start.step);
  }
  add_loss(start, inputs.start, by_inputs_.start);
}

void ReverseSweep::take_gradient(const Controls& controls, ScalarSpan by_action) {
  const std::span<const double> fractions = integrator_.stage_fractions();
  if (by_action.empty()) return controls.take_pin_starts(fractions, by_inputs_, cotangent_.positions);
  if (scale_ == 1.0) return controls.take_gradient(fractions, by_inputs_, cotangent_.positions, by_action);
  std::vector<double> scaled(by_action.size());
  controls.take_gradient(fractions, by_inputs_, cotangent_.positions, scaled);
  for (std::size_t k = 0; k < scaled.size(); ++k) by_action[k] += scaled[k] / scale_;
}

void ReverseSweep::add_input_gradients(const StepInputs& inputs) {
  const Schedule& schedule = system_.schedule;
  schedule.add_gradient(inputs.start.time, by_inputs_.start, gradient_);
  schedule.add_gradient(inputs.end.time, by_inputs_.end, gradient_);
  for (std::size_t k = 0; k < inputs.stages.size(); ++k)
    schedule.add_gradient(inputs.stages[k].time, by_inputs_.stages[k], gradient_);
}

AssemblyGradient ReverseSweep::finish(bool from_initial_state) {
  if (from_initial_state) add_initial_state_gradient(system_, cotangent_, gradient_);
  add_parameter_gradients(system_, parameters_, gradient_);
  if (scale_ != 1.0) multiply(gradient_, system_.assembly, 1.0 / scale_);
  return std::move(gradient_);
}

StepCotangent ReverseSweep::cotangent() const {
  StepCotangent by = cotangent_;
  if (scale_ != 1.0) multiply(by, 1.0 / scale_);
  return by;
}

void ReverseSweep::add_loss(const State& state, const Inputs& inputs, InputGradients& by_inputs) {
  if (!loss_.reads(state.step, last_step_)) return;
  loss_.add_derivatives(
      {system_, state, inputs, last_step_}, scale_,
      {cotangent_.positions, cotangent_.velocities, by_inputs, parameters_, &cotangent_.memory});
  // The cotangent was finite before, so that the loss alone is the cause.
  if (const auto vertex = not_finite())
    throw DivergenceError(state.step, *vertex,
                          "the loss's own derivative with respect to the state after this step is not finite",
                          "check the loss and its target there");
  choose_scale();
}

void ReverseSweep::choose_scale() {
  if (has_scale_) return;
  const double largest = largest_of(cotangent_);
  if (largest == 0.0) return;
  has_scale_ = true;
  scale_ = scale_for(largest);
  if (scale_ == 1.0) return;
  multiply(cotangent_, scale_);
  multiply(by_inputs_, scale_);
  multiply(parameters_, scale_);
  multiply(gradient_, system_.assembly, scale_);
}

void ReverseSweep::check_finite(Count step) const {
  if (const auto vertex = not_finite())
    throw DivergenceError(
        step + 1, *vertex,
        "the derivative of the loss with respect to the state before this step is not finite",
        "use a shorter run or a smaller step, because the motion is too sensitive to its start");
}

std::optional<Index> ReverseSweep::not_finite() const {
  for (const VectorArray* array : {&cotangent_.positions, &cotangent_.velocities})
    for (std::size_t i = 0; i < array->size(); ++i)
      if (const Vec3& d = (*array)[i]; !std::isfinite(d.x + d.y + d.z)) return static_cast<Index>(i);
  const std::size_t n = cotangent_.positions.size();
  for (const auto& array : cotangent_.memory.arrays)
    for (std::size_t k = 0; k < array.values.size(); ++k)
      if (!std::isfinite(array.values[k])) return static_cast<Index>(k * n / array.values.size());
  return std::nullopt;
}

}  // namespace electret
