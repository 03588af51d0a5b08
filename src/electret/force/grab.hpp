#pragma once
/// \file
/// Grabs (`Inputs::grabs`): a spring and a damper from a target p to the weighted mean of some vertices, as a
/// hand that holds a body. With weights w_i, W = Σ w_i = 1 and
///
///     d = Σ w_j (p - x_j),   v̄ = Σ w_j v_j:   f_i = w_i (k d - c v̄),   U = k/2 |d|².
///
/// d is p - x̄, the target less the weighted mean of the positions. It is summed as differences, so that a
/// grab far from the origin, whose weights sum to 1 up to rounding, pulls as it does near it.
///
/// The spring has a potential, in the column `external`; a moved target works as key-frames. The damper
/// dissipates. Both add each vertex's share in the order of the grabs, on one thread.

#include <memory>

#include <electret/force/explicit_force.hpp>

namespace electret {

/// The spring, f_i = w_i k d. Parameter 0: "grabs", five numbers per grab: the target, the stiffness, the
/// damping.
std::unique_ptr<ExplicitForce> make_grab_force();

/// The damper, f_i = -w_i c v̄, with the same parameter.
std::unique_ptr<ExplicitForce> make_grab_damping_force();

}  // namespace electret
