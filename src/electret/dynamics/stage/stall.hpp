#pragma once
/// \file
/// Tells when an iterative solve has come down to the rounding of its own residual.

#include <limits>

namespace electret {

/// If a stiff body is far from the origin, the rounding of ∇g may exceed the stopping rule's floor. The rule
/// is then out of reach, and iterating to the cap would be a waste. A solve is stalled if its norm is within
/// the rounding estimate and five iterations have not reduced it by a tenth.
class StallWatch {
 public:
  explicit StallWatch(double rounding) : rounding_(rounding) {}

  /// Changes the rounding estimate.
  void allow(double rounding) { rounding_ = rounding; }
  /// Call with every iteration's norm, which is finite.
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
