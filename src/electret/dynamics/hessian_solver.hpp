#pragma once
/// \file
/// Linear systems with a stage's exact Hessian, to a residual that is checked: what an adjoint needs.

#include <electret/dynamics/constant_hessian.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/stage_objective.hpp>

namespace electret {

/// Conjugate gradients preconditioned by the constant A = M + aL, which majorises ∇²g: near a minimum the
/// preconditioned eigenvalues lie in (0, 1]. The residual is computed from the solution, not from the
/// recurrence, and the iteration starts again from it where the two differ. Where that does not converge, the
/// exact Hessian is factored.
class HessianSolver {
 public:
  /// ElasticSolver::solve_hessian with the `objective`'s factor a. Allocates on the first call and in
  /// factorisations.
  HessianSolve solve(StageObjective& objective, ConstantHessian& preconditioner, VectorView x, VectorView rhs,
                     double tolerance, VectorSpan z);

  /// The same by the factored exact Hessian alone.
  HessianSolve solve_directly(StageObjective& objective, VectorView x, VectorView rhs, double tolerance,
                              VectorSpan z);

 private:
  struct Goal {
    double size;  ///< ‖rhs‖ over the free vertices.
    double tolerance;
  };
  Goal begin(StageObjective& objective, VectorView x, VectorView rhs, double tolerance, VectorSpan z);
  void iterate(StageObjective& objective, ConstantHessian& preconditioner, const Goal& goal, VectorSpan z,
               HessianSolve& report);
  void run_conjugate_gradients(StageObjective& objective, ConstantHessian& preconditioner, const Goal& goal,
                               VectorSpan z, HessianSolve& report);
  void factor(StageObjective& objective, const Goal& goal, VectorSpan z, HessianSolve& report);
  void measure(StageObjective& objective, const Goal& goal, VectorView z, HessianSolve& report);

  VectorArray rhs_, residual_, preconditioned_, search_, product_;
};

}  // namespace electret
