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
  require_argument(step.tape.stage.empty() || step.tape.stage.size() == n, "the tape of another step");
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
  ReverseSweep sweep(simulator, loss, step.end.step, rest_positions);
  sweep.step_back({&step.start, &step.end, &step.tape}, inputs, report);
  sweep.end_at(step.start, inputs);
  result.by_action.resize(step.action.size());
  sweep.take_gradient(controls, result.by_action);
  sweep.add_input_gradients(inputs);
  result.by_start = sweep.cotangent();
  result.gradient = sweep.finish(false);
  if (!step.action.empty()) controls.clear_driven(result.gradient);
  return result;
}

}  // namespace electret
