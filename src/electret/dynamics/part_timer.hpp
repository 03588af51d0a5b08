#pragma once
/// \file
/// Where a step's wall time goes, for reports only: no choice ever reads a clock.

#include <chrono>

namespace electret {

/// Adds the time of its life to `seconds`.
class PartTimer {
 public:
  explicit PartTimer(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  ~PartTimer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  PartTimer(const PartTimer&) = delete;
  PartTimer& operator=(const PartTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace electret
