#pragma once
/// \file
/// Bodies that start inside obstacles that push exactly.

#include <numbers>
#include <optional>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// A body whose vertices that may touch start inside an exact obstacle.
struct StartInside {
  std::size_t body = 0, obstacle = 0;
  Index vertex = 0;    ///< The deepest one.
  double depth = 0.0;  ///< Its, m.
  Count count = 0;     ///< Of vertices inside.
  double size = 0.0;   ///< The diagonal of the box around the body, m.
};

/// Depths up to this part of the body's size are those of rounded coordinates. The first step moves such
/// vertices to the surface.
inline constexpr double rounded_depth = 1e-6;
/// Depths up to this part of its size are small steps of a parameter from a body that rests. A run starts
/// with them, as with rounded ones.
inline constexpr double steady_depth = 1e-3;

/// Bodies deeper inside than `share` of their size at time 0, by obstacle and body.
std::vector<StartInside> bodies_inside(const Assembly& assembly, double share);

/// How far an obstacle that bodies rub may turn in a step, rad: 30 degrees. Friction is against the straight
/// way from where the obstacle carries a vertex, which a longer turn does not take.
inline constexpr double most_turn = std::numbers::pi / 6.0;

/// Whether the body of `inside` is free of the obstacle if it is moved by `way` (m).
bool frees(const Assembly& assembly, const StartInside& inside, const Vec3& way);

/// The smallest translation (m) found that frees the body of `inside` from the obstacle: along the normals
/// that its vertices see and along the axes, and around the best of these. Nothing if none frees it.
std::optional<Vec3> way_out(const Assembly& assembly, const StartInside& inside);

}  // namespace electret
