#pragma once
/// \file
/// The linear system of a Newton step or an adjoint: (WᵀHV + D) ξ = rhs, with constraints of single vertices.

#include <memory>
#include <span>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/linear/block_operator.hpp>
#include <electret/linear/preconditioner.hpp>
#include <electret/linear/slow_motion.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {

struct SolveOptions {
  double tolerance = 1e-10;   ///< ‖rhs - A ξ‖ ≤ tolerance ‖rhs‖, A = WᵀHV + D.
  int max_iterations = 2000;  ///< Krylov iterations over all refinements together.
  int min_iterations = 0;     ///< As KrylovOptions::min_iterations.
  /// For Newton's method, which needs a descent direction rather than a solution.
  bool stop_at_negative_curvature = false;
};

struct SolveReport {
  std::string_view method;          ///< The last Krylov method used: "cg", "gmres".
  int iterations = 0;               ///< Krylov iterations.
  int refinements = 0;              ///< Float64 residuals after the first solve.
  double residual = 0.0;            ///< ‖rhs - A ξ‖/‖rhs‖.
  bool converged = false;           ///< The residual is within the tolerance.
  bool negative_curvature = false;  ///< A is not positive definite.
  bool bad_preconditioner = false;  ///< The preconditioner is not positive definite.
};

/// H with constraints that can change without a new factorisation. Solutions and right-hand sides are
/// different arrays, n×3, in reduced coordinates: at a vertex with k columns only the first k numbers count,
/// and the solution's others are 0.
///
/// The method is preconditioned CG if W = V and D is symmetric. It is GMRES if not, or if CG cannot go on.
/// Both run in float32; for a tolerance below 1e-4 they run inside an iterative refinement with float64
/// residuals. Nothing is kept between solves. Allocates nothing after the first solve of a size (GMRES: after
/// its first).
class BlockSystem {
 public:
  /// `preconditioner` approximates the inverse of H; the caller refreshes it. The vertices that it holds must
  /// be among the pins. It need not know other constraints. All arguments must outlive the system.
  BlockSystem(BlockOperator& matrix, Preconditioner& preconditioner, Threads& threads);
  ~BlockSystem();

  /// Replaces all constraints. `pins` are constraints, too, with k = 0; a number is all that is kept of a
  /// constraint with k = 0. If all constraints are pins, they cost no pass over the vertices. A vertex has at
  /// most one constraint. Throws InternalError for an invalid one.
  void set_constraints(std::span<const VertexConstraint> constraints, std::span<const Index> pins = {});

  /// The motions that H hardly resists beside others, which float32 would lose; none at first. They are
  /// solved in float64, and every solve is refined to its tolerance (detail/deflation.hpp). Solves allocate
  /// then. `motions` must outlive them; null: none.
  void set_slow_motions(const SlowMotions* motions);

  /// Solves (WᵀHV + D) ξ = rhs.
  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan solution);
  /// Solves (WᵀHV + D)ᵀ ω = rhs, for adjoints.
  SolveReport solve_transposed(VectorView rhs, const SolveOptions& options, VectorSpan solution);

  /// Replaces a solution ξ by its displacements δ = V ξ.
  void expand(VectorSpan solution) const;
  /// Replaces a transposed solution ω by its forces W ω.
  void expand_transposed(VectorSpan solution) const;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace electret
