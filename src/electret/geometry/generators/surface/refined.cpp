#include <algorithm>
#include <array>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/geometry/generators/surface/refined.hpp>

namespace electret::surface {
namespace {

/// The arrays of a mesh that is being refined.
struct Surface {
  VectorArray places;
  std::vector<Triangle> triangles;

  [[nodiscard]] const Vec3& place(Index v) const { return places[static_cast<std::size_t>(v)]; }
};

/// The triangle's edge between corners `side` and `side` + 1, smaller vertex first.
Edge side_of(const Triangle& triangle, std::size_t side) {
  const auto [low, high] = std::minmax(triangle[side], triangle[(side + 1) % 3]);
  return {low, high};
}

/// The middle of the edge, moved onto the surface to second order in the edge.
Vec3 middle(const ImplicitSurface& surface, const Surface& mesh, const Edge& edge) {
  return surface.nearer(surface.nearer(0.5 * (mesh.place(edge[0]) + mesh.place(edge[1]))).point).point;
}

/// Cuts every edge in two and every triangle in four.
void cut_all(const ImplicitSurface& surface, Surface& mesh) {
  struct Side {
    Edge edge;
    std::size_t place;  ///< 3 × triangle + side.
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) sides.push_back({side_of(mesh.triangles[t], k), 3 * t + k});
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.place < b.place;
  });
  std::vector<Index> middles(sides.size());
  for (std::size_t s = 0; s < sides.size(); ++s) {
    throw_if_stopped();
    if (s == 0 || sides[s].edge != sides[s - 1].edge)
      mesh.places.push_back(middle(surface, mesh, sides[s].edge));
    middles[sides[s].place] = static_cast<Index>(mesh.places.size()) - 1;
  }
  std::vector<Triangle> quarters;
  quarters.reserve(4 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    const Index ab = middles[3 * t], bc = middles[3 * t + 1], ca = middles[3 * t + 2];
    quarters.insert(quarters.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(quarters);
}

/// Cuts the longest edge (the first of equal ones) and its two triangles.
void cut_longest(const ImplicitSurface& surface, Surface& mesh) {
  Edge longest{};
  double length = -1.0;
  for (const Triangle& triangle : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge edge = side_of(triangle, k);
      const double own = squared_norm(mesh.place(edge[0]) - mesh.place(edge[1]));
      if (own > length) longest = edge, length = own;
    }
  const auto added = static_cast<Index>(mesh.places.size());
  mesh.places.push_back(middle(surface, mesh, longest));
  const std::size_t count = mesh.triangles.size();
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      if (side_of(mesh.triangles[t], k) != longest) continue;
      Triangle half = mesh.triangles[t];
      half[k] = added;
      mesh.triangles[t][(k + 1) % 3] = added;
      mesh.triangles.push_back(half);
      break;
    }
}

Count start_of(Count vertices, int rounds) {
  return ((vertices - 2) >> (2 * rounds)) + 2;
}

}  // namespace

Refinement refinement_to(Count vertices, Count most) {
  Refinement result{0, vertices};
  while (result.start > most) result.start = start_of(vertices, ++result.rounds);
  return result;
}

Mesh refined(const ImplicitSurface& surface, const Mesh& coarse, Count vertices, int rounds) {
  Surface fine{coarse.vertices, triangulated(coarse.polygons)};
  for (int left = rounds - 1; left >= 0; --left) {
    cut_all(surface, fine);
    const Count wanted = start_of(vertices, left);
    while (static_cast<Count>(fine.places.size()) < wanted) cut_longest(surface, fine);
  }
  require(static_cast<Count>(fine.places.size()) == vertices,
          "the coarse surface is not of one piece without holes");
  Mesh mesh;
  mesh.vertices = std::move(fine.places);
  for (Vec3& point : mesh.vertices) {
    throw_if_stopped();
    point = surface.projected(point, 1e-9 * surface.detail);
  }
  for (const Triangle& triangle : fine.triangles) mesh.polygons.add(triangle);
  return mesh;
}

}  // namespace electret::surface
