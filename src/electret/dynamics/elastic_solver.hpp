#pragma once
/// \file
/// Solvers of an implicit stage: argmin over the free vertices of g(x) = ½ (x-y)ᵀM(x-y) + a E(x).
///
/// \code
///   const auto solver = make_elastic_solver(system, h * h, options);
///   x = y;
///   const StepReport report = solver->minimise({x_t, y, h * h, &inputs.end, &state.memory, unforced}, x);
/// \endcode
///
/// Whatever a solver keeps from one solve to the next is one of three: constant during the run (the factor of
/// A); a result that is used again only for bitwise the same arguments; or lagged data (damping, a coarse
/// operator, a switch), which is reset at the start of a step or lives in the State, in the method's memory.
/// So a resumed run has the bits of one that never stopped.

#include <memory>
#include <string_view>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stage_hessian.hpp>
#include <electret/dynamics/stage_problem.hpp>

namespace electret {

/// How a linear system with the exact Hessian was solved.
struct HessianSolve {
  int iterations = 0;     ///< Of conjugate gradients, or of the quasi-Newton method.
  double residual = 0.0;  ///< ‖∇²g z - rhs‖/‖rhs‖ over free vertices, computed from z.
  /// "block_jacobi", "multigrid": conjugate gradients so preconditioned; "quasi_newton": L-BFGS on the
  /// constant factor; "direct": a factorisation of the exact Hessian.
  std::string_view which;
  bool converged = false;  ///< The residual is within the tolerance.
  /// A direction with dᵀ∇²g d ≤ 0 was met: the place is no strict minimiser but, say, a saddle.
  bool negative_curvature = false;
};

class ElasticSolver {
 public:
  virtual ~ElasticSolver() = default;

  /// Goes downhill from `x` (n×3, m; pinned rows hold the prescribed places, as in y) and leaves the
  /// minimiser there. If g has no finite value at `x`, the solve starts at x_t instead. Allocates nothing
  /// after the first call. A report that is neither failed, nor capped, nor at its target ended at the
  /// rounding of the residual itself.
  virtual StepReport minimise(const StageProblem& problem, VectorSpan x) = 0;
  /// ∇E at the minimiser just found (n×3, N), pins included.
  [[nodiscard]] virtual VectorView elastic_gradient() const = 0;

  /// z ← (∇²g(x))⁻¹ rhs on the free vertices, 0 at pins ([DiffPD] eq. 22-27): ∇²g = M + a ∇²E(x), the
  /// exact Hessian, a as in the last `minimise`, or the factor that the solver was made for. To
  /// ‖∇²g z - rhs‖ ≤ `tolerance` ‖rhs‖; the rows of `rhs` at pins do not count. The arrays (n×3) differ.
  /// `memory`: the method's at the end of the step, from which a preconditioner may be chosen.
  virtual HessianSolve solve_hessian(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                     const MethodMemory& memory = {}) = 0;
  /// product ← (M + a ∇²E(x)) d for d that is 0 at pins, with the rows at pins: what an adjoint passes to the
  /// prescribed places. `x` is that of the last `solve_hessian`. The arrays (n×3) differ.
  virtual void hessian_product_unmasked(VectorView d, VectorSpan product) = 0;

  /// About the bytes it takes at most, what it takes of the elastic energies included: its work arrays, and a
  /// factor while it is made, or matrices and grids.
  [[nodiscard]] virtual double memory_needed() const = 0;
  /// Bytes at most that it stores in the method's memory.
  [[nodiscard]] virtual double memory_in_state() const { return 0.0; }
};

/// `factor` a, s², of the stages to come: h² for imex, h²/4 for an implicit midpoint, (γh/2)² for TR-BDF2.
/// `options.elastic_solver`: one of `elastic_solvers`; anything else throws InputError. `auto` is L-BFGS on
/// the constant diagonal where all elements are springs and a L_ii ≤ m_i at every free vertex, Newton's
/// method else; `system.elastic_choice` tells which. `system` must outlive the solver.
std::unique_ptr<ElasticSolver> make_elastic_solver(System& system, double factor,
                                                   const IntegratorOptions& options);

/// The published iteration ([MSC] eq. 5-7, [Liu13] §4): local projections, then (M + aL) x = M y + a Σ J p.
std::unique_ptr<ElasticSolver> make_local_global_solver(System& system, double factor,
                                                        const IntegratorOptions& options);
/// L-BFGS(5) with the constant matrix M + aL as initial Hessian and backtracking on g [Liu17].
std::unique_ptr<ElasticSolver> make_lbfgs_solver(System& system, double factor,
                                                 const IntegratorOptions& options);
/// L-BFGS(5) with the constant diagonal M + (a/2) diag(L) as initial Hessian: for springs that masses
/// outweigh. Nothing is factored or linearised.
std::unique_ptr<ElasticSolver> make_diagonal_solver(System& system, double factor,
                                                    const IntegratorOptions& options);
/// Newton's method: directions by conjugate gradients on the exact Hessian, stopped at negative curvature;
/// preconditioned by block-Jacobi or multigrid, as iterations counted say; nothing is factored.
std::unique_ptr<ElasticSolver> make_newton_solver(
    System& system, double factor, const IntegratorOptions& options,
    PreconditionerPolicy policy = PreconditionerPolicy::counted);
/// The same with exact directions: the Hessian is factored in every iteration. The slow, sure baseline of
/// `make_newton_solver`, for tests and benchmarks; scenes have no name for it. Allocates in every iteration.
std::unique_ptr<ElasticSolver> make_newton_cholesky_solver(System& system, double factor,
                                                           const IntegratorOptions& options);

}  // namespace electret
