#pragma once
/// \file
/// What a Simulator has: the state, what it steps with, and what it remembers to take a step back.

#include <memory>
#include <optional>
#include <vector>

#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stepping_parts.hpp>

namespace electret {

struct Simulator::Impl {
  Impl(std::unique_ptr<System> taken, const MakeIntegrator& make);

  void start();
  void restart();
  StepReport step(StepTape* tape);
  StepReport step(const StepInputs& inputs, StepTape* tape);
  /// Takes one step. The previous state is kept until the new one has proved sound.
  StepReport advance(const StepInputs& inputs, StepTape* tape);

  void change(Assembly assembly, const InputsOf& inputs);
  void make_changes(const InputsOf& inputs);
  void restore(State given_state, const WorkAccounts& given_work);

  void check_sizes(const Inputs& given_inputs) const;
  [[nodiscard]] double checked_kinetic_energy(const StepReport& report, const StepInputs& inputs) const;
  void check_energy(const Energies& energies, const StepInputs& inputs) const;
  [[nodiscard]] FailedStep failed_step(const StepInputs& inputs) const;
  [[nodiscard]] double finite_kinetic_energy() const;
  [[nodiscard]] double energy_bound() const;
  [[nodiscard]] double fall_of_step() const;
  [[nodiscard]] Energies energies() const;

  void forget_reactions();
  void keep_previous();
  void roll_back();
  void evaluate_schedule();
  void schedule_step();

  [[nodiscard]] System& system() const { return parts.system(); }
  [[nodiscard]] const Scene& scene() const { return parts.system().assembly.scene; }

  /// What a change replaced.
  struct BeforeChange {
    SteppingParts::Replaced parts;
    Count step = 0;
    MethodMemory memory;
    WorkAccounts work;
    VectorArray reactions;
    std::vector<ContactForce> contacts;
    std::optional<Inputs> given;  ///< If the inputs at the state's time are a caller's.
  };
  /// Replaces the system by that of `assembly`; the work accounts have the change of energy.
  BeforeChange changed(Assembly assembly, const InputsOf& inputs);
  void check_kept(const Assembly& assembly) const;
  void enter_changed(const InputsOf& inputs);
  void put_back(BeforeChange before);
  /// Brings the scene to its first `made` changes, between two motions. Returns what was replaced, if
  /// anything.
  std::optional<SteppingParts::Replaced> bring_to(std::size_t made);

  SteppingParts parts;
  State state, previous;
  WorkAccounts work, previous_work;
  bool has_previous = false;  ///< `previous` is the state a step before `state`.
  VectorArray reactions;      ///< pins×3, N.
  VectorArray previous_reactions;
  std::vector<ContactForce> contacts, previous_contacts;
  BodyContactState previous_pairs;
  /// What the changes replaced that belong to the last step, or to the next one if they are made already.
  std::optional<BeforeChange> before_changes;
  Inputs given;                 ///< The end of a step with a caller's inputs.
  const Inputs* now = nullptr;  ///< Inputs at the state's time: one of the above.
  double energy_scale = 0.0;    ///< |E_0| + kinetic_0 + 1 J.
  double whole_mass = 0.0;      ///< Of all vertices, kg.
  bool warned = false;          ///< The charge step's notice has been given.
};

}  // namespace electret
