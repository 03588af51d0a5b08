#pragma once
/// \file
/// The parts of which a surface is made.

#include <utility>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The parts of a surface. A part is known by one of its polygons, of whose number these lists have its
/// facts.
struct SurfaceParts {
  std::vector<Index> of;      ///< The part of each polygon.
  std::vector<char> is_open;  ///< Not all of its sides occur once in each direction.
  std::vector<char> has_rim;  ///< Not all of its edges belong to two polygons.
  /// The edges on which two polygons that face different ways meet.
  std::vector<std::pair<Edge, Index>> turned;

  [[nodiscard]] std::size_t part(std::size_t polygon) const { return static_cast<std::size_t>(of[polygon]); }
  /// Which parts, by their names, are not open.
  [[nodiscard]] std::vector<char> closed() const;
};

/// Polygons are one part if they hang together by their sides. O(n log n) for n sides.
SurfaceParts parts_of_surface(const Polygons& polygons);

/// The same of the boundary of a solid, in which two parts may touch along an edge: polygons are one part
/// only if they meet where no others do. It has no list of turned edges.
SurfaceParts parts_of_boundary(const Polygons& polygons);

/// Six times the volume within each part, by its name; m³ for vertices (n×3) in m.
std::vector<double> volumes_of(const SurfaceParts& parts, const Polygons& polygons, VectorView vertices);

}  // namespace electret
