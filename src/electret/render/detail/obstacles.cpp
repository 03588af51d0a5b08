#include <algorithm>
#include <cmath>
#include <variant>

#include <electret/render/camera.hpp>
#include <electret/render/detail/obstacles.hpp>

namespace electret::render {
namespace {

constexpr Colour obstacle_colour{0.74, 0.73, 0.71};
/// The most by which a sphere is drawn smaller, as a fraction of its radius. A body that is deeper in it is
/// seen to be so.
constexpr double most_depth = 0.1;
/// Cosine of the largest angle between a normal and `up` at which a plane counts as level.
constexpr double least_level = 0.9999;

}  // namespace

DrawnObstacles::DrawnObstacles(const std::vector<ObstacleTrack>& tracks) {
  for (const ObstacleTrack& track : tracks) all_.push_back({track.surface, 0.0});
}

void DrawnObstacles::clear() {
  for (Drawn& drawn : all_) drawn.depth = 0.0;
}

void DrawnObstacles::add(const Vec3& x) {
  if (!is_finite(x)) return;
  for (Drawn& drawn : all_) drawn.depth = std::max(drawn.depth, -view(drawn.surface, x).distance);
}

std::vector<Ball> DrawnObstacles::balls() const {
  std::vector<Ball> result;
  for (const Drawn& drawn : all_)
    if (const auto* sphere = std::get_if<Sphere>(&drawn.surface))
      result.push_back({sphere->centre,
                        sphere->radius - std::min(lowered(drawn), most_depth * sphere->radius),
                        obstacle_colour});
  return result;
}

std::optional<double> DrawnObstacles::ground(const Vec3& up) const {
  std::optional<double> height;
  for (const Drawn& drawn : all_) {
    const auto* plane = std::get_if<Plane>(&drawn.surface);
    if (plane == nullptr || dot(plane->normal, up) < least_level) continue;
    const double own = dot(plane->point, up) - lowered(drawn);
    height = std::max(height.value_or(own), own);
  }
  return height;
}

void DrawnObstacles::add_slopes(const Vec3& centre, double size, const Vec3& up, Picture& picture) const {
  for (const Drawn& drawn : all_) {
    const auto* plane = std::get_if<Plane>(&drawn.surface);
    if (plane == nullptr || dot(plane->normal, up) >= least_level) continue;
    const Vec3& n = plane->normal;
    const Vec3 foot = centre - (view(*plane, centre).distance + lowered(drawn)) * n;
    const CameraAxes sides =
        axes({.eye = n, .target = {}, .up = std::abs(n.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}});
    const Vec3 a = (0.5 * size) * sides.right, b = (0.5 * size) * sides.up;
    picture.surfaces.push_back({.positions = {foot - a - b, foot + a - b, foot + a + b, foot - a + b},
                                .faces = {{0, 1, 2}, {0, 2, 3}},
                                .colours = std::vector<Colour>(4, obstacle_colour)});
  }
}

}  // namespace electret::render
