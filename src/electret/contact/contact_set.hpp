#pragma once
/// \file
/// Vertices that may touch obstacles, and what each of them sees of the obstacle next to it.

#include <span>
#include <vector>

#include <electret/contact/coulomb_law.hpp>
#include <electret/core/parallel.hpp>
#include <electret/geometry/placement.hpp>

namespace electret {

/// An obstacle that pushes by the law of coulomb_law.hpp.
struct ContactObstacle {
  RigidSurface surface;
  std::size_t number = 0;  ///< Which of the placements is its own.
  double friction = 0.0;   ///< μ ≥ 0.
  bool sticks = false;     ///< Vertices that touch it do not slide.
};

/// What a vertex sees of the obstacle next to it.
struct ContactSight {
  std::size_t obstacle = 0;  ///< Which of the set's obstacles.
  SurfaceView view;          ///< From the vertex's place.
  Vec3 carried;              ///< x̃, m: its place at the step's start, carried along by the obstacle.
};

/// The vertices and obstacles of a run, in fixed orders.
class ContactSet {
 public:
  /// `vertices` ascend; none is pinned. `threads` must outlive the set.
  ContactSet(std::vector<Index> vertices, std::vector<ContactObstacle> obstacles, Threads& threads);

  [[nodiscard]] std::span<const Index> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const ContactObstacle> obstacles() const { return obstacles_; }

  /// What the obstacles push each vertex with at the end of the last step, N. Its solver writes it.
  [[nodiscard]] VectorSpan forces() { return forces_; }
  [[nodiscard]] VectorView forces() const { return forces_; }

  /// Puts the obstacles where a step starts and where it ends. `start` are the vertices' places at its start
  /// (n×3, m), which must outlive the step. Allocates nothing after the first call.
  void begin_step(std::span<const Placement> at_start, std::span<const Placement> at_end, VectorView start);
  /// Finds what each vertex sees from `place` (n×3, m) at the step's end.
  void look(VectorView place);
  /// One per vertex, of the last `look`.
  [[nodiscard]] std::span<const ContactSight> sights() const { return sights_; }
  /// The law's arguments for vertex `k` of the set, which has moved by `move` (m) since the last `look` and
  /// must be pushed by `force`. The obstacle is flat there, as far as `is_flat` says. Distances below the
  /// rounding of places are 0.
  [[nodiscard]] const PlacedSurface& at_start(std::size_t obstacle) const { return at_start_[obstacle]; }
  [[nodiscard]] const PlacedSurface& at_end(std::size_t obstacle) const { return at_end_[obstacle]; }
  [[nodiscard]] ContactPoint point(std::size_t k, const Vec3& place, const Vec3& move, const Vec3& force,
                                   double scale, bool is_flat) const;

 private:
  [[nodiscard]] ContactSight sight(const Vec3& place, const Vec3& start) const;

  std::vector<Index> vertices_;
  std::vector<ContactObstacle> obstacles_;
  Threads& threads_;
  VectorView start_;
  std::vector<PlacedSurface> at_start_, at_end_;
  std::vector<ContactSight> sights_;
  VectorArray forces_;
};

}  // namespace electret
