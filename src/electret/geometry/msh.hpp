#pragma once
/// \file
/// Gmsh's MSH files, versions 2.2 and 4.1, ASCII and binary.
///
/// Tetrahedra, hexahedra, triangles, quadrangles, lines and points of first order, in any number of blocks.
/// Vertices are $Nodes in the file's order, whatever their tags. A physical group is a vertex group of what
/// its elements touch, called by its name or else its number; one of volumes is an element group as well.
/// Where there are volume elements, the polygons are their boundary, and elements of lower dimension are
/// groups alone.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with what is wrong, located in the file: another version, elements of other types, tags
/// of nodes that are not there, numbers that are none, a file that ends too early.
Mesh parse_msh(std::string_view bytes, const std::string& file_name);

}  // namespace electret
