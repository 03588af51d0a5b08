#pragma once
/// \file
/// Measures a mesh: extent, edge lengths, topology, self-intersection.

#include <vector>

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

struct Topology {
  bool manifold = true;            ///< Edges have ≤ 2 polygons; each vertex's are one fan.
  bool oriented = true;            ///< Neighbours traverse their common edge in opposite directions.
  bool closed = true;              ///< Every edge has two polygons.
  Count boundary_loops = 0;        ///< Closed rings of edges with one polygon (if manifold).
  Count components = 0;            ///< Connected components of the vertices that polygons use.
  Count unused_vertices = 0;       ///< Vertices in no polygon.
  Count euler_characteristic = 0;  ///< Used vertices - edges + polygons.
};

/// The topology of the mesh's polygons; lines play no part.
Topology topology(const Mesh& mesh);

/// The volume ∫ dV of a closed, outward-oriented surface (triangulated), in the unit cubed.
double enclosed_volume(const Mesh& mesh);

/// Pairs of triangles of `triangulated(mesh.polygons)` that meet in more than the vertices or the edge that
/// they share. Each pair is (smaller number, larger number); the pairs are sorted. Boxes are swept along x,
/// then edges are tested against triangles, in double.
std::vector<Edge> self_intersections(const Mesh& mesh);

}  // namespace electret
