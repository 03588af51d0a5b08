#pragma once
/// \file
/// Fine triangulations from coarse ones of the same surface, in time proportional to the vertices.

#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret::surface {

/// How many times a triangulation is refined to have a number of vertices, and the vertices it starts with.
struct Refinement {
  int rounds = 0;
  Count start = 0;
};

/// The least rounds that start with at most `most` vertices, most ≥ 4, and lead to `vertices`.
Refinement refinement_to(Count vertices, Count most);

/// `coarse`, a closed triangulation of the surface in one piece without holes, with the vertices that
/// refinement_to() says, refined to exactly `vertices`. Each of the `rounds` cuts every edge in two and every
/// triangle in four and puts the new vertices on the surface: V vertices become 4(V - 2) + 2. At most three
/// vertices a round are then missing; they cut the longest edges.
Mesh refined(const ImplicitSurface& surface, const Mesh& coarse, Count vertices, int rounds);

}  // namespace electret::surface
