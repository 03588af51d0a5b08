#pragma once
/// \file
/// The energies of a state, as in a row of the energy table, and the work accounts that say where energy
/// went.

#include <electret/dynamics/system.hpp>

namespace electret {

/// The energies (J) at (x, v, t) of one state. docs/physics.md, "Energies and accounts".
struct Energies {
  double kinetic = 0.0;
  double elastic = 0.0;  ///< Of springs, elements, and bodies that touch: their repulsion and their slips.
  double coulomb = 0.0;
  double external = 0.0;
  double gravity = 0.0;

  [[nodiscard]] double total() const { return kinetic + elastic + coulomb + external + gravity; }
  /// The sum of the five energies' magnitudes.
  [[nodiscard]] double magnitude() const;
};

/// ½ Σ m|v|², J, summed in a fixed order.
double kinetic_energy(const System& system, VectorView velocities);

/// Energies of `state` with `inputs` at its time, in float64, summed in a fixed order.
Energies energies(System& system, const State& state, const Inputs& inputs);

/// Work accumulated over the steps so far, J. A checkpoint keeps it.
///
/// With these accounts the total energy balances, to first order at least: E_f - E_0 = field_work +
/// keyframe_work + pin_work - dissipation + O(h).
struct WorkAccounts {
  double field_work = 0.0;  ///< Expression fields and loads: Σ f_i(x_n, t_n)·(x_{n+1} - x_n).
  /// Change of U at fixed x where charges, external charges or grabs are key-framed.
  double keyframe_work = 0.0;
  double pin_work = 0.0;  ///< Pins' gain of kinetic energy, less f · displacement.
  /// Taken by drag, spring damping and the damping of grabs, -f_damping(x_n, v_n)·(x_{n+1} - x_n), and by
  /// friction.
  double dissipation = 0.0;

  /// field_work + keyframe_work + pin_work.
  [[nodiscard]] double work() const { return field_work + keyframe_work + pin_work; }
};

}  // namespace electret
