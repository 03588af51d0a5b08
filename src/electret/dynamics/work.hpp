#pragma once
/// \file
/// Where energy went: the work of what has no potential. docs/physics.md, "Energies and accounts".

#include <vector>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Adds each step's share to the accounts. Only what the system has is computed.
class WorkMeter {
 public:
  /// `system` must outlive the meter.
  explicit WorkMeter(System& system);

  /// The step from `before` to `after` with `inputs`; `pin_reactions` (pins×3, N) are the integrator's.
  /// Key-frames: the bodies are taken along first, with the charges of t_n, then the charges change at fixed
  /// x_{n+1}: U(x_{n+1}; t_{n+1}) - U(x_{n+1}; t_n), so that every U in the sum over steps telescopes with
  /// the forces at (x_n, t_n); activations, which methods read at either end, change half at x_n, half at
  /// x_{n+1}. Dissipation is positive but in a step that turns a velocity around.
  void add_step(const State& before, const State& after, const StepInputs& inputs, VectorView pin_reactions,
                WorkAccounts& accounts);
  /// Inputs that jump at a state, between two steps: U(x; after) - U(x; before) is the key-frames' work.
  void add_jump(const State& at, const Inputs& before, const Inputs& after, WorkAccounts& accounts);

 private:
  double force_work(const State& before, const State& after, const Inputs& inputs,
                    const std::vector<ExplicitForce*>& forces);
  double keyframe_work(const State& after, const Inputs& start, const Inputs& end);
  double activation_work(const State& before, const State& after, const Inputs& start, const Inputs& end);
  double coulomb_change(const State& after, const Inputs& start, const Inputs& end);

  System& system_;
  std::vector<ExplicitForce*> field_, damping_, external_;
  ExplicitForce* coulomb_ = nullptr;
  std::size_t charges_parameter_ = 0;  ///< Of the Coulomb force.
  VectorArray force_;                  ///< n×3, N.
  Inputs sum_of_charges_;              ///< q(t_n) + q(t_{n+1}).
  std::vector<double> potential_;      ///< n, V.
};

}  // namespace electret
