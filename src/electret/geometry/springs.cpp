#include <algorithm>

#include <electret/geometry/polygon_sides.hpp>
#include <electret/geometry/springs.hpp>

namespace electret {
namespace {

Edge sorted(Index a, Index b) {
  return a < b ? Edge{a, b} : Edge{b, a};
}

void make_unique(std::vector<Edge>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// The corner of the side's polygon that is next to `end` of the side, away from the side.
Index beyond(const Polygons& polygons, const PolygonSide& side, Index end) {
  const auto corners = polygons[static_cast<std::size_t>(side.polygon)];
  const std::size_t count = corners.size();
  const auto k = static_cast<std::size_t>(side.at);
  return corners[k] == end ? corners[(k + count - 1) % count] : corners[(k + 2) % count];
}

}  // namespace

std::vector<Edge> edges(const Mesh& mesh) {
  std::vector<Edge> result;
  for (const PolygonSide& side : polygon_sides(mesh.polygons)) result.push_back(side.edge());
  for (const Edge& line : mesh.lines) result.push_back(sorted(line[0], line[1]));
  make_unique(result);
  return result;
}

std::vector<Edge> diagonals(const Mesh& mesh) {
  std::vector<Edge> result;
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) {
    const auto corners = mesh.polygons[p];
    if (corners.size() != 4) continue;
    result.push_back(sorted(corners[0], corners[2]));
    result.push_back(sorted(corners[1], corners[3]));
  }
  make_unique(result);
  return result;
}

std::vector<Edge> bending(const Mesh& mesh) {
  const std::vector<PolygonSide> all = polygon_sides(mesh.polygons);
  std::vector<Edge> result;
  const auto add = [&](Index a, Index b) {
    if (a != b) result.push_back(sorted(a, b));
  };
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    while (end < all.size() && all[end].edge() == all[first].edge()) ++end;
    if (end - first != 2) continue;
    const PolygonSide& one = all[first];
    const PolygonSide& two = all[first + 1];
    const std::size_t corners = mesh.polygons[static_cast<std::size_t>(one.polygon)].size();
    if (mesh.polygons[static_cast<std::size_t>(two.polygon)].size() != corners) continue;
    const auto [a, b] = one.edge();
    if (corners == 3 || corners == 4) add(beyond(mesh.polygons, one, a), beyond(mesh.polygons, two, a));
    if (corners == 4) add(beyond(mesh.polygons, one, b), beyond(mesh.polygons, two, b));
  }
  make_unique(result);
  return result;
}

}  // namespace electret
