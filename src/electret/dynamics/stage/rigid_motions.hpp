#pragma once
/// \file
/// The motions of stiff parts of a system as a whole, which a stage's Hessian hardly resists.

#include <vector>

#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/linear/slow_motion.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// A part is the vertices that elements join. Its translations and rotations change no elastic energy, so
/// that masses alone resist them. In float32 they are lost where elements are much stiffer than masses are
/// heavy. They matter where something pushes a part as a whole, which contact does.
class RigidMotions {
 public:
  /// Of the parts of solids with a vertex at which a L_ii > `stiffest` m_i, where L majorises ∇²E, if the
  /// system has contact. Springs and sheets may bend while they hardly stretch, so that their motions as
  /// wholes are not the only slow ones. `factor` a, s².
  RigidMotions(const System& system, double factor);
  static constexpr double stiffest = 1e4;

  [[nodiscard]] bool is_empty() const { return parts_.empty(); }
  /// Six motions per part at the places `x`. `pairs` couples parts, as where they touch each other; null:
  /// none do. Of parts that are coupled directly or through others, more than can be solved together have
  /// none. Valid until the next call.
  const SlowMotions& at(VectorView x, const StencilMatrix* pairs);

  /// Begins a step, in which pins move from `start` to `pin_places`, one row per pin; none if that is empty.
  void begin_step(VectorView start, VectorView pin_places);
  /// Adds to `moved`, which is where `length` of `direction` leads from `x`, what makes parts turn about
  /// their centres of mass, or about their only pins, instead of growing as they turn. What several pins, a
  /// roller or a pin that moves in this step hold goes straight.
  void turn(VectorView x, VectorView direction, double length, VectorSpan moved) const;

  /// The stiff part of a vertex that nothing holds; -1: none.
  [[nodiscard]] Index free_part_of(Index vertex) const {
    return free_part_of_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] std::size_t count() const { return parts_.size(); }
  /// Adds shifts[p] to the rows of part p.
  void shift(VectorView shifts, VectorSpan moved) const;

  /// Lowers the numbers of stiff parts' vertices to the part's mass, kg: a push on one vertex moves the part.
  void limit_to_masses(ScalarSpan values) const;
  /// The largest extent of a stiff vertex' part along an axis at `x`, m; 0 for other vertices.
  [[nodiscard]] std::vector<double> extents(VectorView x) const;

 private:
  struct Part : JoinedPart {
    std::size_t joined = 0;  ///< Its number among all parts.
    Index pivot = -1;        ///< The vertex about which the part turns; -1: its centre of mass.
    std::size_t pin = 0;     ///< The pivot's number among the pins.
    bool may_turn = true;    ///< No more than one pin holds it.
    bool turns = true;       ///< In this step.
  };
  static void set_pivot(const System& system, Part& part);
  void find_groups(const StencilMatrix* pairs);
  [[nodiscard]] Vec3 turn_of(const Part& part, VectorView x, VectorView direction, const Vec3& centre) const;

  ScalarView masses_;
  std::vector<Part> parts_;  ///< Ascending by their first vertices.
  std::vector<Index> free_part_of_;
  std::vector<RowRange> ranges_;     ///< Of all joined parts.
  std::vector<Index> joined_of_;     ///< n; the joined part of each vertex.
  std::vector<std::size_t> groups_;  ///< Of each stiff part, as `at` has found them.
  SlowMotions slow_;
};

}  // namespace electret
