#pragma once
/// \file
/// The obstacles of a scene: the words of their table, its checks beyond those of the rows, and their
/// conversion to tracks.

#include <array>
#include <string_view>

#include <electret/scene/assembly.hpp>
#include <electret/scene/report.hpp>

namespace electret {

inline constexpr auto obstacle_shapes = std::to_array<std::string_view>({"plane", "sphere"});
inline constexpr auto later_obstacle_shapes =
    std::to_array<std::string_view>({"box", "cylinder", "capsule", "mesh"});
inline constexpr auto obstacle_laws = std::to_array<std::string_view>({"penalty"});
inline constexpr auto later_obstacle_laws = std::to_array<std::string_view>({"exact", "sticking"});

/// Finds, of the obstacle at `key`, keys that belong to another shape, missing keys of the shape, a normal
/// without a direction, and friction without its stiffness.
void check_obstacle(const Scene& scene, const Obstacle& obstacle, const std::string& key, Report& report);

/// The track of an obstacle that was checked.
ObstacleTrack obstacle_track(const Obstacle& obstacle);

}  // namespace electret
