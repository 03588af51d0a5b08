#pragma once
/// \file
/// VTK's legacy files (.vtk) of unstructured grids, versions 1.0 to 5.1, ASCII and binary (big-endian).
///
/// Which cells, groups and attributes are read: vtk_grid.hpp. Fields, colours, look-up tables, metadata and
/// arrays of several components are passed over.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with every finding (the first 50 and how many more), at its line where there is one:
/// other datasets and cells, indices that name no point, numbers that are none, more promised than the file
/// holds (before anything is stored).
Mesh parse_vtk(std::string_view bytes, const std::string& file_name);

}  // namespace electret
