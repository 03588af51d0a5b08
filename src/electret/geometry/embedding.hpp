#pragma once
/// \file
/// A fine surface that volume elements carry along.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Ties each of `points` to the element of `mesh` that holds it; `mesh` has at least one element. A point
/// that no element holds is tied to the nearby element in which its smallest weight is largest. `points[p]` =
/// Σ_a weights[p][a] x_a over the element's corners. Weights are barycentric in tetrahedra and trilinear in
/// hexahedra. They sum to 1, so the points follow affine motions of the corners exactly.
Embedding embed(const Mesh& mesh, VectorView points);

}  // namespace electret
