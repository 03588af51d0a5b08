#pragma once
/// \file
/// Preconditioned conjugate gradients in float32 with float64 sums.

#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/linear/krylov.hpp>

namespace electret {

/// For a symmetric A and a symmetric positive definite preconditioner B. `threads` must outlive it. Allocates
/// when the size grows.
class ConjugateGradients {
 public:
  explicit ConjugateGradients(Threads& threads) : threads_(threads) {}

  /// Solves a x ≈ rhs from x = 0, preconditioned by `b`. If the curvature pᵀA p is not positive, it stops
  /// with the present x; in the first iteration x is then B rhs, a descent direction of ½xᵀAx - rhsᵀx. If rᵀB
  /// r is not positive, it also stops with the present x.
  KrylovReport solve(LinearMap& a, LinearMap& b, PaddedView32 rhs, const KrylovOptions& options,
                     PaddedSpan32 x);

 private:
  /// x += s p, r -= s q and z = B r; returns rᵀr and keeps rᵀz in `product_`.
  double step(double s, LinearMap& b, PaddedSpan32 x);

  Threads& threads_;
  std::vector<Padded32> r_, z_, p_, q_;
  std::vector<double> parts_;  ///< The parts of a sum over chunks.
  double product_ = 0.0;       ///< rᵀB r.
};

}  // namespace electret
