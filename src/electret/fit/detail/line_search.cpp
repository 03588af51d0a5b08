#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/fit/detail/line_search.hpp>
#include <electret/fit/optimiser_monitor.hpp>

namespace electret::detail {
namespace {

constexpr double least_fall = 1e-4, flat = 0.9;

class LineSearch {
 public:
  LineSearch(const LinePoint& start, double least, double most)
      : start_(start), least_(least), most_(most), low_(start) {}

  [[nodiscard]] bool accepts(const LinePoint& at) const {
    const bool is_flat = std::abs(at.slope) <= -flat * start_.slope;
    if (has_fallen(at) && (is_flat || (at.step >= most_ && at.slope < 0.0))) return true;
    return is_flat && at.value <= start_.value + accuracy * std::abs(start_.value) &&
           at.slope <= (2.0 * least_fall - 1.0) * start_.slope;
  }

  /// Narrows the interval between the lowest point and the one beyond the minimum, or moves it on.
  void take(LinePoint at) {
    if (!has_fallen(at) || at.value >= low_.value) {
      high_ = std::move(at);
      return;
    }
    const bool is_beyond = high_ ? at.slope * (high_->step - low_.step) >= 0.0 : at.slope >= 0.0;
    if (is_beyond) high_ = low_;
    before_ = std::exchange(low_, std::move(at));
  }

  [[nodiscard]] double next() const {
    if (!high_) return std::min(most_, further());
    const double width = high_->step - low_.step;
    if (!std::isfinite(high_->value)) return low_.step + 0.25 * width;
    const double part = (cubic_minimum() - low_.step) / width;
    return low_.step + (std::isfinite(part) ? std::clamp(part, 0.1, 0.9) : 0.5) * width;
  }

  [[nodiscard]] bool is_exhausted() const { return high_ && std::abs(high_->step - low_.step) <= least_; }
  [[nodiscard]] const LinePoint& low() const { return low_; }

 private:
  [[nodiscard]] bool has_fallen(const LinePoint& at) const {
    return at.value <= start_.value + least_fall * at.step * start_.slope;
  }

  /// Where a parabola through the slopes of the last two points has its minimum, 2 to 10 times as far.
  [[nodiscard]] double further() const {
    const double bend = (low_.slope - before_.slope) / (low_.step - before_.step);
    const double guess = bend > 0.0 ? low_.step - low_.slope / bend : 10.0 * low_.step;
    return std::clamp(guess, 2.0 * low_.step, 10.0 * low_.step);
  }

  /// Of the cubic through values and slopes at both ends (Nocedal and Wright, eq. 3.59).
  [[nodiscard]] double cubic_minimum() const {
    const double width = high_->step - low_.step;
    const double d = low_.slope + high_->slope - 3.0 * (high_->value - low_.value) / width;
    const double root = std::copysign(std::sqrt(d * d - low_.slope * high_->slope), width);
    return high_->step - width * (high_->slope + root - d) / (high_->slope - low_.slope + 2.0 * root);
  }

  const LinePoint& start_;
  double least_, most_;
  LinePoint low_, before_;         ///< The lowest point so far, and the one before it.
  std::optional<LinePoint> high_;  ///< The minimum is between it and `low_`.
};

}  // namespace

std::optional<LinePoint> line_search(const std::function<LinePoint(double step)>& at, const LinePoint& start,
                                     double first, double least, double most) {
  LineSearch search(start, least, most);
  double step = std::min(first, most);
  for (int trial = 0; trial < 20 && !search.is_exhausted(); ++trial) {
    LinePoint point = at(step);
    if (search.accepts(point)) return point;
    search.take(std::move(point));
    step = search.next();
  }
  if (search.low().step > 0.0) return search.low();
  return std::nullopt;
}

}  // namespace electret::detail
