#pragma once
/// \file
/// A torus about the z axis.

#include <cstdint>

#include <electret/geometry/generators.hpp>

namespace electret {

enum class TorusSampling {
  grid,            ///< Rings of quads.
  best_candidate,  ///< Only vertices, far from each other, for `nearest` springs.
};

struct TorusOptions {
  double major_radius = 1.0;  ///< m; from the axis to the tube's middle, > minor_radius.
  double minor_radius = 0.4;  ///< m; of the tube.
  Count vertices = 145;       ///< 9, 12 or ≥ 15 (best_candidate: ≥ 1).
  TorusSampling sampling = TorusSampling::grid;
  Count candidates = 40;   ///< best_candidate: drawn per vertex; the one farthest from all others is kept.
  std::uint64_t seed = 1;  ///< best_candidate.
};

/// Groups "left" (x < 0) and "right" (x ≥ 0), "inner" and "outer" (nearer to the axis than the tube's middle,
/// and farther).
///
/// grid: rings × segments quads that face outwards. Vertices go ring by ring about the axis from +x, and in
/// each ring from the outermost point upwards. rings·segments is the requested number if well-shaped quads
/// allow it, else within 2 % of it. For small numbers without such factors the rings become turns of one
/// helix, which takes any number. best_candidate: Mitchell's algorithm on area-uniform points, with exactly
/// `vertices` of them.
Mesh torus(const TorusOptions& options);

const Shape& torus_shape();

}  // namespace electret
