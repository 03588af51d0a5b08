#pragma once
/// \file
/// Stanford PLY: ascii, binary_little_endian and binary_big_endian.
///
/// Elements: `vertex` (scalar x, y, z of any type; every other scalar property becomes an attribute), `face`
/// (list `vertex_indices` or `vertex_index`; other properties passed over), `edge` (`vertex1`, `vertex2`:
/// lines). Other elements are passed over. An ascii body has one element a line; its numbers are rounded
/// once, to double, whatever type the header declares, and integers must fit their type.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Reads a file. Throws InputError with every finding (the first 50 and how many more): at its line and
/// column in the header and in an ascii body, by element name and number (from 0) in a binary one. A header
/// that promises more than the file holds is a finding before anything is stored.
Mesh read_ply(const std::string& path);

/// The same of bytes in memory; `file_name` is what findings call it.
Mesh parse_ply(std::string_view bytes, const std::string& file_name);

}  // namespace electret
