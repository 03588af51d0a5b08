#pragma once
/// \file
/// Explicit Euler, [MSC]'s "explicit-explicit" baseline (physics.md §2): first order, unstable on
/// undamped springs at any step.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   x' = x + h v,   v' = v + h M⁻¹f(x, v, t)
///
/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_explicit_euler(System& system);

}  // namespace electret
