#pragma once
/// \file
/// Solvers of an implicit stage: argmin over the free vertices of g = ½ (δ-d)ᵀM(δ-d) + a E(x_t + δ).
///
/// \code
///   const auto solver = make_stage_solver(system, h * h, options);
///   displacement = inertial;
///   const StepReport report = solver->solve(
///       {x_t, inertial, h * h, &inputs.end, &state.memory, unforced, inputs.end.pin_positions},
///       displacement);
/// \endcode
///
/// A resumed run has the same bits as one that never stopped. A solver may therefore keep only three kinds of
/// data from one solve to the next:
///   * what is constant during the run (the factor of A);
///   * a result that is used again only for bitwise the same arguments;
///   * lagged data (a coarse operator, a switch) that is reset at the start of a step or kept in the State,
///     as the method's memory.

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_problem.hpp>

namespace electret {

/// How a linear system with the exact Hessian was solved.
struct HessianSolve {
  int iterations = 0;     ///< Iterations of conjugate gradients or of the quasi-Newton method.
  double residual = 0.0;  ///< ‖∇²g z - rhs‖/‖rhs‖ over free vertices, computed from z.
  /// "block_jacobi", "multigrid": conjugate gradients with that preconditioner. "quasi_newton": L-BFGS with
  /// the constant factor. "direct": a factorisation of the exact Hessian. "gmres": that method, where
  /// vertices slip on obstacles.
  std::string_view which;
  bool converged = false;  ///< The residual is within the tolerance.
  /// A direction d with dᵀ∇²g d ≤ 0 was met, so that x is no strict minimiser (it may be a saddle).
  bool negative_curvature = false;
  double cost = 0.0;  ///< Of conjugate gradients, by counts of their parts (StageHessian::cost).
};

/// What a step has left for its transpose: the method's memory at its end, which may decide the
/// preconditioner, and its tape.
struct StageRecord {
  StageRecord() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a memory is a record without a tape.
  StageRecord(const MethodMemory& of, const StepTape* with = nullptr) : memory(&of), tape(with) {}
  explicit StageRecord(const BackwardStep& at)
      : memory(&at.end.memory), tape(&at.tape), start(&at.start), inputs(&at.inputs) {}
  const MethodMemory* memory = nullptr;
  const StepTape* tape = nullptr;
  const State* start = nullptr;        ///< Of the step; needed for contacts.
  const StepInputs* inputs = nullptr;  ///< Of the step; needed for contacts.
};

/// Solves the equation of a stage. For all solvers here that is ∇g = 0 at a minimum of g, and they go
/// downhill. The interface promises less, because a stage with friction has an equation and no g.
class StageSolver {
 public:
  virtual ~StageSolver() = default;

  /// Starts from `displacement` δ and leaves the solution there (n×3, m; rows at pins do not count). If the
  /// equation has no finite value at δ, the solve starts at 0 instead. The report says what was reached: the
  /// residual's target, the cap on iterations (`capped`), no finite value (`failed`), or none of these, if
  /// the residual is nothing but rounding. Allocates nothing after the first call.
  virtual StepReport solve(const StageProblem& problem, VectorSpan displacement) = 0;
  /// ∇E at the last solution (n×3, N), pins included.
  [[nodiscard]] virtual VectorView elastic_gradient() const = 0;

  /// Solves the transpose of the equation's derivative at `x` (n×3, m), Jᵀz = rhs, on the free vertices to
  /// ‖Jᵀz - rhs‖ ≤ `tolerance` ‖rhs‖; z is 0 at pins. For a minimisation J = ∇²g = M + a ∇²E(x), the exact
  /// Hessian, which is its own transpose ([DiffPD] eq. 22-27), with the factor a that the solver was made
  /// for. The rows of `rhs` at pins do not count. The arrays (n×3) differ.
  virtual HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                        const StageRecord& record = {}) = 0;
  /// Writes what `solve_transposed` needs of the last `solve` beyond the state that it led to.
  virtual void keep(StepTape&) const {}
  /// Begins the transpose of the step from `at.start` to `at.end`: adds to the derivatives by the places at
  /// its end what those by the method's memory give.
  virtual void begin_backward(const BackwardStep& /*at*/, StepCotangent& /*by_end*/) {}
  /// Replaces the derivatives by the memory at the step's end by those by the memory at its start.
  virtual void end_backward(StepCotangent& /*by_start*/) {}
  /// Adds what the last `solve_transposed` gives to derivatives besides z: by the places at the step's start
  /// (n×3), and by what only the equation of this solver has.
  virtual void add_transposed(VectorSpan /*by_start*/, const StepGradients& /*out*/) {}
  /// product ← (M + a ∇²E(x)) d for d that is 0 at pins. `x` is that of the last `solve_transposed`. The rows
  /// at pins are computed, too, because an adjoint passes them to the prescribed places. The arrays (n×3)
  /// differ.
  virtual void hessian_product_unmasked(VectorView d, VectorSpan product) = 0;

