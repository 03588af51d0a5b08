#pragma once
/// \file
/// What losses of things that were seen have in common: targets at steps of a run, and points that vertices
/// carry.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <electret/core/arguments.hpp>
#include <electret/fit/losses.hpp>

namespace electret {

/// Targets with the members `step`, which do not descend, and `weight`.
template <class Target>
class StepTargets {
 public:
  /// Throws std::invalid_argument if there is no target, or if the steps descend or begin before 0.
  explicit StepTargets(std::vector<Target> targets) : targets_(std::move(targets)) {
    require_argument(!targets_.empty(), "a loss of what was seen needs at least one target");
    require_argument(targets_.front().step >= 0 && std::is_sorted(targets_.begin(), targets_.end(), before),
                     "the targets of a loss must not descend, from step 0 or later");
  }

  [[nodiscard]] std::span<const Target> all() const { return targets_; }
  [[nodiscard]] std::span<const Target> at_step(Count step) const {
    const auto [first, end] = std::equal_range(targets_.begin(), targets_.end(), at(step), before);
    return {first, end};
  }
  /// 1 / targets within a run of `last_step` steps.
  [[nodiscard]] double share(Count last_step) const {
    return 1.0 /
           static_cast<double>(std::upper_bound(targets_.begin(), targets_.end(), at(last_step), before) -
                               targets_.begin());
  }
  /// Of all targets.
  [[nodiscard]] double mean_weight() const {
    double weights = 0.0;
    for (const Target& target : targets_) weights += target.weight / static_cast<double>(targets_.size());
    return weights;
  }

 private:
  static bool before(const Target& a, const Target& b) { return a.step < b.step; }
  static Target at(Count step) {
    Target key;
    key.step = step;
    return key;
  }
  std::vector<Target> targets_;
};

/// Throws std::invalid_argument unless each marker has vertices, and as many weights.
inline void check_markers(const std::vector<BodyMarker>& markers) {
  for (const BodyMarker& marker : markers)
    require_argument(!marker.vertices.empty() && marker.vertices.size() == marker.weights.size(),
                     "a marker needs vertices, and as many weights");
}

/// Throws std::invalid_argument unless the target is of one of the markers, has measured coordinates that are
/// finite, and a weight.
template <class Target>
void check_target(const Target& target, const std::vector<BodyMarker>& markers) {
  require_argument(target.marker < markers.size(), "a target of no marker");
  require_argument(std::isfinite(target.weight) && target.weight >= 0.0,
                   "a target's weight is negative or not finite");
  bool is_any = false;
  for (std::size_t axis = 0; axis < target.coordinates.size(); ++axis) {
    is_any |= target.is_measured[axis];
    require_argument(!target.is_measured[axis] || std::isfinite(target.coordinates[axis]),
                     "a target of a marker has a number that is not finite");
  }
  require_argument(is_any, "a target of a marker has no measured coordinate");
}

/// Where the vertices at `x` (n×3, m) carry a marker. Throws std::invalid_argument if it is on others.
inline Vec3 place_of_marker(const BodyMarker& marker, VectorView x) {
  Vec3 place;
  for (std::size_t k = 0; k < marker.vertices.size(); ++k) {
    const Index i = marker.vertices[k];
    require_argument(i >= 0 && static_cast<std::size_t>(i) < x.size(),
                     "a marker on vertices that the run does not have");
    place += marker.weights[k] * x[static_cast<std::size_t>(i)];
  }
  return place;
}

/// Adds `slope`, the derivative by the marker's place, to those by its vertices.
inline void add_to_marker(const BodyMarker& marker, const Vec3& slope, VectorSpan out) {
  for (std::size_t k = 0; k < marker.vertices.size(); ++k)
    out[static_cast<std::size_t>(marker.vertices[k])] += marker.weights[k] * slope;
}

}  // namespace electret
