#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <electret/geometry/shapes/shapes.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/obstacle_shapes.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

bool has(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// "a, b and c".
template <class Texts>
std::string list_text(const Texts& texts, const std::string& last) {
  std::string text;
  for (std::size_t k = 0; k < texts.size(); ++k)
    text += (k == 0 ? "" : k + 1 == texts.size() ? last : ", ") + std::string(texts[k]);
  return text;
}

/// "a box has centre and size, and may have rotate and inside".
std::string keys_of(const ObstacleShape& shape) {
  const std::string text = "a " + std::string(shape.name) + " has " + list_text(shape.needs, " and ");
  return shape.takes.empty() ? text : text + ", and may have " + list_text(shape.takes, " and ");
}

class ObstacleChecker {
 public:
  ObstacleChecker(const Scene& scene, Report& report) : scene_(scene), report_(report) {}

  void check(const Obstacle& obstacle, const std::string& key) {
    shape(obstacle, key);
    direction(obstacle.normal, key, "normal");
    direction(obstacle.axis, key, "axis");
    direction(obstacle.towards, key, "towards");
    across(obstacle, key);
    const std::string law = law_of(scene_, obstacle);
    if (law != "penalty") by_contact(obstacle, law, key);
    if (law != "penalty") return;
    if (std::isinf(obstacle.friction.value_or(0.0)) && !report_.is_bad(key + ".friction"))
      return add(key + ".friction", "friction = \"stick\" does not go with law = \"penalty\"",
                 "allowed: a number >= 0, or law = \"exact\"");
    if (!obstacle.stiffness && !report_.is_bad(key + ".stiffness"))
      add(key, "law = \"penalty\" needs \"stiffness\" in [[obstacle]]",
          "allowed: a number >= 0, in N/m^(exponent - 1)");
    if (obstacle.friction.value_or(0.0) > 0.0 && !obstacle.friction_stiffness &&
        !report_.is_bad(key + ".friction_stiffness") && !report_.is_bad(key + ".friction"))
      add(key + ".friction", "\"friction\" is written without \"friction_stiffness\"",
          "friction needs it: a number > 0, in N s/m");
  }

 private:
  void add(const std::string& key, std::string message, std::string allowed) {
    report_.add(scene_.source, key, std::move(message), std::move(allowed));
  }

  /// These laws have one number at most, friction, and steps that only two methods solve.
  void by_contact(const Obstacle& obstacle, const std::string& law, const std::string& key) {
    const std::string of_law = "law = " + in_quotes(law);
    const std::string named = obstacle.law.empty() ? key + ".name" : key + ".law";
    const auto is_for_penalty = [&](const char* name, bool is_written) {
      if (!is_written || report_.is_bad(key + "." + name)) return;
      if (obstacle.law.empty())
        add(key + "." + name,
            in_quotes(name) + " is for law = \"penalty\", and obstacle " + in_quotes(obstacle.name) +
                " has " + of_law + " because it names none",
            "write law = \"penalty\", or leave " + in_quotes(name) + " out");
      else
        add(key + "." + name, in_quotes(name) + " does not go with " + of_law,
            "it is for law = \"penalty\" only");
    };
    if (law == "sticking") by_sticking(obstacle, key, named);
    is_for_penalty("stiffness", obstacle.stiffness.has_value());
    is_for_penalty("friction_stiffness", obstacle.friction_stiffness.has_value());
    const double friction = obstacle.friction.value_or(0.0);
    if (std::isfinite(friction) && friction > most_friction && !report_.is_bad(key + ".friction"))
      add(key + ".friction", "\"friction\" = " + number_text(friction) + " is too large for " + of_law,
          "allowed: at most " + number_text(most_friction) + ", or \"stick\"");
    const std::string &method = scene_.integrator.method, &solver = scene_.integrator.elastic_solver;
    if (method != "imex" && method != "newton" && method != "auto" && !report_.is_bad("integrator.method"))
      add(named, of_law + " does not go with method = " + in_quotes(method),
          "allowed: method = \"imex\", \"newton\" or \"auto\", or law = \"penalty\"");
    if (solver != "auto" && solver != "newton_cg" && !report_.is_bad("integrator.elastic_solver"))
      add(named, of_law + " does not go with elastic_solver = " + in_quotes(solver),
          "allowed: elastic_solver = \"auto\" or \"newton_cg\"");
  }

  void by_sticking(const Obstacle& obstacle, const std::string& key, const std::string& named) {
    if (obstacle.friction && !report_.is_bad(key + ".friction"))
      add(key + ".friction", "\"friction\" does not go with law = \"sticking\"",
          "what touches such an obstacle does not slide: leave it out, or write law = \"exact\"");
    const bool is_beside_exact =
        std::any_of(scene_.obstacles.begin(), scene_.obstacles.end(),
                    [&](const Obstacle& other) { return law_of(scene_, other) == "exact"; });
    if (is_beside_exact)
      add(named, "an obstacle with law = \"sticking\" stands beside one with law = \"exact\"",
          "allowed: one of these laws in a scene, and any number with law = \"penalty\"");
  }

  void shape(const Obstacle& obstacle, const std::string& key) {
    const ObstacleShape* shape = find_obstacle_shape(obstacle.shape);
    if (shape == nullptr || report_.is_bad(key + ".shape")) return;
    for (const ObstacleShapeKey& each : obstacle_shape_keys()) {
      const std::string name(each.key), own = key + "." + name;
      const bool is_needed = has(shape->needs, each.key), is_written = each.is_written(obstacle);
      if (report_.is_bad(own)) continue;
      if (is_written && !is_needed && !has(shape->takes, each.key))
        add(own, in_quotes(name) + " does not go with shape = " + in_quotes(obstacle.shape),
            "it is for shape = " + shapes_with(each.key) + " only");
      if (is_needed && !is_written)
        add(own, "shape = " + in_quotes(obstacle.shape) + " needs " + in_quotes(name) + " in [[obstacle]]",
            keys_of(*shape));
    }
  }

  static std::string shapes_with(std::string_view key) {
    std::vector<std::string> names;
    for (const ObstacleShape& shape : obstacle_shapes())
      if (has(shape.needs, key) || has(shape.takes, key)) names.push_back(in_quotes(std::string(shape.name)));
    return list_text(names, " or ");
  }

  void direction(const std::optional<Vec3>& given, const std::string& key, const std::string& name) {
    if (given == Vec3{} && !report_.is_bad(key + "." + name))
      add(key + "." + name, in_quotes(name) + " in [[obstacle]] is [0, 0, 0]: it has no direction",
          "allowed: three numbers that are not all 0");
  }

  /// Whether a trough's `towards` is across its axis, to a millionth.
  void across(const Obstacle& obstacle, const std::string& key) {
    if (!obstacle.axis || !obstacle.towards || report_.is_bad(key + ".axis") ||
        report_.is_bad(key + ".towards"))
      return;
    const double part =
        std::abs(dot(*obstacle.axis, *obstacle.towards)) / (norm(*obstacle.axis) * norm(*obstacle.towards));
    if (part > 1e-6)
      add(key + ".towards", "\"towards\" in [[obstacle]] is not across \"axis\"",
          "allowed: a direction at right angles to the axis");
  }

  const Scene& scene_;
  Report& report_;
};

}  // namespace

