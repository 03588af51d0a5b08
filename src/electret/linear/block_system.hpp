#pragma once
/// \file
/// The system of a Newton step or an adjoint: (WᵀHV + D) ξ = rhs, with constraints of single vertices.

#include <memory>
#include <span>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/linear/block_operator.hpp>
#include <electret/linear/preconditioner.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {

struct SolveOptions {
  double tolerance = 1e-10;                 ///< ‖rhs - A ξ‖ ≤ tolerance ‖rhs‖, A = WᵀHV + D.
  int max_iterations = 2000;                ///< Krylov iterations, all refinements together.
  int min_iterations = 0;                   ///< As KrylovOptions'.
  bool stop_at_negative_curvature = false;  ///< Newton's mode: a direction of descent rather than a solution.
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

/// H with constraints that change without refactoring. Solutions and right-hand sides are n×3 in reduced
/// coordinates: at a vertex with k columns the first k numbers count, the solution's others are 0. The two
/// are different arrays.
///
/// Preconditioned CG where W = V and D is symmetric, GMRES else or where CG meets what it cannot do. They run
/// in float32; below a tolerance of 1e-4 inside a refinement of float64 residuals. Nothing is remembered
/// between solves. Allocates nothing after the first solve of a size (GMRES: after its first).
class BlockSystem {
 public:
  /// `preconditioner` approximates H's inverse and was refreshed by the caller; vertices that it holds must
  /// be pinned here, too. All must outlive the system.
  BlockSystem(BlockOperator& matrix, Preconditioner& preconditioner, Threads& threads);
  ~BlockSystem();

  /// Replaces all constraints; a vertex has one at most. Throws InternalError for what is no constraint.
  void set_constraints(std::span<const VertexConstraint> constraints);

  /// (WᵀHV + D) ξ = rhs.
  SolveReport solve(VectorView rhs, const SolveOptions& options, VectorSpan solution);
  /// (WᵀHV + D)ᵀ ω = rhs: the adjoint's.
  SolveReport solve_transposed(VectorView rhs, const SolveOptions& options, VectorSpan solution);

  /// δ = V ξ in place: a solution's displacements.
  void expand(VectorSpan solution) const;
  /// W ω in place: a transposed solution's forces.
  void expand_transposed(VectorSpan solution) const;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace electret
