#pragma once
/// \file
/// Tells when the energy of a run changes by more than its method explains.

#include <optional>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/integrator.hpp>

namespace electret {

/// What the watch remembers from frame to frame; part of a checkpoint.
struct EnergyWatchMemory {
  double energy = 0.0;        ///< Total energy at the last frame, J.
  double magnitude = 0.0;     ///< Energies::magnitude() there, J.
  WorkAccounts work;          ///< The accounts there.
  double usual_change = 0.0;  ///< The largest change of the balance between frames that was no jump, J.
  double largest_jump = 0.0;  ///< J.
  Count jumps = 0;
};

/// Between two frames, J.
struct EnergyJump {
  double before = 0.0;   ///< Total energy.
  double after = 0.0;    ///< Total energy.
  double change = 0.0;   ///< Of the balance: after - before, less the work done in between.
  double allowed = 0.0;  ///< What the method explains.
};

/// Watches the balance E - (field + key-frame + pin work) + dissipation, which a method with
/// `conserves_energy()` keeps. A change between frames is a jump when it exceeds each of
///
///   * (hω)²/4 of half the energies' magnitude, between 0.1 % and 10 % of it: what second-order methods
///     fluctuate by; ω is the frequency that `suggested_step` resolves;
///   * eight times the largest change that was no jump so far;
///
/// by more than the work done in between, of which the accounts know the sum to first order in h only.
/// A charge that passes another closer than the step resolves gains far more than that in one step.
class EnergyWatch {
 public:
  /// Watches nothing where `integrator` does not conserve energy. `suggested`: the system's `suggested_step`,
  /// s, of a caller that knows it; without it is computed.
  EnergyWatch(System& system, const Integrator& integrator, std::optional<double> suggested = {});

  /// Frame 0.
  static void start(const Energies& now, const WorkAccounts& work, EnergyWatchMemory& memory);
  /// Every later frame.
  std::optional<EnergyJump> observe(const Energies& now, const WorkAccounts& work,
                                    EnergyWatchMemory& memory) const;

 private:
  bool watches_ = false;
  double explained_ = 0.0;  ///< Part of half the energies' magnitude.
};

}  // namespace electret
