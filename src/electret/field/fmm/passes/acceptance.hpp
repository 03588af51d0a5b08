#pragma once
/// \file
/// The acceptance criterion: which pairs of cells interact by M2L, and of which order.

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

/// The largest order of Taylor series.
[[nodiscard]] int highest_taylor_order(const Plan& plan);

/// Two cells with u = (r_A + r_B)/R interact by expansions of the smallest order p with u ≤
/// (η/0.025)^{1/p}/0.61 and u ≤ 0.95, unless they are leaves of so few points that pair by pair is cheaper.
/// So do softened ones, by Taylor series, with √(R² + ε²) for R (but r_A + r_B ≤ 0.95 R), a 64th of η
/// and then one order more: no close pairs outweigh what they leave out. The rule is symmetric: A acts on B
/// just as B on A, and forces stay pairwise opposite.
class Acceptance {
 public:
  explicit Acceptance(const Plan& plan);

  /// What the kernel of the test goes by; valid as long as this.
  [[nodiscard]] AcceptanceTables tables() const { return {largest_, verdicts_.data(), worth_.data()}; }
  [[nodiscard]] int highest_order() const { return highest_; }
  /// Of Taylor series.
  [[nodiscard]] int highest_taylor_order() const { return highest_taylor_; }

 private:
  int highest_ = 0, highest_taylor_ = 0;
  double largest_ = 0.0;
  std::array<unsigned char, std::size_t{2} * (AcceptanceTables::bins + 2)> verdicts_{};
  std::array<double, verdict_count> worth_{};
};

}  // namespace electret::fmm
