#pragma once
/// \file
/// The Chebyshev polynomial of a smoother, and the eigenvalue that it needs.

#include <cmath>

namespace electret::detail {

/// The coefficients of the polynomial in D⁻¹A that is small on [λ/6, λ] (degree 2) or [λ/3, λ] (degree 1).
struct ChebyshevPolynomial {
  double lambda = 0.0;
  float first = 0.0F, keep = 0.0F, second = 0.0F;

  /// Returns false if λ is not positive.
  [[nodiscard]] bool fit(double largest, int degree) {
    lambda = largest;
    if (!(lambda > 0.0 && std::isfinite(lambda))) return false;
    const double smallest = lambda / (degree == 1 ? 3.0 : 6.0);
    const double middle = 0.5 * (lambda + smallest), half = 0.5 * (lambda - smallest);
    const double before = half / middle, next = 1.0 / (2.0 * middle / half - before);
    first = static_cast<float>(1.0 / middle);
    keep = static_cast<float>(1.0 + next * before);
    second = static_cast<float>(2.0 * next / half);
    return true;
  }
};

/// 1.25 × the estimate of D⁻¹A's largest eigenvalue by twelve power iterations: the Rayleigh quotient in D's
/// inner product, which with v = D⁻¹y is vᵀA v / vᵀy. y starts as a fixed vector. `scale(gain)` sets
/// v = gain D⁻¹y, `dot()` returns vᵀy, and `multiply()` sets y = A v.
template <class Scale, class Dot, class Multiply>
double largest_eigenvalue(Scale scale, Dot dot, Multiply multiply) {
  constexpr double margin = 1.25;
  constexpr int power_iterations = 12;
  double lambda = 1.0;
  for (int k = 0; k < power_iterations; ++k) {
    scale(1.0);
    const double size = dot();
    if (size == 0.0) return margin;  // No row is free.
    if (!(size > 0.0)) return margin * size;
    // Of unit size in D's inner product: nothing grows.
    scale(1.0 / std::sqrt(size));
    multiply();
    lambda = dot();
  }
  return margin * lambda;
}

}  // namespace electret::detail
