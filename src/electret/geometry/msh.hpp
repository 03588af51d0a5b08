#pragma once
/// \file
/// Gmsh's MSH files, versions 2.2 and 4.1, ASCII and binary.
///
/// Reads tetrahedra, hexahedra, triangles, quadrangles, lines and points of first order, in any number of
/// blocks. Vertices are $Nodes in the file's order, whatever their tags. A physical group becomes the group
/// of the vertices that its elements touch, called by its name or else its number. A physical group of
/// volumes becomes an element group as well. If the mesh has volume elements, its polygons are their
/// boundary, and elements of lower dimension only make groups.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with what is wrong, located in the file: another version, elements of other types, tags
/// of nodes that do not exist, words that are no numbers, a file that ends too early.
Mesh parse_msh(std::string_view bytes, const std::string& file_name);

}  // namespace electret
