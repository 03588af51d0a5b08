#pragma once
/// \file
/// VTK's XML files (.vtu) of unstructured grids.
///
/// Arrays may be text, base64 or appended (raw, base64), plain or compressed by zlib, in either byte order,
/// with headers of 4 or 8 bytes. There may be several pieces, whose points are numbered on. vtk_grid.hpp says
/// which cells, groups and attributes are read. Of several pieces, only arrays that all of them have are
/// read.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with every finding (the first 50, and the number of further ones), at its line if there
/// is one: a file of another kind, other compressions and cells, arrays of another length than they should
/// have, indices that name no point, words that are no numbers.
Mesh parse_vtu(std::string_view bytes, const std::string& file_name);

}  // namespace electret
