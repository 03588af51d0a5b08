#pragma once
/// \file
/// Times of targets as steps of a run.

#include <cmath>
#include <optional>

#include <electret/scene/scene.hpp>

namespace electret {

/// A time this near to the end of a step belongs to it, in steps.
inline constexpr double step_tolerance = 1e-6;

/// The step that ends at `time` (s), which may be beyond the run; none if no step does.
inline std::optional<Count> step_ending_at(double time, const TimeOptions& options) {
  const double steps = time / options.step, whole = std::round(steps);
  if (!(std::abs(steps - whole) <= step_tolerance) || whole < 0.0 || whole > 0x1p53) return std::nullopt;
  return static_cast<Count>(whole);
}

}  // namespace electret
