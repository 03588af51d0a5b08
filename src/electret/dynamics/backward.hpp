#pragma once
/// \file
/// What a backward step carries: the loss's derivatives with respect to a state, inputs and parameters.
/// docs/stepping.md, "A step back".
///
/// The reverse sweep goes through the steps from the last to the first. `StepCotangent` enters a backward
/// step as the derivatives with respect to the state at the step's end. It leaves as those with respect to
/// the state at its start.

#include <span>
#include <string_view>
#include <vector>

#include <electret/dynamics/memory_layout.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/scene/inputs.hpp>
#include <electret/scene/pinhole.hpp>

namespace electret {

/// What a backward step cannot cheaply recompute. `Integrator::step` writes it, one tape per step: arrays by
/// names of the method's own (kick_trbdf2: "stage", x_γ). Empty if the method needs none.
struct StepTape : NamedArrays {};

/// ∂ℒ/∂(x, v, method's memory) at one state.
///
/// Some methods read the position part of the force at both ends of a step. They evaluate it once, for the
/// end of one step and the start of the next. The backward sweep transposes it once, too. For that, a
/// backward step leaves ∂ℒ/∂f of the force at its start in `position_force`. The backward step of the step
/// before adds its own share and multiplies the sum by the force's Jacobian.
struct StepCotangent {
  VectorArray positions;       ///< ∂ℒ/∂x, n×3.
  VectorArray velocities;      ///< ∂ℒ/∂v, n×3.
  VectorArray position_force;  ///< ∂ℒ/∂f for the position part f of the method's force at this state, n×3.
  MethodMemory memory;         ///< ∂ℒ/∂(the arrays of State::memory that have derivatives).

  /// Zeros of the shape of `state`, for a method that keeps `layout`.
  static StepCotangent zero(const State& state, std::span<const MemoryArray> layout = {});
};

/// The loss's derivatives with respect to the numbers that `compile` made from the assembly; steps add to
/// them.
struct ParameterGradients {
  std::vector<double> masses;  ///< n; through every role that the masses have.
  /// One array per elastic energy and parameter of it, of as many numbers as that parameter has.
  std::vector<std::vector<std::vector<double>>> elastic;
  /// One array per explicit force and parameter of it. Empty for parameters that are Inputs (charges,
  /// external charges, loads), because their derivatives go to InputGradients.
  std::vector<std::vector<std::vector<double>>> forces;
  /// One array per obstacle of the contacts and parameter of it: origin (3), radius (1 or none), and the
  /// friction (1) of each kind of vertices.
  std::vector<std::vector<std::vector<double>>> contacts;

  /// One number per kind of friction between bodies.
  std::vector<std::vector<double>> body_frictions;
  /// n: by c of each vertex (body_scales.hpp), from which contact between bodies takes its stiffness.
  std::vector<double> body_scales;
  /// One per camera: steps read none, losses do.
  std::vector<PinholeGradient> cameras;

  /// n×3; through the rest shapes of solid elements. Empty if not requested.
  VectorArray rest_positions;

  /// Zeros of the shape of `system`; rest positions are not requested.
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
  /// HessianSolve::which: "block_jacobi", "multigrid", "quasi_newton", "direct" (a factorisation) or "gmres".
  /// "cg" for linear_implicit. Empty for explicit methods.
  std::string_view method;
};

}  // namespace electret
