#pragma once
/// \file
/// The triangles, edges and vertices by which bodies touch each other.

#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// What surfaces consist of, by global vertex indices.
struct SurfaceParts {
  std::span<const Triangle> triangles{};  ///< Boundaries of solids and polygons of sheets, cut into fans.
  std::span<const Edge> lines{};          ///< Edges without triangles, such as those of wires.
  std::span<const Index> points{};        ///< Vertices without edges.
};

/// The parts of all bodies' surfaces, each once and in a fixed order. Constant during a run.
class ContactSurface {
 public:
  /// Body b has the vertices `body_offsets[b]` … `body_offsets[b+1]` - 1, and no part joins two bodies.
  /// `rest_positions` (m) and `is_free` have one entry per vertex of all bodies. Parts with a repeated vertex
  /// are left out.
  ContactSurface(const SurfaceParts& parts, std::span<const Count> body_offsets, VectorView rest_positions,
                 std::span<const char> is_free);

  /// They keep their sense, start with their smallest index, and ascend. Triangles with equal vertices are
  /// one.
  [[nodiscard]] std::span<const Triangle> triangles() const { return triangles_; }
  /// Those of the triangles and the lines. The smaller index comes first; they ascend.
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  /// Those of all parts, ascending.
  [[nodiscard]] std::span<const Index> vertices() const { return vertices_; }

  [[nodiscard]] std::size_t body_count() const { return body_count_; }
  [[nodiscard]] std::size_t body(Index vertex) const { return bodies_[static_cast<std::size_t>(vertex)]; }
  /// Whether no pin holds it.
  [[nodiscard]] bool is_free(Index vertex) const { return is_free_[static_cast<std::size_t>(vertex)] != 0; }
  /// Whether the surface goes on flat across one of `edges` at rest (flat_edges.hpp).
  [[nodiscard]] bool is_flat(const Edge& edge) const;
  /// Whether one of `edges` has no triangle.
  [[nodiscard]] bool is_line(const Edge& edge) const;
  /// n×3, m: of all vertices of the bodies, also of those that no part has.
  [[nodiscard]] VectorView rest_positions() const { return rest_positions_; }

 private:
  [[nodiscard]] bool has_mark(const std::vector<char>& marks, const Edge& edge) const;

  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::vector<Index> vertices_;
  std::vector<char> is_flat_, is_line_;  ///< One per edge.
  std::size_t body_count_ = 0;
  std::vector<std::size_t> bodies_;  ///< One per vertex.
  std::vector<char> is_free_;
  VectorArray rest_positions_;
};

}  // namespace electret
