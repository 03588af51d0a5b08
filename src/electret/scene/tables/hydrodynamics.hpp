#pragma once
/// \file
/// `[[hydrodynamics]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/geometry/wet_faces.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[hydrodynamics]]`: water around bodies.
struct Hydrodynamics {
  double density = 1000.0;                           ///< kg/m³, > 0.
  Vec3 velocity{};                                   ///< m/s.
  std::vector<double> drag{0.05, 0.05, 1.85, 2.05};  ///< Four ordinates of the curve of drag.
  std::vector<double> thrust{-0.8, -0.5, 0.1, 2.5};  ///< Four ordinates of the curve of thrust.
  std::optional<double> max_force{};                 ///< N, > 0; absent: no limit.
  std::vector<std::string> bodies{};                 ///< Empty: all that have faces.
};

/// One `[[hydrodynamics]]`.
struct WaterTrack {
  double density = 0.0;              ///< kg/m³.
  Vec3 velocity;                     ///< m/s.
  std::vector<double> drag, thrust;  ///< Four each.
  std::optional<double> max_force;   ///< N.
  std::vector<WetFace> faces;        ///< Of all its bodies, global indices.
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind water_density, water_velocity, water_drag, water_thrust;
}

/// The table itself.
SceneTable hydrodynamics_table();

}  // namespace electret
