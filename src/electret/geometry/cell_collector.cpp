#include <algorithm>

#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

void make_set(std::vector<Index>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

}  // namespace

std::optional<Index> repeated_corner(int dimension, std::span<const Index> corners) {
  if (dimension != 1 && dimension != 2) return std::nullopt;
  std::vector<Index> sorted(corners.begin(), corners.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
  return twin == sorted.end() ? std::nullopt : std::optional<Index>(*twin);
}

std::size_t CellCollector::add_set() {
  sets_.emplace_back();
  return sets_.size() - 1;
}

void CellCollector::add(int dimension, std::span<const Index> corners, std::span<const std::size_t> sets,
                        Count line) {
  for (const std::size_t s : sets)
    sets_[s].vertices.insert(sets_[s].vertices.end(), corners.begin(), corners.end());
  if (dimension == 1) lines_.push_back({corners[0], corners[1]});
  if (dimension == 2) polygons_.add(corners);
  if (dimension != 3) return;
  if (corners.size() == 8) {
    for (const std::size_t s : sets) sets_[s].hexahedra.push_back(static_cast<Index>(hexahedra_.size()));
    std::copy_n(corners.begin(), 8, hexahedra_.emplace_back().begin());
    hexahedron_lines_.push_back(line);
  } else {
    for (const std::size_t s : sets) sets_[s].tetrahedra.push_back(static_cast<Index>(tetrahedra_.size()));
    std::copy_n(corners.begin(), 4, tetrahedra_.emplace_back().begin());
    tetrahedron_lines_.push_back(line);
  }
}

void CellCollector::finish(Mesh& mesh, std::span<const std::string> names) {
  const auto first_hexahedron = static_cast<Index>(tetrahedra_.size());
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const Set& set = sets_[s];
    if (names[s].empty() || set.vertices.empty()) continue;
    auto& vertices = mesh.groups[names[s]];
    vertices.insert(vertices.end(), set.vertices.begin(), set.vertices.end());
    if (set.tetrahedra.empty() && set.hexahedra.empty()) continue;
    auto& elements = mesh.element_groups[names[s]];
    elements.insert(elements.end(), set.tetrahedra.begin(), set.tetrahedra.end());
    for (const Index h : set.hexahedra) elements.push_back(first_hexahedron + h);
  }
  for (auto& [name, members] : mesh.groups) make_set(members);
  for (auto& [name, members] : mesh.element_groups) make_set(members);

  mesh.tetrahedra = std::move(tetrahedra_);
  mesh.hexahedra = std::move(hexahedra_);
  mesh.element_lines = std::move(tetrahedron_lines_);
  mesh.element_lines.insert(mesh.element_lines.end(), hexahedron_lines_.begin(), hexahedron_lines_.end());
  if (std::find(mesh.element_lines.begin(), mesh.element_lines.end(), 0) != mesh.element_lines.end())
    mesh.element_lines.clear();
  if (mesh.element_count() > 0) {
    mesh.polygons = boundary_of_elements(mesh);
  } else {
    mesh.polygons = std::move(polygons_);
    mesh.lines = std::move(lines_);
  }
}

}  // namespace electret
