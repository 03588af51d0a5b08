// What is wrong with the contact of an assembled scene.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include <electret/scene/body_parts.hpp>
#include <electret/scene/contact_start.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// With so many digits.
std::string vector_text(const Vec3& v, int digits) {
  const auto text = [&](double value) {
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits)
            .ptr;
    return std::string(buffer.data(), end);
  };
  return "[" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + "]";
}

/// The digits of a translation: so many at first, and at last all.
constexpr int first_digits = 3, all_digits = 16;

constexpr double degrees = 180.0 / std::numbers::pi;

/// The times of steps at which pins are compared with obstacles, and the comparisons: all of short runs.
constexpr Count most_times = 1000, most_comparisons = 2'000'000;

/// What holds a pinned vertex: the tracks, by number, and their projectors.
struct Held {
  std::vector<std::pair<std::size_t, Mat3>> by;

  [[nodiscard]] Mat3 projector() const {
    Mat3 all;
    for (const auto& [track, projector] : by) all += projector;
    return all;
  }
  [[nodiscard]] Vec3 offset(const std::vector<Vec3>& offsets) const {
    Vec3 sum;
    for (const auto& [track, projector] : by) sum += projector * offsets[track];
    return sum;
  }
};

/// The placement between two, moving from one to the other in a step of 1 s.
Placement middle_of(const Placement& from, const Placement& to) {
  return {0.5 * (from.offset + to.offset), 0.5 * (from.rotation + to.rotation), to.offset - from.offset,
          to.rotation - from.rotation};
}

/// How far it turns from one to the other, rad.
double turn_between(const RigidSurface& surface, const Placement& from, const Placement& to) {
  if (from.rotation == to.rotation) return 0.0;
  return norm(PlacedSurface(surface, middle_of(from, to)).motion().turning);
}

/// How far a surface moves along its normals within a step, to first order in the angle of a turn.
class WayOfSurface {
 public:
  /// Of a plane what is `within` (m) of its origin counts.
  WayOfSurface(const ObstacleTrack& track, double within)
      : surface_(track.sized()),
        within_(within),
        arm_(std::isfinite(surface_.shape->reach()) ? surface_.shape->reach() : within) {}

  double operator()(const Placement& from, const Placement& to) {
    const RigidMotion motion = PlacedSurface(surface_, middle_of(from, to)).motion();
    // Most key-frames turn evenly, and a mesh is dear.
    const double change =
        norm(motion.velocity - last_.velocity) + arm_ * norm(motion.turning - last_.turning);
    if (change > 1e-12 * (norm(last_.velocity) + arm_ * norm(last_.turning)))
      way_ = surface_.shape->normal_speed(motion, within_), last_ = motion;
    return way_;
  }

 private:
  RigidSurface surface_;
  double within_, arm_;  ///< m.
  RigidMotion last_;     ///< m and rad per step.
  double way_ = 0.0;     ///< With that motion, m.
};

class ContactFindings {
 public:
  ContactFindings(const Assembly& assembly, Report& report)
      : assembly_(assembly),
        scene_(assembly.scene),
        report_(report),
        thickness_(scene_.contact ? scene_.contact->thickness : 0.0),
        has_time_(!is_bad("time", {"step", "steps", "duration"})) {
    // Known before a finding of contact is added.
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      is_placed_.push_back(
          !is_bad("body." + std::to_string(b), {"mesh", "generate", "scale", "rotate", "translate",
                                                "initial_positions", "group", "pin", "contact"}));
    for (std::size_t t = 0; t < assembly.pin_tracks.size(); ++t)
      for (const Index v : assembly.pin_tracks[t].vertices)
        held_[v].by.emplace_back(t, assembly.pin_tracks[t].hold.projector());
  }

  void starts() {
    if (is_bad("contact", {"thickness", "bodies"})) return;
    for (const StartInside& inside : bodies_inside(assembly_, rounded_depth)) {
      if (!is_placed_[inside.body] || (!has_time_ && assembly_.obstacles[inside.obstacle].moves())) continue;
      const Body& body = scene_.bodies[inside.body];
      const std::string key = "body." + std::to_string(inside.body);
      const std::string way = way_text(inside);
      report_.add(
          scene_.source,
          key + (body.initial_positions.given()               ? ".initial_positions"
                 : scene_.source.contains(key + ".translate") ? ".translate"
                 : body.generate                              ? ".generate"
                                                              : ".mesh"),
          counted(static_cast<std::size_t>(inside.count), "vertex", "vertices") + " of body " +
              in_quotes(body.name) + (inside.count == 1 ? " starts" : " start") + " inside obstacle " +
              in_quotes(scene_.obstacles[inside.obstacle].name) + ", the deepest, vertex " +
              std::to_string(inside.vertex - assembly_.body_offsets[inside.body]) + ", by " +
              brief_text(inside.depth) + " m",
          !way.empty() ? "moving the body by " + way + ", is the smallest translation found that frees it"
                       : "no translation was found that frees it; a normal may point to the wrong side");
    }
  }

