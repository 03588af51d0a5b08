#pragma once
/// \file
/// Simulator: owns the integrator and its work buffers; one `step` at a time.
///
/// \code
///   electret::Simulator simulator(electret::compile(electret::load_scene("scene.toml")));
///   while (simulator.state().step < 100) simulator.step();
/// \endcode

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/integrator.hpp>

namespace electret {

class Simulator {
 public:
  /// Takes the system; starts at step 0. Throws InputError for a method this version lacks.
  explicit Simulator(std::unique_ptr<System> system);
  ~Simulator();
  Simulator(Simulator&&) noexcept;

  /// One step with the scene's schedule. Throws DivergenceError when a position or velocity is not finite or
  /// the total energy has left its bounds; the state is then that of the last good step.
  /// `tape`, where given, receives what the backward step of this one cannot cheaply recompute.
  StepReport step(StepTape* tape = nullptr);
  /// One step with inputs of the caller's own, of the same sizes (else InternalError); loads (n×3, N) may be
  /// given to any system, and left empty. Where they jump from the inputs at the state's time, the change of
  /// the potential energy counts as the key-frames' work.
  StepReport step(const StepInputs& inputs, StepTape* tape = nullptr);

  /// Steps until `last_step`, reporting through `control`; throws Cancelled when stopped (after a whole
  /// step).
  void run(Count last_step, const Control& control = {});

  [[nodiscard]] const State& state() const;
  /// Hands the storage of the state's positions or velocities over, and goes on with a copy of it: what was
  /// seen there never changes again. The address of the state's own arrays stays the same over good steps.
  [[nodiscard]] VectorArray take_positions();
  [[nodiscard]] VectorArray take_velocities();
  /// The force that held or moved each pin over the last step, pins×3, N; zeros before the first.
  [[nodiscard]] VectorView pin_reactions() const;
  [[nodiscard]] const WorkAccounts& work() const;
  [[nodiscard]] System& system() const;
  [[nodiscard]] const Integrator& integrator() const;
  /// For backward steps, which use the method's work buffers.
  [[nodiscard]] Integrator& integrator();
  /// Inputs at the state's time.
  [[nodiscard]] const Inputs& inputs() const;
  /// The energies of the state now. Throws DivergenceError where no potential exists (two charges at one
  /// point); the state stays as it is.
  [[nodiscard]] Energies energies() const;
  /// Throws DivergenceError when the total energy is not finite, or beyond its bound 10⁶ × (|E_0| + kinetic_0
  /// + |work done by fields, key-frames and pins| + 1 J); the state stays as it is.
  void check_energy(const Energies& now) const;
  /// Takes the last step back, work included: for a caller whose `energies` or `check_energy` refused the
  /// state it led to. False, and nothing changes, where there is none: at the start, after `restore`, and
  /// after a step that was taken back already.
  bool abandon_step();
  /// Back to step 0, as after construction; work accounts are 0.
  void restart();
  /// Continues from a checkpoint: bit-identical to never having stopped.
  void restore(State state, const WorkAccounts& work);
  /// The same after a step with a caller's inputs: `inputs` are those at the state's time.
  void restore(State state, const WorkAccounts& work, Inputs inputs);

  /// The sentence of `charge_step_warning` (divergence.hpp) for the state now; at most one a run. A caller
  /// that knows `smallest_distance` (m), which no two charges are closer than, saves most searches for the
  /// fastest pair.
  std::optional<std::string> charge_step_notice(double smallest_distance = 0.0);

  /// Counts since construction.
  [[nodiscard]] Count field_evaluations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
