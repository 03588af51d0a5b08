#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/medit.hpp>
#include <electret/geometry/msh.hpp>
#include <electret/geometry/obj.hpp>
#include <electret/geometry/ply.hpp>
#include <electret/geometry/read.hpp>
#include <electret/geometry/vtk.hpp>
#include <electret/geometry/vtu.hpp>

namespace electret {

std::string read_whole_file(const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    throw InputError(Finding{{path, 0, 0}, "cannot read " + in_quotes(path) + ": it is a folder", ""});
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  if (file) bytes.assign(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) {
    const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
    throw InputError(Finding{{path, 0, 0}, "cannot read " + in_quotes(path) + why, ""});
  }
  return bytes;
}

namespace {

/// The path's extension in lower case.
std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

}  // namespace

std::span<const MeshFormat> mesh_formats() {
  static constexpr std::array<MeshFormat, 8> formats = {
      {{".obj", false, parse_obj},
       {".ply", true, parse_ply},
       {".msh", false, parse_msh},
       {".vtk", true, parse_vtk},
       {".vtu", true, parse_vtu},
       {".mesh", false, parse_medit},
       {".node", false, nullptr, ".ele", parse_tetgen_pair},
       {".ele", false, nullptr, ".node", parse_tetgen_pair}}};
  return formats;
}

std::string mesh_extensions() {
  std::string text;
  for (const MeshFormat& format : mesh_formats())
    text.append(text.empty() ? "" : ", ").append(format.extension);
  return text;
}

const MeshFormat* find_mesh_format(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const MeshFormat& format : mesh_formats())
    if (format.extension == extension) return &format;
  return nullptr;
}

std::string companion_of(const std::string& path) {
  const MeshFormat* format = find_mesh_format(path);
  if (format == nullptr || format->companion.empty()) return {};
  return std::filesystem::path(path).replace_extension(format->companion).string();
}

Mesh parse_mesh(const MeshFormat& format, const std::string& path, std::string_view bytes,
                std::string_view companion_bytes) {
  if (format.companion.empty()) return format.parse(bytes, path);
  return format.parse_pair({bytes, path}, {companion_bytes, companion_of(path)});
}

Mesh read_mesh(const std::string& path) {
  if (const MeshFormat* format = find_mesh_format(path)) {
    const std::string bytes = read_whole_file(path), companion = companion_of(path);
    return parse_mesh(*format, path, bytes, companion.empty() ? std::string() : read_whole_file(companion));
  }
  throw InputError(Finding{
      {path, 0, 0}, in_quotes(path) + " is not a known mesh format", "allowed: " + mesh_extensions()});
}

}  // namespace electret
