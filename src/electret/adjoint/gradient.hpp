#pragma once
/// \file
/// The gradient of a loss by everything a scene's motion depends on, in one sweep forward and one back
/// (docs/gradients.md).
///
/// \code
///   electret::Assembly assembly = electret::assemble(electret::read_scene("scene.toml"));
///   electret::Simulator simulator(electret::compile(assembly));
///   auto [loss, gradient, report] = electret::loss_and_gradient(simulator, my_loss);
///   std::vector<double> by_charge = electret::find_parameter(assembly, "body.knot.charges").pull(gradient);
/// \endcode
///
/// One sweep gives the derivatives by all numbers at once: a thousand parameters cost what one does.

#include <electret/dynamics/loss.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/scene/assembly_gradient.hpp>

namespace electret {

struct GradientOptions {
  Count steps = 0;  ///< T; 0: the scene's.
  /// Bytes of states that the reverse sweep may hold, three states at least; 0: half of what is free. What
  /// does not fit is computed again (checkpoint_schedule.hpp); the gradient has the same bits whatever this
  /// is.
  double memory = 0.0;
  /// Whether derivatives by rest positions are asked for, too: of large solids they take their time. Else
  /// they are 0.
  bool rest_positions = true;
  Control control;  ///< Progress counts the steps of both sweeps; `stop` ends with Cancelled.
};

/// How the sweeps went.
struct GradientReport {
  Count steps = 0;                ///< T.
  Count stored_states = 0;        ///< Most states held at once.
  Count forward_steps = 0;        ///< Steps taken forward, repeated ones included; T when all states fit.
  Count solves = 0;               ///< Steps back with an implicit solve,
  Count iterations = 0;           ///< their iterations together,
  Count direct_solves = 0;        ///< and how many of them needed a factorisation,
  Count multigrid_solves = 0;     ///< were preconditioned by multigrid, not by block-Jacobi,
  Count quasi_newton_solves = 0;  ///< or were solved by the published iteration (HessianSolve::which).
  double worst_residual = 0.0;    ///< Largest ‖H z - b‖ / ‖b‖ of these,
  Count worst_step = 0;           ///< and the step it belongs to.
  Count capped_steps = 0;  ///< Forward steps whose implicit solve missed its tolerance: the gradient is as
                           ///< inexact as they are.
};

struct LossAndGradient {
  double loss = 0.0;
  AssemblyGradient gradient;  ///< ∂ℒ/∂(each number of the simulator's assembly).
  GradientReport report;
};

/// Bytes that a stored state of a run takes at most, with what its step leaves for the way back. `simulator`
/// is at the run's start: what a method keeps from its first step on is counted as the most that it may be.
double bytes_of_state(const Simulator& simulator);

/// States of so many bytes that fit into `memory` (bytes; 0: half of what is free): three at least and
/// `steps` + 1 at most, every state.
Count states_within(double memory, double bytes_of_one, Count steps);

/// ℒ of a run of `steps` steps (0: the scene's) from the scene's initial state. Throws DivergenceError as
/// Simulator::step does, and Cancelled.
double loss_of_run(Simulator& simulator, Loss& loss, Count steps = 0, const Control& control = {});

/// ℒ and its gradient. `simulator` starts from the scene's initial state whatever was done with it, and is
/// left in an unspecified state. Throws DivergenceError where the forward run does, or where the reverse
/// sweep leaves the range of numbers (an unstable step, a chaotic motion over too long a time); Cancelled.
LossAndGradient loss_and_gradient(Simulator& simulator, Loss& loss, const GradientOptions& options = {});

}  // namespace electret
