#pragma once
/// \file
/// Which pairs of cells interact by expansions, and of which order.

#include <array>

#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {

/// What an accuracy asks of the method.
struct Plan {
  double tolerance = 1e-3;  ///< η of the order rule.
  int order = 8;            ///< The largest order used.
  Index leaf_size = 64;     ///< Points a leaf holds at most.
  bool float64 = false;
};

/// Two cells with u = (r_A + r_B)/R interact by expansions of the smallest order p with u ≤
/// (η/0.025)^{1/p}/0.61 and u ≤ 0.95. The rule is symmetric: A acts on B just as B on A, and forces stay
/// pairwise opposite.
class Acceptance {
 public:
  explicit Acceptance(const Plan& plan);

  /// The order for (r_A + r_B)² and R²; 0: none is enough.
  [[nodiscard]] int order(double reach_squared, double distance_squared) const {
    if (!(reach_squared < distance_squared * largest_)) return 0;
    return orders_[static_cast<std::size_t>(reach_squared / distance_squared * bins)];
  }
  /// Pairs of points that a pair of cells by expansions of that order costs as much as.
  [[nodiscard]] static Count pairs_worth(int order) {
    // Measured on AVX-512: from p² (moving the numbers) to p³ (turning them).
    const Count p = order, numbers = (p + 1) * (p + 1);
    return 12 * numbers / 5 + numbers * (p + 1) / 32;
  }

 private:
  static constexpr int bins = 1024;
  double largest_ = 0.0;  ///< Of u².
  std::array<unsigned char, bins + 1> orders_{};
};

}  // namespace electret::fmm
