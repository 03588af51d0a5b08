#pragma once
/// \file
/// The sides of a mesh's polygons, sorted so that sides with the same edge are next to each other.

#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// A side of a polygon, from its corner number `at` to the next corner.
struct PolygonSide {
  Index from, to, polygon;
  Count at;

  [[nodiscard]] Edge edge() const { return from < to ? Edge{from, to} : Edge{to, from}; }
};

/// Every side of every polygon, sorted by edge (the smaller index first), then polygon, then corner.
std::vector<PolygonSide> polygon_sides(const Polygons& polygons);

}  // namespace electret
