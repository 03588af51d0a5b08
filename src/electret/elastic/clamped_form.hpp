#pragma once
/// \file
/// What linear_implicit needs in addition to an ElasticEnergy: the clamped Hessian's diagonal and
/// derivatives.

#include <span>

#include <electret/core/types.hpp>

namespace electret {

/// Derivatives of the form zᵀH_c(x)v, where H_c is the clamped Hessian. Arrays are n×3. Every operation adds
/// to `out`.
class ClampedForm {
 public:
  virtual ~ClampedForm() = default;

  /// out += the diagonal of H_c(x), one number per coordinate.
  virtual void add_diagonal(VectorView x, VectorSpan out) = 0;
  /// out += ∇_x (zᵀ H_c(x) v).
  virtual void add_gradient(VectorView x, VectorView z, VectorView v, VectorSpan out) = 0;
  /// outs[p] += ∂(zᵀ H_c(x) v)/∂θ_p for each parameter p of the energy, in one pass. Parameters with an empty
  /// span are left out.
  virtual void add_parameter_gradients(VectorView x, VectorView z, VectorView v,
                                       std::span<const ScalarSpan> outs) = 0;
};

}  // namespace electret
