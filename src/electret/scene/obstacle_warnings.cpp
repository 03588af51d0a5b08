#include <algorithm>
#include <cmath>
#include <optional>

#include <electret/scene/obstacle_warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// An explicit force of stiffness s throws a vertex of mass m out where s h² is more than this times m.
constexpr double most_resolved = 4.0;
/// A push that lasts no longer than an impact does so only from here on.
constexpr double most_at_impact = 16.0;

/// A vertex that an obstacle stops, and how stiff its push is then.
struct Impact {
  double mass = 0.0, stiffness = 0.0;  // kg, N/m
  [[nodiscard]] double longest_step() const { return std::sqrt(most_resolved * mass / stiffness); }
};

class ObstacleCheck {
 public:
  explicit ObstacleCheck(const Assembly& assembly)
      : assembly_(assembly), is_free_(assembly.masses.size(), true) {
    for (const PinTrack& track : assembly.pin_tracks)
      for (const Index v : track.vertices) is_free_[static_cast<std::size_t>(v)] = false;
    for (std::size_t v = 0; v < is_free_.size(); ++v)
      if (is_free_[v] && (!lightest_ || assembly.masses[v] < *lightest_)) lightest_ = assembly.masses[v];
    if (assembly.scene.gravity) gravity_ = *assembly.scene.gravity;
  }

  std::vector<ObstacleWarning> run() {
    if (!lightest_) return {};
    for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o) {
      track_ = &assembly_.obstacles[o];
      key_ = "obstacle." + std::to_string(o);
      named_ = "obstacle " + in_quotes(assembly_.scene.obstacles[o].name);
      friction();
      if (track_->stiffness == 0.0 || starts_inside()) continue;
      if (!rests()) stops();
    }
    return std::move(found_);
  }

 private:
  void friction() {
    const double most = 2.0 * *lightest_ / step();
    if (track_->friction > 0.0 && track_->friction_stiffness > most)
      found_.push_back(
          {key_ + ".friction_stiffness",
           "the friction_stiffness of " + named_ + ", " + number_text(track_->friction_stiffness) +
               " N s/m, is more than the step lets a vertex of " + brief_text(*lightest_) + " kg take",
           "friction is stable up to " + brief_text(most) + " N s/m, 2 · mass/step"});
  }

  /// Deeper than the weight of everything would press one vertex: a normal that points into the obstacle, or
  /// a body in the wrong place.
  bool starts_inside() {
    double weight = 0.0;
    for (std::size_t v = 0; v < is_free_.size(); ++v) weight += assembly_.masses[v] * norm(gravity_);
    const double pressed = std::pow(weight / track_->stiffness, 1.0 / (track_->exponent - 1.0));
    Count inside = 0;
    double deepest = 0.0;
    for (std::size_t v = 0; v < is_free_.size(); ++v) {
      const double depth = -view(track_->surface, assembly_.initial_positions[v]).distance;
      if (!is_free_[v] || depth <= 0.0) continue;
      ++inside;
      deepest = std::max(deepest, depth);
    }
    if (!(deepest > pressed) || deepest <= 1e-9) return false;
    const bool is_plane = std::holds_alternative<Plane>(track_->surface);
    found_.push_back({key_ + (is_plane ? ".normal" : ".centre"),
                      std::to_string(inside) + " vertices start inside " + named_ + ", the deepest " +
                          brief_text(deepest) + " m: they will be thrown out",
                      is_plane ? "the normal points out of the obstacle, to where bodies may be"
                               : "start bodies outside of it"});
    return true;
  }

  bool tell_if_beyond(double most, const Impact& impact, const std::string& when) {
    if (impact.stiffness * step() * step() <= most * impact.mass) return false;
    found_.push_back({key_ + ".stiffness",
                      named_ + " throws a vertex of " + brief_text(impact.mass) + " kg out that " + when +
                          ": its stiffness is more than the step resolves",
                      "use a step below " + brief_text(impact.longest_step()) + " s, or a lower stiffness"});
    return true;
  }

  /// Where its own weight presses a vertex in, the push is a spring of this stiffness.
  bool rests() {
    const double weight = *lightest_ * norm(gravity_), p = track_->exponent;
    if (weight == 0.0) return false;
    return tell_if_beyond(most_resolved,
                          {*lightest_, (p - 1.0) * std::pow(track_->stiffness, 1.0 / (p - 1.0)) *
                                           std::pow(weight, (p - 2.0) / (p - 1.0))},
                          "rests on it");
  }

  /// Where it stops a vertex that moves and falls onto it, k/p D^p = m v²/2. Bodies that are held somewhere
  /// may never come there.
  void stops() {
    Impact worst;
    for (std::size_t b = 0; b + 1 < assembly_.body_offsets.size(); ++b) {
      const auto first = static_cast<std::size_t>(assembly_.body_offsets[b]),
                 end = static_cast<std::size_t>(assembly_.body_offsets[b + 1]);
      if (std::find(is_free_.begin() + static_cast<std::ptrdiff_t>(first),
                    is_free_.begin() + static_cast<std::ptrdiff_t>(end),
                    false) != is_free_.begin() + static_cast<std::ptrdiff_t>(end))
        continue;
      for (std::size_t v = first; v < end; ++v) {
        const Impact impact = impact_of(v);
        if (impact.stiffness * worst.mass > worst.stiffness * impact.mass || worst.mass == 0.0)
          worst = impact;
      }
    }
    if (worst.mass > 0.0) tell_if_beyond(most_at_impact, worst, "hits it as it will here");
  }

  [[nodiscard]] Impact impact_of(std::size_t v) const {
    const SurfaceView seen = view(track_->surface, assembly_.initial_positions[v]);
    const double approach = -dot(assembly_.initial_velocities[v], seen.normal),
                 fall = -dot(gravity_, seen.normal);
    const double mass = assembly_.masses[v], p = track_->exponent, k = track_->stiffness;
    const double distance = std::max(seen.distance, 0.0), end = approach * approach + 2.0 * fall * distance;
    // Too slow, or away from it: it does not come there within the run.
    if (!(end > 0.0) || (approach <= 0.0 && fall <= 0.0)) return {mass, 0.0};
    const double speed = std::sqrt(end);
    const double time = fall != 0.0 ? (speed - approach) / fall : distance / approach;
    if (!(time >= 0.0) || time > step() * static_cast<double>(assembly_.scene.time.steps)) return {mass, 0.0};
    const double depth = std::pow(p * mass * end / (2.0 * k), 1.0 / p);
    return {mass, k * (p - 1.0) * std::pow(depth, p - 2.0)};
  }

  [[nodiscard]] double step() const { return assembly_.scene.time.step; }

  const Assembly& assembly_;
  std::vector<bool> is_free_;
  std::optional<double> lightest_;  ///< kg, of the free vertices.
  Vec3 gravity_;                    ///< m/s².
  const ObstacleTrack* track_ = nullptr;
  std::string key_, named_;
  std::vector<ObstacleWarning> found_;
};

}  // namespace

std::vector<ObstacleWarning> obstacle_warnings(const Assembly& assembly) {
  return ObstacleCheck(assembly).run();
}

}  // namespace electret
