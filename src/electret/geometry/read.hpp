#pragma once
/// \file
/// A mesh file of any known format; a whole file as bytes.

#include <span>
#include <string>
#include <string_view>

#include <electret/geometry/mesh.hpp>
#include <electret/geometry/tetgen.hpp>

namespace electret {

/// A format of mesh files, known by the end of their names.
struct MeshFormat {
  std::string_view extension;  ///< ".obj".
  bool has_properties =
      false;  ///< Whether its vertices may have masses, charges and velocities of their own.
  Mesh (*parse)(std::string_view bytes, const std::string& file_name) = nullptr;
  /// Where a second file belongs to each: its extension, and what reads both.
  std::string_view companion = {};
  Mesh (*parse_pair)(const NamedText& named, const NamedText& companion) = nullptr;
};

/// The formats this version reads.
std::span<const MeshFormat> mesh_formats();

/// ".obj, .ply".
std::string mesh_extensions();

/// The format of the file at `path`, by its extension in any case of letters; null for another.
const MeshFormat* find_mesh_format(const std::string& path);

/// The path of the second file that belongs to the one at `path`; empty where there is none.
std::string companion_of(const std::string& path);

/// The mesh that the bytes of the file at `path` hold, with those of its companion where the format has one.
/// Throws InputError as the format's reader does.
Mesh parse_mesh(const MeshFormat& format, const std::string& path, std::string_view bytes,
                std::string_view companion_bytes);

/// Reads a file of one of mesh_formats(). Throws InputError as read_obj and read_ply do, and for
/// another extension.
Mesh read_mesh(const std::string& path);

/// The bytes of a file. Throws InputError, located in the file, if it cannot be read.
std::string read_whole_file(const std::string& path);

/// What findings and summaries call text that came on standard input: no file.
inline constexpr std::string_view standard_input = "standard input";

}  // namespace electret
