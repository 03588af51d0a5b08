#pragma once
/// \file
/// The balance of a run's energy: what it gained or lost beyond the work of its accounts.

#include <electret/dynamics/energies.hpp>

namespace electret {

/// Collects the balance frame by frame; part of a checkpoint. docs/physics.md, "Energies and accounts".
struct EnergyBalance {
  double start = 0.0;          ///< E_0 - work + dissipation at frame 0, J.
  double start_gravity = 0.0;  ///< Gravity's energy at frame 0, J; its zero is arbitrary.
  double largest_gain = 0.0;   ///< The gain of largest magnitude so far, J. Negative: energy was lost.
  double largest_size = 0.0;   ///< The largest `size` so far, J.

  /// Begins with frame 0.
  void begin(const Energies& now, const WorkAccounts& work);
  void add_frame(const Energies& now, const WorkAccounts& work);

  /// E - E_0 - work + dissipation, J, where work and dissipation count from frame 0. It is 0 if the method
  /// and the accounts are exact.
  [[nodiscard]] double gain(const Energies& now, const WorkAccounts& work) const;
  /// kinetic + |elastic| + |coulomb| + |external| + |gravity - gravity at frame 0|, J.
  [[nodiscard]] double size(const Energies& now) const;
  /// |largest_gain| / largest_size; 0 if no more than `rounding` (J) was gained, infinite if more was gained
  /// on energies that are all 0.
  [[nodiscard]] double relative(double rounding = 0.0) const;
};

}  // namespace electret
