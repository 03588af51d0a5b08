#pragma once
/// \file
/// When an iterative solve has come down to the rounding of its own residual.

#include <limits>

namespace electret {

/// A stiff body far from the origin has a ∇g whose rounding exceeds the stopping rule's floor: the rule is
/// then out of reach, and iterating to the cap would be waste. Stalled: within the rounding estimate, and
/// five iterations without a gain of a tenth.
class StallWatch {
 public:
  explicit StallWatch(double rounding) : rounding_(rounding) {}

  /// To be told every iteration's norm, which is finite.
  bool stalled(double norm) {
    if (norm < 0.9 * best_) {
      best_ = norm;
      idle_ = 0;
      return false;
    }
    return norm <= rounding_ && ++idle_ >= 5;
  }

 private:
  double rounding_;
  double best_ = std::numeric_limits<double>::infinity();
  int idle_ = 0;
};

}  // namespace electret
