#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/core/stop_scope.hpp>
#include <electret/geometry/generators/surface/implicit.hpp>
#include <electret/geometry/generators/surface/refined.hpp>
#include <electret/geometry/generators/surface/triangles.hpp>

namespace electret::surface {
namespace {

double area(const Mesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : triangulated(mesh.polygons)) {
    const Vec3& origin = mesh.vertices[static_cast<std::size_t>(a)];
    sum += 0.5 * norm(cross(mesh.vertices[static_cast<std::size_t>(b)] - origin,
                            mesh.vertices[static_cast<std::size_t>(c)] - origin));
  }
  return sum;
}

/// Evens out a triangulation of an implicit surface. It splits long edges, collapses short ones and flips
/// others. It moves vertices to the middle of their neighbours and back onto the surface. (The scheme of
/// Botsch and Kobbelt, "A remeshing approach to multiresolution modeling", 2004.)
class Remesher {
 public:
  Remesher(const ImplicitSurface& surface, const Mesh& start, double edge)
      : surface_(surface), triangles_(start), edge_(edge) {
    for (std::size_t v = 0; v < triangles_.vertex_slots(); ++v)
      settle(static_cast<Index>(v), near(triangles_.places[v]));
  }

  Mesh meshed(Count vertices) {
    constexpr int most_rounds = 24;
    constexpr int first_rounds = 6;  // Rounds with a constant edge, until triangles fit it.
    for (int round = 0; round < most_rounds; ++round) {
      split_longer(edge_ * 4.0 / 3.0);
      collapse_shorter(edge_ * 4.0 / 5.0, edge_ * 4.0 / 3.0);
      even_out();
      if (round + 1 < first_rounds) continue;
      const double excess = static_cast<double>(triangles_.vertex_count()) / static_cast<double>(vertices);
      if (std::abs(excess - 1.0) < 0.03) break;
      // Moves towards the edge that gives the requested number, but not in one step.
      edge_ *= std::clamp(std::pow(excess, 0.4), 0.9, 1.1);
    }
    reach(vertices);
    constexpr int last_rounds = 6;
    for (int round = 0; round < last_rounds; ++round) even_out();
    Mesh mesh = triangles_.mesh();
    for (Vec3& point : mesh.vertices) point = surface_.projected(point, 1e-9 * surface_.detail);
    return mesh;
  }

 private:
  [[nodiscard]] Vec3& place(Index v) { return triangles_.places[static_cast<std::size_t>(v)]; }
  [[nodiscard]] const Vec3& place(Index v) const { return triangles_.places[static_cast<std::size_t>(v)]; }
  [[nodiscard]] const Vec3& normal(Index v) const { return triangles_.normals[static_cast<std::size_t>(v)]; }
  [[nodiscard]] double length(const Edge& edge) const { return norm(place(edge[0]) - place(edge[1])); }

  using Placed = ImplicitSurface::Placed;

  /// The point that two Newton steps lead to. It is on the surface to second order in the edge.
  [[nodiscard]] Placed near(const Vec3& point) const { return surface_.nearer(surface_.nearer(point).point); }
  [[nodiscard]] Placed middle(const Edge& edge) const {
    return near(0.5 * (place(edge[0]) + place(edge[1])));
  }

  void settle(Index v, const Placed& placed) {
    place(v) = placed.point;
    triangles_.normals[static_cast<std::size_t>(v)] = placed.normal;
  }

  /// How well a triangle is shaped and lies along the surface, whose direction is the mean normal of the
  /// corners: twice its area seen from outside over its longest side squared. It is 0.87 at best, and
  /// negative if the triangle is turned over.
  [[nodiscard]] static double quality(const std::array<Vec3, 3>& at, const Vec3& outward) {
    const Vec3 across = cross(at[1] - at[0], at[2] - at[0]);
    const double longest =
        std::max({squared_norm(at[1] - at[0]), squared_norm(at[2] - at[1]), squared_norm(at[0] - at[2])});
    return dot(across, outward) / std::max(longest * norm(outward), 1e-300);
  }

  /// The worst quality of the triangles at `vertex` if it were at `point`, without the triangles that have
  /// the corner `without`.
  [[nodiscard]] double worst(Index vertex, const Placed& there, Index without) const {
    double result = 1.0;
    for (const Index number : triangles_.around(vertex)) {
      std::array<Vec3, 3> at;
      Vec3 sum;
      bool counts = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const Index corner = triangles_.triangle(number)[k];
        counts = counts && corner != without;
        at[k] = corner == vertex ? there.point : place(corner);
        sum += corner == vertex ? there.normal : normal(corner);
      }
      if (counts) result = std::min(result, quality(at, sum));
    }
    return result;
  }
  [[nodiscard]] double worst(Index vertex) const {
    return worst(vertex, {place(vertex), normal(vertex)}, -1);
  }

  /// A change may not make triangles worse than this.
  static constexpr double good = 0.25;

  void split(const Edge& edge) {
    const Placed added = middle(edge);
    triangles_.split(edge[0], edge[1], added.point, added.normal);
  }

  void split_longer(double longest) {
    for (const Edge& edge : triangles_.edges())
      if (length(edge) > longest) split(edge);
  }

  /// Collapses the edge to its middle or either end if that leaves well-shaped triangles and no edge longer
  /// than `longest`.
  bool collapse(const Edge& edge, double longest) {
    const auto [a, b] = edge;
    if (!triangles_.can_collapse(a, b)) return false;
    const double before = std::min(worst(a), worst(b));
    for (const Placed& there : {middle(edge), Placed{place(a), normal(a)}, Placed{place(b), normal(b)}}) {
      const double after = std::min(worst(a, there, b), worst(b, there, a));
      if ((after < good && after <= before) || reach_of(edge, there.point) > longest) continue;
      triangles_.collapse(a, b);
      settle(a, there);
      return true;
    }
    return false;
  }

