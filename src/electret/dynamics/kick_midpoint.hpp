#pragma once
/// \file
/// Charges kick, springs go by the implicit midpoint rule (docs/physics.md); second order, keeps energy.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   v₊ = v + h/2 M⁻¹f(x, v, t),   y = x + h/2 v₊,   z = argmin ½ (z-y)ᵀM(z-y) + h²/4 E(z),
///   x' = 2z - x,   v₊₊ = 4(z - x)/h - v₊,   v' = v₊₊ + h/2 M⁻¹f(x', v₊₊, t+h)
///
/// f is all but springs and drag; drag is applied as factors exp(-drag·h/2) before the first and after the
/// last kick. z is the springs' midpoint; z_P = (p(t) + p(t+h))/2 at pins. One Coulomb evaluation a step.
/// Throws InputError for an `elastic_solver` this version lacks. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_kick_midpoint(System& system, const IntegratorOptions& options);

}  // namespace electret
