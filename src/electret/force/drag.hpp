#pragma once
/// \file
/// Mass-proportional drag: f_i = -c m_i v_i.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// Drag with the `coefficient` c in 1/s. Parameter 0: "damping.drag" (1, 1/s). `threads` must outlive the
/// force.
std::unique_ptr<ExplicitForce> make_drag_force(double coefficient, Threads& threads);

}  // namespace electret
