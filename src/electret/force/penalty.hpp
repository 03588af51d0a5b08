#pragma once
/// \file
/// Penalty on the depth in an obstacle: vertices inside are pushed out along its normal.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/geometry/penalty.hpp>

namespace electret {

/// f_i = f_n n on each vertex inside. A vertex at a sphere's centre is pushed nowhere. Its potential is in
/// the column `external`. Parameter 0: "stiffness" (1). `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_penalty_force(const Penalty& penalty, Threads& threads);

}  // namespace electret
