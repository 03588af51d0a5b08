#pragma once
/// \file
/// Preconditioned conjugate gradients in float32 with float64 sums.

#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/linear/krylov.hpp>

namespace electret {

/// For a symmetric A and a symmetric positive definite B. `threads` must outlive it. Allocates when the size
/// grows.
class ConjugateGradients {
 public:
  explicit ConjugateGradients(Threads& threads) : threads_(threads) {}

  /// Solves a x ≈ rhs from x = 0, preconditioned by `b`. Stops where the curvature pᵀA p is not positive,
  /// with x so far; in the first iteration x is then B rhs, a direction of descent of ½xᵀAx - rhsᵀx. Stops,
  /// too, where rᵀB r is not positive, with x so far.
  KrylovReport solve(LinearMap& a, LinearMap& b, PaddedView32 rhs, const KrylovOptions& options,
                     PaddedSpan32 x);

 private:
  /// x += s p, r -= s q and z = B r; returns rᵀr and keeps rᵀz in `product_`.
  double step(double s, LinearMap& b, PaddedSpan32 x);

  Threads& threads_;
  std::vector<Padded32> r_, z_, p_, q_;
  std::vector<double> parts_;  ///< Of a sum over chunks.
  double product_ = 0.0;       ///< rᵀB r.
};

}  // namespace electret
