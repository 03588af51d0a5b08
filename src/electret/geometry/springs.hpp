#pragma once
/// \file
/// Which vertices a spring joins, from a mesh's faces and lines or from distances alone.
///
/// Every result is sorted by (smaller, larger) vertex index, the smaller index first, each pair once; no pair
/// joins a vertex to itself.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Each polygon edge and each line segment once.
std::vector<Edge> edges(const Mesh& mesh);

/// Both diagonals of each quad; other polygons have none.
std::vector<Edge> diagonals(const Mesh& mesh);

/// Pairs that resist bending across an edge shared by exactly two polygons. Two triangles: the two vertices
/// opposite the edge. Two quads: the two pairs straight across it, each end of the edge joining that end's
/// neighbours in the one quad and in the other. Any other combination: none. On a grid of quads that is
/// exactly the second neighbours along rows and columns.
std::vector<Edge> bending(const Mesh& mesh);

/// Each point's `neighbours` nearest others (all of them where there are fewer), the lower index first among
/// equal distances, symmetrised: a pair is there if either end chose the other. k-d tree, O(n log n) for
/// points that do not coincide in great numbers. Distances compare as computed: dx² + dy² + dz² in double.
/// Throws std::invalid_argument for neighbours < 1.
std::vector<Edge> nearest(VectorView points, Count neighbours);

}  // namespace electret
