#pragma once
/// \file
/// The shapes of `[[obstacle]]`, a row each. Reader, checks, reference and pictures use this list.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/geometry/mesh.hpp>
#include <electret/geometry/rigid_shape.hpp>
#include <electret/scene/tables/obstacles.hpp>

namespace electret {

struct ObstacleShape {
  std::string_view name;
  std::vector<std::string_view> needs;  ///< The keys that it must have.
  std::vector<std::string_view> takes;  ///< Further keys that it may have.
  std::string_view origin;              ///< The key that says where its origin is.
  /// Makes it about its origin. `mesh` is the one that the obstacle names. A mesh that is no closed surface
  /// throws InputError. How it is drawn is said by the shape itself (RigidShape::drawing).
  std::shared_ptr<const RigidShape> (*make)(const Obstacle& obstacle, const Mesh& mesh);
};

/// All shapes, in the order of the reference.
std::span<const ObstacleShape> obstacle_shapes();
/// The shape called `name`, or null.
const ObstacleShape* find_obstacle_shape(std::string_view name);

/// The names of all shapes.
std::vector<std::string_view> obstacle_shape_names();
/// What each shape needs, as a sentence of the reference.
std::string obstacle_shape_reference();

/// A key that belongs to some of the shapes.
struct ObstacleShapeKey {
  std::string_view key;
  bool (*is_written)(const Obstacle& obstacle);
};
std::span<const ObstacleShapeKey> obstacle_shape_keys();

}  // namespace electret
