#pragma once
/// \file
/// Vertices that may touch obstacles, and what each of them sees of those next to it.

#include <optional>
#include <span>
#include <vector>

#include <electret/contact/corner_law.hpp>
#include <electret/contact/passage.hpp>
#include <electret/core/parallel.hpp>
#include <electret/geometry/placement.hpp>

namespace electret {

/// An obstacle that pushes by the law of coulomb_law.hpp.
struct ContactObstacle {
  RigidSurface surface;
  std::size_t number = 0;  ///< Which of the placements is its own.
  /// μ ≥ 0 of each kind of vertices. Those for which it is infinite do not slide while they touch it.
  std::vector<double> friction = {0.0};
};

/// What a vertex sees of a wall: of the obstacle next to it, or of another.
struct ContactSight {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t obstacle = none;  ///< Which of the set's obstacles.
  SurfaceView view;             ///< From the vertex's place. The distance is that of the thick obstacle.
  Vec3 carried;                 ///< x̃, m: its place at the step's start, carried along by the obstacle.
};

/// The walls besides the nearest that a vertex may reach in a step, nearest first.
struct FurtherSights {
  std::array<ContactSight, most_walls - 1> sights;
  std::size_t count = 0;
};

/// What an obstacle pushes a vertex with.
struct ContactForce {
  Index vertex = 0;
  Index obstacle = 0;  ///< By the number of its placement.
  ContactState state = ContactState::free;
  double normal = 0.0;  ///< λ ≥ 0, N: away from the obstacle.
  Vec3 tangential;      ///< Friction, N.
  Vec3 direction;       ///< n: away from the obstacle.
};

/// Counts of the vertices that obstacles push at the end of a step.
struct ContactCounts {
  Count sticking = 0, slipping = 0;
  double penetration = 0.0;     ///< The depth of the deepest vertex, m.
  bool is_unconverged = false;  ///< The law is not met to the tolerance.
};

/// A vertex whose way in a step, seen from an obstacle, goes through its shape.
struct ContactPassage {
  Index vertex = 0;
  std::size_t obstacle = 0;  ///< Which of the set's obstacles.
  double way = 0.0;          ///< m.
  WayThrough through;
};

/// The vertices and obstacles of a run, in fixed orders.
class ContactSet {
 public:
  /// `vertices` ascend; none is held in all directions. `kinds` says which of an obstacle's frictions each
  /// has; if it is empty, all have the first. All obstacles are thicker by `thickness` (m). `threads` must
  /// outlive the set.
  ContactSet(std::vector<Index> vertices, std::vector<ContactObstacle> obstacles, Threads& threads,
             double thickness = 0.0, std::vector<std::size_t> kinds = {});

  [[nodiscard]] std::span<const Index> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const ContactObstacle> obstacles() const { return obstacles_; }
  [[nodiscard]] double thickness() const { return thickness_; }
  /// Which of the frictions vertex `k` of the set has.
  [[nodiscard]] std::size_t kind(std::size_t k) const { return kinds_.empty() ? 0 : kinds_[k]; }

  /// Tells that a vertex of the set moves perpendicular to directions alone, on which the orthogonal
  /// projector `held` of rank 1 or 2 projects. It meets walls within what is left (CornerPoint::held).
  void hold(std::size_t k, const Mat3& held);
  /// The part of `v` in which vertex `k` of the set can move.
  [[nodiscard]] Vec3 free_part(std::size_t k, const Vec3& v) const;
  /// Whether vertex `k` of the set needs the law of corners: it sees several walls or is held.
  [[nodiscard]] bool is_in_corner(std::size_t k) const {
    return further_[k].count > 0 || held_of(k) != nullptr;
  }

  /// Whether vertex `k` of the set can move away from its nearest wall.
  [[nodiscard]] bool gives_way(std::size_t k) const;

  /// What the obstacles push each vertex with at the end of the last step, N, and its state. The step's
  /// solver writes them.
  [[nodiscard]] VectorSpan forces() { return forces_; }
  [[nodiscard]] std::span<ContactState> states() { return states_; }
  [[nodiscard]] VectorView forces() const { return forces_; }
  /// The part of each wall that a vertex of the set sees, nearest first, where several push it: call it for
  /// each such vertex after `forget_parts` and after writing its force and state.
  void set_parts(std::size_t k, const std::array<Vec3, most_walls>& forces,
                 const std::array<ContactState, most_walls>& states);
  void forget_parts() { parts_.clear(); }
  /// Calls body(sight, force, state) for each wall that pushes vertex `k` of the set.
  template <class Body>
  void for_pushes(std::size_t k, Body&& body) const {
    if (states_[k] == ContactState::free) return;
    if (const Parts* parts = parts_of(k)) {
      for (std::size_t s = 0; s < most_walls; ++s)
        if (parts->states[s] != ContactState::free) body(sight(k, s), parts->forces[s], parts->states[s]);
    } else {
      body(sights_[k], forces_[k], states_[k]);
    }
  }

