#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

void make_set(std::vector<Index>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

template <class Row>
void keep_only(const std::vector<char>& stays, std::vector<Row>& rows) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (stays[k] != 0) rows[kept++] = rows[k];
  rows.resize(kept);
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
  if (dimension == 2) {
    for (const std::size_t s : sets) sets_[s].polygons.push_back(static_cast<Index>(polygons_.size()));
    polygons_.add(corners);
    polygon_places_.push_back({line, 0});
  }
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

/// Adds the sets of those that repeat to those that are repeated. Returns which stay, and numbers the members
/// of sets as if the others had gone.
std::vector<char> CellCollector::unite(const std::vector<RepeatedElement>& repeated, std::size_t count,
                                       std::vector<Index> Set::*members) {
  std::map<Index, std::set<std::size_t>>
      sets;  // Of the elements that are repeated, and of those that repeat.
  for (const RepeatedElement& each : repeated)
    sets.try_emplace(static_cast<Index>(each.element)), sets.try_emplace(static_cast<Index>(each.first));
  for (std::size_t s = 0; s < sets_.size(); ++s)
    for (const Index member : sets_[s].*members)
      if (const auto own = sets.find(member); own != sets.end()) own->second.insert(s);

  std::vector<char> stays(count, 1);
  std::vector<Index> becomes(count, 0);  // First the one that takes the place of what is left out.
  for (const RepeatedElement& each : repeated) {
    auto& known = sets[static_cast<Index>(each.first)];
    const auto before = known.size();
    known.merge(sets[static_cast<Index>(each.element)]);
    if (known.size() == before) continue;
    stays[each.element] = 0;
    becomes[each.element] = static_cast<Index>(each.first);
  }
  Index kept = 0;
  for (std::size_t e = 0; e < count; ++e)
    becomes[e] = stays[e] != 0 ? kept++ : becomes[static_cast<std::size_t>(becomes[e])];
  for (Set& set : sets_)
    for (Index& member : set.*members) member = becomes[static_cast<std::size_t>(member)];
  return stays;
}

void CellCollector::unite_polygons() {
  const std::vector<RepeatedElement> repeated = repeated_elements(polygons_);
  if (repeated.empty()) return;
  const std::vector<char> stays = unite(repeated, polygons_.size(), &Set::polygons);
  Polygons kept;
  for (std::size_t p = 0; p < polygons_.size(); ++p)
    if (stays[p] != 0) kept.add(polygons_[p]);
  polygons_ = std::move(kept);
  keep_only(stays, polygon_places_);
}

void CellCollector::unite_sets() {
  const auto unite_elements = [&](auto& elements, std::vector<Count>& lines, auto members) {
    const std::vector<RepeatedElement> repeated = repeated_elements(elements);
    if (repeated.empty()) return;
    const std::vector<char> stays = unite(repeated, elements.size(), members);
    keep_only(stays, elements);
    keep_only(stays, lines);
  };
  unite_elements(tetrahedra_, tetrahedron_lines_, &Set::tetrahedra);
  unite_elements(hexahedra_, hexahedron_lines_, &Set::hexahedra);
  unite_polygons();
}

void CellCollector::finish(Mesh& mesh, std::span<const std::string> names, input::Findings& findings) {
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
    report_repeated_polygons(polygons_, polygon_places_, findings);
    findings.throw_if_any();
    mesh.polygons = std::move(polygons_);
    mesh.lines = std::move(lines_);
  }
}

}  // namespace electret
