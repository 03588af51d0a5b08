#pragma once
/// \file
/// TetGen's pairs of files: vertices in a .node file, tetrahedra in the .ele file beside it.
///
/// Both files count vertices from the first number in the .node file, 0 or 1. Vertices of marker 2 are the
/// group "marker 2"; marker 0 means none. The last attribute of a tetrahedron is its region. Tetrahedra of
/// region 3 are the element group "3"; region 0 means none. The format does not fix the orientation, so the
/// last two vertices of a tetrahedron of negative volume are swapped.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The text of one file and its name.
struct NamedText {
  std::string_view text;
  std::string file_name;
};

/// Throws InputError with every finding in both files, each at its line (for each file the first 50, and the
/// number of further ones). Findings are: another dimension, tetrahedra of second order, rows that are
/// missing or of another length, words that are no numbers, indices that name no vertex.
Mesh parse_tetgen(const NamedText& node, const NamedText& ele);

/// The same if `named` may be either of the two files, .node or .ele, and `other` is the second.
Mesh parse_tetgen_pair(const NamedText& named, const NamedText& other);

}  // namespace electret
