#pragma once
/// \file
/// The t-shirt that several experiments hang by two points.

#include "motion.hpp"

namespace electret::experiments {

inline constexpr double tshirt_height = 0.7;  ///< m

/// A t-shirt of about `vertices` vertices and 0.4 kg under ten times gravity, held at the outer ends of its
/// shoulders; springs of `stiffness` (N/m) along edges and diagonals. 1.2 s in steps of 0.01 s.
[[nodiscard]] SceneSource tshirt_scene(Count vertices, double stiffness);

}  // namespace electret::experiments
