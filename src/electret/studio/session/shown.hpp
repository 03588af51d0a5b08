#pragma once
/// \file
/// What pages draw of the bodies: points, faces and springs, of a scene or of a recorded run.

#include <array>
#include <set>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/studio/session/events.hpp>

namespace electret {
struct Assembly;
struct RunBody;
class TrajectoryReader;
}  // namespace electret

namespace electret::studio {

/// A number that a float can hold: what is beyond its range becomes the largest.
[[nodiscard]] float as_float(double value);

/// The points are all n vertices, then the surface points of filled bodies.
class Shown {
 public:
  Shown() = default;
  explicit Shown(const Assembly& assembly);
  /// Throws IoError as the reader does.
  explicit Shown(const TrajectoryReader& run);

  [[nodiscard]] std::size_t vertices() const { return vertices_; }
  [[nodiscard]] std::size_t points() const { return vertices_ + corners_.size(); }
  [[nodiscard]] const Vec3& centre() const { return centre_; }
  /// The diagonal of the box of the bodies at the start, m; 1 if they have no extent.
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] const std::vector<BodyInfo>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<GroupInfo>& groups() const { return groups_; }
  /// Whether two groups of a body have a vertex in common; groups that there are not may have.
  [[nodiscard]] bool share_vertices(Count body, const std::string& one, const std::string& other) const;
  /// The groups of a body that give one of these vertices (from 0, of all) their charge.
  [[nodiscard]] std::vector<std::string> charging_groups(Count body, const std::set<Index>& vertices) const;
  /// The number of the body that point `point` belongs to.
  [[nodiscard]] std::size_t body_of_point(std::size_t point) const;
  /// Where point `point` is, m. `x` has n rows.
  [[nodiscard]] Vec3 place(std::size_t point, VectorView x) const;
  /// Sets the bodies' total charges and masses from n numbers each, C and kg.
  void count_totals(ScalarView charges, ScalarView masses);
  /// The scene was changed: its groups, or its springs.
  void renew_groups(const Assembly& changed);
  void renew_springs(const Assembly& changed);
  /// A number that grows when the topology becomes another.
  [[nodiscard]] Count topology_number() const { return topology_number_; }
  [[nodiscard]] Topology topology(std::uint32_t generation) const;
  /// The same for pictures: the parts of each body are numbered within it.
  [[nodiscard]] std::vector<RunBody> drawn_bodies() const;

  /// 3 × points, relative to the centre. `x` has n rows.
  [[nodiscard]] Floats positions(VectorView x) const;
  /// One per point; a surface point has the weighted mean of its corners. `values` has n numbers.
  [[nodiscard]] Floats values(ScalarView values) const;
  /// The vertices' positions that `positions` made floats of, to a float's accuracy (n×3, m).
  [[nodiscard]] VectorArray vertices_of(const Floats& positions) const;

 private:
  void frame(VectorView x);
  void add_surface(BodyInfo& body, const std::vector<std::array<Index, 8>>& corners, Index first,
                   const std::vector<std::array<double, 8>>& weights, const std::vector<Triangle>& faces);
  void add_groups(const Assembly& assembly);
  void add_groups(std::size_t body, const std::string& name, const std::vector<Index>& members);

  std::size_t vertices_ = 0;
  Vec3 centre_{};
  double size_ = 1.0;
  std::vector<std::array<Index, 8>> corners_;  ///< Of surface points, vertices or -1.
  std::vector<std::array<double, 8>> weights_;
  std::vector<BodyInfo> bodies_;
  std::vector<GroupInfo> groups_;
  std::vector<Edge> springs_;
  std::vector<Triangle> faces_;
  std::vector<Index> group_indices_;
  Count topology_number_ = 0;
};

}  // namespace electret::studio
