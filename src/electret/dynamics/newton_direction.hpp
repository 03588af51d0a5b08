#pragma once
/// \file
/// Inexact Newton directions of a stage's objective: for what the constant matrix is a poor model of.

#include <electret/dynamics/constant_hessian.hpp>
#include <electret/dynamics/stage_objective.hpp>

namespace electret {

/// Conjugate gradients on the exact Hessian ∇²g = M + a ∇²E, preconditioned by the constant A = M + aL,
/// stopped early (Nocedal and Wright, Numerical Optimization, algorithm 7.1). As A majorises ∇²g the
/// preconditioned eigenvalues lie in (0, 1] near a minimum; where compressed springs make ∇²g indefinite, the
/// search stops at the first direction of negative curvature and returns what it has, which goes downhill.
class NewtonDirection {
 public:
  explicit NewtonDirection(std::size_t n);

  /// direction ← about -(∇²g)⁻¹ gradient at `x` (n×3 each), to a relative residual `accuracy` in the norm of
  /// A⁻¹. Zero at pins. Allocates nothing.
  void compute(StageObjective& objective, ConstantHessian& preconditioner, VectorView x, VectorView gradient,
               double accuracy, VectorSpan direction);

 private:
  VectorArray residual_, preconditioned_, search_, product_;
};

}  // namespace electret