  /// About the most bytes that the solver takes: its work arrays, its share of the elastic energies' arrays,
  /// and a factor while it is made, or matrices and grids.
  [[nodiscard]] virtual double memory_needed() const = 0;
  /// The arrays that it may keep in the method's memory.
  [[nodiscard]] virtual std::vector<MemoryArray> memory_layout() const { return {}; }

  /// What `auto` stands for and why; empty if the scene names its solver.
  [[nodiscard]] const Choice& choice() const { return choice_; }
  void set_choice(Choice choice) { choice_ = std::move(choice); }

 private:
  Choice choice_;
};

/// Makes the solver that `options.elastic_solver` names: one of `elastic_solvers`, `newton_baseline` or
/// `diagonal_solver`. Throws InputError for any other name. `factor` is a (s²) of the stages to come: h² for
/// imex, h²/4 for the implicit midpoint rule, (γh/2)² for TR-BDF2. `auto` is L-BFGS with the constant
/// diagonal if all elements are springs and a·L_ii ≤ m_i at every free vertex, else Newton's method;
/// its `choice` tells which. `system` must outlive the solver.
std::unique_ptr<StageSolver> make_stage_solver(System& system, double factor,
                                               const IntegratorOptions& options);

/// The published iteration ([MSC] eq. 5-7, [Liu13] §4): local projections, then (M + aL) x = M y + a Σ J p.
std::unique_ptr<StageSolver> make_local_global_solver(System& system, double factor,
                                                      const IntegratorOptions& options);
/// L-BFGS(5) with the constant matrix M + aL as initial Hessian and backtracking on g [Liu17].
std::unique_ptr<StageSolver> make_lbfgs_solver(System& system, double factor,
                                               const IntegratorOptions& options);
/// L-BFGS(5) with the constant diagonal M + (a/2) diag(L) as initial Hessian, for springs that are soft
/// compared with the masses. Nothing is factored or linearised.
std::unique_ptr<StageSolver> make_diagonal_solver(System& system, double factor,
                                                  const IntegratorOptions& options);
/// Newton's method. Directions come from conjugate gradients on the exact Hessian, which stop at negative
/// curvature. They are preconditioned by block-Jacobi or multigrid, as counted iterations decide
/// (PreconditionerChoice). Nothing is factored.
std::unique_ptr<StageSolver> make_newton_solver(System& system, double factor,
                                                const IntegratorOptions& options,
                                                PreconditionerPolicy policy = PreconditionerPolicy::counted);
/// Newton's method for a system with obstacles that push exactly (contact_solver.hpp). `system.contacts` is
/// there.
std::unique_ptr<StageSolver> make_contact_solver(System& system, double factor,
                                                 const IntegratorOptions& options);
/// Newton's method for one with obstacles that hold what touches them (sticking_solver.cpp).
std::unique_ptr<StageSolver> make_sticking_solver(System& system, double factor,
                                                  const IntegratorOptions& options);
/// Newton's method for bodies that touch each other (surface_solver.cpp). `system.body_contacts` is there.
std::unique_ptr<StageSolver> make_surface_solver(System& system, double factor,
                                                 const IntegratorOptions& options);
/// The same with exact directions: the Hessian is factored in every iteration. This is the slow, sure
/// reference for `make_newton_solver` in tests and benchmarks; scenes cannot name it. Allocates in every
/// iteration.
std::unique_ptr<StageSolver> make_newton_cholesky_solver(System& system, double factor,
                                                         const IntegratorOptions& options);

}  // namespace electret
