#pragma once
/// \file
/// Relative-velocity damping along springs ([IE] eq. 1, a_other): f_i = -c ((v_i - v_j)·β̂) β̂, f_j = -f_i.

#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// Damping with the `coefficient` c in N s/m between the two ends of each of `springs`. A spring of zero
/// length has no damping. Parameter 0: "damping.spring" (1, N s/m). Throws InternalError for an index out of
/// range. `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_spring_damping_force(double coefficient, const std::vector<Edge>& springs,
                                                         Index vertex_count, Threads& threads);

}  // namespace electret
