#pragma once
/// \file
/// What a loss does not determine: combinations of values along which it hardly changes, found at the end of
/// a fit.

#include <vector>

#include <electret/fit/fit.hpp>

namespace electret {

/// Curvatures of a loss over the optimiser's variables u, found by Lanczos's method.
struct Identifiability {
  /// The number of products of ∂²ℒ/∂u² with a vector, each of which costs one gradient. If it is 0, nothing
  /// is known.
  Count products = 0;
  bool is_whole = false;  ///< The products span all variables, so that no combination is left out.
  double largest = 0.0;   ///< The largest curvature found.
  /// The smallest curvature found; the true smallest one is at most this. If it is negative or as small as
  /// rounding errors, the loss has no measurable curvature there.
  double smallest = 0.0;
  /// The combination of variables with the smallest curvature: one number per value, scaled to a Euclidean
  /// norm of 1.
  std::vector<double> weakest;
  double slope = 0.0;  ///< |∂ℒ/∂u| along `weakest`. It is small only at a minimum.

  /// smallest / largest; at most 1.
  [[nodiscard]] double ratio() const { return largest > 0.0 ? smallest / largest : 0.0; }
  /// Whether the loss determines `weakest`: it is curved along it, or changes along it all the same, as a
  /// linear one does.
  [[nodiscard]] bool is_determined() const;
};

/// Below this ratio, differences of gradients cannot tell a curvature from 0.
inline constexpr double least_ratio = 1e-6;

inline bool Identifiability::is_determined() const {
  return ratio() >= least_ratio || slope > least_ratio * largest;
}

/// Curvatures of `loss`, priors included, at `values` of `parameters`. The variables are those of a fit from
/// `assembly`; values at a limit, or closer to it than 1e-5 of a variable, are left out. Takes at most
/// `products` ≥ 1 gradients besides the one at `values`, and fewer if a run diverges. Throws Cancelled,
/// DivergenceError if the run at `values` diverges, and std::invalid_argument if there are too few or too
/// many values or `products` < 1.
Identifiability identifiability(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                                Loss& loss, const std::vector<double>& values, Count products,
                                const FitOptions& options, const Control& control = {});

}  // namespace electret
