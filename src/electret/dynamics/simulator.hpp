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
  StepReport step();
  /// One step with inputs of the caller's own, of the same sizes (else InternalError).
  StepReport step(const StepInputs& inputs);

  /// Steps until `last_step`, reporting through `control`; throws Cancelled when stopped (after a whole
  /// step).
  void run(Count last_step, const Control& control = {});

  [[nodiscard]] const State& state() const;
  [[nodiscard]] const WorkAccounts& work() const;
  [[nodiscard]] System& system() const;
  [[nodiscard]] const Integrator& integrator() const;
  /// Inputs at the state's time.
  [[nodiscard]] const Inputs& inputs() const;
  /// The energies of the state now.
  Energies energies();
  /// Compares the total energy with its bound 10⁶ × (|E_0| + kinetic_0 + |work done by fields, key-frames and
  /// pins| + 1 J); throws DivergenceError beyond it.
  void check_energy(const Energies& now);
  /// Continues from a checkpoint: bit-identical to never having stopped.
  void restore(State state, const WorkAccounts& work);

  /// "the charge step is too large near vertices 3 and 8; …" when hω > 1 for the closest pairs of charges; at
  /// most one notice a run. integrators.md, "Warn when hω > 1". Who knows that no two charges are nearer than
  /// `smallest_distance` (m) spares most calls the search for the fastest pair.
  std::optional<std::string> charge_step_notice(double smallest_distance = 0.0);

  /// Counts since construction.
  [[nodiscard]] Count field_evaluations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
