#pragma once
/// \file
/// The base of the elastic solvers that work with the constant Hessian A = M + aL.

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/constant_hessian.hpp>
#include <electret/dynamics/stage/hessian_solver.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>

namespace electret {

/// Holds the stage and its stopping rule. Solves for derivatives use the published iteration on A.
class ConstantHessianSolver : public StageSolver {
 public:
  ConstantHessianSolver(System& system, double factor, const IntegratorOptions& options)
      : objective_(system),
        rule_(system, options.tolerance),
        constant_hessian_(system, factor),
        max_iterations_(options.max_iterations) {}

  VectorView elastic_gradient() const final { return objective_.elastic_gradient(); }

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord&) final {
    objective_.set_factor(constant_hessian_.factor());
    return adjoint_.solve_by_quasi_newton(objective_, constant_hessian_, {x, rhs, tolerance}, z);
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) final {
    objective_.hessian_product_unmasked(d, product);
  }

  double memory_needed() const final {
    constexpr double nonzero = 14.0;  // Measured: the library's factor while ours is made of it.
    constexpr double vertex = 23.0 * sizeof(Vec3);  // The stage's arrays, five pairs, a direction.
    return nonzero * static_cast<double>(constant_hessian_.factor_nonzeros()) +
           vertex * static_cast<double>(objective_.vertex_count());
  }

 protected:
  /// Begins the stage and evaluates g where the solve starts; returns g there.
  double begin(const StageProblem& problem, VectorSpan displacement) {
    require(problem.factor == constant_hessian_.factor(),
            "the stage does not have the factor for which the elastic solver was made");
    objective_.begin(problem);
    rule_.begin(objective_, problem);
    return objective_.evaluate_start(displacement);
  }

  StageObjective objective_;
  StoppingRule rule_;
  ConstantHessian constant_hessian_;
  int max_iterations_;

 private:
  HessianSolver adjoint_;
};

}  // namespace electret
