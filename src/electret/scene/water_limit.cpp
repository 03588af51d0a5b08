#include <algorithm>
#include <cmath>
#include <numbers>

#include <electret/scene/tables/hydrodynamics.hpp>
#include <electret/scene/tables/pins.hpp>
#include <electret/scene/water_limit.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

constexpr std::string_view unresolved_water = " m/s through the water, which the step does not resolve: ";

/// Each vertex's share of the faces at rest, m².
std::vector<double> wet_areas(const Assembly& assembly, const WaterTrack& water) {
  std::vector<double> areas(assembly.masses.size(), 0.0);
  for (const WetFace& face : water.faces) {
    const auto at = [&](std::size_t k) {
      return assembly.rest_positions[static_cast<std::size_t>(face.corners[k])];
    };
    const int corners = face.corner_count();
    double whole = 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
    if (corners == 4) whole += 0.5 * norm(cross(at(2) - at(0), at(3) - at(0)));
    for (std::size_t k = 0; k < static_cast<std::size_t>(corners); ++k)
      areas[static_cast<std::size_t>(face.corners[k])] += whole / corners;
  }
  return areas;
}

double largest_ordinate(const std::vector<double>& ordinates) {
  double largest = 0.0;
  for (const double b : ordinates) largest = std::max(largest, std::abs(b));
  return largest;
}

}  // namespace

WaterLimit::WaterLimit(const Assembly& assembly, const WaterTrack& water)
    : water_(water.velocity), per_speed_(wet_areas(assembly, water)) {
  const double factor = assembly.scene.time.step * water.density *
                        (largest_ordinate(water.drag) + largest_ordinate(water.thrust));
  for (std::size_t v = 0; v < per_speed_.size(); ++v) per_speed_[v] *= factor / assembly.masses[v];
  for (const Index v : pinned_vertices(assembly)) per_speed_[static_cast<std::size_t>(v)] = 0.0;
  if (!water.max_force) return;
  const double push = std::numbers::sqrt3 * assembly.scene.time.step * *water.max_force;
  for (const double mass : assembly.masses) most_.push_back(push / mass);
}

WaterTurning WaterLimit::fastest(VectorView velocities) const {
  WaterTurning result;
  for (std::size_t v = 0; v < per_speed_.size(); ++v) {
    if (per_speed_[v] == 0.0) continue;
    const double speed = norm(velocities[v] - water_);
    double ratio = per_speed_[v] * speed;
    if (!most_.empty()) ratio = std::min(ratio, 2.0 * most_[v] / speed);
    if (ratio > result.ratio) result = {v, ratio, speed, 2.0 / per_speed_[v], !most_.empty()};
  }
  return result;
}

WaterWarning water_warning(const Assembly& assembly, const WaterTurning& turning) {
  std::size_t body = 0;
  while (assembly.body_offsets[body + 1] <= static_cast<Count>(turning.vertex)) ++body;
  return {"a vertex of body " + in_quotes(assembly.scene.bodies[body].name) + " moves at " +
              brief_text(turning.speed) + std::string(unresolved_water) + "the water may throw it back",
          "the step resolves up to " + brief_text(turning.resolved) + " m/s there; use a smaller step, or " +
              (turning.is_capped ? "a smaller max_force" : "max_force")};
}

bool tells_of_water(std::string_view text) {
  return text.find(unresolved_water) != std::string_view::npos;
}

}  // namespace electret
