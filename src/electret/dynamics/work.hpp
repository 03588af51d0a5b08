#pragma once
/// \file
/// The work of what has no potential, which says where energy went. docs/physics.md, "Energies and accounts".

#include <vector>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Adds each step's work to the accounts. Computes only what the system has.
class WorkMeter {
 public:
  /// `system` must outlive the meter.
  explicit WorkMeter(System& system);

  /// Adds the work of the step from `before` to `after` with `inputs`; `pin_reactions` (pins×3, N) are the
  /// integrator's. Dissipation is positive except in a step that turns a velocity around.
  /// Pins: the reaction is m (v' - v)/h - f. On the way h v' its inertial part would do the work m v'·(v' -
  /// v), which is ½ m |v' - v|² more than the kinetic energy gains. A pin that starts or stops suddenly would
  /// leave that error at any h. The mean velocity ½ (v + v') takes its place there, so that the inertial part
  /// is the gain exactly.
  /// Key-frames: bodies move first, with the charges of t_n; then the charges change at fixed x_{n+1}, which
  /// is the work U(x_{n+1}; t_{n+1}) - U(x_{n+1}; t_n). Every U in the sum over the steps thus telescopes
  /// with the forces at (x_n, t_n). Activations change half at x_n and half at x_{n+1}, because methods read
  /// them at either end.
  void add_step(const State& before, const State& after, const StepInputs& inputs, VectorView pin_reactions,
                WorkAccounts& accounts);
  /// Adds U(x; after) - U(x; before) to the key-frames' work, for inputs that jump at a state, between two
  /// steps.
  void add_jump(const State& at, const Inputs& before, const Inputs& after, WorkAccounts& accounts);

 private:
  double force_work(const State& before, const State& after, const Inputs& inputs,
                    const std::vector<ExplicitForce*>& forces);
  /// The work of moving obstacles through friction: what the bodies get of it is no loss, and the rest of
  /// the friction's work is measured against the obstacle.
  double driving_work(const State& before, const Inputs& inputs);
  void add_contact_work(const State& before, const State& after, WorkAccounts& accounts);
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
