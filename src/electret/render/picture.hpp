#pragma once
/// \file
/// The contents of a ray-traced picture: surfaces, balls and rods with their colours, the ground and the
/// light.

#include <optional>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/canvas.hpp>

namespace electret {

/// A triangulated surface; it is seen from both sides.
struct Surface {
  VectorArray positions = {};        ///< n×3, m.
  std::vector<Triangle> faces = {};  ///< F×3, indices into `positions`.
  std::vector<Colour> colours = {};  ///< One per vertex.
  double crease = 60.0;              ///< Degrees; faces that meet at a smaller angle look smooth.
};

struct Ball {
  Vec3 centre;          ///< m.
  double radius = 0.0;  ///< m.
  Colour colour{};
};

/// A round rod, or a cone if its radii differ.
struct Rod {
  Vec3 from, to;                              ///< m.
  double from_radius = 0.0, to_radius = 0.0;  ///< m.
  Colour colour{};
};

/// Balls and rods that are seen through what is in front of them, which takes on their colour there.
struct Marks {
  std::vector<Ball> balls = {};
  std::vector<Rod> rods = {};

  [[nodiscard]] bool empty() const { return balls.empty() && rods.empty(); }
};

struct Picture {
  std::vector<Surface> surfaces = {};
  std::vector<Ball> balls = {};
  std::vector<Rod> rods = {};
  Marks marks = {};
  Vec3 up{0.0, 0.0, 1.0};  ///< A unit vector.
  /// The height along `up` (m) of a floor on which shadows fall; absent: no floor.
  std::optional<double> ground = {};
  Vec3 to_light{-0.4, -0.5, 0.8};  ///< The direction towards the lamp; any length.
  Colour backdrop{0.975, 0.975, 0.98};
};

}  // namespace electret
