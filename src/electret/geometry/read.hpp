#pragma once
/// \file
/// A mesh file of any known format; a whole file as bytes.

#include <span>
#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>

namespace electret {

/// A format of mesh files, known by the end of their names.
struct MeshFormat {
  std::string_view extension;  ///< ".obj".
  bool has_properties =
      false;  ///< Whether its vertices may have masses, charges and velocities of their own.
  Mesh (*parse)(std::string_view bytes, const std::string& file_name) = nullptr;
};

/// The formats this version reads.
std::span<const MeshFormat> mesh_formats();

/// ".obj, .ply".
std::string mesh_extensions();

/// The format of the file at `path`, by its extension in any case of letters; null for another.
const MeshFormat* find_mesh_format(const std::string& path);

/// Whether the file at `path` has the extension of a format that is not available in this version.
bool is_later_mesh_format(const std::string& path);

/// Reads a file of one of mesh_formats(). Throws InputError as read_obj and read_ply do, and for
/// another extension.
Mesh read_mesh(const std::string& path);

/// The bytes of a file. Throws InputError, located in the file, if it cannot be read.
std::string read_whole_file(const std::string& path);

/// What findings and summaries call text that came on standard input: no file.
inline constexpr std::string_view standard_input = "standard input";

}  // namespace electret
