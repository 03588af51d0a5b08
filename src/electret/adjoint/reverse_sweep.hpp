#pragma once
/// \file
/// The reverse sweep over a run, which takes the cotangent from the last state to the first.

#include <optional>
#include <span>

#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/dynamics/controls.hpp>

namespace electret {

class ReverseSweep {
 public:
  /// The simulator's present state gives the cotangent its shape. `last_step` is the step of the state where
  /// the sweep starts; `loss` is differentiated. Simulator and loss must outlive the sweep.
  ReverseSweep(Simulator& simulator, Loss& loss, Count last_step, bool rest_positions);

  /// Takes the step `at.start` → `at.end` back, which was taken with `inputs`. Adds the loss's terms at its
  /// end first. Throws DivergenceError if the cotangent leaves the range of numbers.
  void step_back(const StateStore::Reversed& at, const StepInputs& inputs, GradientReport& report);
  /// Adds the derivatives with respect to the method's memory at the end of the step that is taken back next,
  /// by name. Throws std::invalid_argument for an array that has no derivatives, or another size.
  void add_memory(std::span<const NamedArrays::Array> by_memory);
  /// Call after the step back to the run's first state. Adds what is left of the forces there, and the loss's
  /// terms. `begins_anew`: the method's memory there is what the method makes of positions and velocities
  /// (Integrator::start), so that its derivatives become theirs.
  void end_at(const State& start, const StepInputs& inputs, bool begins_anew);
  /// Adds only what is left of the forces. Call it before taking back a step whose end has other inputs than
  /// the start of the step taken back last.
  void finish_forces(const State& start, const StepInputs& inputs);
  /// Takes the derivatives with respect to what `controls` drove in the step taken back, and adds them to
  /// `by_action`. An empty `by_action` stands for a step with the schedule's values.
  void take_gradient(const Controls& controls, ScalarSpan by_action);
  /// Adds the derivatives with respect to the inputs of the step taken back to those of the numbers from
  /// which the schedule made them.
  void add_input_gradients(const StepInputs& inputs);

  /// ∂ℒ/∂(the state that the sweep has reached).
  [[nodiscard]] StepCotangent cotangent() const;
  /// ∂ℒ/∂(each number of the assembly). If `from_initial_state`, the sweep has reached the scene's initial
  /// state, and the cotangent is passed on to the numbers from which that is made.
  AssemblyGradient finish(bool from_initial_state = true);

 private:
  [[nodiscard]] bool is_list(std::string_view name) const;
  void add_loss(const State& state, const Inputs& inputs, InputGradients& by_inputs);
  /// Chooses `scale_` once the cotangent is not 0.
  void choose_scale();
  void check_finite(Count step) const;
  /// The first vertex at which the cotangent is not finite, if there is one.
  [[nodiscard]] std::optional<Index> not_finite() const;

  System& system_;
  Integrator& integrator_;
  Loss& loss_;
  Count last_step_;
  StepCotangent cotangent_;
  ParameterGradients parameters_;
  AssemblyGradient gradient_;
  StepInputGradients by_inputs_;
  /// A power of two by which all of these derivatives are multiplied, so that their squares stay within the
  /// range of numbers (cotangent_scale.hpp).
  double scale_ = 1.0;
  bool has_scale_ = false;
};

}  // namespace electret
