#pragma once
/// \file
/// The size of a body and the distances of its neighbouring vertices.

#include <span>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// What joins the vertices of several bodies, by their indices over all bodies.
struct JoinedParts {
  std::vector<Tetrahedron> tetrahedra;
  std::vector<Hexahedron> hexahedra;
  std::vector<Triangle> faces;
  std::vector<Edge> springs;
};

struct BodySize {
  Vec3 extent;            ///< The sides of the smallest box along the axes that holds all vertices, m.
  double shortest = 0.0;  ///< The shortest edge, m; 0 if the body has only one vertex.
  double mean = 0.0;      ///< The mean edge, m.
  bool is_cloud = false;  ///< The body has no edges; the lengths are those from each vertex to its nearest.
};

/// The size of each body: body b has the vertices from offsets[b] to offsets[b + 1] of `positions` (n×3, m).
/// Its edges are those of its elements. If it has no elements, they are the sides of its triangles, and if it
/// has none of these either, its springs.
std::vector<BodySize> body_sizes(VectorView positions, std::span<const Count> offsets,
                                 const JoinedParts& parts);

}  // namespace electret
