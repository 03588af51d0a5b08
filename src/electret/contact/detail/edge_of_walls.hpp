#pragma once
/// \file
/// The edge between two walls that a vertex touches together.

#include <array>
#include <optional>

#include <electret/contact/coulomb_law.hpp>
#include <electret/core/types.hpp>

namespace electret::detail {

/// One of two sides of an edge: a wall, or a plane in which a vertex is held and which pushes both ways.
struct EdgeSide {
  Vec3 normal;            ///< n, a unit vector.
  double distance = 0.0;  ///< φ, m.
  Vec3 slide;             ///< x - x̃, m.
  double friction = 0.0;  ///< μ ≥ 0.
  bool sticks = false;    ///< As if μ were infinite.
  bool holds = false;     ///< Pushes both ways.
  double rounding = 0.0;  ///< m.

  static EdgeSide of(const ContactPoint& wall) {
    return {wall.normal, wall.distance, wall.slide, wall.friction, wall.sticks, false, wall.rounding};
  }
  static EdgeSide held(const Vec3& direction) {
    EdgeSide side;
    side.normal = direction;
    side.holds = true;
    return side;
  }
};

/// What a side's friction does to a vertex that slides along the edge.
struct EdgeSlip {
  double pressure = 0.0;    ///< λ.
  Vec3 slide;               ///< û, its direction on the side; 0 without friction.
  Vec3 across;              ///< n × û.
  double resistance = 0.0;  ///< λ μ/|u|: by how much friction turns with the slide.

  /// n - μ û: where the side pushes.
  [[nodiscard]] Vec3 push(const EdgeSide& side) const { return side.normal - side.friction * slide; }
};

/// Where a vertex goes along an edge.
struct EdgeMotion {
  bool rests = false;  ///< On the side `rests_on`. Else it slides.
  int rests_on = 0;
  Vec3 move;               ///< w = y - x, m.
  bool is_pushed = false;  ///< Both sides push.
};

/// Two planes with an edge of direction t = n₁×n₂/|n₁×n₂|. A vertex that has moved from x to y = x + w on the
/// edge has slid on side k by u_k = T_k (x - x̃_k + w), which may have a part s_k = t × n_k across the edge if
/// it was not on the edge before.
class EdgeOfWalls {
 public:
  /// None if the sides are (nearly) parallel.
  static std::optional<EdgeOfWalls> between(const EdgeSide& first, const EdgeSide& second);

  [[nodiscard]] const Vec3& along() const { return along_; }
  [[nodiscard]] const EdgeSide& side(int k) const { return sides_[static_cast<std::size_t>(k)]; }
  /// The shortest move to the edge, m.
  [[nodiscard]] const Vec3& foot() const { return foot_; }
  /// ν with Σ ν_k n_k = the part of `v` across the edge.
  [[nodiscard]] std::array<double, 2> across_parts(const Vec3& v) const;

  /// Where a vertex goes that `force` must hold at x and that resists moves by `scale`: c w + f = Σ λ_k (n_k
  /// - μ_k û_k).
  [[nodiscard]] EdgeMotion motion(const Vec3& force, double scale) const;
  /// Whether side k would hold the vertex that has no slide across the edge there, and the move to that
  /// place.
  [[nodiscard]] std::optional<Vec3> resting_place(int k) const;
  /// Whether the vertex does not slide on side k after the move `w`.
  [[nodiscard]] bool rests(int k, const Vec3& w) const;
  /// The law on both sides after the move `w`, where both together push with `force`.
  [[nodiscard]] std::array<EdgeSlip, 2> slip(const Vec3& w, const Vec3& force) const;

 private:
  /// û of a side as its parts along t and s.
  struct Direction {
    double along = 0.0, across = 0.0;
  };
  struct Guide;
  [[nodiscard]] Direction direction(std::size_t k, double way) const;
  [[nodiscard]] std::array<double, 2> pressures(const Vec3& pull, const std::array<Direction, 2>& u) const;

  std::array<EdgeSide, 2> sides_;
  Vec3 along_, foot_;
  double sine_ = 0.0;           ///< |n₁×n₂|.
  std::array<Vec3, 2> across_;  ///< s_k.
  std::array<double, 2> beside_{},
      rest_{};  ///< The slide across the edge; the way along it where that along it is 0, m.
  std::array<bool, 2> may_rest_{};  ///< It has friction and no slide across the edge.
  double tolerance_ = 0.0;          ///< Of ways along the edge, m.
};

}  // namespace electret::detail
