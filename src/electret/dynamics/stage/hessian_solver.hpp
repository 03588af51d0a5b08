#pragma once
/// \file
/// Solves linear systems with a stage's exact Hessian to a residual that is checked, as adjoints need.

#include <optional>

#include <electret/dynamics/stage/constant_hessian.hpp>
#include <electret/dynamics/stage/pair_history.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret {

/// ∇²g(x) z = rhs on the free vertices, z = 0 at pins, to ‖∇²g z - rhs‖ ≤ tolerance ‖rhs‖.
struct HessianSystem {
  VectorView x, rhs;  ///< n×3; the rows of `rhs` at pins do not count.
  double tolerance;
};

/// Three methods; each uses the factor a of `objective`. The residual is computed in float64 from the
/// solution, not from a recurrence. Allocates on the first call and in factorisations.
class HessianSolver {
 public:
  /// Newton's method's way: conjugate gradients on `hessian`, for which `begin_step` was called. They run in
  /// float32 inside an iterative refinement with float64 residuals. If that does not converge, the exact
  /// Hessian is factored.
  HessianSolve solve(StageObjective& objective, StageHessian& hessian, const HessianSystem& system,
                     VectorSpan z);

  /// The published way ([DiffPD] eq. 22-27): A z ← (A - ∇²g) z + rhs with the factored constant A = M + aL,
  /// as L-BFGS that starts from A⁻¹. A majorises ∇²g, so that every step goes downhill at a strict minimiser.
  /// If it does not converge, `solve` takes over.
  HessianSolve solve_by_quasi_newton(StageObjective& objective, ConstantHessian& constant,
                                     const HessianSystem& system, VectorSpan z);

  /// Solves by the factored exact Hessian alone.
  HessianSolve solve_directly(StageObjective& objective, const HessianSystem& system, VectorSpan z);

 private:
  /// Linearises, sets z to 0 and keeps rhs. False if rhs is 0 on the free vertices.
  bool begin(StageObjective& objective, const HessianSystem& system, VectorSpan z);
  void iterate_quasi_newton(StageObjective& objective, ConstantHessian& constant, VectorSpan z,
                            HessianSolve& report);
  void factor(StageObjective& objective, VectorSpan z, HessianSolve& report);
  void measure(StageObjective& objective, VectorView z, HessianSolve& report);

  double size_ = 0.0;  ///< ‖rhs‖ over the free vertices.
  double tolerance_ = 0.0;
  VectorArray rhs_, residual_, search_, product_, work_;
  std::optional<PairHistory> history_;     ///< Of the quasi-Newton method.
  std::unique_ptr<StageHessian> hessian_;  ///< Used if that failed.
};

}  // namespace electret
