#pragma once
/// \file
/// The scene's inputs for one step after another.

#include <span>

#include <electret/dynamics/integrator.hpp>

namespace electret {

/// Evaluates all inputs of the step that starts at t_step, from scratch. `fractions` are the method's
/// Integrator::stage_fractions().
void evaluate_step(const System& system, std::span<const double> fractions, Count step, StepInputs& inputs);

/// Evaluates the schedule at the times that a step reads: t_n, t_{n+1} and t_n + fraction·h.
class StepSchedule {
 public:
  /// `fractions` are the method's Integrator::stage_fractions(). `system` and `fractions` must outlive this.
  StepSchedule(const System& system, std::span<const double> fractions);

  /// Evaluates all inputs of the step that starts at t_step, from scratch.
  void evaluate(Count step);
  /// The same after the step before it. The end of that step becomes the start, and only what changes is
  /// written.
  void advance(Count step);

  [[nodiscard]] const StepInputs& inputs() const { return inputs_; }

 private:
  const System& system_;
  std::span<const double> fractions_;
  StepInputs inputs_;
};

}  // namespace electret
