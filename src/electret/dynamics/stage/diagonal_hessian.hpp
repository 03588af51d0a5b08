#pragma once
/// \file
/// D = M + (a/2) diag(L), the constant diagonal of a stage whose masses outweigh its springs.

#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// L majorises ∇²E (constant_hessian.hpp). For springs L ≼ 2 diag(L) (ElasticEnergy::smoother_bound). If
/// `stiffness` is 1 or less, then 2D = 2M + a diag(L) ≽ M + 2a diag(L) ≽ M + aL ≽ ∇²g, so that the full step
/// -D⁻¹∇g always goes downhill. The whole diagonal a diag(L) would be too stiff, because a spring at rest
/// resists along only one of three directions.
class DiagonalHessian {
 public:
  /// `factor` a, s². `system` need not outlive this.
  DiagonalHessian(const System& system, double factor);

  /// max_i a·L_ii/m_i over the free vertices: how stiff the springs are compared with the masses. Infinite if
  /// there are elements without that bound.
  [[nodiscard]] double stiffness() const { return stiffness_; }
  /// direction ← D⁻¹ rhs (n×3) on the free vertices, 0 at pins.
  void solve(VectorView rhs, VectorSpan direction) const;

 private:
  Threads& threads_;
  std::vector<double> inverse_;  ///< n, 1/kg; 0 at pins.
  double stiffness_ = 0.0;
};

}  // namespace electret
