#pragma once
/// \file
/// The friction of vertices inside an obstacle that pushes by a penalty.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/force/penalty.hpp>

namespace electret {

/// f_i = -min(k_f, μ f_n/|u|) u with u = (I - nnᵀ) v_i, as the contact friction in [DiffPD]'s code. Against
/// sliding this is Coulomb's friction μ f_n. At low speeds it is a damping k_f instead, so a vertex that
/// should stick creeps. The force dissipates. μ ≥ 0; k_f > 0, N s/m. Parameters: 0 "stiffness", that of
/// `penalty`; 1 "friction"; 2 "friction_stiffness" (1 each). At μ = 0 the derivative by μ is the one-sided
/// one, towards larger μ. `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_friction_force(const Penalty& penalty, double friction,
                                                           double friction_stiffness, Threads& threads);

}  // namespace electret
