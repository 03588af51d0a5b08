#pragma once
/// \file
/// The interface of time integrators (docs/physics.md; docs/stepping.md narrates a step).

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/memory_layout.hpp>
#include <electret/dynamics/step_counts.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// The inputs that a step reads: at its start t_n, at its end t_{n+1}, and at the fractions that the method
/// declares.
struct StepInputs {
  Inputs start;
  Inputs end;
  std::vector<Inputs> stages;  ///< At t_n + fraction·h, in the order of Integrator::stage_fractions().
};

/// What happened in a step.
struct StepReport {
  int elastic_iterations = 0;  ///< Iterations of the implicit solves; 0 for explicit methods.
  /// The tolerance was not met: the cap on iterations was hit, or the solve found no better place.
  bool capped = false;
  bool failed = false;    ///< The implicit solve met no finite value, so that the step has no result.
  double residual = 0.0;  ///< Of the stage's equation at the end, kg m; ‖∇g‖ if it is a minimisation.
  double residual_target = 0.0;  ///< The value at which the solve was to stop.
  ContactCounts contact;         ///< With obstacles that push exactly.
  double linear_cost = 0.0;      ///< Of linear solves, by counts of their parts (StageHessian::cost).
  /// What else was counted: "linear_iterations", of conjugate gradients that give Newton's directions.
  StepCounts counts{};
};

/// The step that a backward step transposes.
struct BackwardStep {
  const State& start;
  const State& end;
  const StepInputs& inputs;
  const StepTape& tape;  ///< As `step` wrote it.
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
  /// What the method is good for, in one line for people.
  [[nodiscard]] virtual std::string_view description() const = 0;
  /// The largest h ω at which an undamped elastic oscillation stays bounded over many steps. Infinite for
  /// methods that treat elastic energies implicitly; 0 if every oscillation grows.
  [[nodiscard]] virtual double stability_limit() const = 0;
  /// About the bytes that the solvers and arrays of its implicit stages take; 0 without implicit stages.
  [[nodiscard]] virtual double memory_needed() const { return 0.0; }
  /// Every array that it may keep in State::memory. What stores, restores or differentiates states reads it.
  [[nodiscard]] virtual std::vector<MemoryArray> memory_layout() const { return {}; }
  /// Whether the energy's error stays bounded, of the order of (hω)², as long as the step resolves the
  /// motion. If so, a jump of the energy shows that a step did not resolve it.
  [[nodiscard]] virtual bool conserves_energy() const { return false; }
  /// The fractions of a step, besides 0 and 1, at which the method reads inputs.
  [[nodiscard]] virtual std::span<const double> stage_fractions() const { return {}; }
  /// Fills `state.memory` at the start of a run, and wherever a state lacks an array that has derivatives.
  virtual void start(State&, const StepInputs&) {}

  /// Advances positions, velocities and the method's memory in `state` by one step; the caller increments
  /// `state.step`. `pin_reactions` (pins×3, N) receives the force that held or moved each pin during the
  /// step. If `tape` is given, it receives what `step_backward` cannot cheaply recompute. Allocates nothing
  /// after the first step.
  virtual StepReport step(State& state, const StepInputs& inputs, VectorSpan pin_reactions,
                          StepTape* tape) = 0;

  /// The transpose of `step` (docs/stepping.md, "A step back"). On entry, `cotangent` has the loss's
  /// derivatives with respect to the state at the step's end. On return it has those with respect to the
  /// state at the step's start. Derivatives with respect to inputs and parameters are added to `out`. Exact
  /// for explicit methods; for implicit ones as exact as the step was solved. Allocates nothing after the
  /// first call.
  virtual AdjointReport step_backward(const BackwardStep& at, StepCotangent& cotangent,
                                      const StepGradients& out) = 0;
  /// Called after the last backward step, and before one whose end has other inputs than the start of the
  /// step taken back before it. Multiplies what is left in `cotangent.position_force` by the force's
  /// Jacobian.
  virtual void finish_backward(const State& /*start*/, const Inputs& /*inputs*/, StepCotangent&,
                               InputGradients& /*by_inputs*/, ParameterGradients& /*by_parameters*/) {}
  /// The transpose of `start`: adds what `cotangent.memory` gives to the derivatives with respect to the
  /// state that `start` read, and clears it. Called after `finish_backward`, if the run began with `start`.
  virtual void start_backward(const State& /*start*/, const StepInputs&, StepCotangent&,
                              const StepGradients& /*out*/) {}

  /// This method and why `auto` stands for it; empty if the scene names its method.
  [[nodiscard]] const Choice& choice() const { return choice_; }
  void set_choice(Choice choice) { choice_ = std::move(choice); }
  /// The same for the solver of its implicit stages.
  [[nodiscard]] virtual Choice elastic_choice() const { return {}; }

 private:
  Choice choice_;
};

/// Makes the method that `options.method` names. "auto" stands for `choice`, such as that of a run that goes
/// on, or, if that is empty, for what `choose_integrator` (integrator_choice.hpp) takes. Throws InputError if
/// this version lacks the method or its solver. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorOptions& options,
                                            Choice choice = {});

}  // namespace electret
