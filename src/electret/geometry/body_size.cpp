#include <algorithm>
#include <limits>

#include <electret/geometry/body_size.hpp>
#include <electret/geometry/measure.hpp>
#include <electret/geometry/springs.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

using EdgeLists = std::vector<std::vector<Edge>>;  ///< One list per body.

std::vector<Edge> sides(const std::vector<Triangle>& faces) {
  std::vector<Edge> result;
  result.reserve(3 * faces.size());
  for (const Triangle& t : faces)
    for (std::size_t k = 0; k < 3; ++k)
      result.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Edge> element_edges(const JoinedParts& parts) {
  Mesh mesh;
  mesh.tetrahedra = parts.tetrahedra;
  mesh.hexahedra = parts.hexahedra;
  return mesh.element_count() > 0 ? volume_edges(mesh) : std::vector<Edge>{};
}

/// Gives `edges` to the bodies that have none yet.
void deal(const std::vector<Edge>& edges, std::span<const Count> offsets, EdgeLists& lists) {
  std::vector<bool> lacks;
  for (const auto& list : lists) lacks.push_back(list.empty());
  for (const Edge& edge : edges) {
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), Count{edge[0]});
    const auto body = static_cast<std::size_t>(after - offsets.begin()) - 1;
    if (lacks[body]) lists[body].push_back(edge);
  }
}

Vec3 extent_of(VectorView positions) {
  if (positions.empty()) return {};
  const BoundingBox box = bounding_box(positions);
  return box.high - box.low;
}

void measure(VectorView positions, const std::vector<Edge>& edges, BodySize& size) {
  if (edges.empty()) return;
  size.shortest = std::numeric_limits<double>::infinity();
  for (const auto& [i, j] : edges) {
    const double length =
        norm(positions[static_cast<std::size_t>(i)] - positions[static_cast<std::size_t>(j)]);
    size.shortest = std::min(size.shortest, length);
    size.mean += length / static_cast<double>(edges.size());
  }
}

}  // namespace

std::vector<BodySize> body_sizes(VectorView positions, std::span<const Count> offsets,
                                 const JoinedParts& parts) {
  if (offsets.empty()) return {};
  std::vector<BodySize> sizes(offsets.size() - 1);
  EdgeLists lists(sizes.size());
  deal(element_edges(parts), offsets, lists);
  deal(sides(parts.faces), offsets, lists);
  deal(parts.springs, offsets, lists);
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const auto first = static_cast<std::size_t>(offsets[b]), end = static_cast<std::size_t>(offsets[b + 1]);
    const VectorView own = positions.subspan(first, end - first);
    sizes[b].extent = extent_of(own);
    sizes[b].is_cloud = lists[b].empty();
    if (sizes[b].is_cloud)
      measure(own, nearest(own, 1), sizes[b]);
    else
      measure(positions, lists[b], sizes[b]);
  }
  return sizes;
}

}  // namespace electret
