#pragma once
/// \file
/// kick_trbdf2: charges kick, springs follow TR-BDF2 (docs/physics.md). Of second order; damps what the step
/// does not resolve.

#include <electret/dynamics/integrator.hpp>

namespace electret {

/// With γ = 2 - √2, α = (√2 + 1)/2, β = (√2 - 1)/2, a = (γh/2)²:
///
///   v₊ = v + h/2 M⁻¹f(x, v, t)
///   x_γ = argmin ½ (x_γ-y)ᵀM(x_γ-y) + a E(x_γ),   y = x + γh v₊ - a M⁻¹∇E(x)
///   v_γ = 2 (x_γ - x)/(γh) - v₊
///   x' = argmin ½ (x'-y)ᵀM(x'-y) + a E(x'),   y = α x_γ - β x + γh/2 (α v_γ - β v₊)
///   v₊₊ = 2 (x' - α x_γ + β x)/(γh),   v' = v₊₊ + h/2 M⁻¹f(x', v₊₊, t+h)
///
/// This is the trapezium rule to t + γh, then BDF2 (Bank et al. 1985). f is every force but springs and drag.
/// Drag is applied as factors exp(-drag·h/2) before the first and after the last kick. Pins are at p(t + γh)
/// in x_γ. Costs one Coulomb evaluation per step. Throws InputError if this version lacks the
/// `elastic_solver`. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_kick_trbdf2(System& system, const IntegratorOptions& options);

}  // namespace electret
