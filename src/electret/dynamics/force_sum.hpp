#pragma once
/// \file
/// The total force at one point (x, v, t), for the integrators.

#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// Which forces are summed. `all`: every force. `explicit_only`: those that the implicit methods treat
/// explicitly, which are all but the elastic ones. `explicit_without_drag`: the same without drag, for
/// methods that apply drag as a factor.
enum class ForceSet { all, explicit_only, explicit_without_drag };

/// Whether `set` contains the force. Elastic energies are not forces of this kind.
inline bool is_in(ForceSet set, const ExplicitForce& force) {
  return set != ForceSet::explicit_without_drag || force.role() != ForceRole::drag;
}

/// f(x, v, t) = -∇E(x) + Σ explicit forces (docs/physics.md), summed in a fixed order: first what depends on
/// positions and inputs alone, in the system's order, then what reads velocities.
///
/// The first part is cached: at bitwise the same positions and inputs it is not evaluated again. This is why
/// Verlet needs only one Coulomb evaluation per step. The cache cannot change a bit of any result, so that it
/// is not part of the State.
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
  VectorArray positions_;      ///< Where `position_part_` was evaluated.
  Inputs inputs_;              ///< The inputs that it was evaluated with.
  VectorArray position_part_;  ///< n×3, N.
};

}  // namespace electret
