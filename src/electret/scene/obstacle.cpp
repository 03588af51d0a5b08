#include <string>
#include <utility>

#include <electret/core/direction.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// A key that belongs to a single shape.
struct ShapeKey {
  const char* key;
  const char* shape;
  bool (*is_written)(const Obstacle&);
};

constexpr ShapeKey shape_keys[] = {
    {"point", "plane", [](const Obstacle& o) { return o.point.has_value(); }},
    {"normal", "plane", [](const Obstacle& o) { return o.normal.has_value(); }},
    {"centre", "sphere", [](const Obstacle& o) { return o.centre.has_value(); }},
    {"radius", "sphere", [](const Obstacle& o) { return o.radius.has_value(); }}};

class ObstacleChecker {
 public:
  ObstacleChecker(const Scene& scene, Report& report) : scene_(scene), report_(report) {}

  void check(const Obstacle& obstacle, const std::string& key) {
    shape(obstacle, key);
    if (obstacle.normal == Vec3{} && !report_.is_bad(key + ".normal"))
      add(key + ".normal", "\"normal\" in [[obstacle]] is [0, 0, 0]: it has no direction",
          "allowed: three numbers that are not all 0");
    if (obstacle.friction > 0.0 && !obstacle.friction_stiffness &&
        !report_.is_bad(key + ".friction_stiffness") && !report_.is_bad(key + ".friction"))
      add(key + ".friction", "\"friction\" is written without \"friction_stiffness\"",
          "friction needs it: a number > 0, in N s/m");
  }

 private:
  void add(const std::string& key, std::string message, std::string allowed) {
    report_.add(scene_.source, key, std::move(message), std::move(allowed));
  }

  void shape(const Obstacle& obstacle, const std::string& key) {
    if (report_.is_bad(key + ".shape")) return;
    for (const ShapeKey& each : shape_keys) {
      const std::string own = key + "." + each.key;
      const bool is_its_own = obstacle.shape == each.shape, is_written = each.is_written(obstacle);
      if (is_its_own == is_written || report_.is_bad(own)) continue;
      if (is_written)
        add(own, in_quotes(each.key) + " does not go with shape = " + in_quotes(obstacle.shape),
            "it is for shape = " + in_quotes(each.shape) + " only");
      else
        add(own,
            "shape = " + in_quotes(obstacle.shape) + " needs " + in_quotes(each.key) + " in [[obstacle]]",
            obstacle.shape == "plane" ? "a plane has point and normal" : "a sphere has centre and radius");
    }
  }

  const Scene& scene_;
  Report& report_;
};

}  // namespace

void check_obstacle(const Scene& scene, const Obstacle& obstacle, const std::string& key, Report& report) {
  ObstacleChecker(scene, report).check(obstacle, key);
}

ObstacleTrack obstacle_track(const Obstacle& obstacle) {
  ObstacleTrack track;
  if (obstacle.shape == "plane")
    track.surface = Plane{obstacle.point.value(), direction_of(obstacle.normal.value())};
  else
    track.surface = Sphere{obstacle.centre.value(), obstacle.radius.value()};
  track.stiffness = obstacle.stiffness;
  track.exponent = obstacle.exponent;
  track.friction = obstacle.friction;
  track.friction_stiffness = obstacle.friction_stiffness.value_or(0.0);
  track.name = "obstacle." + obstacle.name;
  return track;
}

}  // namespace electret
