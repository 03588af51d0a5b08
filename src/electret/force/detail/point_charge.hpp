#pragma once
/// \file
/// The field of one external charge: a point, or a Gaussian ball of width σ.
///
/// With r = x - x_e, u = |r|/σ, s = k_c Q:
///   point:  e = s r/|r|³,  φ = s/|r|,  ∂e/∂x = s (I/|r|³ - 3 r rᵀ/|r|⁵)
///   ball:   e = s/σ³ g(u) r,  φ = s/σ p(u),  ∂e/∂x = s/σ³ [g I + (g'/u) r rᵀ/σ²]
///   u ≥ 1:  w = √(2/π) exp(-u²/2),  g = erf(u/√2)/u³ - w/u²,  g'/u = w (3 + u²)/u⁴ - 3 erf(u/√2)/u⁵,
///           p = erf(u/√2)/u
///   u < 1:  16 terms of the series, because the formulas above lose all digits there:
///           g = √(2/π) Σ_k (-1)^k u^{2k}/(2^k k! (2k+3)),  p = √(2/π) Σ_k (-1)^k u^{2k}/(2^k k! (2k+1))

#include <electret/core/types.hpp>
#include <electret/scene/inputs.hpp>

namespace electret::detail {

/// Two factors give e and ∂e/∂x: e = s·along·r, ∂e/∂x = s (along I + across r rᵀ); φ = s·potential.
struct RadialField {
  double along = 0.0;      ///< 1/m³.
  double across = 0.0;     ///< 1/m⁵.
  double potential = 0.0;  ///< 1/m.
};

/// The field at the distance |r| (m, > 0 for a point) from a charge of `width` σ (m; 0: a point).
RadialField radial_field(double distance, double width);

/// The ball's g(u), g'(u)/u and p(u).
struct GaussianShape {
  double g = 0.0, slope = 0.0, potential = 0.0;
};
GaussianShape gaussian_shape(double u);

}  // namespace electret::detail