void check_obstacle(const Scene& scene, const Obstacle& obstacle, const std::string& key, Report& report) {
  ObstacleChecker(scene, report).check(obstacle, key);
}

std::string law_of(const Scene& scene, const Obstacle& obstacle) {
  if (!obstacle.law.empty()) return obstacle.law;
  return scene.contact ? scene.contact->law : ContactOptions{}.law;
}

bool obstacles_stick(const Scene& scene) {
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [&](const Obstacle& obstacle) { return law_of(scene, obstacle) == "sticking"; });
}

ObstacleTrack obstacle_track(const Scene& scene, const Obstacle& obstacle, const Mesh& mesh) {
  const ObstacleShape& row = *find_obstacle_shape(obstacle.shape);
  ObstacleTrack track;
  track.surface.shape = row.make(obstacle, mesh);
  if (obstacle.inside) track.surface.shape = make_inside_out(track.surface.shape);
  for (const std::optional<Vec3>& origin : {obstacle.point, obstacle.centre, obstacle.translate})
    if (origin) track.surface.origin = *origin;
  track.radius = track.surface.shape->radius().value_or(0.0);
  track.stiffness = obstacle.stiffness.value_or(0.0);
  track.is_exact = law_of(scene, obstacle) != "penalty";
  track.takes_common_friction =
      track.is_exact && !obstacle.friction && scene.contact && scene.contact->friction;
  track.exponent = obstacle.exponent;
  track.friction = obstacle.friction.value_or(0.0);
  track.friction_stiffness = obstacle.friction_stiffness.value_or(0.0);
  track.name = "obstacle." + obstacle.name;
  if (!obstacle.offsets.empty()) track.offsets = {obstacle.times, obstacle.offsets, obstacle.interpolation};
  if (!obstacle.rotations.empty())
    track.rotations = {obstacle.times, obstacle.rotations, obstacle.interpolation};
  return track;
}

RigidSurface ObstacleTrack::sized() const {
  const std::optional<double> own = surface.shape->radius();
  if (!own || *own == radius || radius == 0.0) return surface;
  return {surface.shape->of_radius(radius), surface.origin};
}

Placement ObstacleTrack::placement(double time, double time_step) const {
  Placement result;
  if (!offsets.empty()) {
    result.offset = evaluate(offsets, time, time_step);
    result.velocity = rate(offsets, time, time_step);
  }
  if (!rotations.empty()) {
    result.rotation = evaluate(rotations, time, time_step);
    result.turning = rate(rotations, time, time_step);
  }
  return result;
}

}  // namespace electret
