#pragma once
/// \file
/// Why a run left the finite world: the step, the vertex, the likely cause, and what to change.

#include <electret/core/errors.hpp>
#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/integrator.hpp>

namespace electret {

/// A step that failed: from `last_good` to `failed` (counted already) with `inputs`.
struct FailedStep {
  System& system;
  const Integrator& integrator;
  const State& last_good;
  const State& failed;
  const StepInputs& inputs;
};

/// For a state that is not finite.
DivergenceError not_finite(const FailedStep& step);

/// For a total energy (J) beyond its bound (J).
DivergenceError beyond_energy_bound(const FailedStep& step, double total, double bound);

/// "the charge step is too large near vertices 3 and 8 (h ω = 1.7 at 0.012 m); use softening or a step below
/// 0.0088 s", when hω > 1 for some pair of charges; else empty. integrators.md, "Warn when hω > 1".
std::string charge_step_warning(const System& system, VectorView positions, ScalarView charges);

}  // namespace electret
