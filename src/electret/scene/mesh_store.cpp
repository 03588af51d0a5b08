#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <variant>

#include <sys/stat.h>

#include <electret/scene/mesh_store.hpp>

namespace electret {
namespace {

std::string bits_of(double value) {
  return std::to_string(std::bit_cast<std::uint64_t>(value));
}

}  // namespace

std::optional<Mesh> MeshStore::get(const std::string& key, const std::function<std::optional<Mesh>()>& make) {
  const auto found =
      std::find_if(meshes_.begin(), meshes_.end(), [&](const auto& each) { return each.first == key; });
  if (found != meshes_.end()) {
    std::rotate(found, found + 1, meshes_.end());
    return meshes_.back().second;
  }
  std::optional<Mesh> mesh = make();
  if (!mesh) return mesh;
  if (meshes_.size() == most) meshes_.erase(meshes_.begin());
  meshes_.emplace_back(key, *mesh);
  return mesh;
}

std::string MeshStore::key_of_file(const std::string& path) const {
  return "file " + path + (stamp_ ? "\n" + stamp_(path) : std::string());
}

std::string file_stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "none";
  std::string stamp;
  for (const auto number :
       {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
        static_cast<std::int64_t>(status.st_size), static_cast<std::int64_t>(status.st_mtim.tv_sec),
        static_cast<std::int64_t>(status.st_mtim.tv_nsec), static_cast<std::int64_t>(status.st_ctim.tv_sec),
        static_cast<std::int64_t>(status.st_ctim.tv_nsec)})
    stamp += std::to_string(number) + " ";
  return stamp;
}

std::string key_of(const GeneratorSpec& spec) {
  std::string key = "generate " + spec.shape;
  for (const auto& [name, value] : spec.parameters) {
    key += "\n" + name + "=";
    std::visit(
        [&](const auto& given) {
          using Value = std::decay_t<decltype(given)>;
          if constexpr (std::is_same_v<Value, std::string>)
            key += "text " + given;
          else if constexpr (std::is_same_v<Value, double>)
            key += bits_of(given);
          else
            for (const double number : given) key += bits_of(number) + ",";
        },
        value);
  }
  return key;
}

}  // namespace electret
