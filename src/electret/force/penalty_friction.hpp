#pragma once
/// \file
/// The friction of vertices inside an obstacle that pushes by a penalty.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/force/obstacle.hpp>

namespace electret {

/// f_i = -min(k_f, μ f_n/|u|) u with u = (I - nnᵀ)(v_i - v_s), as the contact friction in [DiffPD]'s code;
/// v_s is the obstacle's velocity at x_i, by Inputs::placements. Against sliding this is Coulomb's friction μ
/// f_n. At low speeds it is a damping k_f instead, so a vertex that should stick creeps. The force
/// dissipates; its driving power is Σ f_i·v_s. μ ≥ 0; k_f > 0, N s/m. Parameters: 0 "stiffness", that of the
/// penalty; 1 "friction"; 2 "friction_stiffness" (1 each); 3 "placements" (12 per obstacle); 4 "origin" (3);
/// 5 "radius" (1) if the shape has one. At μ = 0 the derivative by μ is the one-sided one, towards larger μ.
/// `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_friction_force(const ForceObstacle& obstacle, double friction,
                                                           double friction_stiffness, Threads& threads);

}  // namespace electret
