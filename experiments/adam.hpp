#pragma once
/// \file
/// Adam's method (Kingma and Ba 2015) as the closed loops of [DiffPD] §7.4 are trained.

#include <cmath>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::experiments {

struct AdamOptions {
  double rate = 1e-3;          ///< η of the first step.
  double most_norm = 1.0;      ///< Longer gradients are scaled to this norm.
  double weight_decay = 1e-4;  ///< Times the parameters, this is added to the gradient after that.
};

/// m ← β₁m + (1-β₁)g, s ← β₂s + (1-β₂)g², θ ← θ - η m̂/(√ŝ + ε), where m̂ and ŝ are divided by 1 - βᵏ at step
/// k; β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
class Adam {
 public:
  Adam(std::size_t size, AdamOptions options) : options_(options), means_(size, 0.0), squares_(size, 0.0) {}

  /// One step; `factor` is what is left of the rate.
  void step(ScalarSpan parameters, ScalarView gradient, double factor) {
    constexpr double mean_memory = 0.9, square_memory = 0.999, smallest = 1e-8;
    ++steps_;
    const double norm = norm_of(gradient);
    const double scale = norm > options_.most_norm ? options_.most_norm / norm : 1.0;
    const double mean_part = 1.0 - std::pow(mean_memory, steps_),
                 square_part = 1.0 - std::pow(square_memory, steps_);
    for (std::size_t k = 0; k < means_.size(); ++k) {
      const double slope = scale * gradient[k] + options_.weight_decay * parameters[k];
      means_[k] += (1.0 - mean_memory) * (slope - means_[k]);
      squares_[k] += (1.0 - square_memory) * (slope * slope - squares_[k]);
      parameters[k] -= factor * options_.rate * (means_[k] / mean_part) /
                       (std::sqrt(squares_[k] / square_part) + smallest);
    }
  }

  [[nodiscard]] static double norm_of(ScalarView numbers) {
    double sum = 0.0;
    for (const double number : numbers) sum += number * number;
    return std::sqrt(sum);
  }

 private:
  AdamOptions options_;
  std::vector<double> means_, squares_;
  int steps_ = 0;
};

}  // namespace electret::experiments
