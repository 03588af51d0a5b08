#pragma once
/// \file
/// A = M + aL, the constant matrix in place of a stage's Hessian, factored once ([Liu13]). L majorises ∇²E,
/// so that A majorises ∇²g.

#include <memory>

#include <electret/dynamics/system.hpp>
#include <electret/linear/prefactored_system.hpp>

namespace electret {

/// Only solvers that use A own one, so that other methods do not pay for its factor.
class ConstantHessian {
 public:
  /// Factors A; `factor` a, s². `system` need not outlive this.
  ConstantHessian(const System& system, double factor);

  /// a, s².
  [[nodiscard]] double factor() const { return factor_; }
  /// Non-zeros of the factor's triangle.
  [[nodiscard]] Count factor_nonzeros() const { return factored_->factor_nonzeros(); }
  /// direction ← A⁻¹ rhs on the free vertices, 0 at pins.
  void solve(VectorView rhs, VectorSpan direction) { factored_->solve(rhs, direction); }

 private:
  double factor_;
  std::unique_ptr<PrefactoredSystem> factored_;
};

}  // namespace electret
