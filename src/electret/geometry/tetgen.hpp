#pragma once
/// \file
/// TetGen's pairs of files: vertices in a .node file, tetrahedra in the .ele file beside it.
///
/// Both count vertices from the .node file's first number, 0 or 1. Vertices of marker 2 are the group
/// "marker 2" (0: none); tetrahedra whose last attribute is 3, a region, are the element group "3" (0: none).
/// The format fixes no orientation, so the last two vertices of a tetrahedron of negative volume are swapped.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The text of one file and its name.
struct NamedText {
  std::string_view text;
  std::string file_name;
};

/// Throws InputError with every finding in both files (of each the first 50 and how many more), each at its
/// line: another dimension, tetrahedra of second order, rows that are missing or of another length, numbers
/// that are none, indices that name no vertex.
Mesh parse_tetgen(const NamedText& node, const NamedText& ele);

/// The same where one of the two files is known by `file_name`, .node or .ele, and `other` is the second.
Mesh parse_tetgen_pair(const NamedText& named, const NamedText& other);

}  // namespace electret
