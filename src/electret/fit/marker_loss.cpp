/// The loss of markers that were seen on a body.

#include <utility>

#include <electret/fit/step_targets.hpp>

namespace electret {
namespace {

class Markers final : public Loss {
 public:
  Markers(std::vector<BodyMarker> markers, std::vector<MarkerTarget> targets)
      : markers_(std::move(markers)), targets_(std::move(targets)) {
    check_markers(markers_);
    for (const MarkerTarget& target : targets_.all()) check_target(target, markers_);
  }

  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return step <= last_step && !targets_.at_step(step).empty();
  }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    const double share = targets_.share(at.last_step);
    for (const MarkerTarget& target : targets_.at_step(at.state.step))
      value_ += share * target.weight * squared_norm(miss(at, target));
  }
  [[nodiscard]] double value() const override { return value_; }
  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    return targets_.mean_weight() * rounding_of_squared_distance(assembly);
  }

  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    const double share = targets_.share(at.last_step);
    for (const MarkerTarget& target : targets_.at_step(at.state.step))
      add_to_marker(markers_[target.marker], (2.0 * factor * share * target.weight) * miss(at, target),
                    out.positions);
  }

 private:
  /// x - x* of the marker; 0 where it was not measured.
  [[nodiscard]] Vec3 miss(const LossPoint& at, const MarkerTarget& target) const {
    const Vec3 place = place_of_marker(markers_[target.marker], at.state.positions);
    Vec3 apart;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (target.is_measured[a]) apart[axis] = place[axis] - target.coordinates[a];
    }
    return apart;
  }

  std::vector<BodyMarker> markers_;
  StepTargets<MarkerTarget> targets_;
  double value_ = 0.0;
};

}  // namespace

std::unique_ptr<Loss> markers_loss(std::vector<BodyMarker> markers, std::vector<MarkerTarget> targets) {
  return std::make_unique<Markers>(std::move(markers), std::move(targets));
}

}  // namespace electret
