#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/obj.hpp>
#include <electret/geometry/ply.hpp>
#include <electret/geometry/read.hpp>

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

Mesh read_mesh(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension == ".obj") return read_obj(path);
  if (extension == ".ply") return read_ply(path);
  throw InputError(Finding{{path, 0, 0},
                           in_quotes(path) + " is not a mesh format that is known",
                           "meshes are .obj or .ply files"});
}

}  // namespace electret
