#pragma once
/// \file
/// The sides of a mesh's polygons, sorted so that those that share an edge stand together.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// A polygon's side, from its corner number `at` to the next.
struct PolygonSide {
  Index from, to, polygon;
  Count at;

  [[nodiscard]] Edge edge() const { return from < to ? Edge{from, to} : Edge{to, from}; }
};

/// Every side of every polygon, by edge (the smaller index first), then polygon, then corner.
std::vector<PolygonSide> polygon_sides(const Polygons& polygons);

}  // namespace electret
