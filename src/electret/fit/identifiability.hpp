#pragma once
/// \file
/// What a loss does not tell: combinations of values along which it hardly changes, found at the end of a
/// fit.

#include <vector>

#include <electret/fit/fit.hpp>

namespace electret {

/// Curvatures of a loss over the optimiser's variables u, by Lanczos's method.
struct Identifiability {
  Count products = 0;  ///< Products of ∂²ℒ/∂u² with a vector, one gradient each; 0: nothing is known.
  bool is_whole = false;  ///< They span all variables: no combination is left out.
  double largest = 0.0;   ///< Largest curvature found,
  double smallest =
      0.0;  ///< and smallest: the true one is not above it. Of rounding's size or below 0: none.
  std::vector<double> weakest;  ///< The combination of variables that has it, one number per value, length 1.

  /// smallest / largest; at most 1.
  [[nodiscard]] double ratio() const { return largest > 0.0 ? smallest / largest : 0.0; }
};

/// Below this ratio differences of gradients cannot tell a curvature from none.
inline constexpr double least_ratio = 1e-6;

/// Curvatures of `loss`, priors included, at `values` of `parameters`, whose variables are those of a fit
/// from `assembly`. `products` ≥ 1 gradients at most, beside the one at `values`; values that limits hold are
/// left out. Where a run diverges products end before. Throws Cancelled; DivergenceError where the run at
/// `values` does.
Identifiability identifiability(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                                Loss& loss, const std::vector<double>& values, Count products,
                                const FitOptions& options, const Control& control = {});

}  // namespace electret
