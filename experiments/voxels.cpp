#include "voxels.hpp"

#include <iterator>
#include <map>

#include <fmt/format.h>

namespace electret::experiments {

VoxelBody::VoxelBody(const std::set<Cell>& cells, double size) {
  constexpr std::array<Cell, 8> corners{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  std::map<Cell, Index> vertices;
  const auto vertex_at = [&](const Cell& at, const Cell& corner) -> Index& {
    return vertices[{at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]}];
  };
  for (const Cell& at : cells)
    for (const Cell& corner : corners) vertex_at(at, corner) = 0;
  Mesh mesh;
  for (auto& [place, vertex] : vertices) {
    vertex = static_cast<Index>(mesh.vertices.size());
    mesh.vertices.push_back({place[0] * size, place[1] * size, place[2] * size});
  }
  for (const Cell& at : cells) {
    Hexahedron cube{};
    for (std::size_t a = 0; a < corners.size(); ++a) cube[a] = vertex_at(at, corners[a]);
    mesh.hexahedra.push_back(cube);
  }
  *this = VoxelBody(std::move(mesh));
}

VoxelBody::VoxelBody(Mesh mesh) : mesh_(std::move(mesh)) {
  std::vector<int> cubes(mesh_.vertices.size());
  for (const Hexahedron& cube : mesh_.hexahedra)
    for (const Index vertex : cube) ++cubes[static_cast<std::size_t>(vertex)];
  for (std::size_t v = 0; v < cubes.size(); ++v)
    if (cubes[v] == 1) corners_.push_back(static_cast<Index>(v));
}

std::string csv_of(const VectorArray& rows) {
  std::string text = "x,y,z\n";
  for (const Vec3& row : rows) fmt::format_to(std::back_inserter(text), "{},{},{}\n", row.x, row.y, row.z);
  return text;
}

}  // namespace electret::experiments
