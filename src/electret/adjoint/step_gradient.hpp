#pragma once
/// \file
/// One step's transpose by itself: for callers who chain steps on their own.
///
/// \code
///   simulator.step(driven.inputs(start, action), &tape);
///   StepGradient g = step_gradient(simulator, controls, {start, simulator.state(), tape, action}, {a, b});
/// \endcode

#include <vector>

#include <electret/adjoint/gradient.hpp>
#include <electret/dynamics/controls.hpp>

namespace electret {

/// A step that was taken: from `start` to `end`, with `action` (empty: the schedule's values).
struct StepTaken {
  const State& start;
  const State& end;
  const StepTape& tape;
  ScalarView action;
};

/// ∂ℒ/∂(positions), ∂ℒ/∂(velocities) of one state, n×3 each; an empty one stands for zeros.
struct StateCotangent {
  VectorView positions;
  VectorView velocities;
};

struct StepGradient {
  AssemblyGradient gradient;      ///< ∂ℒ/∂(numbers of the simulator's assembly) through this step.
  std::vector<double> by_action;  ///< As many as the action has numbers.
  StepCotangent by_start;         ///< Complete: no force is left waiting for the step before.
};

/// From the derivatives by a step's end to those by its start, its action and the parameters
/// (docs/stepping.md, "A step back"). The simulator's own state plays no part, and stays. `rest_positions`:
/// as GradientOptions::rest_positions. Throws DivergenceError where a derivative leaves the range of numbers.
StepGradient step_gradient(Simulator& simulator, const Controls& controls, const StepTaken& step,
                           const StateCotangent& by_end, bool rest_positions);

}  // namespace electret
