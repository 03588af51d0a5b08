#pragma once
/// \file
/// How fast vertices may move through water. The force of [[hydrodynamics]] is explicit: beyond some speed it
/// throws a vertex back faster than it came.

#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// The vertex that the water may turn around the most, and by how much: h ρ C A |v|/m, or 2 √3 h f/(m |v|) if
/// that is less. C is the most that the curves can give, A the vertex's share of the faces, v its velocity
/// through the water, f the most of each component of its force.
struct WaterTurning {
  std::size_t vertex = 0;
  double ratio = 0.0, speed = 0.0;  ///< m/s.
  double resolved = 0.0;            ///< The speed that the step resolves, m/s.
  bool is_capped = false;           ///< Whether there is an f.

  /// Beyond 2 the vertex comes back faster.
  [[nodiscard]] bool is_resolved() const { return !(ratio > 2.0); }
};

/// The limits of the vertices in one water. Those that pins hold have none.
class WaterLimit {
 public:
  WaterLimit(const Assembly& assembly, const WaterTrack& water);
  /// `velocities`: of all vertices, m/s.
  [[nodiscard]] WaterTurning fastest(VectorView velocities) const;

 private:
  Vec3 water_;                     ///< m/s.
  std::vector<double> per_speed_;  ///< h ρ C A/m of each vertex, s/m; 0 without a limit.
  std::vector<double> most_;       ///< √3 h f/m of each vertex, m/s; empty without an f.
};

/// "a vertex of body "fish" moves at 3 m/s through the water, which the step does not resolve: …", and what
/// to do about it.
struct WaterWarning {
  std::string text, advice;
};
[[nodiscard]] WaterWarning water_warning(const Assembly& assembly, const WaterTurning& turning);

/// Whether a text has such a warning.
[[nodiscard]] bool tells_of_water(std::string_view text);

}  // namespace electret
