#pragma once
/// \file
/// Loads: f_i = Inputs::loads[i], forces that are given from outside. They have no potential; their work is
/// accounted as field work.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// The force of the loads. Parameter 0: "loads" (3 per vertex, N). `threads` must outlive the force.
std::unique_ptr<ExplicitForce> make_load_force(Index vertex_count, Threads& threads);

}  // namespace electret
