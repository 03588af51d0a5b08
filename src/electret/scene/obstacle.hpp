#pragma once
/// \file
/// Obstacles of a scene: the words of their table, what is wrong with it beyond its rows, and what they
/// become.

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

/// Finds names that are empty or written twice, keys of another shape, missing keys of the own one, normals
/// without a direction, and friction without its stiffness.
void check_obstacles(const Scene& scene, Report& report);

/// A checked obstacle.
ObstacleTrack obstacle_track(const Obstacle& obstacle);

}  // namespace electret
