#pragma once
/// \file
/// VTK's XML files (.vtu) of unstructured grids.
///
/// Arrays as text, base64 or appended (raw, base64), plain or packed by zlib, in either order of bytes, with
/// headers of 4 or 8 bytes; any number of pieces, whose points are numbered on. Which cells, groups and
/// attributes are read: vtk_grid.hpp; of several pieces the arrays that all of them have.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with every finding (the first 50 and how many more), at its line where there is one:
/// what is no such file, other packings and cells, arrays of another length than they should have, indices
/// that name no point, numbers that are none.
Mesh parse_vtu(std::string_view bytes, const std::string& file_name);

}  // namespace electret
