#pragma once
/// \file
/// Solvers of an implicit stage: argmin over the free vertices of ½ (x-y)ᵀM(x-y) + a E(x).

#include <memory>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

class ElasticSolver {
 public:
  virtual ~ElasticSolver() = default;

  /// Goes downhill from `x` (n×3, m; pinned rows hold the prescribed places, as in `y`) and leaves the
  /// minimiser there. `x_t`: where the step starts; it sets the stopping rule, and the solve goes downhill
  /// from there if g has no finite value at `x`. Allocates nothing after the first call. A report that is
  /// neither failed, nor capped, nor at its target ended at the rounding of the residual itself.
  virtual StepReport minimise(VectorView x_t, VectorView y, VectorSpan x) = 0;
  /// ∇E at the minimiser just found (n×3, N), pins included.
  [[nodiscard]] virtual VectorView elastic_gradient() const = 0;
};

/// `factor` a, s². `options.elastic_solver`: "auto", "lbfgs" or "local_global"; anything else throws
/// InputError. `system` must outlive the solver.
std::unique_ptr<ElasticSolver> make_elastic_solver(System& system, double factor,
                                                   const IntegratorOptions& options);

/// The published iteration ([MSC] eq. 5-7, [Liu13] §4): local projections, then (M + aL) x = M y + a Σ J p.
std::unique_ptr<ElasticSolver> make_local_global_solver(System& system, double factor,
                                                        const IntegratorOptions& options);
/// L-BFGS(5) as below and, in a step it has not solved in 30 iterations, Newton's method: directions by
/// conjugate gradients on the exact Hessian, preconditioned by the constant matrix. A Newton step counts as
/// an iteration.
std::unique_ptr<ElasticSolver> make_auto_solver(System& system, double factor,
                                                const IntegratorOptions& options);
/// L-BFGS(5) with the same constant matrix as initial Hessian and backtracking on g [Liu17].
std::unique_ptr<ElasticSolver> make_lbfgs_solver(System& system, double factor,
                                                 const IntegratorOptions& options);

}  // namespace electret
