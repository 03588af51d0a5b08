#pragma once
/// \file
/// The sweep back over a run: the cotangent goes from the last state to the first.

#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/dynamics/controls.hpp>

namespace electret {

class ReverseSweep {
 public:
  /// The simulator's state now gives the cotangent its shape. `last_step` is that of the state where the
  /// sweep starts, `loss` is what is differentiated. All must outlive the sweep.
  ReverseSweep(Simulator& simulator, Loss& loss, Count last_step, bool rest_positions);

  /// The step `at.start` → `at.end`, taken with `inputs`, the loss's terms at its end included. Throws
  /// DivergenceError where the cotangent leaves the range of numbers.
  void step_back(const StateStore::Reversed& at, const StepInputs& inputs, GradientReport& report);
  /// After the step back to the run's first state: what is left of its forces, and the loss's terms there.
  void end_at(const State& start, const StepInputs& inputs);
  /// The first of these alone: before a step whose end has other inputs than the start of the one taken back.
  void finish_forces(const State& start, const StepInputs& inputs);
  /// Moves derivatives by what `controls` drive in the step taken back to `by_action` (added); an empty one
  /// stands for a step with the schedule's values.
  void take_gradient(const Controls& controls, ScalarSpan by_action);
  /// Adds derivatives by the inputs of the step taken back to what the schedule makes of them.
  void add_input_gradients(const StepInputs& inputs);

  /// ∂ℒ/∂(state where the sweep is).
  [[nodiscard]] const StepCotangent& cotangent() const { return cotangent_; }
  /// ∂ℒ/∂(each number of the assembly). Where `from_initial_state` the cotangent is that of the scene's
  /// initial state, and goes on to what that is made of.
  AssemblyGradient finish(bool from_initial_state = true);

 private:
  void add_loss(const State& state, const Inputs& inputs, InputGradients& by_inputs);
  void check_finite(Count step) const;

  System& system_;
  Integrator& integrator_;
  Loss& loss_;
  Count last_step_;
  StepCotangent cotangent_;
  ParameterGradients parameters_;
  AssemblyGradient gradient_;
  StepInputGradients by_inputs_;
};

}  // namespace electret
