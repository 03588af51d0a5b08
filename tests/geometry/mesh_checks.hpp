#pragma once
// What tests want to know of a mesh: its topology, the volume that it encloses, where it intersects itself.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

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
