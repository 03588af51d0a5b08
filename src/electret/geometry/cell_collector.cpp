#include <algorithm>
#include <map>
#include <set>

#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/repeated_elements.hpp>
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

template <class Element>
void CellCollector::unite(std::vector<Element>& elements, std::vector<Count>& lines,
                          std::vector<Index> Set::*members) {
  const std::vector<RepeatedElement> all = repeated_elements(elements);
  if (all.empty()) return;
  std::map<Index, std::set<std::size_t>>
      sets;  // Of the elements that are repeated, and of those that repeat.
  for (const RepeatedElement& each : all)
    sets.try_emplace(static_cast<Index>(each.element)), sets.try_emplace(static_cast<Index>(each.first));
  for (std::size_t s = 0; s < sets_.size(); ++s)
    for (const Index member : sets_[s].*members)
      if (const auto own = sets.find(member); own != sets.end()) own->second.insert(s);

  std::vector<Index> becomes(elements.size(), 0);  // First -1 - element for what is left out.
  for (const RepeatedElement& each : all) {
    auto& known = sets[static_cast<Index>(each.first)];
    const auto before = known.size();
    known.merge(sets[static_cast<Index>(each.element)]);
    if (known.size() > before) becomes[each.element] = -1 - static_cast<Index>(each.first);
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (becomes[e] < 0) {
      becomes[e] = becomes[static_cast<std::size_t>(-1 - becomes[e])];
      continue;
    }
    elements[kept] = elements[e], lines[kept] = lines[e];
    becomes[e] = static_cast<Index>(kept++);
  }
  elements.resize(kept), lines.resize(kept);
  for (Set& set : sets_)
    for (Index& member : set.*members) member = becomes[static_cast<std::size_t>(member)];
}

void CellCollector::unite_sets_of_elements() {
  unite(tetrahedra_, tetrahedron_lines_, &Set::tetrahedra);
  unite(hexahedra_, hexahedron_lines_, &Set::hexahedra);
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
