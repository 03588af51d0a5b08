#pragma once
/// \file
/// Stanford PLY: ascii, binary_little_endian and binary_big_endian.
///
/// These elements are read:
/// * `vertex`: scalar x, y, z of any type; every other scalar property becomes an attribute.
/// * `face`: the list `vertex_indices` or `vertex_index`; other properties are skipped.
/// * `edge`: `vertex1` and `vertex2`, which make lines.
/// Other elements are skipped. An ascii body has one element per line. Its numbers are rounded once, to
/// double, whatever type the header declares; integers must fit their type.

#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// The mesh of a file's bytes. Throws InputError with every finding (the first 50, and the number of further
/// ones), each with `file_name`. Findings in the header and in an ascii body have a line and a column; those
/// in a binary body name the element and its number (from 0). If the header promises more than the file
/// holds, that is a finding before anything is stored.
Mesh parse_ply(std::string_view bytes, const std::string& file_name);

}  // namespace electret
