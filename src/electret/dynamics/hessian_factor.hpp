#pragma once
/// \file
/// The exact Hessian of a stage, assembled and factored: the sure way where iterations fail.

#include <memory>

#include <electret/dynamics/stage_objective.hpp>

namespace electret {

/// P (∇²g) Pᵀ = L D Lᵀ over the free vertices, in float64. The entries are read off Hessian products: columns
/// that share no row are multiplied together, so that 3 products for each colour of the graph of neighbours'
/// neighbours suffice (Curtis, Powell and Reid 1974).
class HessianFactor {
 public:
  /// At the last `linearise` of `objective`. Allocates.
  explicit HessianFactor(StageObjective& objective);
  ~HessianFactor();

  /// Factors the Hessian at another `linearise` of an objective of the same system. Allocates.
  void refresh(StageObjective& objective);

  /// z ← (∇²g)⁻¹ rhs on the free vertices, 0 at pins (n×3). Not finite if the factorisation met a zero pivot.
  void solve(VectorView rhs, VectorSpan z) const;
  [[nodiscard]] bool is_positive_definite() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace electret
