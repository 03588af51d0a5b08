#include <electret/geometry/mesh.hpp>

namespace electret {

std::optional<std::vector<Index>> vertex_set(const Mesh& mesh, std::string_view name) {
  const std::string key(name);
  if (const auto group = mesh.groups.find(key); group != mesh.groups.end()) return group->second;
  const auto attribute = mesh.attributes.find(key);
  if (attribute == mesh.attributes.end()) return std::nullopt;
  std::vector<Index> members;
  for (std::size_t i = 0; i < attribute->second.size(); ++i)
    if (attribute->second[i] != 0.0) members.push_back(static_cast<Index>(i));
  return members;
}

std::vector<Triangle> triangulated(const Polygons& polygons) {
  std::vector<Triangle> triangles;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const auto polygon = polygons[p];
    for (std::size_t k = 2; k < polygon.size(); ++k)
      triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
  }
  return triangles;
}

}  // namespace electret
