#pragma once
/// \file
/// What a mesh is like: extent, edge lengths, topology, self-intersection.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

struct BoundingBox {
  Vec3 low, high;
};

/// The smallest box that holds the points. Throws std::invalid_argument for no points.
BoundingBox bounding_box(VectorView points);

struct EdgeLengths {
  double shortest = 0.0, median = 0.0, longest = 0.0;  ///< In the mesh's unit; 0 without edges.
};

/// Of `edges(mesh)`; the median of an even number is the mean of the middle two.
EdgeLengths edge_lengths(const Mesh& mesh);

struct Topology {
  bool manifold = true;            ///< At most two polygons an edge, and each vertex's polygons one fan.
  bool oriented = true;            ///< Neighbours run through their common edge in opposite directions.
  bool closed = true;              ///< Every edge has two polygons.
  Count boundary_loops = 0;        ///< Closed rings of edges with one polygon (where manifold).
  Count components = 0;            ///< Of the vertices that polygons use.
  Count unused_vertices = 0;       ///< In no polygon.
  Count euler_characteristic = 0;  ///< Used vertices - edges + polygons.
};

/// Of the mesh's polygons (lines play no part).
Topology topology(const Mesh& mesh);

/// ∫ dV of a closed, outward-oriented surface (triangulated), in the unit cubed.
double enclosed_volume(const Mesh& mesh);

/// Pairs of triangles of `triangulated(mesh.polygons)`, by number, that meet elsewhere than in the vertices
/// or the edge they share; (smaller, larger), sorted. Boxes swept along x, then edges against triangles, in
/// double.
std::vector<Edge> self_intersections(const Mesh& mesh);

}  // namespace electret
