#pragma once
/// \file
/// The penalty force of an obstacle: it pushes the vertices inside out along the obstacle's normal.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/force/obstacle.hpp>

namespace electret {

/// f_i = f_n n on each vertex inside the obstacle, where Inputs::placements puts it. A vertex from which the
/// surface has no normal, such as at a sphere's centre, is not pushed. The potential is in the column
/// `external`. Parameters: 0 "stiffness" (1), 1 "placements" (12 per obstacle), 2 "origin" (3), and 3
/// "radius" (1) if the shape has one. `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_force(const ForceObstacle& obstacle, Threads& threads);

}  // namespace electret
