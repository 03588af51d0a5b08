#pragma once
/// \file
/// The pairs of vertices that springs join, from a mesh's faces and lines or from distances alone.
///
/// Every result is sorted by (smaller, larger) vertex index, with the smaller index first. Each pair occurs
/// once. No pair joins a vertex to itself.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Each polygon edge and each line segment once.
std::vector<Edge> edges(const Mesh& mesh);

/// Both diagonals of each quad. Other polygons have none.
std::vector<Edge> diagonals(const Mesh& mesh);

/// Pairs that resist bending across an edge that exactly two polygons share. Two triangles: the two vertices
/// opposite the edge. Two quads: two pairs straight across the edge, one for each of its ends; a pair joins
/// the neighbours of that end in the two quads. Any other combination gives none. On a grid of quads these
/// are exactly the second neighbours along rows and columns.
std::vector<Edge> bending(const Mesh& mesh);

/// Each point's `neighbours` nearest other points (all of them if there are fewer). At equal distances the
/// lower index comes first. The result is symmetric: a pair is in it if either end chose the other. k-d tree,
/// O(n log n), also if points coincide; unless very many are equally far from each other. Distances are
/// compared as computed: dx² + dy² + dz² in double. Throws std::invalid_argument for neighbours < 1.
std::vector<Edge> nearest(VectorView points, Count neighbours);

}  // namespace electret
