#pragma once
/// \file
/// A closed triangulation that can be changed one edge at a time.

#include <array>
#include <optional>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret::surface {

/// The triangulation is closed and manifold before and after every change. Removed vertices and triangles
/// leave gaps in the numbering until `mesh()`.
class Triangles {
 public:
  /// Starts from a closed, oriented mesh of triangles.
  explicit Triangles(const Mesh& mesh);

  [[nodiscard]] Count vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::size_t vertex_slots() const { return places.size(); }
  [[nodiscard]] bool is_alive(Index vertex) const { return !around(vertex).empty(); }
  /// The triangles at a vertex, by number.
  [[nodiscard]] const std::vector<Index>& around(Index vertex) const {
    return around_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] const Triangle& triangle(Index number) const {
    return triangles_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] std::size_t valence(Index vertex) const { return around(vertex).size(); }
  /// The vertices joined to `vertex`, sorted.
  [[nodiscard]] std::vector<Index> neighbours(Index vertex) const;
  /// All edges, sorted, with the smaller index first.
  [[nodiscard]] std::vector<Edge> edges() const;
  [[nodiscard]] bool has_edge(Index a, Index b) const;
  /// The vertices opposite the edge a-b: first that of the triangle that runs a → b, then that of the other.
  [[nodiscard]] std::array<Index, 2> opposite(Index a, Index b) const;

  /// Puts a vertex on the edge a-b and cuts its two triangles. Returns the new vertex.
  Index split(Index a, Index b, const Vec3& place, const Vec3& normal);
  /// Whether the edge a-b can collapse to a point with the surface staying manifold.
  [[nodiscard]] bool can_collapse(Index a, Index b) const;
  /// Collapses the edge to `a`, which may then be moved; `b` is removed.
  void collapse(Index a, Index b);
  /// Whether the edge a-b can become the other diagonal of its two triangles.
  [[nodiscard]] bool can_flip(Index a, Index b) const;
  void flip(Index a, Index b);

  /// The mesh, with its vertices numbered anew without gaps.
  [[nodiscard]] Mesh mesh() const;

  VectorArray places;   ///< By vertex slot.
  VectorArray normals;  ///< By vertex slot; unit, outward.

 private:
  void attach(Index triangle);
  void detach(Index triangle);
  /// The triangle that runs a → b.
  [[nodiscard]] Index triangle_along(Index a, Index b) const;
  void replace(Index triangle, Index from, Index to);

  std::vector<Triangle> triangles_;  ///< {-1, -1, -1} if removed.
  std::vector<std::vector<Index>> around_;
  Count vertex_count_ = 0;
};

}  // namespace electret::surface
