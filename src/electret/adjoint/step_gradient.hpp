#pragma once
/// \file
/// The transpose of a single step, for callers who chain steps themselves.
///
/// \code
///   simulator.step(driven.inputs(start, action), &tape);
///   StepGradient g = step_gradient(simulator, controls, {start, simulator.state(), tape, action}, {a, b});
/// \endcode

#include <span>
#include <vector>

#include <electret/adjoint/gradient.hpp>
#include <electret/dynamics/controls.hpp>

namespace electret {

/// A step that was taken from `start` to `end` with `action` (empty: the schedule's values).
struct StepTaken {
  const State& start;
  const State& end;
  const StepTape& tape;
  ScalarView action;
};

/// ∂ℒ/∂(positions) and ∂ℒ/∂(velocities) of one state, n×3 each, and ∂ℒ/∂(arrays of the method's memory), by
/// name. An empty or missing array stands for zeros. Only arrays with derivatives may be named
/// (MemoryArray::is_differentiable).
struct StateCotangent {
  VectorView positions;
  VectorView velocities;
  std::span<const NamedArrays::Array> memory{};
};

struct StepGradient {
  AssemblyGradient gradient;      ///< ∂ℒ/∂(numbers of the simulator's assembly) through this step.
  std::vector<double> by_action;  ///< One derivative per number of the action.
  /// ∂ℒ/∂(the start's positions, velocities and method memory) through this step. The derivatives
  /// through the force at the start are already added to `positions`, so that `position_force` is 0. If the
  /// start lacks memory that has derivatives, the method made it of positions and velocities, and its
  /// derivatives are in theirs.
  StepCotangent by_start;
};

/// Turns the derivatives with respect to a step's end into those with respect to its start, its action and
/// the parameters (docs/stepping.md, "A step back"). The simulator's own state is neither used nor changed.
/// `rest_positions` is as GradientOptions::rest_positions. Throws DivergenceError if a derivative leaves the
/// range of numbers, and std::invalid_argument if an array has a wrong size, `step.end` does not follow
/// `step.start`, a state's memory has another size, a cotangent's has no derivatives, or `step.tape` is not
/// filled although the method (kick_trbdf2) needs it.
StepGradient step_gradient(Simulator& simulator, const Controls& controls, const StepTaken& step,
                           const StateCotangent& by_end, bool rest_positions);

}  // namespace electret
