#pragma once
/// \file
/// The gradient of a loss with respect to everything that a scene's motion depends on, in one forward and one
/// backward sweep (docs/gradients.md).
///
/// \code
///   electret::Assembly assembly = electret::assemble(electret::read_scene("scene.toml"));
///   electret::Simulator simulator(electret::compile(assembly));
///   auto [loss, gradient, report] = electret::loss_and_gradient(simulator, my_loss);
///   std::vector<double> by_charge = electret::find_parameter(assembly, "body.knot.charges").pull(gradient);
/// \endcode
///
/// One sweep gives the derivatives with respect to all numbers at once, so that a thousand parameters cost as
/// much as one.

#include <electret/dynamics/loss.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct GradientOptions {
  Count steps = 0;  ///< T; 0 means the scene's number of steps.
  /// The bytes of states that the reverse sweep may hold; 0 means half of the free memory. The sweep holds at
  /// least three states, whatever this says. States that do not fit are computed again
  /// (checkpoint_schedule.hpp). The gradient has the same bits for any value.
  double memory = 0.0;
  /// Whether derivatives with respect to rest positions are computed, too, which takes time for large solids.
  /// If not, they are 0.
  bool rest_positions = true;
  Control control{};  ///< Progress counts the steps of both sweeps; `stop` ends with Cancelled.
};

/// How the sweeps went.
struct GradientReport {
  Count steps = 0;             ///< T.
  Count stored_states = 0;     ///< The most states held at once.
  Count forward_steps = 0;     ///< Forward steps, repeated ones included; T if all states fit.
  Count solves = 0;            ///< Backward steps with an implicit solve.
  Count iterations = 0;        ///< The iterations of these solves together.
  Count direct_solves = 0;     ///< Of these, those that needed a factorisation.
  Count multigrid_solves = 0;  ///< Of these, those preconditioned by multigrid, not by block-Jacobi.
  /// Of these, those by L-BFGS from the constant factor, as published in [DiffPD] (HessianSolve::which).
  Count quasi_newton_solves = 0;
  Count gmres_solves = 0;       ///< Of these, those by GMRES: vertices slipped on obstacles.
  double worst_residual = 0.0;  ///< The largest ‖H z - b‖ / ‖b‖ of these solves.
  Count worst_step = 0;         ///< The step of the largest residual.
  /// Forward steps whose implicit solve missed its tolerance; the gradient is as inexact as they are.
  Count capped_steps = 0;
};

struct LossAndGradient {
  double loss = 0.0;
  AssemblyGradient gradient;  ///< ∂ℒ/∂(each number of the simulator's assembly).
  GradientReport report;
};

/// The most bytes that a stored state of a run takes, including what its step leaves for the backward step.
/// `simulator` is at the run's start. Memory that the method needs only from its first step on is counted,
/// too, at its largest possible size.
double bytes_of_state(const Simulator& simulator);

/// How many states of `bytes_of_one` bytes fit into `memory` bytes (0: half of the free memory). The result
/// is at least three and at most `steps` + 1, the number of all states. Throws std::invalid_argument for a
/// negative number, or for states of no bytes.
Count states_within(double memory, double bytes_of_one, Count steps);

/// Lets `loss` observe the simulator's present state, if the loss reads this state of a run of `last_step`
/// steps.
void observe_state(Simulator& simulator, Loss& loss, Count last_step);

/// ℒ of a run of `steps` steps (0: the scene's) from the scene's initial state. Throws DivergenceError as
/// Simulator::step does, Cancelled, and std::invalid_argument for a negative number of steps or a loss that
/// does not fit the run.
double loss_of_run(Simulator& simulator, Loss& loss, Count steps = 0, const Control& control = {});

/// ℒ and its gradient. The run starts from the scene's initial state, whatever state `simulator` is in, and
/// leaves it in an unspecified state. The derivative with respect to a constant of a formula that has none
/// there is NaN or infinite. Throws DivergenceError if the forward run does, or if the loss is not finite.
/// Throws it, too, if the reverse sweep leaves the range of numbers, because a step is unstable or the motion
/// is chaotic over too long a time. Throws Cancelled, and std::invalid_argument for negative steps or memory,
/// a scene without steps, or a loss that does not fit the run. Throws InputError, located at each, if the
/// scene has changes.
LossAndGradient loss_and_gradient(Simulator& simulator, Loss& loss, const GradientOptions& options = {});

}  // namespace electret