  /// The longest edge at `point` if `edge` were collapsed to it.
  [[nodiscard]] double reach_of(const Edge& edge, const Vec3& point) const {
    double longest = 0.0;
    for (const Index end : edge)
      for (const Index other : triangles_.neighbours(end))
        if (other != edge[0] && other != edge[1]) longest = std::max(longest, norm(place(other) - point));
    return longest;
  }

  void collapse_shorter(double shortest, double longest) {
    for (const Edge& edge : triangles_.edges()) {
      throw_if_stopped();
      if (triangles_.is_alive(edge[0]) && triangles_.is_alive(edge[1]) &&
          triangles_.has_edge(edge[0], edge[1]) && length(edge) < shortest)
        collapse(edge, longest);
    }
  }

  void even_out() {
    smooth();
    flip_edges();
  }

  /// The cosine and the sine of the angle at `apex`, times a common factor.
  [[nodiscard]] std::array<double, 2> angle(Index apex, Index a, Index b) const {
    const Vec3 u = place(a) - place(apex), v = place(b) - place(apex);
    return {dot(u, v), norm(cross(u, v))};
  }

  // Delaunay: the two angles opposite an edge sum to at most half a turn.
  void flip_edges() {
    for (const auto& [a, b] : triangles_.edges()) {
      throw_if_stopped();
      if (!triangles_.has_edge(a, b)) continue;
      const auto [c, d] = triangles_.opposite(a, b);
      const auto at_c = angle(c, a, b), at_d = angle(d, a, b);
      const double sine = at_c[1] * at_d[0] + at_c[0] * at_d[1];
      const double cosine = at_c[0] * at_d[0] - at_c[1] * at_d[1];
      constexpr double clearly = 1e-3;
      if (sine > clearly * cosine || !triangles_.can_flip(a, b)) continue;
      const auto shape = [&](Index p, Index q, Index r) {
        return quality({place(p), place(q), place(r)}, normal(p) + normal(q) + normal(r));
      };
      const double after = std::min(shape(a, d, c), shape(b, c, d));
      if (after >= good || after > std::min(shape(a, b, c), shape(b, a, d))) triangles_.flip(a, b);
    }
  }

  // Moves vertices towards the mean of their neighbours, along the surface only.
  void smooth() {
    constexpr double eagerness = 0.6;
    for (std::size_t slot = 0; slot < triangles_.vertex_slots(); ++slot) {
      throw_if_stopped();
      const auto v = static_cast<Index>(slot);
      if (!triangles_.is_alive(v)) continue;
      Vec3 mean;
      const auto around = triangles_.neighbours(v);
      for (const Index other : around) mean += place(other);
      mean *= 1.0 / static_cast<double>(around.size());
      Vec3 move = eagerness * (mean - place(v));
      move -= dot(move, normal(v)) * normal(v);
      const Placed there = surface_.nearer(place(v) + move);
      if (const double after = worst(v, there, -1); after >= good || after > worst(v)) settle(v, there);
    }
  }

  // Adds or removes the last few vertices: splits the longest edges, or collapses the shortest, some at a
  // time.
  void reach(Count vertices) {
    constexpr int most_rounds = 200;
    for (int round = 0; round < most_rounds && triangles_.vertex_count() != vertices; ++round) {
      std::vector<Edge> ranked = triangles_.edges();
      const bool too_many = triangles_.vertex_count() > vertices;
      std::stable_sort(ranked.begin(), ranked.end(), [&](const Edge& a, const Edge& b) {
        return too_many ? length(a) < length(b) : length(a) > length(b);
      });
      Count budget = std::abs(triangles_.vertex_count() - vertices);
      for (const Edge& edge : ranked) {
        if (budget == 0) break;
        if (!triangles_.is_alive(edge[0]) || !triangles_.is_alive(edge[1]) ||
            !triangles_.has_edge(edge[0], edge[1]))
          continue;
        if (!too_many) split(edge);
        if (!too_many || collapse(edge, std::numeric_limits<double>::infinity())) --budget;
      }
      even_out();
    }
    require(triangles_.vertex_count() == vertices,
            "the surface could not be given the requested number of vertices");
  }

  const ImplicitSurface& surface_;
  Triangles triangles_;
  double edge_;  ///< m, aimed at.
};

/// Evens out all vertices, which takes some 30 rounds over them.
Mesh evenly_meshed(const ImplicitSurface& surface, Count vertices) {
  const double coarse_area = area(marched(surface, surface.detail));
  const double edge = even_edge(coarse_area, vertices);
  // Fine enough for every detail, but no finer than the edges need.
  const Mesh start = marched(surface, std::min(1.3 * edge, 0.5 * surface.detail));
  return Remesher(surface, start, edge).meshed(vertices);
}

}  // namespace

Mesh meshed(const ImplicitSurface& surface, Count vertices) {
  constexpr Count most_evened = 25'000;           // Up to here every vertex is;
  constexpr Count most_before_refining = 12'500;  // finer surfaces are refined from this at most.
  if (vertices <= most_evened) return evenly_meshed(surface, vertices);
  const Refinement refinement = refinement_to(vertices, most_before_refining);
  return refined(surface, evenly_meshed(surface, refinement.start), vertices, refinement.rounds);
}

}  // namespace electret::surface
