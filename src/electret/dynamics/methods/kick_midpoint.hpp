#pragma once
/// \file
/// kick_midpoint: charges kick, springs follow the implicit midpoint rule (docs/physics.md). Of second order;
/// keeps energy.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   v₊ = v + h/2 M⁻¹f(x, v, t),   y = x + h/2 v₊,   z = argmin ½ (z-y)ᵀM(z-y) + h²/4 E(z),
///   x' = 2z - x,   v₊₊ = 4(z - x)/h - v₊,   v' = v₊₊ + h/2 M⁻¹f(x', v₊₊, t+h)
///
/// f is every force but springs and drag. Drag is applied as factors exp(-drag·h/2) before the first and
/// after the last kick. z is the springs' midpoint; z_P = (p(t) + p(t+h))/2 at pins. Costs one Coulomb
/// evaluation per step. Throws InputError if this version lacks the `elastic_solver`. `system` must outlive
/// the integrator.
std::unique_ptr<Integrator> make_kick_midpoint(System& system, const IntegratorOptions& options);

}  // namespace electret
