#pragma once
/// \file
/// imex: implicit springs, explicit charges ([MSC] eq. 2-12, [Liu13], docs/physics.md); first order.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   y = x + h v + h² M⁻¹f_explicit(x, v, t),   x' = argmin ½ (x-y)ᵀM(x-y) + h²E(x),   v' = (x' - x)/h
///
/// Costs one Coulomb evaluation per step. An `StageSolver` finds the minimiser. Throws InputError if this
/// version lacks the `elastic_solver`. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_imex(System& system, const IntegratorOptions& options);

/// The same step under the name `newton`.
std::unique_ptr<Integrator> make_newton(System& system, const IntegratorOptions& options);

}  // namespace electret
