#pragma once
/// \file
/// Why a run left the finite world: the step, the vertex, the likely cause, and what to change.

#include <electret/core/errors.hpp>
#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/energy_watch.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stability.hpp>

namespace electret {

/// A step that failed. It went from `last_good` to `failed` (whose step number counts it already) with
/// `inputs`.
struct FailedStep {
  System& system;
  const Integrator& integrator;
  const State& last_good;
  const State& failed;
  const StepInputs& inputs;
};

/// The error for a state that is not finite.
DivergenceError not_finite(const FailedStep& step);

/// The error for an implicit solve whose report says `failed`.
DivergenceError solve_failed(const FailedStep& step);

/// The error for a total energy (J) that is not finite or beyond its bound (J).
DivergenceError beyond_energy_bound(const FailedStep& step, double total, double bound);

/// If hω > 1.1 for some pair of charges: "the time step is too large for the charges of vertices 3 and 8: h ω
/// = 5.9 at 0.012 m, should be below 1; use a step below 0.000085 s or softening". Else empty. The advised
/// step has hω = 0.5, which leaves room for charges that come closer. Every message about charges follows
/// this rule. docs/physics.md, "Time integrators".
std::string charge_step_warning(const System& system, VectorView positions, ScalarView charges);
/// The same for a caller that knows the fastest pair.
std::string charge_step_warning(const System& system, const ChargePair& fastest);

/// The step (s) that those warnings advise for a pair, hω = 0.5; infinite if nothing moves.
double advised_charge_step(const ChargePair& pair);
/// The pair with the largest ω at the start, with the largest charges of the run.
ChargePair fastest_pair_of_run(const System& system);

/// "the energy has jumped from 310 J to 1.3e+05 J between t = 4999 s and 5000 s, which verlet does not
/// explain: …; …". The cause named is the springs or charges that the step does not resolve in `state`, or
/// else the fastest vertices. `inputs` are those of `state`; `since` is the time of the frame before, s.
std::string energy_jump_warning(System& system, const Integrator& integrator, const State& state,
                                const Inputs& inputs, double since, const EnergyJump& jump);

}  // namespace electret
