#pragma once
/// \file
/// Linearised implicit Euler: [IE] eq. 12, 37-49 (docs/physics.md); first order.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   (M + h²H_c(x)) v' = M v + h F(x, v, t),   x' = x + h v'
///
/// F is every force, springs exactly; H_c is the springs' Hessian with the transverse factor clamped at 0, so
/// that the matrix is positive definite. One linear system and one Coulomb evaluation a step. Solved to
/// ‖rhs - A v'‖ ≤ tolerance·‖rhs‖ by conjugate gradients or, with `linear_solver` = "jacobi", by the damped
/// Jacobi iteration of [IE]; where that grows, conjugate gradients take over. `system` must outlive the
/// integrator.
std::unique_ptr<Integrator> make_linear_implicit(System& system, const IntegratorOptions& options);

}  // namespace electret
