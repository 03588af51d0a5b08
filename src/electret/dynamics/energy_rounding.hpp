#pragma once
/// \file
/// How much of a change of energy the rounding of numbers explains.

#include <electret/dynamics/energies.hpp>

namespace electret {

/// What rounding alone may change of a run's energy, J. docs/physics.md, "Energies and accounts".
///
/// Positions x are rounded by δ ≈ eps |x|, so that a body at rest has elastic energies of about q = ½ δᵀHδ,
/// where H is the Hessian. Where the body has the energy E it changes by |∇E·δ| ≤ 2 √(E q), because |∇E|² in
/// the norm of H⁻¹ is at most 2 E for springs. Every step rounds anew, and a method that conserves energy
/// keeps what it gets, so that q grows with the number of steps. The energies of elements are differences of
/// larger terms, and the height of gravity is arbitrary; both are rounded, too.
struct EnergyRounding {
  double positions = 0.0;  ///< q, J.
  double terms = 0.0;      ///< Of the elements' energies at given positions, J.

  /// The change that rounding explains after `steps` steps in a run whose largest energies are `size` (J) and
  /// whose energy of gravity is `gravity` (J).
  [[nodiscard]] double explained(double size, double gravity, Count steps) const;
};

/// Measures both at the system's start: by the energies of positions that are moved, there and back, by their
/// rounding, and by so much more that the difference of energies is not rounding. 13 evaluations of the
/// elastic energy at most.
EnergyRounding energy_rounding(System& system);

}  // namespace electret
