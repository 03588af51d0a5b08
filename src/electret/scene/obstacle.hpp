#pragma once
/// \file
/// The obstacles of a scene: the words of their table, its checks beyond those of the rows, and their
/// conversion to tracks.

#include <array>
#include <string_view>

#include <electret/scene/assembly.hpp>
#include <electret/scene/report.hpp>

namespace electret {

inline constexpr auto obstacle_laws = std::to_array<std::string_view>({"penalty", "exact", "sticking"});

/// Coulomb's coefficient, beyond which the steps of exact obstacles may not be solved.
inline constexpr double most_friction = 2.0;

/// The law of `obstacle`: its own, else that of `[contact]`, else `exact`.
std::string law_of(const Scene& scene, const Obstacle& obstacle);

/// Whether the obstacles that do not push by a penalty have the law `sticking`. A scene has either this or
/// `exact`.
bool obstacles_stick(const Scene& scene);

/// Finds, of the obstacle at `key`, keys that belong to another shape, missing keys of the shape, a normal
/// or an axis without a direction, and friction without its stiffness.
void check_obstacle(const Scene& scene, const Obstacle& obstacle, const std::string& key, Report& report);

/// The track of an obstacle that was checked. `mesh` is that in its file, if it has one. Throws InputError
/// without a place for a mesh that is no closed surface.
ObstacleTrack obstacle_track(const Scene& scene, const Obstacle& obstacle, const Mesh& mesh);

}  // namespace electret
