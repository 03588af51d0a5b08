#pragma once
/// \file
/// A = M + h²H_c(x), the matrix of a linearised implicit Euler step ([IE] eq. 37), and its two solvers.

#include <electret/dynamics/stage/part_norms.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// How exactly a solve has to end.
struct ClampedTarget {
  double tolerance = 0.0;
  VectorView size;  ///< Of the residual (n×3); its rows at pins do not count.
};

/// How a solve ended.
struct ClampedSolve {
  int iterations = 0;
  double residual = 0.0;  ///< ‖rhs - A u‖ over the free vertices, computed from u; NaN if A is not finite.
  double target = 0.0;    ///< Of the residual, over all parts.
  bool converged = false;  ///< The residual has reached its target or its rounding.
};

/// H_c is the springs' Hessian with the transverse factor 1 - l/|β| clamped at 0. This makes A positive
/// definite in every state, whereas [IE]'s own matrix is not if springs are compressed. The rows u_P at pins
/// are prescribed: they enter A u and are not changed. Allocates nothing after the first use of each solver.
class ClampedSystem {
 public:
  /// `factor` h², s². `system` must outlive this.
  ClampedSystem(System& system, double factor);

  /// Makes A the matrix at `x` (n×3, m). Call products and solves before any other use of the energies.
  void linearise(VectorView x);
  /// out ← A d (n×3), including the rows at pins, which are h²(H_c d)_P. `d` and `out` are different arrays.
  void multiply(VectorView d, VectorSpan out);

  /// u ← A⁻¹ rhs on the free vertices, by conjugate gradients in float64, preconditioned by A's diagonal.
  /// Starts from the given u (n×3). In each part that elements join, ‖rhs - A u‖ reaches the tolerance times
  /// the smaller one of ‖rhs‖ and ‖size‖: light parts are solved beside heavy ones.
  ClampedSolve solve_by_cg(VectorView rhs, const ClampedTarget& target, int max_iterations, VectorSpan u);
  /// The same by the damped Jacobi iteration u ← u + ω D⁻¹(rhs - A u) [IE eq. 41-49], matrix-free; D is A's
  /// diagonal. λ_max(D⁻¹A) may reach 6, so that only ω below 1/3 is sure to converge. Ends without
  /// convergence if the residual has grown a hundredfold.
  ClampedSolve solve_by_jacobi(VectorView rhs, double weight, const ClampedTarget& target, int max_iterations,
                               VectorSpan u);

  [[nodiscard]] const PartNorms& parts() const { return parts_; }

 private:
  double residual(VectorView rhs, VectorView u);
  /// Takes from `d` what rollers hold of it.
  void hold_rollers(VectorSpan d) const;
  [[nodiscard]] double rounding(VectorView u);
  void share_target(VectorView rhs, const ClampedTarget& target);
  /// `residual` is ‖residual_‖.
  bool is_solved(double residual, VectorView u);
  void find_diagonal();

  System& system_;
  double factor_;
  bool diagonal_known_ = false;  ///< `diagonal_` is.
  std::vector<double> free_;     ///< n; 1, at pins 0.
  PartNorms parts_;
  double target_ = 0.0;
  std::vector<double> part_targets_, squares_, roundings_;  ///< Of each part.
  VectorArray place_, scratch_;
  VectorArray diagonal_;  ///< D, n×3, kg.
  VectorArray residual_, preconditioned_, search_, product_;
};

}  // namespace electret
