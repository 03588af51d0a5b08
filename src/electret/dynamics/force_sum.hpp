#pragma once
/// \file
/// The total force at a point, for the integrators.

#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// Which forces are summed: all; those the implicit methods treat explicitly (all but the elastic ones); or
/// of these all but drag, for methods that apply it as a factor.
enum class ForceSet { all, explicit_only, explicit_without_drag };

/// Whether `set` has the force. Elastic energies are no forces of this kind.
inline bool is_in(ForceSet set, const ExplicitForce& force) {
  return set != ForceSet::explicit_without_drag || force.role() != ForceRole::drag;
}

/// f(x, v, t) = -∇E(x) + Σ explicit forces (docs/physics.md), in a fixed order: what depends on positions and
/// inputs alone first, in the system's order, then what reads velocities.
///
/// The first part is remembered: asked again at bitwise the same positions and inputs it is not evaluated
/// anew. This is how Verlet needs one Coulomb evaluation a step. The memory cannot change a bit, so it is no
/// part of the State.
class ForceSum {
 public:
  /// `system` must outlive this.
  ForceSum(System& system, ForceSet set);

  /// f (n×3, N) is overwritten. Allocates nothing after the first call.
  void evaluate(VectorView positions, VectorView velocities, const Inputs& inputs, VectorSpan f);

 private:
  [[nodiscard]] bool remembers(VectorView positions, const Inputs& inputs) const;
  void evaluate_position_part(const ForcePoint& at);

  System& system_;
  ForceSet set_;
  bool known_ = false;
  VectorArray positions_;      ///< Where `position_part_` was evaluated,
  Inputs inputs_;              ///< and with what.
  VectorArray position_part_;  ///< n×3, N.
};

}  // namespace electret
