#pragma once
/// \file
/// Reads a mesh file of any known format, or a whole file as bytes.

#include <span>
#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>
#include <electret/geometry/tetgen.hpp>

namespace electret {

/// A format of mesh files, recognised by the end of their names.
struct MeshFormat {
  std::string_view extension;   ///< ".obj".
  bool has_properties = false;  ///< Whether vertices may have masses, charges and velocities of their own.
  Mesh (*parse)(std::string_view bytes, const std::string& file_name) = nullptr;
  /// If a second file belongs to each file: its extension, and the function that reads both.
  std::string_view companion = {};
  Mesh (*parse_pair)(const NamedText& named, const NamedText& companion) = nullptr;
};

/// The formats that this version reads.
std::span<const MeshFormat> mesh_formats();

/// ".obj, .ply".
std::string mesh_extensions();

/// The format of the file at `path`, by its extension in upper or lower case; null if it is unknown.
const MeshFormat* find_mesh_format(const std::string& path);

/// The path of the second file that belongs to the one at `path`; empty if there is none.
std::string companion_of(const std::string& path);

/// The mesh in the bytes of the file at `path`, with the bytes of its companion if the format has one. Throws
/// InputError as the format's reader does.
Mesh parse_mesh(const MeshFormat& format, const std::string& path, std::string_view bytes,
                std::string_view companion_bytes);

/// Reads a file of one of mesh_formats(). Throws InputError as the format's reader does, and for an unknown
/// extension.
Mesh read_mesh(const std::string& path);

/// The bytes of a file. Throws InputError, located in the file, if it cannot be read.
std::string read_whole_file(const std::string& path);

/// The name of text from standard input in findings and summaries. It is no file.
inline constexpr std::string_view standard_input = "standard input";

}  // namespace electret
