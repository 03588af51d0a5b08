#include "published_mesh.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <electret/core/errors.hpp>

namespace electret::experiments {
namespace {

static_assert(std::endian::native == std::endian::little, "the files begin with the lowest byte, too");

/// Reads numbers one after the other.
class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class Number>
  Number next() {
    if (bytes_.size() < sizeof(Number)) refuse("it ends too early");
    Number number;
    std::memcpy(&number, bytes_.data(), sizeof(Number));
    bytes_.remove_prefix(sizeof(Number));
    return number;
  }
  /// The columns of a matrix of `rows` rows of which as many as that must follow.
  template <class Number>
  std::size_t columns(std::int32_t rows) {
    const auto has_rows = next<std::int32_t>() == rows;
    const auto count = next<std::int32_t>();
    if (!has_rows || count < 1) refuse("a matrix has other sizes");
    const auto columns = static_cast<std::size_t>(count);
    if (bytes_.size() / sizeof(Number) / static_cast<std::size_t>(rows) < columns)
      refuse("it ends too early");
    return columns;
  }
  void require_end() const {
    if (!bytes_.empty()) refuse("it goes on after its end");
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(Finding{
        {name_, 0, 0}, "is no mesh of hexahedra of [DiffPD]: " + why, "as that paper's program has them"});
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

/// Where a corner of a published cube, whose z is fastest, stands in ours.
constexpr std::array<std::size_t, 8> corner_places{0, 4, 3, 7, 1, 5, 2, 6};

}  // namespace

Mesh read_published_mesh(std::string_view bytes, const std::string& name, double scale) {
  Bytes from(bytes, name);
  if (from.next<std::int32_t>() != 3 || from.next<std::int32_t>() != 8)
    from.refuse("it does not begin with 3 and 8");
  Mesh mesh;
  mesh.vertices.resize(from.columns<double>(3));
  for (int axis = 0; axis < 3; ++axis)
    for (Vec3& x : mesh.vertices) {
      x[axis] = scale * from.next<double>();
      if (!std::isfinite(x[axis])) from.refuse("a position is not finite");
    }
  mesh.hexahedra.resize(from.columns<std::int32_t>(8));
  for (const std::size_t place : corner_places)
    for (Hexahedron& cube : mesh.hexahedra) {
      const auto vertex = from.next<std::int32_t>();
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= mesh.vertices.size())
        from.refuse("a cube has a vertex that is not there");
      cube[place] = static_cast<Index>(vertex);
    }
  from.require_end();
  return mesh;
}

std::optional<std::string> published_file(const Context& context, const std::string& file) {
  if (context.data().empty()) return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(context.data()) / file;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw IoError("\"" + path.string() + "\" cannot be read");
  return bytes;
}

std::optional<Mesh> published_mesh(const Context& context, const std::string& file, double scale) {
  const std::optional<std::string> bytes = published_file(context, file);
  if (!bytes) return std::nullopt;
  return read_published_mesh(*bytes, file, scale);
}

}  // namespace electret::experiments
