#pragma once
/// \file
/// Medit's .mesh files, as text.
///
/// Reads Vertices, Edges, Triangles, Quadrilaterals, Tetrahedra and Hexahedra of first order. Indices count
/// from 1. A reference other than 0 makes groups. Elements of reference 3 are the element group "3", and
/// their vertices the group "3". Cells of another kind with reference 3 make a vertex group that is called
/// after the kind, such as "Triangles 3". Corners, ridges, normals and other such lists are skipped. If the
/// mesh has volume elements, its polygons are their boundary.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with every finding (the first 50, and the number of further ones), each at its line:
/// another dimension, elements of other kinds, indices that name no vertex, words that are no numbers, a text
/// that ends too early.
Mesh parse_medit(std::string_view text, const std::string& file_name);

}  // namespace electret
