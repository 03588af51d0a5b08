#pragma once
/// \file
/// What the Krylov methods share: the maps they apply and what they report.

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>

namespace electret {

/// A linear map of padded float32 vectors: the system's matrix, or a preconditioner.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  /// y = A x; overwrites. The arrays differ.
  virtual void apply(PaddedView32 x, PaddedSpan32 y) = 0;
  /// The same, and returns xᵀy: one pass where the map has rows.
  double apply_dot(Threads& threads, PaddedView32 x, PaddedSpan32 y);

  /// Whether rows of y can be had without the others, by `apply_rows`, …
  [[nodiscard]] virtual bool has_rows() const { return false; }
  /// … and whether each depends on the same row of x alone.
  [[nodiscard]] virtual bool is_block_diagonal() const { return false; }
  /// The rows begin … end-1 of y, on the caller's thread: the bits of `apply`.
  virtual void apply_rows(PaddedView32 /*x*/, PaddedSpan32 /*y*/, Count /*begin*/, Count /*end*/) const {}
};

/// When to stop: ‖b - A x‖ ≤ tolerance ‖b‖, or after so many iterations.
struct KrylovOptions {
  double tolerance = 1e-4;
  int max_iterations = 1000;
  /// Conjugate gradients go on for so many, unless the residual is beyond what float32 resolves well.
  int min_iterations = 0;
};

struct KrylovReport {
  int iterations = 0;
  double residual = 0.0;            ///< ‖b - A x‖/‖b‖ by the method's recurrence; 0 where b = 0.
  bool negative_curvature = false;  ///< A direction with pᵀA p ≤ 0 (or not a number) was met.
  bool bad_preconditioner = false;  ///< rᵀB r ≤ 0 (or not a number) was met.
  bool converged = false;
};

}  // namespace electret
