#pragma once
/// \file
/// The cantilever of [DiffPD], which two experiments run.

#include <memory>

#include <electret/dynamics/loss.hpp>

#include "motion.hpp"
#include "numpy_random.hpp"

namespace electret::experiments {

/// The scene, and the loss of its last state, w_x·x + w_v·v.
struct Cantilever {
  SceneSource scene;
  VectorArray position_weights, velocity_weights;  ///< n×3.
  double gradient_scale = 0.0;                     ///< ‖m x/h²‖ over free vertices at the start, N.

  [[nodiscard]] std::unique_ptr<Loss> loss() const;
};

/// A beam of 4n×n×n hexahedra, 0.32×0.08×0.08 m, held at x = 0 and turned about its axis by 0 there to π/2
/// at its other end, with a muscle along one edge and a random force on each vertex. `frames` of 10 ms.
///
/// Numbers are drawn from `random` as published: vertices with x slowest, then y, then z.
[[nodiscard]] Cantilever cantilever_scene(int across, Count frames, NumpyRandom& random);

}  // namespace electret::experiments
