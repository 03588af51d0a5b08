#pragma once
/// \file
/// What one step back carries: the loss's derivatives by a state, by inputs and by parameters.
/// docs/stepping.md, "A step back".
///
/// The reverse sweep goes through the steps from the last to the first. `StepCotangent` enters a step as the
/// derivatives by the state at its end, and leaves it as those by the state at its start.

#include <string_view>
#include <vector>

#include <electret/dynamics/system.hpp>
#include <electret/scene/inputs.hpp>

namespace electret {

/// What the backward step cannot cheaply recompute; written by `Integrator::step`, one tape per step.
struct StepTape {
  VectorArray stage;  ///< A stage's positions (kick_trbdf2: x_γ), n×3, m; empty for methods without.
};

/// ∂ℒ/∂(x, v, method's memory) at one state.
///
/// Methods that read the position part of the force at both ends of a step evaluate it once for the end of
/// one step and the start of the next. So is its transpose: a backward step leaves ∂ℒ/∂f of that force at its
/// start in `position_force`, and the step before multiplies it by the force's Jacobian together with its
/// own.
struct StepCotangent {
  VectorArray positions;       ///< ∂ℒ/∂x, n×3.
  VectorArray velocities;      ///< ∂ℒ/∂v, n×3.
  VectorArray position_force;  ///< ∂ℒ/∂f, f the position part of the method's force at this state, n×3.
  MethodMemory memory;         ///< ∂ℒ/∂memory, of the shape of State's.

  /// Zeros of the shape of `state`.
  static StepCotangent zero(const State& state);
};

/// The loss's derivatives by what `compile` made of the assembly's numbers; steps add to them.
struct ParameterGradients {
  std::vector<double> masses;  ///< n, through the masses' every role.
  /// For each elastic energy, for each of its parameters: as many numbers as that has.
  std::vector<std::vector<std::vector<double>>> elastic;
  /// For each explicit force, for each of its own parameters; empty for those that are Inputs (charges,
  /// external charges, loads), whose derivatives go to InputGradients.
  std::vector<std::vector<std::vector<double>>> forces;

  /// n×3: through the rest shapes of solid elements; empty: not asked for.
  VectorArray rest_positions;

  /// Zeros of the shape of `system`; rest positions are not asked for.
  static ParameterGradients zero(System& system);
};

/// ∂ℒ/∂(inputs of a step), of StepInputs' shape; steps add to them.
struct StepInputGradients {
  InputGradients start;
  InputGradients end;
  std::vector<InputGradients> stages;
};

/// How the implicit solve of a backward step ended.
struct AdjointReport {
  int iterations = 0;     ///< 0 for explicit methods.
  double residual = 0.0;  ///< ‖H z - b‖ / ‖b‖.
  /// "block_jacobi", "multigrid", "quasi_newton", "direct" (a factorisation): HessianSolve::which; "cg" for
  /// linear_implicit; empty for explicit methods.
  std::string_view method;
};

}  // namespace electret
