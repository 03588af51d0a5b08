#pragma once
/// \file
/// The faces of a surface that water acts on, and on which of their sides.

#include <array>
#include <optional>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// A triangle or a quadrilateral.
struct WetFace {
  /// The outward normal is that of their order. A triangle has -1 at the end.
  std::array<Index, 4> corners{-1, -1, -1, -1};
  /// Whether there is water on both sides, as on the faces of an open sheet.
  bool has_two_sides = false;

  [[nodiscard]] int corner_count() const { return corners[3] < 0 ? 3 : 4; }
};

struct WetSurface {
  std::vector<WetFace> faces;     ///< In the order of the polygons; larger polygons as fans of triangles.
  bool is_turned_inside = false;  ///< A closed part's faces point into it.
  /// The first edge of a part without a rim on which two faces that face different ways meet.
  std::optional<Edge> turned_edge;
};

/// Faces that hang together by their sides are a part. A part is closed if each of its sides occurs once in
/// each direction; then the water is outside. Else it is on both sides. A part has no rim if each of its
/// edges belongs to two faces. What lies within a closed part is dry and left out. `vertices` are n×3, m.
WetSurface wet_surface(const Polygons& polygons, VectorView vertices);

/// The boundary of solid elements, with water outside of them. dry_faces.hpp takes the walls of hollows out.
std::vector<WetFace> wet_boundary(const std::vector<Tetrahedron>& tetrahedra,
                                  const std::vector<Hexahedron>& hexahedra);

}  // namespace electret
