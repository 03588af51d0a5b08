#pragma once
/// \file
/// Uniform gravity: f_i = m_i g, U = -Σ_i m_i g·x_i.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>

namespace electret {

/// Gravity with the acceleration `gravity` in m/s². Parameter 0: "gravity" (3, m/s²). `threads` must outlive
/// the force.
std::unique_ptr<ExplicitForce> make_gravity_force(const Vec3& gravity, Threads& threads);

}  // namespace electret
