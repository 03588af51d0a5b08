#pragma once
/// \file
/// Runs that are steered from outside, by key-framed charges, external charges or fields: what they look like
/// and how they turn.

#include <string>
#include <vector>

#include <electret/render/picture.hpp>
#include <electret/scene/inputs.hpp>

#include "motion.hpp"

namespace electret::experiments {

/// Where all is at one time, and what acts on it.
struct SteeredFrame {
  double time = 0.0;                  ///< s.
  VectorArray positions, velocities;  ///< n×3, m and m/s.
  Inputs inputs;
};

/// The frames of a run to its end: the first state and that after every `every` steps. `part` and `share`: as
/// for `simulate`. Throws DivergenceError, Cancelled.
[[nodiscard]] std::vector<SteeredFrame> steered_run(const Context& context, const SceneSource& scene,
                                                    Count every, const std::string& what, double part,
                                                    double share);

/// The mean of positions, all or those of `members`.
[[nodiscard]] Vec3 centre(const VectorArray& positions);
[[nodiscard]] Vec3 centre(const VectorArray& positions, const std::vector<Index>& members);

/// Root mean square distance from the centre, m.
[[nodiscard]] double gyration(const VectorArray& positions, const std::vector<Index>& members);

/// Σ (ρ × v)_z / Σ ρ², rad/s, of vertices of one mass about the vertical axis through their centre; ρ is the
/// distance from that axis.
[[nodiscard]] double spin(const SteeredFrame& frame);

/// The unit vector across which a flat or ring-like body is thinnest, of either sign.
[[nodiscard]] Vec3 thin_axis(const VectorArray& positions);

/// The angle between two axes, degrees, 0 to 90.
[[nodiscard]] double angle_between_axes(const Vec3& a, const Vec3& b);

/// How a body's pictures are drawn.
struct SteeredStyle {
  std::vector<Triangle> faces = {};  ///< Drawn as a surface; without any, springs and vertices are drawn,
  std::vector<Edge> springs = {};    ///< these.
  double largest_charge = 0.0;       ///< The charge of the deepest colours, C; 0: all bodies in one colour.
  double external_radius = 0.3;      ///< Of an external charge's ball, m.
};
[[nodiscard]] Picture steered_picture(const SteeredFrame& frame, const SteeredStyle& style);

}  // namespace electret::experiments
