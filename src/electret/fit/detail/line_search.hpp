#pragma once
/// \file
/// A search along a line for a point that is low and flat enough (strong Wolfe conditions).

#include <functional>
#include <limits>
#include <optional>

#include <electret/fit/detail/vectors.hpp>

namespace electret::detail {

/// A point of the line: the function and its slope along the line after `step`.
struct LinePoint {
  double step = 0.0;
  double value = std::numeric_limits<double>::infinity();  ///< +∞ if there is none; then nothing else counts.
  double slope = 0.0;
  Vector place, gradient;
};

/// Looks for a step at which the value has fallen by at least 1e-4 of what `start`'s slope promises, and
/// |slope| is at most 0.9 of it, or the step is `most`. Tries `first` first. After a step without a value it
/// tries a quarter of it. If 20 trials find no such point, or it would be known to a step of `least`, returns
/// the lowest point that has fallen enough; nothing if there is none. A point whose value is that of `start`
/// up to `accuracy` is judged by its slope alone (approximate Wolfe conditions of Hager and Zhang, 2005).
/// `at(step)` evaluates; `start` has step 0 and a negative slope.
[[nodiscard]] std::optional<LinePoint> line_search(const std::function<LinePoint(double step)>& at,
                                                   const LinePoint& start, double first, double least,
                                                   double most);

}  // namespace electret::detail
