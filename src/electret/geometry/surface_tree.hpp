#pragma once
/// \file
/// Whether a point is inside a surface of triangles, how far it is from the surface, and where a segment
/// crosses it.

#include <array>
#include <optional>
#include <vector>

#include <electret/geometry/measure.hpp>
#include <electret/geometry/mesh.hpp>

namespace electret {

/// A tree of boxes over a surface's triangles. All answers have the same bits on every call.
class SurfaceTree {
 public:
  /// Builds the tree over `triangulated(surface.polygons)`, which has at least one triangle.
  explicit SurfaceTree(const Mesh& surface);

  /// The generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013): the solid angle of the
  /// triangles seen from `point`, divided by 4π. It is 1 inside a closed surface that faces outwards, 0
  /// outside, and in between near holes. If the point is outside a box, the box's triangles are replaced by a
  /// fan over their rim, which has the same solid angle. The result is therefore exact, and costs
  /// O(√triangles) for even meshes.
  [[nodiscard]] double winding_number(const Vec3& point) const;

  /// Whether the winding number is over ½.
  [[nodiscard]] bool is_inside(const Vec3& point) const { return winding_number(point) > 0.5; }

  /// The distance to the nearest point of the triangles, m.
  [[nodiscard]] double distance(const Vec3& point) const;

  /// The smallest t ∈ [0, 1] for which from + t (to - from) is on a triangle; nothing if there is none.
  [[nodiscard]] std::optional<double> crossing(const Vec3& from, const Vec3& to) const;

  /// Whether the triangles have no rim: each edge is passed equally often in both directions.
  [[nodiscard]] bool is_closed() const { return nodes_.front().rim.empty(); }

  /// The enclosed volume ∫ dV, m³, of a closed surface.
  [[nodiscard]] double volume() const;
  [[nodiscard]] const BoundingBox& box() const { return nodes_.front().box; }

 private:
  using Corners = std::array<Vec3, 3>;
  struct Node {
    BoundingBox box;
    std::size_t begin = 0, end = 0;   ///< Its triangles.
    std::size_t left = 0, right = 0;  ///< Its two halves; 0 in a leaf.
    std::vector<Corners> rim;         ///< The fan over the rim; from outside, its solid angle is theirs.
  };
  std::size_t build(std::size_t begin, std::size_t end);
  [[nodiscard]] std::vector<Corners> rim_of(std::size_t begin, std::size_t end) const;

  VectorArray vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Corners> corners_;
  std::vector<Node> nodes_;
};

}  // namespace electret
