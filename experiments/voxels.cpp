#include "voxels.hpp"

#include <iterator>
#include <map>

#include <fmt/format.h>

namespace electret::experiments {

VoxelBody::VoxelBody(const std::set<Cell>& cells, double size) {
  constexpr std::array<Cell, 8> corners{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  struct Vertex {
    Index number = 0;
    int cubes = 0;
  };
  std::map<Cell, Vertex> vertices;
  const auto vertex_at = [&](const Cell& at, const Cell& corner) -> Vertex& {
    return vertices[{at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]}];
  };
  for (const Cell& at : cells)
    for (const Cell& corner : corners) ++vertex_at(at, corner).cubes;
  for (auto& [place, vertex] : vertices) {
    vertex.number = static_cast<Index>(mesh_.vertices.size());
    if (vertex.cubes == 1) corners_.push_back(vertex.number);
    mesh_.vertices.push_back({place[0] * size, place[1] * size, place[2] * size});
  }
  for (const Cell& at : cells) {
    Hexahedron cube{};
    for (std::size_t a = 0; a < corners.size(); ++a) cube[a] = vertex_at(at, corners[a]).number;
    mesh_.hexahedra.push_back(cube);
  }
}

std::string csv_of(const VectorArray& rows) {
  std::string text = "x,y,z\n";
  for (const Vec3& row : rows) fmt::format_to(std::back_inserter(text), "{},{},{}\n", row.x, row.y, row.z);
  return text;
}

}  // namespace electret::experiments
