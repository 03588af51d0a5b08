#pragma once
/// \file
/// Medit's .mesh files, as text.
///
/// Vertices, Edges, Triangles, Quadrilaterals, Tetrahedra and Hexahedra of first order; indices count from 1.
/// A reference other than 0 makes groups: elements of reference 3 are the element group "3" and its vertices
/// the group "3"; what has reference 3 among the other kinds is the vertex group "Triangles 3", called as
/// the file calls the kind. Corners, ridges, normals and other such lists are passed over. Where there are
/// volume elements, the polygons are their boundary.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with every finding (the first 50 and how many more), each at its line: another
/// dimension, elements of other kinds, indices that name no vertex, numbers that are none, a text that ends
/// too early.
Mesh parse_medit(std::string_view text, const std::string& file_name);

}  // namespace electret
