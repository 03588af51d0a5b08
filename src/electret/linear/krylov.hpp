#pragma once
/// \file
/// What the Krylov methods share: the maps that they apply, their options and their reports.

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>

namespace electret {

/// A linear map of padded float32 vectors: the system's matrix, or a preconditioner.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  /// y = A x; overwrites y. The arrays differ.
  virtual void apply(PaddedView32 x, PaddedSpan32 y) = 0;
  /// The same; also returns xᵀy. Takes one pass if the map has rows.
  double apply_dot(Threads& threads, PaddedView32 x, PaddedSpan32 y);

  /// Whether `apply_rows` can compute some rows of y without the others.
  [[nodiscard]] virtual bool has_rows() const { return false; }
  /// Whether each row of y depends on the same row of x alone.
  [[nodiscard]] virtual bool is_block_diagonal() const { return false; }
  /// Computes the rows begin … end-1 of y on the caller's thread, with the bits of `apply`.
  virtual void apply_rows(PaddedView32 /*x*/, PaddedSpan32 /*y*/, Count /*begin*/, Count /*end*/) const {}
};

/// When to stop: if ‖b - A x‖ ≤ tolerance ‖b‖, or after `max_iterations`.
struct KrylovOptions {
  double tolerance = 1e-4;
  int max_iterations = 1000;
  /// Conjugate gradients make at least this many, unless the residual is already smaller than what float32
  /// resolves well.
  int min_iterations = 0;
};

struct KrylovReport {
  int iterations = 0;
  double residual = 0.0;            ///< ‖b - A x‖/‖b‖ by the method's recurrence; 0 if b = 0.
  bool negative_curvature = false;  ///< A direction with pᵀA p ≤ 0 (or not a number) was met.
  bool bad_preconditioner = false;  ///< rᵀB r ≤ 0 (or not a number) was met.
  bool converged = false;
};

}  // namespace electret
