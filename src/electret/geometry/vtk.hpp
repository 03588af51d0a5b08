#pragma once
/// \file
/// VTK's legacy files (.vtk) of unstructured grids, versions 1.0 to 5.1, ASCII and binary (big-endian).
///
/// vtk_grid.hpp says which cells, groups and attributes are read. Fields, colours, look-up tables, metadata
/// and arrays of several components are skipped.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Throws InputError with every finding (the first 50, and the number of further ones), at its line if there
/// is one: other datasets and cells, indices that name no point, words that are no numbers, and more promised
/// than the file holds (found before anything is stored).
Mesh parse_vtk(std::string_view bytes, const std::string& file_name);

}  // namespace electret
