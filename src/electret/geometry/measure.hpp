#pragma once
/// \file
/// Measures a mesh: extent and edge lengths.

#include <electret/geometry/mesh.hpp>

namespace electret {

struct BoundingBox {
  Vec3 low, high;
};

/// The smallest box that holds the points. Throws std::invalid_argument if there are no points.
BoundingBox bounding_box(VectorView points);

struct EdgeLengths {
  double shortest = 0.0, median = 0.0, longest = 0.0;  ///< In the mesh's unit; 0 if there are no edges.
};

/// The lengths of `edges(mesh)`. The median of an even number of lengths is the mean of the middle two.
EdgeLengths edge_lengths(const Mesh& mesh);

}  // namespace electret
