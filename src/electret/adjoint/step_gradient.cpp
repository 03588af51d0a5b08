#include <stdexcept>
#include <string>

#include <electret/adjoint/reverse_sweep.hpp>
#include <electret/adjoint/step_gradient.hpp>
#include <electret/core/arguments.hpp>

namespace electret {
namespace {

/// A loss that consists only of its derivatives with respect to the state after one step.
class GivenCotangent final : public Loss {
 public:
  GivenCotangent(Count step, const StateCotangent& by_state) : step_(step), by_state_(by_state) {}

  [[nodiscard]] bool reads(Count step, Count /*last_step*/) const override { return step == step_; }
  void start() override {}
  void observe(const LossPoint& /*at*/) override {}
  [[nodiscard]] double value() const override { return 0.0; }
  void add_derivatives(const LossPoint& /*at*/, double factor, const LossGradients& out) override {
    add(by_state_.positions, factor, out.positions);
    add(by_state_.velocities, factor, out.velocities);
  }

 private:
  static void add(VectorView from, double factor, VectorSpan to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
  }

  Count step_;
  StateCotangent by_state_;
};

void check_sizes(const Simulator& simulator, const Controls& controls, const StepTaken& step,
                 const StateCotangent& by_end) {
  const std::size_t n = simulator.state().positions.size();
  for (const State* state : {&step.start, &step.end})
    require_argument(state->positions.size() == n && state->velocities.size() == n,
                     "a step's states do not have as many vertices as the system");
  require_argument(step.end.step == step.start.step + 1, "a step's end is not the state after its start");
  for (const auto& array : step.tape.arrays)
    require_argument(array.values.size() % n == 0, "the tape of another step");
  const std::vector<MemoryArray> layout = simulator.integrator().memory_layout();
  for (const State* state : {&step.start, &step.end})
    if (const std::string wrong = wrong_memory(state->memory, layout, n); !wrong.empty())
      throw std::invalid_argument("a step's memory is not this method's: " + wrong);
  require_argument(!is_incomplete(step.end.memory, layout), "a step's end lacks the method's memory");
  require_argument(step.action.empty() || step.action.size() == controls.size(),
                   "the action does not have as many values as the controls");
  for (const VectorView by : {by_end.positions, by_end.velocities})
    require_argument(by.empty() || by.size() == n,
                     "the derivatives by a state do not have one row per vertex");
}

}  // namespace

StepGradient step_gradient(Simulator& simulator, const Controls& controls, const StepTaken& step,
                           const StateCotangent& by_end, bool rest_positions) {
  check_sizes(simulator, controls, step, by_end);
  StepGradient result;
  GradientReport report;
  GivenCotangent loss(step.end.step, by_end);
  DrivenSteps driven(simulator.system(), controls, simulator.integrator().stage_fractions());
  const StepInputs& inputs = driven.inputs(step.start, step.action);
  const bool begins_anew = is_incomplete(step.start.memory, simulator.integrator().memory_layout());
  State begun;
  if (begins_anew) {
    begun = step.start;
    simulator.integrator().start(begun, inputs);
  }
  const State& start = begins_anew ? begun : step.start;
  ReverseSweep sweep(simulator, loss, step.end.step, rest_positions);
  sweep.add_memory(by_end.memory);
  sweep.step_back({&start, &step.end, &step.tape}, inputs, report);
  sweep.end_at(start, inputs, begins_anew);
  result.by_action.resize(step.action.size());
  sweep.take_gradient(controls, result.by_action);
  sweep.add_input_gradients(inputs);
  result.by_start = sweep.cotangent();
  result.gradient = sweep.finish(false);
  if (!step.action.empty()) controls.clear_driven(result.gradient);
  return result;
}

}  // namespace electret
