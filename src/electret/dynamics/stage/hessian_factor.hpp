#pragma once
/// \file
/// The exact Hessian of a stage, assembled and factored, for systems on which iterations fail.

#include <memory>

#include <electret/dynamics/stage/stage_objective.hpp>

namespace electret {

/// P (∇²g) Pᵀ = L D Lᵀ over the free vertices, in float64. The entries are read off Hessian products. Columns
/// that share no row are multiplied together, so that 3 products suffice per colour of the graph of
/// neighbours' neighbours (Curtis, Powell and Reid 1974).
class HessianFactor {
 public:
  /// Factors the Hessian at the last `linearise` of `objective`. Allocates.
  explicit HessianFactor(StageObjective& objective);
  ~HessianFactor();

  /// Factors the Hessian at the last `linearise` of an objective of the same system. Allocates.
  void refresh(StageObjective& objective);

  /// z ← (∇²g)⁻¹ rhs on the free vertices, 0 at pins (n×3). Not finite if the factorisation met a zero pivot.
  void solve(VectorView rhs, VectorSpan z) const;
  [[nodiscard]] bool is_positive_definite() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace electret
