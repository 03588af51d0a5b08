#pragma once
/// \file
/// The motions of stiff parts of a system as a whole, which a stage's Hessian hardly resists.

#include <span>
#include <vector>

#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/linear/slow_motion.hpp>

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
  /// Six motions per part at the places `x`. `are_coupled`: the matrix couples parts, too, as where they
  /// touch each other. None if that makes more than can be solved together. Valid until the next call.
  std::span<const SlowMotion> at(VectorView x, bool are_coupled);

  /// Lowers the numbers of stiff parts' vertices to the part's mass, kg: a push on one vertex moves the part.
  void limit_to_masses(ScalarSpan values) const;

  /// Adds to `moved`, which is where `length` of `direction` leads from `x`, what makes parts turn about
  /// their centres of mass instead of growing as they turn. A part with a pin does not turn.
  void turn(VectorView x, VectorView direction, double length, VectorSpan moved) const;

 private:
  struct Part : JoinedPart {
    Index group = 0;    ///< Parts whose vertices lie among each other have the same.
    Index pivot = -1;   ///< The vertex about which the part turns; -1: its centre of mass.
    bool turns = true;  ///< No more than one pin holds it.
  };
  static void set_pivot(const System& system, Part& part);
  [[nodiscard]] Vec3 centre_of(const Part& part, VectorView x) const;
  [[nodiscard]] Vec3 turn_of(const Part& part, VectorView x, VectorView direction, const Vec3& centre) const;

  ScalarView masses_;
  std::vector<Part> parts_;  ///< Ascending by their first vertices.
  std::vector<SlowMotion> motions_;
};

}  // namespace electret
