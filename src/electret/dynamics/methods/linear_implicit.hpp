#pragma once
/// \file
/// linear_implicit: linearised implicit Euler ([IE] eq. 12, 37-49, docs/physics.md); first order.

#include <electret/dynamics/integrator.hpp>

namespace electret {

///   (M + h²H_c(x)) v' = M v + h F(x, v, t),   x' = x + h v'
///
/// F is the sum of all forces, exact springs included. H_c is the springs' Hessian with the transverse factor
/// clamped at 0, so that the matrix A is positive definite. A step costs one linear system and one Coulomb
/// evaluation. The system is solved to ‖rhs - A v'‖ ≤ tolerance·‖rhs‖ by conjugate gradients. With
/// `linear_solver` = "jacobi" it is solved by the damped Jacobi iteration of [IE]; if that grows, conjugate
/// gradients take over. `system` must outlive the integrator.
std::unique_ptr<Integrator> make_linear_implicit(System& system, const IntegratorOptions& options);

}  // namespace electret
