#include <algorithm>

#include <electret/contact/contact_surface.hpp>
#include <electret/contact/flat_edges.hpp>
#include <electret/core/errors.hpp>

namespace electret {
namespace {

template <class Items>
void keep_each_once(Items& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// Each once, with its smallest index first.
std::vector<Triangle> canonical_triangles(std::span<const Triangle> given) {
  std::vector<Triangle> triangles;
  for (Triangle t : given) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.push_back(t);
  }
  const auto sorted = [](Triangle t) {
    if (t[1] > t[2]) std::swap(t[1], t[2]);
    return t;
  };
  std::stable_sort(triangles.begin(), triangles.end(),
                   [&](const Triangle& a, const Triangle& b) { return sorted(a) < sorted(b); });
  triangles.erase(std::unique(triangles.begin(), triangles.end(),
                              [&](const Triangle& a, const Triangle& b) { return sorted(a) == sorted(b); }),
                  triangles.end());
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}  // namespace

ContactSurface::ContactSurface(const SurfaceParts& parts, std::span<const Count> body_offsets,
                               VectorView rest_positions, std::span<const char> is_free)
    : triangles_(canonical_triangles(parts.triangles)),
      vertices_(parts.points.begin(), parts.points.end()),
      body_count_(body_offsets.size() - 1),
      is_free_(is_free.begin(), is_free.end()),
      rest_positions_(rest_positions.begin(), rest_positions.end()) {
  require(is_free.size() == rest_positions.size() &&
              body_offsets.back() == static_cast<Count>(rest_positions.size()),
          "a contact surface with numbers of other vertices");
  const auto add_edge = [&](Index a, Index b) {
    if (a != b) edges_.push_back({std::min(a, b), std::max(a, b)});
  };
  for (const Triangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k) add_edge(t[k], t[(k + 1) % 3]);
  keep_each_once(edges_);
  const std::vector<Edge> of_triangles = edges_;
  for (const Edge& line : parts.lines) add_edge(line[0], line[1]);
  keep_each_once(edges_);
  for (const Edge& edge : edges_)
    is_line_.push_back(std::binary_search(of_triangles.begin(), of_triangles.end(), edge) ? 0 : 1);
  is_flat_ = flat_edges(triangles_, edges_, rest_positions_);
  for (const Edge& edge : edges_) vertices_.insert(vertices_.end(), edge.begin(), edge.end());
  keep_each_once(vertices_);
  for (std::size_t b = 0; b < body_count_; ++b)
    bodies_.resize(static_cast<std::size_t>(body_offsets[b + 1]), b);
  for (const Edge& edge : edges_) require(body(edge[0]) == body(edge[1]), "an edge between two bodies");
}

bool ContactSurface::has_mark(const std::vector<char>& marks, const Edge& edge) const {
  const auto at = std::lower_bound(edges_.begin(), edges_.end(), edge);
  return at != edges_.end() && *at == edge && marks[static_cast<std::size_t>(at - edges_.begin())] != 0;
}

bool ContactSurface::is_flat(const Edge& edge) const {
  return has_mark(is_flat_, edge);
}

bool ContactSurface::is_line(const Edge& edge) const {
  return has_mark(is_line_, edge);
}

}  // namespace electret
