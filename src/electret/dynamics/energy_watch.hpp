#pragma once
/// \file
/// Tells when the energy of a run changes by more than its method explains.

#include <optional>

#include <electret/dynamics/energy_balance.hpp>
#include <electret/dynamics/energy_rounding.hpp>
#include <electret/dynamics/integrator.hpp>

namespace electret {

/// What the watch remembers from frame to frame; part of a checkpoint.
struct EnergyWatchMemory {
  EnergyBalance balance;
  double energy = 0.0;  ///< Total energy at the last frame, J.
  double gain = 0.0;    ///< The balance's gain there, J.
  WorkAccounts work;    ///< The accounts there.
  /// The largest change of the balance between two frames so far that was not a jump, J.
  double usual_change = 0.0;
  double largest_jump = 0.0;  ///< J.
  Count jumps = 0;
};

/// A jump between two frames, J.
struct EnergyJump {
  double before = 0.0;   ///< Total energy.
  double after = 0.0;    ///< Total energy.
  double change = 0.0;   ///< Change of the balance: after - before, less the work done in between.
  double allowed = 0.0;  ///< The largest change that the method explains.
};

/// Keeps the energy balance of every method, and watches it if the method has `conserves_energy()`. A change
/// between two frames is a jump if it exceeds both of these by more than the work done in between and what
/// rounding explains (EnergyRounding):
///
///   * (hω)²/4 of half the balance's `largest_size`, but at least 0.1 % and at most 10 % of it, which is how
///     much second-order methods fluctuate; ω is the frequency that `suggested_step` resolves;
///   * eight times the largest change so far that was not a jump.
///
/// The work counts because the accounts know it to first order in h only. A charge that passes another closer
/// than the step resolves gains far more energy than this in one step.
class EnergyWatch {
 public:
  /// Sees no jumps if `integrator` does not conserve energy. `suggested` is the system's `suggested_step`
  /// (s), if the caller knows it; else it is computed.
  EnergyWatch(System& system, const Integrator& integrator, std::optional<double> suggested = {});

  /// Call at frame 0.
  static void start(const Energies& now, const WorkAccounts& work, EnergyWatchMemory& memory);
  /// Call at every later frame, `steps` steps after the start. Returns the jump since the frame before, if
  /// there was one.
  std::optional<EnergyJump> observe(const Energies& now, const WorkAccounts& work, EnergyWatchMemory& memory,
                                    Count steps = 0) const;

  /// The balance's largest gain as a fraction of its largest size; 0 if rounding explains it after `steps`
  /// steps.
  [[nodiscard]] double relative_change(const EnergyBalance& balance, Count steps) const;

 private:
  [[nodiscard]] double rounding(const EnergyBalance& balance, Count steps) const;

  bool watches_ = false;
  EnergyRounding rounding_;
  double explained_ = 0.0;  ///< The fraction of half the balance's `largest_size` that the method explains.
};

}  // namespace electret
