#pragma once
/// \file
/// How long steps take, over about the last second.

#include <chrono>
#include <optional>

#include <electret/core/types.hpp>
#include <electret/dynamics/system.hpp>

namespace electret::studio {

class StepMeter {
 public:
  void restart(const StepTimings& timings) { *this = StepMeter(), parts_ = timings; }
  /// Counts a step that took `seconds`; `timings` are the system's sums after it.
  void add(double seconds, const StepTimings& timings) {
    ++count_;
    taken_ += seconds;
    if (taken_ < 1.0 && count_ < 60) return;
    close(timings);
  }
  void close(const StepTimings& timings) {
    if (count_ == 0) return;
    const auto n = static_cast<double>(count_);
    step_ms = 1e3 * taken_ / n;
    field_ms = 1e3 * (timings.field - parts_.field) / n;
    elastic_ms = 1e3 * (timings.elastic - parts_.elastic) / n;
    parts_ = timings;
    count_ = 0;
    taken_ = 0.0;
  }

  std::optional<double> step_ms{}, field_ms{}, elastic_ms{};

 private:
  Count count_ = 0;
  double taken_ = 0.0;
  StepTimings parts_{};
};

}  // namespace electret::studio
