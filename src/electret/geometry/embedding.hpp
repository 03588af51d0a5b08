#pragma once
/// \file
/// A fine surface carried along by volume elements.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Ties each of `points` to the element of `mesh`, which has at least one, that holds it, else to the one
/// near it that it is least outside of: `points[p]` = Σ_a weights[p][a] x_a over the element's corners.
/// Weights are barycentric in tetrahedra and trilinear in hexahedra, and sum to 1, so affine motions of the
/// corners move points exactly along.
Embedding embed(const Mesh& mesh, VectorView points);

/// Where `vertices` (n×3, of the mesh) carry the embedded points, added up in the corners' order.
VectorArray carried(const Mesh& mesh, const Embedding& embedding, VectorView vertices);

}  // namespace electret
