#pragma once
/// \file
/// What acts on the bodies from outside at one time: key-frames evaluated into flat arrays. The scene's
/// schedule fills them once a step; a caller may write them instead (dragging with the mouse, closed-loop
/// control).

#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// An external charge at one time: a point charge (width 0) or a Gaussian ball.
struct PlacedCharge {
  Vec3 position;        ///< m.
  double charge = 0.0;  ///< C.
  double width = 0.0;   ///< σ, m.
};

struct Inputs {
  double time = 0.0;                           ///< s.
  std::vector<double> charges;                 ///< n, C.
  std::vector<PlacedCharge> external_charges;  ///< In the scene's order; a mesh gives one a vertex.
  VectorArray pin_positions;                   ///< m, where the pinned vertices are (System::pins' order).
};

}  // namespace electret