  /// The way of an obstacle's surface within a step.
  void speeds() {
    if (!(thickness_ > 0.0) || !has_time_ || is_bad("contact", {"thickness"})) return;
    for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o) {
      const ObstacleTrack& track = assembly_.obstacles[o];
      // Nothing passes through a half-space.
      if (!track.is_exact || !track.moves() || track.surface.shape->drawing(0.0).plane) continue;
      double longest = 0.0;
      Count step = 0;
      WayOfSurface way_of(track, reach_of_bodies(track.surface.origin));
      for (Count s = 0; s < scene_.time.steps; ++s)
        if (const double way = way_of(place(track, s), place(track, s + 1)); way > longest)
          longest = way, step = s;
      if (!(longest > thickness_ * (1.0 + 1e-9))) continue;
      report_.add(scene_.source,
                  "obstacle." + std::to_string(o) + (track.offsets.empty() ? ".rotations" : ".offsets"),
                  "obstacle " + in_quotes(scene_.obstacles[o].name) + " moves its surface by " +
                      brief_text(longest) + " m in step " + std::to_string(step + 1) +
                      ", more than [contact] thickness = " + number_text(thickness_) +
                      " m: it may pass through vertices",
                  "allowed: slower key-frames, a time step of at most " +
                      brief_text_below(scene_.time.step * thickness_ / longest) +
                      " s, or a thickness of at least " + brief_text_above(longest) + " m");
    }
  }

  /// The turn of an obstacle within a step. A step knows where what touched it has come to, not the way
  /// there: that a whole turn leads back to where it began makes it none.
  void turns() {
    if (!has_time_ || report_.is_bad("contact")) return;
    for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o) {
      const ObstacleTrack& track = assembly_.obstacles[o];
      if (!track.is_exact || track.rotations.empty()) continue;
      const RigidSurface surface = track.sized();
      double largest = 0.0, way = 0.0;
      Count step = 0;
      WayOfSurface way_of(track, reach_of_bodies(track.surface.origin));
      for (Count s = 0; s < scene_.time.steps; ++s) {
        const Placement from = place(track, s), to = place(track, s + 1);
        const double turn = turn_between(surface, from, to);
        if (turn > largest * (1.0 + 1e-9)) largest = turn, step = s;
        if (turn > most_turn) way = std::max(way, way_of(from, to));
      }
      if (!(largest > most_turn * (1.0 + 1e-9))) continue;
      // A round surface without friction does nothing by its turning.
      if (!rubs(o) && !(way > 1e-9 * norm(track.surface.origin) + 1e-12)) continue;
      report_.add(scene_.source, "obstacle." + std::to_string(o) + ".rotations",
                  "obstacle " + in_quotes(scene_.obstacles[o].name) + " turns by " +
                      brief_text(largest * degrees) + " degrees in step " + std::to_string(step + 1) +
                      ", more than " + brief_text(most_turn * degrees) +
                      ": a step knows where its surface comes to, and not the way there",
                  "allowed: slower key-frames, or a time step of at most " +
                      brief_text_below(scene_.time.step * most_turn / largest) + " s");
    }
  }

  void pins() {
    if (!has_time_) return;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      if (!is_placed_[b]) continue;
      std::size_t number = 0;
      for (const PinTrack& track : assembly_.pin_tracks) {
        if (track.vertices.empty() || !is_of(b, track.vertices.front())) continue;
        for (std::size_t o = 0; o < assembly_.obstacles.size(); ++o) pin(b, number, track, o);
        ++number;
      }
    }
  }

 private:
  [[nodiscard]] double time(Count step) const { return scene_.time.at(step); }

  /// Whether the table at `key`, or one of the keys in it, has a finding.
  [[nodiscard]] bool is_bad(const std::string& key, std::initializer_list<const char*> names) const {
    return report_.is_bad_itself(key) || std::any_of(names.begin(), names.end(), [&](const char* name) {
             return report_.is_bad(key + "." + name);
           });
  }
  [[nodiscard]] bool is_of(std::size_t body, Index vertex) const {
    return vertex >= assembly_.body_offsets[body] && vertex < assembly_.body_offsets[body + 1];
  }

  [[nodiscard]] Placement place(const ObstacleTrack& track, Count step) const {
    return track.placement(time(step), scene_.time.step);
  }

  /// The smallest translation found that frees the body, in as few digits as do: "[0, 0, 0.1] m, 0.1 m in
  /// all". Each component is rounded to a longer way, which inside of a shape may lead through another wall.
  [[nodiscard]] std::string way_text(const StartInside& inside) const {
    const std::optional<Vec3> way = way_out(assembly_, inside);
    if (!way) return "";
    Vec3 rounded = *way;
    for (int digits = first_digits; digits <= all_digits; ++digits) {
      rounded = {rounded_up(way->x, digits), rounded_up(way->y, digits), rounded_up(way->z, digits)};
      if (frees(assembly_, inside, rounded))
        return vector_text(rounded, digits) + " m, " + brief_text(norm(rounded)) + " m in all";
    }
    return vector_text(*way, all_digits + 1) + " m, " + brief_text(norm(*way)) + " m in all";
  }

  /// Whether bodies rub obstacle `o`, or stick to it.
  [[nodiscard]] bool rubs(std::size_t o) const {
    if (obstacles_stick(scene_)) return true;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      if (friction_between(assembly_, b, o).value > 0.0) return true;
    return false;
  }

  /// How far from `origin` vertices that may touch start, m.
  [[nodiscard]] double reach_of_bodies(const Vec3& origin) const {
    double reach = 0.0;
    for (const Index v : touching_vertices(assembly_))
      reach = std::max(reach, norm(assembly_.initial_positions[static_cast<std::size_t>(v)] - origin));
    return reach;
  }

  /// Pinned vertices that are outside at first and are inside later: what they hold would be torn. A roller
  /// that could slide out is left alone.
  void pin(std::size_t body, std::size_t number, const PinTrack& pin, std::size_t o) {
    const ObstacleTrack& track = assembly_.obstacles[o];
    if (!track.is_exact || (pin.offsets.empty() && !track.moves()) || pin.vertices.empty()) return;
    const RigidSurface surface = track.sized();
    const Count steps = scene_.time.steps, held = static_cast<Count>(pin.vertices.size());
    const Count stride = std::max<Count>({1, steps / most_times, steps * held / most_comparisons});
    std::vector<double> at_start;
    for (Count s = 0; s <= steps; s += stride) {
      const PlacedSurface placed(surface, place(track, s));
      const std::vector<Vec3> offsets = offsets_of_pins(s);
      for (std::size_t k = 0; k < pin.vertices.size(); ++k) {
        const Held& by = held_.at(pin.vertices[k]);
        const Vec3& start = assembly_.initial_positions[static_cast<std::size_t>(pin.vertices[k])];
        const SurfaceView seen = placed.view(start + by.offset(offsets));
        if (s == 0) at_start.push_back(seen.distance);
        const double size = norm(start) + norm(placed.origin());
        if (at_start[k] < 0.0 || seen.distance >= -rounded_depth * size) continue;
        if (norm(seen.normal - by.projector() * seen.normal) > 1e-6) continue;
        return add_pin(body, number, o, pin.vertices[k], -seen.distance, time(s));
      }
    }
  }

  [[nodiscard]] std::vector<Vec3> offsets_of_pins(Count step) const {
    std::vector<Vec3> offsets;
    for (const PinTrack& pin : assembly_.pin_tracks)
      offsets.push_back(pin.offsets.empty() ? Vec3{} : evaluate(pin.offsets, time(step), scene_.time.step));
    return offsets;
  }

  void add_pin(std::size_t b, std::size_t p, std::size_t o, Index vertex, double depth, double when) {
    const std::vector<Pin>& pins = scene_.bodies[b].pins;
    report_.add(scene_.source,
                "body." + std::to_string(b) + ".pin." + std::to_string(p) +
                    (pins[p].offsets.empty() ? ".group" : ".offsets"),
                "pin " + in_quotes(pins[p].group) + " is swept into obstacle " +
                    in_quotes(scene_.obstacles[o].name) + ": vertex " +
                    std::to_string(vertex - assembly_.body_offsets[b]) + " of body " +
                    in_quotes(scene_.bodies[b].name) + " is " + brief_text(depth) + " m inside at " +
                    brief_text(when) + " s",
                "allowed: key-frames that keep pins outside of obstacles with law = \"exact\"");
  }

  const Assembly& assembly_;
  const Scene& scene_;
  Report& report_;
  double thickness_;
  bool has_time_;
  std::map<Index, Held> held_;
  std::vector<bool> is_placed_;  ///< Whether it is known where a body's vertices start and which may touch.
};

}  // namespace

void check_contact(const Assembly& assembly, Report& report) {
  ContactFindings findings(assembly, report);
  findings.starts();
  findings.speeds();
  findings.turns();
  findings.pins();
}

}  // namespace electret
