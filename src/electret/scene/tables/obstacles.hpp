#pragma once
/// \file
/// `[[obstacle]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/geometry/penalty.hpp>
#include <electret/geometry/placement.hpp>
#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[obstacle]]`: a rigid surface that pushes vertices out. `obstacle_shapes` (obstacle_shapes.hpp) says
/// which of the keys of a shape go together.
struct Obstacle {
  std::string name{};
  std::string shape{};                    ///< One of `obstacle_shapes`.
  std::optional<Vec3> point{}, normal{};  ///< m; the normal points out and is not 0.
  std::optional<Vec3> centre{};           ///< m.
  std::optional<Vec3> size{};             ///< m, > 0: the sides of a box.
  std::optional<Vec3> axis{};             ///< Any length but 0.
  std::optional<double> radius{};         ///< m, > 0.
  std::optional<double> length{};         ///< m, > 0.
  std::optional<Vec3> towards{};          ///< The middle of a trough, seen from its axis; across the axis.
  std::optional<double> angle{};          ///< Degrees, > 0 and < 360: a trough's.
  std::string mesh{};                     ///< A mesh file, relative to the scene's folder.
  std::optional<double> scale{};          ///< Of the mesh, > 0.
  std::optional<Vec3> rotate{};           ///< Degrees, of a box or a mesh.
  std::optional<Vec3> translate{};        ///< m, of the mesh.
  bool inside = false;                    ///< Whether bodies are inside the shape.
  std::vector<double> times{};            ///< s; empty: it rests.
  std::vector<Vec3> offsets{};            ///< m, one per time, or empty.
  std::vector<Vec3> rotations{};          ///< Degrees, one per time, or empty.
  Interpolation interpolation = Interpolation::linear;
  std::string law{};                  ///< One of `obstacle_laws`; "": that of `[contact]`.
  std::optional<double> stiffness{};  ///< N/m^(exponent - 1); needed with the law `penalty`.
  double exponent = 3.0;              ///< Exponent of the depth in the energy, ≥ 2.
  std::optional<double> friction{};   ///< Coulomb's; infinite: "stick"; absent: that of `[contact]`, or 0.
  std::optional<double> friction_stiffness{};  ///< N s/m, > 0; needed with friction.
};

/// One `[[obstacle]]`.
struct ObstacleTrack {
  RigidSurface surface{};                  ///< As the scene has it, before it moves.
  double stiffness = 0.0;                  ///< N/m^(exponent - 1).
  double exponent = 3.0;                   ///< ≥ 2.
  double friction = 0.0;                   ///< ≥ 0; infinite: vertices that touch it do not slide.
  double friction_stiffness = 0.0;         ///< N s/m; 0 if the scene has none: no friction.
  bool is_exact = false;                   ///< The law is not `penalty`: it has no stiffness.
  bool takes_common_friction = false;      ///< Its friction is that of `[contact]`.
  std::string name{};                      ///< "obstacle.NAME".
  double radius = 0.0;                     ///< m, in place of the surface's own; 0 if the shape has none.
  KeyFrames<Vec3> offsets{}, rotations{};  ///< m, degrees; empty: at rest.

  /// The surface with the track's radius.
  [[nodiscard]] RigidSurface sized() const;
  [[nodiscard]] Penalty penalty() const { return {sized(), stiffness, exponent}; }
  [[nodiscard]] bool moves() const { return !offsets.empty() || !rotations.empty(); }
  /// Where it is at `time` (s) in a run of steps of `time_step` (s), and how fast it moves there.
  [[nodiscard]] Placement placement(double time, double time_step) const;
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind obstacle_origin, obstacle_radius, obstacle_offsets, obstacle_rotations,
    obstacle_stiffness, obstacle_friction, obstacle_friction_stiffness;
}

/// The table itself.
SceneTable obstacle_table();

}  // namespace electret
