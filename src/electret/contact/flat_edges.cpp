#include <algorithm>
#include <cmath>

#include <electret/contact/flat_edges.hpp>
#include <electret/core/transverse.hpp>

namespace electret {
namespace {

/// Across the edge from `a` to `b`, the direction in which `c` lies; 0 for vertices in a line.
Vec3 side_of_edge(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 along = b - a;
  const double length = norm(along);
  if (!(length > 0.0)) return {};
  const Vec3 side = transverse((1.0 / length) * along, c - a);
  const double height = norm(side);
  return height > 0.0 ? (1.0 / height) * side : Vec3{};
}

}  // namespace

std::vector<char> flat_edges(std::span<const Triangle> triangles, std::span<const Edge> edges,
                             VectorView rest_positions) {
  std::vector<int> counts(edges.size(), 0);
  std::vector<std::array<Vec3, 2>> sides(edges.size());
  const auto at = [&](Index v) { return rest_positions[static_cast<std::size_t>(v)]; };
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      const Edge edge{std::min(a, b), std::max(a, b)};
      const auto e =
          static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin());
      if (counts[e] < 2)
        sides[e][static_cast<std::size_t>(counts[e])] =
            side_of_edge(at(edge[0]), at(edge[1]), at(t[(k + 2) % 3]));
      ++counts[e];
    }
  std::vector<char> is_flat(edges.size(), 0);
  for (std::size_t e = 0; e < edges.size(); ++e)
    is_flat[e] = counts[e] == 2 && dot(sides[e][0], sides[e][1]) < -std::cos(flat_edge_angle) ? 1 : 0;
  return is_flat;
}

}  // namespace electret
