#pragma once
/// \file
/// When a run of a sweep is given up while it is going on.

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include <electret/sweep/sweep_plan.hpp>

namespace electret {

/// Ends a run that took too long.
class TimeoutError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RunLimits {
 public:
  /// The time counts from now on. `each_step` is called by each check; it may be empty.
  RunLimits(const SweepPlan& plan, const std::stop_token& stop, std::function<void()> each_step = {})
      : plan_(plan),
        stop_(stop),
        each_step_(std::move(each_step)),
        wall_(duration_of(plan.job.limits.wall)) {}

  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  /// Throws Cancelled if a stop is requested, and TimeoutError.
  void check() const;

 private:
  const SweepPlan& plan_;
  std::stop_token stop_;
  std::function<void()> each_step_;
  std::optional<double> wall_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The bytes of states that one gradient may hold, since workers share the memory. A gradient has the same
/// bits whatever it may hold. 0: as the library has it.
[[nodiscard]] double gradient_memory_of_a_worker();

/// Throws InputError if the loss's file is not what it was when the sweep began.
void check_loss_file(const SweepPlan& plan, const std::string& loss, const std::string& folder);

}  // namespace electret
