#pragma once
/// \file
/// Simulator: steps a System through time, one `step` at a time. It owns the integrator and its work buffers.
///
/// \code
///   electret::Simulator simulator(electret::compile(electret::load_scene("scene.toml")));
///   while (simulator.state().step < 100) simulator.step();
/// \endcode

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/integrator.hpp>

namespace electret {

class Simulator {
 public:
  /// Takes the system over and starts at step 0. Throws InputError if this version lacks the scene's method,
  /// and std::invalid_argument if there is no system.
  explicit Simulator(std::unique_ptr<System> system);
  /// Makes an integrator for a system, which outlives it.
  using MakeIntegrator = std::function<std::unique_ptr<Integrator>(System&)>;
  /// The same with a method of one's own in place of the scene's. `make` is kept, and called again when the
  /// system changes. Throws what `make` throws, and std::invalid_argument if it makes none.
  Simulator(std::unique_ptr<System> system, const MakeIntegrator& make);
  ~Simulator();
  Simulator(Simulator&&) noexcept;

  /// Takes one step with the inputs of the scene's schedule, after the scene's changes that are due
  /// (`make_changes`). Throws DivergenceError if a position or velocity
  /// is not finite, or if the implicit solve finds no point of finite energy. Throws it, too, if both the
  /// kinetic and the total energy exceed the bound of `check_energy`. The state is then that of the last good
  /// step. If `tape` is given, it receives what the backward step cannot cheaply recompute.
  /// If the last step ended with a caller's inputs, the change of potential energy from these to the
  /// schedule's is booked as the key-frames' work.
  StepReport step(StepTape* tape = nullptr);
  /// Takes one step with the caller's inputs. They must have the sizes of the schedule's inputs, and no
  /// change of the scene may be due, else std::invalid_argument is thrown. Loads are an exception: they may
  /// be n×3 (N) even if the scene has none, and empty even if it has some. So are grabs, of which there may
  /// be any number; it is thrown for one that `wrong_grab` (scene/inputs.hpp) finds fault with. If the inputs
  /// at the step's start differ from those that the last step ended with, the resulting change of potential
  /// energy is booked as the key-frames' work.
  StepReport step(const StepInputs& inputs, StepTape* tape = nullptr);

  /// The inputs at the state's time in a system that has just been changed.
  using InputsOf = std::function<Inputs(const System& changed)>;
  /// Goes on with another assembly of the same vertices and pins: it is compiled anew for the same threads.
  /// Positions, velocities, step and time stay; with another time step h', t_m = t_n + (m - n)·h' from this
  /// step n on. Of the method's memory the arrays stay that the method after the change keeps, too, by name
  /// and size; what else steps store is made anew. Pins have no reactions and nothing is in contact until the
  /// next step. E(after) - E(before), at the same positions and velocities, is booked as the key-frames'
  /// work. `inputs` gives those at the state's time; without it they are the schedule's.
  ///
  /// What `system()` returns stays where it is and shows the changed system. Integrators, Controls and
  /// DrivenSteps of before must not be used any more. `restart` goes on with the changed system.
  ///
  /// Throws InputError if the numbers of vertices or the pins differ; what `compile`, `energies` and `inputs`
  /// throw; std::invalid_argument for inputs of wrong sizes. Everything stays as it was then.
  void change(Assembly assembly, const InputsOf& inputs = {});
  /// Whether changes of the scene (`[[change]]`) are to be made before the next step.
  [[nodiscard]] bool is_change_due() const;
  /// Makes them, as `change` does. They belong to the next step: if that fails or is abandoned, they are
  /// taken back with it. They start from the scene's text, whatever `change` did before.
  void make_changes(const InputsOf& inputs = {});

  /// Steps until `last_step` and reports progress through `control`. Throws Cancelled if `control` asks it to
  /// stop, always after a whole step, and std::invalid_argument if `last_step` is negative.
  void run(Count last_step, const Control& control = {});

  [[nodiscard]] const State& state() const;
  /// Views of the state stay valid over successful steps and show the new values. These functions hand the
  /// array itself to the caller and go on with a copy, so that earlier views never change again.
  [[nodiscard]] VectorArray take_positions();
  [[nodiscard]] VectorArray take_velocities();
  /// The force that held or moved each pin during the last step (pins×3, N). Zeros if no step led to the
  /// state: at the start, and after `restart` and `restore`.
  [[nodiscard]] VectorView pin_reactions() const;
  /// What obstacles with the law `exact` pushed vertices with at the end of the last step, by ascending
  /// vertex. Empty if no step led to the state.
  [[nodiscard]] std::span<const ContactForce> contacts() const;
  [[nodiscard]] const WorkAccounts& work() const;
  [[nodiscard]] System& system() const;
  [[nodiscard]] const Integrator& integrator() const;
  /// The same, changeable: backward steps use the integrator's work buffers.
  [[nodiscard]] Integrator& integrator();
  /// The inputs at the state's time.
  [[nodiscard]] const Inputs& inputs() const;
  /// The energies of the present state. Throws DivergenceError if no potential exists (two charges at one
  /// point); the state stays as it is.
  [[nodiscard]] Energies energies() const;
  /// Throws DivergenceError if the total energy is not finite, or if its magnitude exceeds 10⁶ × (|E_0| +
  /// kinetic_0 + ½ Σ m|g h|² + |W_fields| + |W_key-frames| + |W_pins| + 1 J), with gravity g, the step h and
  /// the works W done so far. The state stays as it is.
  void check_energy(const Energies& now) const;
  /// Takes back the last step, its work and the changes before it, for a caller that got an error from
  /// `energies` or `check_energy` after it. Returns false and changes nothing if there is no step to take
  /// back: at the start, after `restore`, and if the last step was taken back already.
  bool abandon_step();
  /// Goes back to step 0, as after construction, with the work accounts at 0. Changes of the scene are
  /// undone.
  void restart();
  /// Continues from a checkpoint. The results have the same bits as those of a run that never stopped. The
  /// system becomes that with the scene's changes at steps below the state's.
  /// If the memory lacks an array that has derivatives, the method starts anew from the state. Throws
  /// std::invalid_argument, and changes nothing, if the state has another number of vertices, a negative
  /// step, or memory of another size. The memory of another method is dropped.
  void restore(State state, const WorkAccounts& work);
  /// The same for a checkpoint taken after a step with a caller's inputs; `inputs` are those at the state's
  /// time. Throws the same if their sizes are not those of the schedule's inputs.
  void restore(State state, const WorkAccounts& work, Inputs inputs);

  /// The sentence of `charge_step_warning` (divergence.hpp) for the present state, at most once per run.
  /// `smallest_distance` (m) is a lower bound on the distance of any two charges, or 0 if the caller knows
  /// none. With such a bound, most searches for the fastest pair are skipped.
  std::optional<std::string> charge_step_notice(double smallest_distance = 0.0);

  /// The number of field evaluations since construction.
  [[nodiscard]] Count field_evaluations() const;
  /// A number that grows when another system takes the place of the one before, by whatever function. What
  /// was made from the old one is then out of date.
  [[nodiscard]] Count system_number() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
