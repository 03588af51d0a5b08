#pragma once
/// \file
/// `[[obstacle]]`.

#include <optional>
#include <string>

#include <electret/geometry/penalty.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[obstacle]]`: a rigid surface that pushes vertices out. A plane has a point and a normal, a sphere a
/// centre and a radius.
struct Obstacle {
  std::string name{};
  std::string shape{};                         ///< One of `obstacle_shapes` (obstacle.hpp).
  std::optional<Vec3> point{}, normal{};       ///< m; the normal points out and is not 0.
  std::optional<Vec3> centre{};                ///< m.
  std::optional<double> radius{};              ///< m, > 0.
  std::string law{};                           ///< One of `obstacle_laws`.
  double stiffness = 0.0;                      ///< N/m^(exponent - 1).
  double exponent = 3.0;                       ///< Exponent of the depth in the energy, ≥ 2.
  double friction = 0.0;                       ///< Coulomb's coefficient.
  std::optional<double> friction_stiffness{};  ///< N s/m, > 0; needed with friction.
};

/// One `[[obstacle]]`.
struct ObstacleTrack {
  RigidSurface surface;
  double stiffness = 0.0;           ///< N/m^(exponent - 1).
  double exponent = 3.0;            ///< ≥ 2.
  double friction = 0.0;            ///< ≥ 0.
  double friction_stiffness = 0.0;  ///< N s/m; 0 if the scene has none: no friction.
  std::string name;                 ///< "obstacle.NAME".

  [[nodiscard]] Penalty penalty() const { return {surface, stiffness, exponent}; }
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind obstacle_stiffness, obstacle_friction, obstacle_friction_stiffness;
}

/// The table itself.
SceneTable obstacle_table();

}  // namespace electret
