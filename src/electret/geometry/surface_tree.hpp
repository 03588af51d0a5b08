#pragma once
/// \file
/// What is inside a surface of triangles, how far from it a point is, and where a segment crosses it.

#include <array>
#include <optional>
#include <vector>

#include <electret/geometry/measure.hpp>
#include <electret/geometry/mesh.hpp>

namespace electret {

/// A tree of boxes over a surface's triangles. All answers are the same bits on every call.
class SurfaceTree {
 public:
  /// Of `triangulated(surface.polygons)`, at least one.
  explicit SurfaceTree(const Mesh& surface);

  /// The generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013): the solid angle of the
  /// triangles seen from `point` over 4π; 1 inside a closed surface that faces outwards, 0 outside, between
  /// them near holes. Triangles of a box that the point is outside of are replaced by a fan over their rim,
  /// which is seen under the same angle; so it is exact, and O(√triangles) for even meshes.
  [[nodiscard]] double winding_number(const Vec3& point) const;

  /// Whether the winding number is over ½.
  [[nodiscard]] bool is_inside(const Vec3& point) const { return winding_number(point) > 0.5; }

  /// To the nearest point of the triangles, m.
  [[nodiscard]] double distance(const Vec3& point) const;

  /// The smallest t ∈ [0, 1] where from + t (to - from) is on a triangle; none if there is none.
  [[nodiscard]] std::optional<double> crossing(const Vec3& from, const Vec3& to) const;

  /// Whether the triangles have no rim: each edge is passed as often one way as the other.
  [[nodiscard]] bool is_closed() const { return nodes_.front().rim.empty(); }

  /// ∫ dV within, m³, of a closed surface.
  [[nodiscard]] double volume() const;
  [[nodiscard]] const BoundingBox& box() const { return nodes_.front().box; }

 private:
  using Corners = std::array<Vec3, 3>;
  struct Node {
    BoundingBox box;
    std::size_t begin = 0, end = 0;   ///< Its triangles.
    std::size_t left = 0, right = 0;  ///< Its halves; 0: a leaf.
    std::vector<Corners> rim;  ///< The fan over the rim, seen from outside the box as its triangles are.
  };
  std::size_t build(std::size_t begin, std::size_t end);
  [[nodiscard]] std::vector<Corners> rim_of(std::size_t begin, std::size_t end) const;

  VectorArray vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Corners> corners_;
  std::vector<Node> nodes_;
};

}  // namespace electret
