#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/geometry/generators/surface/triangles.hpp>

namespace electret::surface {
namespace {

constexpr Triangle nothing = {-1, -1, -1};

/// The corner after `vertex`.
Index after(const Triangle& triangle, Index vertex) {
  return triangle[0] == vertex ? triangle[1] : triangle[1] == vertex ? triangle[2] : triangle[0];
}

Index third(const Triangle& triangle, Index a, Index b) {
  for (const Index corner : triangle)
    if (corner != a && corner != b) return corner;
  return -1;
}

}  // namespace

Triangles::Triangles(const Mesh& mesh)
    : places(mesh.vertices),
      normals(mesh.vertices.size()),
      triangles_(triangulated(mesh.polygons)),
      around_(mesh.vertices.size()),
      vertex_count_(static_cast<Count>(mesh.vertices.size())) {
  for (std::size_t t = 0; t < triangles_.size(); ++t) attach(static_cast<Index>(t));
}

void Triangles::attach(Index number) {
  for (const Index corner : triangle(number)) around_[static_cast<std::size_t>(corner)].push_back(number);
}

void Triangles::detach(Index number) {
  for (const Index corner : triangle(number)) std::erase(around_[static_cast<std::size_t>(corner)], number);
}

void Triangles::replace(Index number, Index from, Index to) {
  detach(number);
  for (Index& corner : triangles_[static_cast<std::size_t>(number)])
    if (corner == from) corner = to;
  attach(number);
}

std::vector<Index> Triangles::neighbours(Index vertex) const {
  std::vector<Index> result;
  for (const Index number : around(vertex)) result.push_back(after(triangle(number), vertex));
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Edge> Triangles::edges() const {
  std::vector<Edge> result;
  for (std::size_t v = 0; v < around_.size(); ++v)
    for (const Index other : neighbours(static_cast<Index>(v)))
      if (other > static_cast<Index>(v)) result.push_back({static_cast<Index>(v), other});
  return result;
}

Index Triangles::triangle_along(Index a, Index b) const {
  for (const Index number : around(a))
    if (after(triangle(number), a) == b) return number;
  return -1;
}

bool Triangles::has_edge(Index a, Index b) const {
  return triangle_along(a, b) >= 0;
}

std::array<Index, 2> Triangles::opposite(Index a, Index b) const {
  const Index one = triangle_along(a, b), two = triangle_along(b, a);
  require(one >= 0 && two >= 0, "a closed surface has two triangles at each edge");
  return {third(triangle(one), a, b), third(triangle(two), a, b)};
}

Index Triangles::split(Index a, Index b, const Vec3& place, const Vec3& normal) {
  const Index one = triangle_along(a, b), two = triangle_along(b, a);
  const auto [c, d] = opposite(a, b);
  const auto middle = static_cast<Index>(places.size());
  places.push_back(place);
  normals.push_back(normal);
  around_.emplace_back();
  ++vertex_count_;
  replace(one, b, middle);
  replace(two, b, middle);
  for (const Triangle& added : {Triangle{middle, b, c}, Triangle{b, middle, d}}) {
    triangles_.push_back(added);
    attach(static_cast<Index>(triangles_.size()) - 1);
  }
  return middle;
}

bool Triangles::can_collapse(Index a, Index b) const {
  const auto of_a = neighbours(a), of_b = neighbours(b);
  std::vector<Index> common;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
  // Only the two opposite vertices may be joined to both ends, and each must keep three triangles.
  return common.size() == 2 && valence(common[0]) > 3 && valence(common[1]) > 3 && vertex_count_ > 4;
}

void Triangles::collapse(Index a, Index b) {
  for (const Index number : {triangle_along(a, b), triangle_along(b, a)}) {
    detach(number);
    triangles_[static_cast<std::size_t>(number)] = nothing;
  }
  const std::vector<Index> moved = around(b);
  for (const Index number : moved) replace(number, b, a);
  --vertex_count_;
}

bool Triangles::can_flip(Index a, Index b) const {
  const auto [c, d] = opposite(a, b);
  return valence(a) > 3 && valence(b) > 3 && c != d && !has_edge(c, d);
}

void Triangles::flip(Index a, Index b) {
  const auto [c, d] = opposite(a, b);
  const Index one = triangle_along(a, b), two = triangle_along(b, a);
  replace(one, b, d);  // a, b, c becomes a, d, c,
  replace(two, a, c);  // and b, a, d becomes b, c, d.
}

Mesh Triangles::mesh() const {
  Mesh result;
  std::vector<Index> renumbered(places.size(), -1);
  for (std::size_t v = 0; v < places.size(); ++v) {
    if (!is_alive(static_cast<Index>(v))) continue;
    renumbered[v] = static_cast<Index>(result.vertices.size());
    result.vertices.push_back(places[v]);
  }
  for (const Triangle& triangle : triangles_) {
    if (triangle == nothing) continue;
    Triangle corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = renumbered[static_cast<std::size_t>(triangle[k])];
    result.polygons.add(corners);
  }
  return result;
}

}  // namespace electret::surface
