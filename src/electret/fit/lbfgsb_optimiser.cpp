/// \file
/// `lbfgs` with bounds: L-BFGS-B of Byrd, Lu, Nocedal and Zhu (1995), with a line search that goes back from
/// a point without a value. All comparisons are between numbers of the function's unit, so that the unit does
/// not matter.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <electret/fit/detail/bounded_minimum.hpp>
#include <electret/fit/detail/line_search.hpp>
#include <electret/fit/optimiser_monitor.hpp>

namespace electret::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The way from a point to another within the bounds, and beyond it.
class Line {
 public:
  Line(const Vector& from, const Vector& to, const VariableBounds& bounds)
      : from_(from), direction_(difference(to, from)), bounds_(bounds), ends_(from.size(), infinity) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (direction_[i] != 0.0) ends_[i] = (ahead(i) - from[i]) / direction_[i];
  }

  [[nodiscard]] const Vector& direction() const { return direction_; }
  /// The step at which the first variable meets its bound.
  [[nodiscard]] double end() const { return *std::min_element(ends_.begin(), ends_.end()); }
  /// A step that is lost in the rounding of the variables.
  [[nodiscard]] double least() const {
    return std::numeric_limits<double>::epsilon() * largest(from_) / largest(direction_);
  }
  /// The point after `step`. A variable that has met its bound is exactly there.
  [[nodiscard]] Vector at(double step) const {
    Vector place = from_;
    for (std::size_t i = 0; i < place.size(); ++i)
      place[i] = step >= ends_[i] ? ahead(i) : place[i] + step * direction_[i];
    return place;
  }

 private:
  static double largest(const Vector& v) {
    double size = 0.0;
    for (const double each : v) size = std::max(size, std::abs(each));
    return size;
  }
  [[nodiscard]] double ahead(std::size_t i) const {
    return direction_[i] > 0.0 ? bounds_.upper[i] : bounds_.lower[i];
  }

  const Vector& from_;
  Vector direction_;
  const VariableBounds& bounds_;
  Vector ends_;  ///< Per variable: the step at which it meets its bound.
};

class BoundedLbfgs {
 public:
  BoundedLbfgs(OptimiserMonitor& monitor, Vector start, const VariableBounds& bounds)
      : monitor_(monitor),
        bounds_(bounds),
        here_(evaluated(std::move(start))),
        matrix_(here_.place.size(), first_curvature()) {}

  void run() {
    while (!monitor_.has_ended() && std::isfinite(here_.value)) {
      if (step()) continue;
      // The remembered steps may be at fault: try without them.
      if (matrix_.columns() == 0) return;
      matrix_.forget();
    }
  }

 private:
  LinePoint evaluated(Vector place) {
    LinePoint point;
    point.gradient.resize(place.size());
    point.value = monitor_.evaluate(place.data(), point.gradient.data());
    point.place = std::move(place);
    return point;
  }

  /// θ with which the first step has the length `reach`, as without bounds.
  [[nodiscard]] double first_curvature() const {
    Vector free = here_.gradient;
    for (std::size_t i = 0; i < free.size(); ++i)
      if (bounds_.hold(i, here_.place[i], free[i])) free[i] = 0.0;
    return length(free) / reach;
  }

  /// Goes on to a lower point. False if none is found.
  bool step() {
    const Line line(here_.place, bounded_minimum(matrix_, here_.place, here_.gradient, bounds_), bounds_);
    const auto at = [&](double step) {
      LinePoint point = evaluated(line.at(step));
      point.step = step;
      point.slope = dot(point.gradient, line.direction());
      return point;
    };
    here_.step = 0.0;
    here_.slope = dot(here_.gradient, line.direction());
    if (!(here_.slope < 0.0)) return false;
    std::optional<LinePoint> next = line_search(at, here_, 1.0, line.least(), line.end());
    if (!next) return false;
    matrix_.add(difference(next->place, here_.place), difference(next->gradient, here_.gradient));
    here_ = std::move(*next);
    return true;
  }

  OptimiserMonitor& monitor_;
  const VariableBounds& bounds_;
  LinePoint here_;
  BfgsMatrix matrix_;
};

}  // namespace

void run_lbfgsb(OptimiserMonitor& monitor, Vector start, const VariableBounds& bounds) {
  BoundedLbfgs(monitor, std::move(start), bounds).run();
}

}  // namespace electret::detail
