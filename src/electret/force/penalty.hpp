#pragma once
/// \file
/// The penalty force of an obstacle: it pushes the vertices inside out along the obstacle's normal.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/geometry/penalty.hpp>

namespace electret {

/// f_i = f_n n on each vertex inside the obstacle. A vertex at a sphere's centre is not pushed. The potential
/// is in the column `external`. Parameter 0: "stiffness" (1). `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_force(const Penalty& penalty, Threads& threads);

}  // namespace electret