  /// The sum of what they push vertex `vertex` of all with, N; 0 if it is none of the set.
  [[nodiscard]] Vec3 push_on(Index vertex) const;

  /// Puts the obstacles where a step starts and where it ends. `start` are the vertices' places at its start
  /// (n×3, m), which must outlive the step. Allocates nothing after the first call.
  void begin_step(std::span<const Placement> at_start, std::span<const Placement> at_end, VectorView start);
  /// The vertices that are pushed at the end of the last step, ascending, in place of what `out` holds.
  void collect(std::vector<ContactForce>& out) const;
  /// Finds what each vertex sees from `place` (n×3, m) at the step's end.
  void look(VectorView place);
  /// The first vertex whose way to `place` goes through the shape of an obstacle (passage.hpp).
  /// Thick obstacles alone are watched, because on the others vertices are at the shape's surface itself.
  [[nodiscard]] std::optional<ContactPassage> passage(VectorView place) const;
  /// Of the last `look`: the nearest wall of each vertex.
  [[nodiscard]] std::span<const ContactSight> sights() const { return sights_; }
  /// How many walls vertex `k` of the set may touch.
  [[nodiscard]] std::size_t sight_count(std::size_t k) const { return 1 + further_[k].count; }
  /// Whether vertex `k` of the set does not slide on one of them.
  [[nodiscard]] bool sticks(std::size_t k) const;
  /// One of them, nearest first.
  [[nodiscard]] const ContactSight& sight(std::size_t k, std::size_t wall) const {
    return wall == 0 ? sights_[k] : further_[k].sights[wall - 1];
  }
  [[nodiscard]] const PlacedSurface& at_start(std::size_t obstacle) const { return at_start_[obstacle]; }
  [[nodiscard]] const PlacedSurface& at_end(std::size_t obstacle) const { return at_end_[obstacle]; }
  /// The law's arguments for vertex `k` of the set, which has moved by `move` (m) since the last `look` and
  /// must be pushed by `force`. The obstacle is flat there, as far as `is_flat` says. Distances below the
  /// rounding of places are 0.
  [[nodiscard]] ContactPoint point(std::size_t k, const Vec3& place, const Vec3& move, const Vec3& force,
                                   double scale, bool is_flat) const {
    return point(sights_[k], k, place, move, force, scale, is_flat);
  }
  /// The same with all walls that the vertex may touch.
  [[nodiscard]] CornerPoint corner(std::size_t k, const Vec3& place, const Vec3& move, const Vec3& force,
                                   double scale, bool is_flat) const;

 private:
  struct Held {
    std::size_t vertex = 0;
    std::array<Vec3, 2> directions;
    int count = 0;
  };
  [[nodiscard]] const Held* held_of(std::size_t k) const;
  /// How several walls push a vertex of the set.
  struct Parts {
    std::size_t vertex = 0;
    std::array<Vec3, most_walls> forces;
    std::array<ContactState, most_walls> states;
  };
  [[nodiscard]] const Parts* parts_of(std::size_t k) const;
  [[nodiscard]] ContactPoint point(const ContactSight& seen, std::size_t k, const Vec3& place,
                                   const Vec3& move, const Vec3& force, double scale, bool is_flat) const;
  void see(const Vec3& place, const Vec3& start, ContactSight& sight) const;
  void see_further(const Vec3& place, const Vec3& start, const ContactSight& nearest,
                   FurtherSights& further) const;
  void carry(const Vec3& start, ContactSight& sight) const;

  std::vector<Index> vertices_;
  std::vector<ContactObstacle> obstacles_;
  Threads& threads_;
  double thickness_;
  std::vector<std::size_t> kinds_;
  std::vector<Held> held_;  ///< Ascending by vertex.
  VectorView start_;
  std::vector<PlacedSurface> at_start_, at_end_;
  std::vector<ContactSight> sights_;
  std::vector<FurtherSights> further_;
  bool has_corners_ = false;  ///< A vertex may see more than one wall.
  VectorArray seen_from_;     ///< The places of the last `look`.
  VectorArray forces_;
  std::vector<ContactState> states_;
  std::vector<Parts> parts_;  ///< Ascending by vertex.
};

}  // namespace electret
