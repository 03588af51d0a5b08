#pragma once
/// \file
/// The two explicit Euler methods (docs/physics.md). Both are of first order and cost one Coulomb evaluation
/// per step. They differ in the velocity that moves the positions.

#include <electret/dynamics/integrator.hpp>

namespace electret {

/// [MSC]'s "explicit-explicit" baseline, which is unstable on undamped springs at any step size:
///
///   x' = x + h v,   v' = v + h M⁻¹f(x, v, t)
///
/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_explicit_euler(System& system);

///   v' = v + h M⁻¹f(x, v, t),   x' = x + h v'
///
/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_symplectic_euler(System& system);

}  // namespace electret
