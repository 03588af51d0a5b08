#pragma once
/// \file
/// The interface of time integrators (docs/physics.md; docs/stepping.md narrates a step).

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// The inputs a step reads: at its start t_n, at its end t_{n+1}, and at the fractions the method declared.
struct StepInputs {
  Inputs start;
  Inputs end;
  std::vector<Inputs> stages;  ///< At t_n + fraction·h, in the order of Integrator::stage_fractions().
};

/// What happened in a step.
struct StepReport {
  int elastic_iterations = 0;    ///< Of the implicit solve(s); 0 for explicit methods.
  bool capped = false;           ///< The cap on iterations was hit before the tolerance was met.
  bool failed = false;           ///< The implicit solve met no finite value: the step has no result.
  double residual = 0.0;         ///< ‖∇g‖ at the end, kg m.
  double residual_target = 0.0;  ///< What it was to reach.
  int linear_iterations = 0;     ///< Of conjugate gradients, where Newton's directions are theirs.
};

/// The step that a backward step transposes.
struct BackwardStep {
  const State& start;
  const State& end;
  const StepInputs& inputs;
  const StepTape& tape;  ///< As `step` left it.
};

/// Where a backward step adds derivatives.
struct StepGradients {
  StepInputGradients& inputs;
  ParameterGradients& parameters;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Formal order of accuracy.
  [[nodiscard]] virtual int order() const = 0;
  /// What the method is good for, in a line for people.
  [[nodiscard]] virtual std::string_view description() const = 0;
  /// The largest h ω of an undamped elastic oscillation that stays bounded over many steps: infinite for a
  /// method that treats elastic energies implicitly, 0 where every oscillation grows.
  [[nodiscard]] virtual double stability_limit() const = 0;
  /// About the bytes that its implicit stages take, their solvers and arrays; 0 without any.
  [[nodiscard]] virtual double memory_needed() const { return 0.0; }
  /// Bytes at most that its steps add to `State::memory` beyond what `start` fills.
  [[nodiscard]] virtual double memory_in_state() const { return 0.0; }
  /// Whether the energy's error stays bounded, of the order of (hω)², as long as the step resolves the
  /// motion: a jump of the energy then tells of a step that did not.
  [[nodiscard]] virtual bool conserves_energy() const { return false; }
  /// Fractions of the step, besides 0 and 1, at which it reads inputs.
  [[nodiscard]] virtual std::span<const double> stage_fractions() const { return {}; }
  /// Fills `state.memory` at the start of a run.
  virtual void start(State&, const StepInputs&) {}

  /// Advances `state` by one step: positions, velocities and the method's memory; the caller counts the step.
  /// `pin_reactions` (pins×3, N) receives the force that held or moved each pin over the step.
  /// Allocates nothing after the first step.
  /// `tape`, where given, receives what `step_backward` cannot cheaply recompute.
  virtual StepReport step(State& state, const StepInputs& inputs, VectorSpan pin_reactions,
                          StepTape* tape) = 0;

  /// The transpose of `step` (docs/stepping.md, "A step back"): `cotangent` comes in as the loss's
  /// derivatives by the state at the step's end and goes out as those by the state at its start; derivatives
  /// by inputs and parameters are added to `out`. Exact for explicit methods; for implicit ones as exact as
  /// the step was solved. Allocates nothing after the first call.
  virtual AdjointReport step_backward(const BackwardStep& at, StepCotangent& cotangent,
                                      const StepGradients& out) = 0;
  /// After the backward step of the first step, at the run's start: multiplies what is still left in
  /// `cotangent.position_force`, and transposes `start`.
  virtual void finish_backward(const State& /*start*/, const Inputs& /*inputs*/, StepCotangent&,
                               InputGradients& /*by_inputs*/, ParameterGradients& /*by_parameters*/) {}
};

/// The method `options.method` names. Throws InputError for a method or solver this version lacks. `system`
/// must outlive the integrator.
std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorOptions& options);

}  // namespace electret
