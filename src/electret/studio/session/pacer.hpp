#pragma once
/// \file
/// Which step is due: simulated time follows wall time, and is never caught up.

#include <chrono>
#include <deque>
#include <optional>

namespace electret::studio {

/// The wall clock decides only when a step is taken, never what it computes.
class Pacer {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  /// After this long a slice of steps ends, so that a picture is shown and commands are heard.
  static constexpr std::chrono::microseconds slice{16667};

  /// Begins at `simulated` (s). `rate` is in simulated seconds per second; absent: as fast as possible.
  void start(Time now, double simulated, std::optional<double> rate) {
    rate_ = rate;
    begin_ = now;
    from_ = simulated;
    passed_.clear();
    passed_.push_back({now, simulated});
  }
  /// Whether a step that leads to `next` (s) is due. A step is due a tenth of a microsecond early, because
  /// rounding must not delay it by a slice.
  [[nodiscard]] bool wants(double next, Time now) const { return !rate_ || due(next) <= now; }
  /// When it is due.
  [[nodiscard]] Time due(double next) const {
    if (!rate_) return begin_;
    const double seconds = (next - from_) / *rate_ - 1e-7;
    // Beyond a day the clock's range might not do.
    return begin_ + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(seconds < 86400.0 ? seconds : 86400.0));
  }
  /// A slice ended at `simulated` (s), and the next step leads to `next` (s). If that is due already, the
  /// delay is forgotten: it is not caught up.
  void end_slice(Time now, double simulated, double next) {
    if (rate_ && due(next) <= now) {
      begin_ = now;
      from_ = next;
    }
    passed_.push_back({now, simulated});
    while (passed_.size() > 2 && now - passed_[1].at >= std::chrono::seconds(1)) passed_.pop_front();
  }
  /// Simulated seconds per second over the last second; absent until it is known.
  [[nodiscard]] std::optional<double> reached() const {
    const double wall = std::chrono::duration<double>(passed_.back().at - passed_.front().at).count();
    if (passed_.size() < 2 || wall < 0.2) return std::nullopt;
    return (passed_.back().simulated - passed_.front().simulated) / wall;
  }

 private:
  struct Passed {
    Time at;
    double simulated;
  };
  std::optional<double> rate_;
  Time begin_{};
  double from_ = 0.0;  ///< s, at `begin_`.
  std::deque<Passed> passed_{{}};
};

}  // namespace electret::studio
