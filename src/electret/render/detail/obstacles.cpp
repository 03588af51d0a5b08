#include <algorithm>
#include <cmath>

#include <electret/render/camera.hpp>
#include <electret/render/detail/obstacles.hpp>

namespace electret::render {
namespace {

constexpr Colour obstacle_colour{0.74, 0.73, 0.71};
/// Cosine of the largest angle between a normal and `up` at which a plane counts as level.
constexpr double least_level = 0.9999;
/// The radius of the rods along edges, as a part of the picture's size.
constexpr double edge_width = 0.002;

/// A square across `normal`, about `foot`, m.
Surface square(const Vec3& foot, const Vec3& normal, double size) {
  const CameraAxes sides =
      axes({.eye = normal, .target = {}, .up = std::abs(normal.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}});
  const Vec3 a = (0.5 * size) * sides.right, b = (0.5 * size) * sides.up;
  return {.positions = {foot - a - b, foot + a - b, foot + a + b, foot - a + b},
          .faces = {{0, 1, 2}, {0, 2, 3}},
          .colours = std::vector<Colour>(4, obstacle_colour)};
}

}  // namespace

DrawnObstacles::DrawnObstacles(const std::vector<ObstacleTrack>& tracks, double time_step)
    : time_step_(time_step) {
  for (const ObstacleTrack& track : tracks) all_.push_back({track, 0.0});
}

PlacedSurface DrawnObstacles::surface_at(const Drawn& drawn, double time) const {
  return {drawn.track.surface, drawn.track.placement(time, time_step_)};
}

void DrawnObstacles::clear() {
  for (Drawn& drawn : all_) drawn.depth = 0.0;
}

void DrawnObstacles::add(const Vec3& x, double time) {
  if (!is_finite(x)) return;
  for (Drawn& drawn : all_) {
    const PlacedSurface surface = surface_at(drawn, time);
    if (surface.may_hold(x)) drawn.depth = std::max(drawn.depth, -surface.view(x).distance);
  }
}

DrawnObstacles::Placed DrawnObstacles::placed(const Drawn& drawn, double time) const {
  const PlacedSurface surface = surface_at(drawn, time);
  Placed result{drawn.track.surface.shape->drawing(lowered(drawn)), surface.origin()};
  ShapeDrawing& shape = result.shape;
  if (shape.plane) {
    shape.plane = surface.turned(*shape.plane);
    result.origin -= lowered(drawn) * *shape.plane;
  }
  for (Vec3& x : shape.vertices) x = result.origin + surface.turned(x);
  for (auto& line : shape.lines)
    for (Vec3& end : line) end = result.origin + surface.turned(end);
  return result;
}

std::vector<Ball> DrawnObstacles::extents(double time) const {
  std::vector<Ball> result;
  for (const Drawn& drawn : all_) {
    const double reach = drawn.track.surface.shape->reach();
    if (!std::isfinite(reach)) continue;
    const PlacedSurface surface = surface_at(drawn, time);
    result.push_back({surface.origin(), reach - std::min(lowered(drawn), 0.1 * reach), obstacle_colour});
  }
  return result;
}

std::optional<double> DrawnObstacles::ground(const Vec3& up, double time) const {
  std::optional<double> height;
  for (const Drawn& drawn : all_) {
    const Placed at = placed(drawn, time);
    if (!at.shape.plane || dot(*at.shape.plane, up) < least_level) continue;
    const double own = dot(at.origin, up);
    height = std::max(height.value_or(own), own);
  }
  return height;
}

void DrawnObstacles::add_to(Picture& picture, const Sight& sight, double time) const {
  for (const Drawn& drawn : all_) {
    Placed at = placed(drawn, time);
    if (at.shape.plane) {
      const Vec3& n = *at.shape.plane;
      if (sight.size > 0.0 && dot(n, sight.up) < least_level)
        picture.surfaces.push_back(
            square(sight.centre - dot(n, sight.centre - at.origin) * n, n, sight.size));
    } else if (at.shape.ball) {
      picture.balls.push_back({at.origin, *at.shape.ball, obstacle_colour});
    } else if (!at.shape.faces.empty()) {
      std::vector<Colour> colours(at.shape.vertices.size(), obstacle_colour);
      picture.surfaces.push_back({.positions = std::move(at.shape.vertices),
                                  .faces = std::move(at.shape.faces),
                                  .colours = std::move(colours)});
    } else {
      const double width = edge_width * sight.size;
      for (const auto& [from, to] : at.shape.lines)
        picture.rods.push_back({from, to, width, width, obstacle_colour});
    }
  }
}

}  // namespace electret::render
