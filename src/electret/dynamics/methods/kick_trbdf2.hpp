#pragma once
/// \file
/// kick_trbdf2: springs follow TR-BDF2 under the other forces, which a kick corrects at the step's end
/// (docs/physics.md). Of second order; damps what the step does not resolve.

#include <electret/dynamics/integrator.hpp>

namespace electret {

/// With γ = 2 - √2, α = (√2 + 1)/2, β = (√2 - 1)/2, a = (γh/2)²:
///
///   s = M⁻¹f(x, v, t)
///   x_γ = argmin ½ (x_γ-y)ᵀM(x_γ-y) + a E(x_γ),   y = x + γh v - a M⁻¹∇E(x) + 2a s
///   v_γ = 2 (x_γ - x)/(γh) - v
///   x' = argmin ½ (x'-y)ᵀM(x'-y) + a E(x'),   y = α x_γ - β x + γh/2 (α v_γ - β v) + a s
///   v₊₊ = 2 (x' - α x_γ + β x)/(γh),   v' = v₊₊ + h/2 (M⁻¹f(x', v₊₊, t+h) - s)
///
/// This is the trapezium rule to t + γh, then BDF2 (Bank et al. 1985), with the force f as a source that
/// stays the same during the step. f is every force but springs and drag. A body that comes to rest has f =
/// ∇E there, at any step. Drag is applied as factors exp(-drag·h/2) to v before the step and to v' after it.
/// Pins are at p(t + γh) in x_γ. Costs one Coulomb evaluation per step. Throws InputError if this version
/// lacks the `elastic_solver`. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_kick_trbdf2(System& system, const IntegratorOptions& options);

}  // namespace electret
