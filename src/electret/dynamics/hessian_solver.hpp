#pragma once
/// \file
/// Linear systems with a stage's exact Hessian, to a residual that is checked: what an adjoint needs.

#include <optional>

#include <electret/dynamics/constant_hessian.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/pair_history.hpp>
#include <electret/dynamics/stage_hessian.hpp>
#include <electret/dynamics/stage_objective.hpp>

namespace electret {

/// ∇²g(x) z = rhs on the free vertices, z = 0 at pins, to ‖∇²g z - rhs‖ ≤ tolerance ‖rhs‖.
struct HessianSystem {
  VectorView x, rhs;  ///< n×3; the rows of `rhs` at pins do not count.
  double tolerance;
};

/// Three ways, each with the `objective`'s factor a. The residual is computed from the solution in float64,
/// not from a recurrence. Allocates on the first call and in factorisations.
class HessianSolver {
 public:
  /// Newton's way: conjugate gradients on `hessian`, which has begun a step, in float32 inside a refinement
  /// of float64 residuals. Where that does not converge, the exact Hessian is factored.
  HessianSolve solve(StageObjective& objective, StageHessian& hessian, const HessianSystem& system,
                     VectorSpan z);

  /// The published way ([DiffPD] eq. 22-27): A z ← (A - ∇²g) z + rhs with the factored constant A = M + aL,
  /// as L-BFGS that starts from A⁻¹. A majorises ∇²g: at a strict minimiser every step goes downhill. Where
  /// it does not converge, Newton's way.
  HessianSolve solve_by_quasi_newton(StageObjective& objective, ConstantHessian& constant,
                                     const HessianSystem& system, VectorSpan z);

  /// By the factored exact Hessian alone.
  HessianSolve solve_directly(StageObjective& objective, const HessianSystem& system, VectorSpan z);

 private:
  /// Linearises, makes z 0 and keeps rhs; false where rhs is 0 on the free vertices.
  bool begin(StageObjective& objective, const HessianSystem& system, VectorSpan z);
  void iterate_quasi_newton(StageObjective& objective, ConstantHessian& constant, VectorSpan z,
                            HessianSolve& report);
  void factor(StageObjective& objective, VectorSpan z, HessianSolve& report);
  void measure(StageObjective& objective, VectorView z, HessianSolve& report);

  double size_ = 0.0;  ///< ‖rhs‖ over the free vertices.
  double tolerance_ = 0.0;
  VectorArray rhs_, residual_, search_, product_, work_;
  std::optional<PairHistory> history_;     ///< Of the quasi-Newton method.
  std::unique_ptr<StageHessian> hessian_;  ///< Where that failed.
};

}  // namespace electret
