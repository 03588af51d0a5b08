/// The loss of markers that were seen on a body.

#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/fit/losses.hpp>

namespace electret {
namespace {

class Markers final : public Loss {
 public:
  Markers(std::vector<BodyMarker> markers, std::vector<MarkerTarget> targets)
      : markers_(std::move(markers)), targets_(std::move(targets)) {
    require_argument(!targets_.empty(), "a loss of markers needs at least one target");
    require_argument(targets_.front().step >= 0 && std::is_sorted(targets_.begin(), targets_.end(), before),
                     "the targets of markers must not descend, from step 0 or later");
    for (const BodyMarker& marker : markers_)
      require_argument(!marker.vertices.empty() && marker.vertices.size() == marker.weights.size(),
                       "a marker needs vertices, and as many weights");
    for (const MarkerTarget& target : targets_) check(target);
  }

  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return step <= last_step && !at_step(step).empty();
  }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    for (const MarkerTarget& target : at_step(at.state.step))
      value_ += share(at) * target.weight * squared_norm(miss(at, target));
  }
  [[nodiscard]] double value() const override { return value_; }
  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    double weights = 0.0;
    for (const MarkerTarget& target : targets_)
      weights += target.weight / static_cast<double>(targets_.size());
    return weights * rounding_of_squared_distance(assembly);
  }

  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    for (const MarkerTarget& target : at_step(at.state.step)) {
      const Vec3 slope = (2.0 * factor * share(at) * target.weight) * miss(at, target);
      const BodyMarker& marker = markers_[target.marker];
      for (std::size_t k = 0; k < marker.vertices.size(); ++k)
        out.positions[static_cast<std::size_t>(marker.vertices[k])] += marker.weights[k] * slope;
    }
  }

 private:
  static bool before(const MarkerTarget& a, const MarkerTarget& b) { return a.step < b.step; }

  void check(const MarkerTarget& target) const {
    require_argument(target.marker < markers_.size(), "a target of no marker");
    require_argument(std::isfinite(target.weight) && target.weight >= 0.0,
                     "a target's weight is negative or not finite");
    bool is_any = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      is_any |= target.is_measured[axis];
      require_argument(!target.is_measured[axis] || std::isfinite(target.coordinates[axis]),
                       "a target of a marker has a number that is not finite");
    }
    require_argument(is_any, "a target of a marker has no measured coordinate");
  }
  [[nodiscard]] std::span<const MarkerTarget> at_step(Count step) const {
    MarkerTarget key;
    key.step = step;
    const auto [first, end] = std::equal_range(targets_.begin(), targets_.end(), key, before);
    return {first, end};
  }
  /// 1 / targets within the run.
  [[nodiscard]] double share(const LossPoint& at) const {
    MarkerTarget last;
    last.step = at.last_step;
    return 1.0 / static_cast<double>(std::upper_bound(targets_.begin(), targets_.end(), last, before) -
                                     targets_.begin());
  }
  /// x - x* of the marker; 0 where it was not measured.
  [[nodiscard]] Vec3 miss(const LossPoint& at, const MarkerTarget& target) const {
    const VectorView x = at.state.positions;
    const BodyMarker& marker = markers_[target.marker];
    Vec3 place;
    for (std::size_t k = 0; k < marker.vertices.size(); ++k) {
      const Index i = marker.vertices[k];
      require_argument(i >= 0 && static_cast<std::size_t>(i) < x.size(),
                       "a marker on vertices that the run does not have");
      place += marker.weights[k] * x[static_cast<std::size_t>(i)];
    }
    Vec3 apart;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (target.is_measured[a]) apart[axis] = place[axis] - target.coordinates[a];
    }
    return apart;
  }

  std::vector<BodyMarker> markers_;
  std::vector<MarkerTarget> targets_;
  double value_ = 0.0;
};

}  // namespace

std::unique_ptr<Loss> markers_loss(std::vector<BodyMarker> markers, std::vector<MarkerTarget> targets) {
  return std::make_unique<Markers>(std::move(markers), std::move(targets));
}

}  // namespace electret
