#pragma once
/// \file
/// Friction of vertices in an obstacle that pushes by its penalty.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/force/penalty.hpp>

namespace electret {

/// f_i = -min(k_f, μ f_n/|u|) u with u = (I - nnᵀ) v_i, the contact friction of [DiffPD]'s code: Coulomb's
/// friction μ f_n against sliding, and at low speeds a damping k_f instead, so that what should stick creeps.
/// It dissipates. μ ≥ 0; k_f > 0, N s/m. Parameters: 0 "stiffness", of `penalty`; 1 "friction"; 2
/// "friction_stiffness" (1 each). At μ = 0 its derivative by μ is that towards larger ones. `threads` must
/// outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_friction_force(const Penalty& penalty, double friction,
                                                           double friction_stiffness, Threads& threads);

}  // namespace electret
