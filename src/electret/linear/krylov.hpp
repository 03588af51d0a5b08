#pragma once
/// \file
/// What the Krylov methods share: the maps they apply and what they report.

#include <electret/core/padded.hpp>

namespace electret {

/// A linear map of padded float32 vectors: the system's matrix, or a preconditioner.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  /// y = A x; overwrites. The arrays differ.
  virtual void apply(PaddedView32 x, PaddedSpan32 y) = 0;
};

/// When to stop: ‖b - A x‖ ≤ tolerance ‖b‖, or after so many iterations.
struct KrylovOptions {
  double tolerance = 1e-4;
  int max_iterations = 1000;
};

struct KrylovReport {
  int iterations = 0;
  double residual = 0.0;            ///< ‖b - A x‖/‖b‖ by the method's recurrence; 0 where b = 0.
  bool negative_curvature = false;  ///< A direction with pᵀA p ≤ 0 (or not a number) was met.
  bool bad_preconditioner = false;  ///< rᵀB r ≤ 0 (or not a number) was met.
  bool converged = false;
};

}  // namespace electret
