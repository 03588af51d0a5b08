#include "geometry/mesh_checks.hpp"

#include <algorithm>
#include <numeric>

#include <electret/geometry/polygon_sides.hpp>

namespace electret {
namespace {

/// Disjoint sets of numbers.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parent_;
};

/// True if, at every vertex, the corners of its polygons are connected through the sides that the polygons
/// share.
bool fans_are_whole(const Mesh& mesh, const std::vector<PolygonSide>& all) {
  const Polygons& polygons = mesh.polygons;
  Sets corners(polygons.indices.size());
  const auto corner = [&](Index polygon, Index vertex) {
    const auto p = static_cast<std::size_t>(polygon);
    const auto vertices = polygons[p];
    return static_cast<std::size_t>(polygons.offsets[p] +
                                    (std::find(vertices.begin(), vertices.end(), vertex) - vertices.begin()));
  };
  for (std::size_t s = 1; s < all.size(); ++s)
    if (all[s].edge() == all[s - 1].edge())
      for (const Index end : all[s].edge())
        corners.join(corner(all[s - 1].polygon, end), corner(all[s].polygon, end));
  std::vector<std::size_t> fan(mesh.vertices.size(), polygons.indices.size());
  for (std::size_t c = 0; c < polygons.indices.size(); ++c) {
    auto& first = fan[static_cast<std::size_t>(polygons.indices[c])];
    if (first == polygons.indices.size()) first = corners.root(c);
    if (corners.root(c) != first) return false;
  }
  return true;
}

}  // namespace

Topology topology(const Mesh& mesh) {
  Topology result;
  const std::vector<PolygonSide> all = polygon_sides(mesh.polygons);
  std::vector<char> used(mesh.vertices.size(), 0);
  Sets components(mesh.vertices.size());
  Sets rims(mesh.vertices.size());
  std::vector<Index> rim_vertices;
  Count edge_count = 0;
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    while (end < all.size() && all[end].edge() == all[first].edge()) ++end;
    ++edge_count;
    const auto from = static_cast<std::size_t>(all[first].from), to = static_cast<std::size_t>(all[first].to);
    used[from] = used[to] = 1;
    components.join(from, to);
    if (end - first > 2) result.manifold = false;
    if (end - first == 2 && all[first].from == all[first + 1].from) result.oriented = false;
    if (end - first != 2) result.closed = false;
    if (end - first == 1) {
      rims.join(from, to);
      rim_vertices.insert(rim_vertices.end(), {all[first].from, all[first].to});
    }
  }
  result.manifold = result.manifold && fans_are_whole(mesh, all);
  Count used_count = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    used_count += used[v];
    if (used[v] != 0 && components.root(v) == v) ++result.components;
  }
  std::sort(rim_vertices.begin(), rim_vertices.end());
  rim_vertices.erase(std::unique(rim_vertices.begin(), rim_vertices.end()), rim_vertices.end());
  for (const Index v : rim_vertices)
    if (rims.root(static_cast<std::size_t>(v)) == static_cast<std::size_t>(v)) ++result.boundary_loops;
  result.unused_vertices = static_cast<Count>(mesh.vertices.size()) - used_count;
  result.euler_characteristic = used_count - edge_count + static_cast<Count>(mesh.polygons.size());
  return result;
}

double enclosed_volume(const Mesh& mesh) {
  double six_volumes = 0.0;
  for (const auto& [a, b, c] : triangulated(mesh.polygons)) {
    const Vec3& xa = mesh.vertices[static_cast<std::size_t>(a)];
    const Vec3& xb = mesh.vertices[static_cast<std::size_t>(b)];
    const Vec3& xc = mesh.vertices[static_cast<std::size_t>(c)];
    six_volumes += dot(xa, cross(xb, xc));
  }
  return six_volumes / 6.0;
}

}  // namespace electret
