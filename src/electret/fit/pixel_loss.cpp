/// The loss of markers that cameras saw in their pictures.

#include <limits>
#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/step_targets.hpp>
#include <electret/scene/pinhole.hpp>

namespace electret {
namespace {

/// The square of what counts as the rounding of a number, relative to it (`rounding_of_squared_distance`).
constexpr double squared_rounding =
    16.0 * std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();

class Pixels final : public Loss {
 public:
  Pixels(std::vector<BodyMarker> markers, std::vector<PixelTarget> targets)
      : markers_(std::move(markers)), targets_(std::move(targets)) {
    check_markers(markers_);
    for (const PixelTarget& target : targets_.all()) check_target(target, markers_);
  }

  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return step <= last_step && !targets_.at_step(step).empty();
  }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    const double share = targets_.share(at.last_step);
    for (const PixelTarget& target : targets_.at_step(at.state.step)) {
      const Seen seen(*this, at, target);
      value_ += share * target.weight * (seen.u * seen.u + seen.v * seen.v);
    }
  }
  [[nodiscard]] double value() const override { return value_; }
  /// A marker at (X_x, X_y, -d) before a camera of s = zoom f px moves by at most √(s² + u² + v²)/d px/m. Its
  /// rounding is that of places in the world, and of the way from the camera. 0 if a camera does not see it.
  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    const double of_places = rounding_of_squared_distance(assembly);
    double sum = 0.0;
    for (const PixelTarget& target : targets_.all()) {
      const Pinhole& camera = camera_of(assembly, target);
      const Pixel pixel =
          PinholeView(camera).seen(place_of_marker(markers_[target.marker], assembly.initial_positions));
      if (!(pixel.depth > 0.0)) return 0.0;
      const double scale = camera.zoom * camera.focal_length;
      const double ray = 1.0 + (pixel.u * pixel.u + pixel.v * pixel.v) / (scale * scale);
      const double per_metre = scale / pixel.depth, way = pixel.depth * pixel.depth * ray;
      sum += target.weight * per_metre * per_metre * ray * (of_places + squared_rounding * way);
    }
    return sum / static_cast<double>(targets_.all().size());
  }

  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    const double share = targets_.share(at.last_step);
    for (const PixelTarget& target : targets_.at_step(at.state.step)) {
      const Seen seen(*this, at, target);
      const double weight = 2.0 * factor * share * target.weight;
      const Vec3 slope = seen.view.pulled(seen.place, weight * seen.u, weight * seen.v,
                                          out.parameters.cameras[target.camera]);
      add_to_marker(markers_[target.marker], slope, out.positions);
    }
  }

 private:
  /// Where a camera sees a target's marker, less where it was seen; 0 where it was not measured.
  struct Seen {
    Seen(const Pixels& own, const LossPoint& at, const PixelTarget& target)
        : place(place_of_marker(own.markers_[target.marker], at.state.positions)),
          view(camera_of(at.system.assembly, target)) {
      const Pixel pixel = view.seen(place);
      // A fit may try a camera that does not look at the marker. Such a run has no value.
      if (!(pixel.depth > 0.0))
        throw DivergenceError(at.state.step, own.markers_[target.marker].vertices.front(),
                              fmt::format("a marker is {:.3g} m behind {}", -pixel.depth,
                                          at.system.assembly.cameras[target.camera].name),
                              "start from a camera that sees the markers, and bound its turns and shifts");
      if (target.is_measured[0]) u = pixel.u - target.coordinates[0];
      if (target.is_measured[1]) v = pixel.v - target.coordinates[1];
    }
    Vec3 place;
    PinholeView view;
    double u = 0.0, v = 0.0;
  };

  static const Pinhole& camera_of(const Assembly& assembly, const PixelTarget& target) {
    const auto& cameras = assembly.cameras;
    require_argument(target.camera < cameras.size(), "a target of a camera that the scene does not have");
    return cameras[target.camera].view;
  }

  std::vector<BodyMarker> markers_;
  StepTargets<PixelTarget> targets_;
  double value_ = 0.0;
};

}  // namespace

std::unique_ptr<Loss> pixels_loss(std::vector<BodyMarker> markers, std::vector<PixelTarget> targets) {
  return std::make_unique<Pixels>(std::move(markers), std::move(targets));
}

}  // namespace electret
