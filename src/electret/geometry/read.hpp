#pragma once
/// \file
/// A mesh file of any known format; a whole file as bytes.

#include <string>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// Reads `.obj` or `.ply` (in any case of letters). Throws InputError as read_obj and read_ply do, and for
/// another extension.
Mesh read_mesh(const std::string& path);

/// The bytes of a file. Throws InputError, located in the file, if it cannot be read.
std::string read_whole_file(const std::string& path);

}  // namespace electret
