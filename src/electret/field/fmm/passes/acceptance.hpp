#pragma once
/// \file
/// The acceptance criterion: which pairs of cells interact by M2L, and of which order.

#include <array>

#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {

/// The settings of the method.
struct Plan {
  double tolerance = 1e-3;  ///< η of the order rule.
  int order = 8;            ///< The largest order used.
  Index leaf_size = 64;     ///< The most points per leaf.
  bool float64 = false;
};

/// The largest order of Taylor series.
[[nodiscard]] int highest_taylor_order(const Plan& plan);

/// Two cells with u = (r_A + r_B)/R interact by expansions of the smallest order p with u ≤
/// (η/0.025)^{1/p}/0.61 and u ≤ 0.95, unless they are leaves of so few points that P2P is cheaper. Softened
/// cells follow the same rule by Taylor series, with √(R² + ε²) in place of R (but r_A + r_B ≤ 0.95 R), a
/// 64th of η, and then one order more, because no close pairs outweigh their truncation error. The rule is
/// symmetric: if A acts on B by M2L, so does B on A. Forces are therefore pairwise opposite.
class Acceptance {
 public:
  explicit Acceptance(const Plan& plan);

  /// The tables that the kernel of the test reads; valid as long as this object.
  [[nodiscard]] AcceptanceTables tables() const { return {largest_, verdicts_.data(), worth_.data()}; }
  [[nodiscard]] int highest_order() const { return highest_; }
  /// The largest order of Taylor series.
  [[nodiscard]] int highest_taylor_order() const { return highest_taylor_; }

 private:
  int highest_ = 0, highest_taylor_ = 0;
  double largest_ = 0.0;
  std::array<unsigned char, std::size_t{2} * (AcceptanceTables::bins + 2)> verdicts_{};
  std::array<double, verdict_count> worth_{};
};

}  // namespace electret::fmm
