#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <electret/scene/obstacle_warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// A push that lasts only for an impact throws a vertex out if the step is this many times too long.
constexpr double longer_at_impact = 2.0;

/// A vertex that an obstacle stops, and the longest step (s) that resolves the push at that moment.
struct Stop {
  double mass = 0.0;  // kg
  double longest_step = std::numeric_limits<double>::infinity();
};

class ObstacleCheck {
 public:
  explicit ObstacleCheck(const Assembly& assembly)
      : assembly_(assembly), is_free_(assembly.masses.size(), true) {
    for (const PinTrack& track : assembly.pin_tracks)
      if (track.hold.is_whole())
        for (const Index v : track.vertices) is_free_[static_cast<std::size_t>(v)] = false;
    for (std::size_t v = 0; v < is_free_.size(); ++v)
      if (is_free_[v] && (!lightest_ || assembly.masses[v] < *lightest_)) lightest_ = assembly.masses[v];
    if (assembly.scene.gravity) gravity_ = *assembly.scene.gravity;
  }

  std::vector<ObstacleWarning> run() {
    for (std::size_t o = 0; o < assembly_.obstacles.size() && !lightest_; ++o)
      if (!assembly_.obstacles[o].is_exact)
        found_.push_back({"obstacle." + std::to_string(o) + ".name",
                          "nothing can reach obstacle " + in_quotes(assembly_.scene.obstacles[o].name) +
                              ", because every vertex is pinned",
                          "leave the obstacle out, or unpin what is to touch it"});
    if (!lightest_) return std::move(found_);
    for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o) {
      track_ = &assembly_.obstacles[o];
      penalty_ = track_->penalty();
      surface_.emplace(penalty_.surface, track_->placement(0.0, step()));
      key_ = "obstacle." + std::to_string(o);
      named_ = "obstacle " + in_quotes(assembly_.scene.obstacles[o].name);
      if (track_->is_exact) continue;
      friction();
      creep();
      if (penalty_.stiffness == 0.0 || starts_inside()) continue;
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
               " N s/m, is too large for the step and a vertex of " + brief_text(*lightest_) + " kg",
           "friction is stable up to " + brief_text(most) + " N s/m, 2 · mass/step"});
  }

  /// This law is a damping for slow vertices, so that a vertex on a slope which should stick moves with
  /// weight along the slope / friction_stiffness. A vertex that carries others creeps faster.
  void creep() {
    const std::optional<Vec3> normal = track_->surface.shape->drawing(0.0).plane;
    if (!normal || track_->moves() || !(track_->friction > 0.0)) return;
    const double push = -dot(gravity_, *normal);
    const double along = norm(gravity_ + push * *normal);
    const bool is_level = along <= 1e-6 * push;
    if (!(push > 0.0) || is_level || along > track_->friction * push) return;
    found_.push_back({key_ + ".friction",
                      "on " + named_ +
                          " the friction is larger than the weight along it, but it does not hold: a "
                          "vertex of " +
                          brief_text(*lightest_) + " kg creeps downhill at " +
                          brief_text(*lightest_ * along / track_->friction_stiffness) +
                          " m/s, and one that carries others faster",
                      "pin what must not move, or raise friction_stiffness; it is stable up to " +
                          brief_text(2.0 * *lightest_ / step()) + " N s/m, 2 · mass/step"});
  }

  /// Whether vertices start deeper inside than the weight of everything would press one vertex. Then a normal
  /// points into the obstacle, or a body is in the wrong place.
  bool starts_inside() {
    const double weight =
        norm(gravity_) * std::accumulate(assembly_.masses.begin(), assembly_.masses.end(), 0.0);
    Count inside = 0;
    double deepest = 0.0;
    for (std::size_t v = 0; v < is_free_.size(); ++v) {
      const double depth = -surface_->view(assembly_.initial_positions[v]).distance;
      if (!is_free_[v] || depth <= 0.0) continue;
      ++inside;
      deepest = std::max(deepest, depth);
    }
    if (!(deepest > penalty_.depth_under(weight)) || deepest <= 1e-9) return false;
    const bool is_plane = penalty_.surface.shape->drawing(0.0).plane.has_value();
    const Obstacle& written =
        assembly_.scene.obstacles[static_cast<std::size_t>(track_ - assembly_.obstacles.data())];
    found_.push_back({key_ + (is_plane               ? ".normal"
                              : written.mesh.empty() ? ".centre"
                                                     : ".mesh"),
                      counted(inside, "vertex starts", "vertices start") + " inside " + named_ +
                          ", the deepest " + brief_text(deepest) + " m" +
                          (inside == 1 ? ": it will be thrown out" : ": they will be thrown out"),
                      is_plane ? "the normal points out of the obstacle, to where bodies may be"
                               : "start bodies outside of it"});
    return true;
  }

  /// The longest step changes with the stiffness to the power of -1/`power`.
  bool tell_if_longer(double than, const Stop& stop, double power, const std::string& when) {
    if (step() <= than * stop.longest_step) return false;
    const double most = penalty_.stiffness * std::pow(stop.longest_step / step(), power);
    found_.push_back({key_ + ".stiffness",
                      named_ + " throws out a vertex of " + brief_text(stop.mass) + " kg that " + when +
                          ": its stiffness is more than the step resolves",
                      "use a step below " + brief_text(stop.longest_step) + " s, or a stiffness of at most " +
                          brief_text(most) + " N/m^(exponent - 1), which is stable"});
    return true;
  }

  /// Checks the push on a vertex that rests on the obstacle under its own weight.
  bool rests() {
    const double weight = *lightest_ * norm(gravity_);
    if (weight == 0.0) return false;
    return tell_if_longer(1.0, {*lightest_, penalty_.longest_step(penalty_.depth_under(weight), *lightest_)},
                          2.0 * (penalty_.exponent - 1.0), "rests on it");
  }

  /// Checks the push on vertices that move or fall onto the obstacle. Bodies that are held somewhere are left
  /// out, because they may never reach it.
  void stops() {
    Stop hardest;
    for (std::size_t b = 0; b + 1 < assembly_.body_offsets.size(); ++b) {
      const auto begin = is_free_.begin() + assembly_.body_offsets[b],
                 end = is_free_.begin() + assembly_.body_offsets[b + 1];
      if (std::find(begin, end, false) != end) continue;
      for (Count v = assembly_.body_offsets[b]; v < assembly_.body_offsets[b + 1]; ++v) {
        const Stop stop = stop_of(static_cast<std::size_t>(v));
        if (stop.longest_step < hardest.longest_step) hardest = stop;
      }
    }
    tell_if_longer(longer_at_impact, hardest, penalty_.exponent, "hits it as fast as here");
  }

  /// The stop of vertex `v`, at the depth D with E(D) = m v²/2.
  [[nodiscard]] Stop stop_of(std::size_t v) const {
    const SurfaceView seen = surface_->view(assembly_.initial_positions[v]);
    const double approach = -dot(assembly_.initial_velocities[v], seen.normal),
                 fall = -dot(gravity_, seen.normal), distance = std::max(seen.distance, 0.0);
    const double squared_speed = approach * approach + 2.0 * fall * distance;
    // The vertex is too slow or moves away: it does not reach the obstacle within the run.
    if (!(squared_speed > 0.0) || (approach <= 0.0 && fall <= 0.0)) return {};
    const double time = fall != 0.0 ? (std::sqrt(squared_speed) - approach) / fall : distance / approach;
    if (!(time >= 0.0) || time > assembly_.scene.time.at(assembly_.scene.time.steps)) return {};
    const double mass = assembly_.masses[v];
    return {mass, penalty_.longest_step(penalty_.depth_after(0.5 * mass * squared_speed), mass)};
  }

  [[nodiscard]] double step() const { return assembly_.scene.time.step; }

  const Assembly& assembly_;
  std::vector<bool> is_free_;
  std::optional<double> lightest_;  ///< kg, of the free vertices.
  Vec3 gravity_;                    ///< m/s².
  const ObstacleTrack* track_ = nullptr;
  Penalty penalty_;                       ///< The track's.
  std::optional<PlacedSurface> surface_;  ///< Where it is at time 0.
  std::string key_, named_;
  std::vector<ObstacleWarning> found_;
};

}  // namespace

std::vector<ObstacleWarning> obstacle_warnings(const Assembly& assembly, const StartPushes& pushes) {
  std::vector<ObstacleWarning> all = ObstacleCheck(assembly).run();
  for (ObstacleWarning& each : contact_warnings(assembly)) all.push_back(std::move(each));
  for (ObstacleWarning& each : body_contact_warnings(assembly, pushes)) all.push_back(std::move(each));
  return all;
}

}  // namespace electret
