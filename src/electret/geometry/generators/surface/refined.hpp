#pragma once
/// \file
/// Refines coarse triangulations of a surface, in time proportional to the number of vertices.

#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret::surface {

/// The number of times that a triangulation is refined, and the number of vertices that it starts with.
struct Refinement {
  int rounds = 0;
  Count start = 0;
};

/// The smallest number of rounds that starts with at most `most` vertices, most ≥ 4, and leads to `vertices`.
Refinement refinement_to(Count vertices, Count most);

/// Refines `coarse` to exactly `vertices` vertices. `coarse` is a closed triangulation of the surface in one
/// piece without holes, with as many vertices as refinement_to() says. Each of the `rounds` cuts every edge
/// in two and every triangle in four, and moves the new vertices onto the surface, so that V vertices become
/// 4(V - 2) + 2. At most three vertices per round are then missing; cutting the longest edges adds them.
Mesh refined(const ImplicitSurface& surface, const Mesh& coarse, Count vertices, int rounds);

}  // namespace electret::surface
