#pragma once
/// \file
/// Volume elements and polygons that are written twice.

#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/mesh.hpp>

namespace electret {

/// An element that has the vertices of an earlier one of its kind, in whatever order.
struct RepeatedElement {
  std::size_t element = 0;
  std::size_t first = 0;  ///< The first one with these vertices.
};

/// All of them, in ascending order.
std::vector<RepeatedElement> repeated_elements(std::span<const Tetrahedron> elements);
std::vector<RepeatedElement> repeated_elements(std::span<const Hexahedron> elements);
/// The same of polygons, whose corners must be in the same order around them: from whichever corner on, and
/// forwards or backwards. Polygons with a repeated corner may be missed.
std::vector<RepeatedElement> repeated_elements(const Polygons& polygons);

/// Where a polygon stands in its file.
struct PolygonPlace {
  Count line = 0,
        column = 0;  ///< From 1; line 0 if it has none of its own, column 0 if only the line counts.
};

/// Adds a finding for each repeated polygon, at its place: it would count twice in all that is computed from
/// faces. `places` has one for each polygon.
void report_repeated_polygons(const Polygons& polygons, std::span<const PolygonPlace> places,
                              input::Findings& findings);

}  // namespace electret
