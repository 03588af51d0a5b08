#pragma once
/// \file
/// Inputs that a caller drives instead of the scene's schedule: charges, external charges, pins, loads and
/// activations, by name, as one flat vector, the action.
///
/// \code
///   electret::Controls controls(simulator.system(), {"body.jelly.charge[left]",
///   "external_charge.0.position"}); electret::DrivenSteps driven(simulator.system(), controls,
///   simulator.integrator().stage_fractions()); simulator.step(driven.inputs(simulator.state(),
///   std::vector{2e-7, 0.0, 0.0, 1.5}));
/// \endcode
///
/// An action holds over the whole step: charges, external charges, loads and activations are the same at its
/// start, stages and end. Pins go straight from where they are to the action's place at the end of the step.

#include <span>
#include <string>
#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/scene/assembly_gradient.hpp>

namespace electret {

/// What a control writes to.
enum class ControlKind {
  charge,             ///< One charge of all members, C.
  charges,            ///< One for each member, C.
  external_charge,    ///< Of the whole, C.
  external_position,  ///< m, as `position` of a scene.
  pin_offset,         ///< m, of all members from their initial places.
  pin_positions,      ///< m, one for each member.
  forces,             ///< N, one for each member, on top of the scene's loads.
  load_force,         ///< N, on each member, in place of the load's own.
  activation,         ///< One of all elements of a muscle.
  activations         ///< One for each.
};

/// One control: `rows` × `columns` numbers of an action, from number `first` on.
struct DrivenInput {
  std::string name, unit;
  ControlKind kind{};
  std::size_t index = 0;             ///< Of the external charge or load.
  std::vector<std::size_t> members;  ///< Rows of the field of Inputs.
  std::size_t rows = 1, columns = 1;
  std::size_t first = 0;

  [[nodiscard]] std::size_t size() const { return rows * columns; }
};

/// The names of everything that can be driven in `system`.
std::vector<std::string> control_names(const System& system);

class Controls {
 public:
  Controls() = default;
  /// Throws InputError with every finding: unknown names, numbers driven twice. `system` must outlive this.
  Controls(const System& system, const std::vector<std::string>& names);

  /// In the order of the action.
  [[nodiscard]] const std::vector<DrivenInput>& list() const { return list_; }
  /// Numbers of an action.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Puts `action` in place of what the schedule says at one time: `inputs` are the schedule's then. Pins
  /// come to the action's places.
  void write(ScalarView action, Inputs& inputs) const;
  /// The pins that are driven: slots of Inputs::pin_positions.
  [[nodiscard]] const std::vector<std::size_t>& pin_slots() const { return pin_slots_; }

  /// The transpose of a step's inputs (DrivenSteps): moves derivatives by what is driven from `by_inputs` to
  /// `by_action` (added), those by the pins' places at the step's start to `by_positions` (n×3) there.
  void take_gradient(std::span<const double> fractions, StepInputGradients& by_inputs,
                     VectorSpan by_positions, ScalarSpan by_action) const;
  /// The part by the pins' places at the step's start: what there is in a step without an action, too.
  void take_pin_starts(std::span<const double> fractions, StepInputGradients& by_inputs,
                       VectorSpan by_positions) const;
  /// Loads that are driven have no effect of their own.
  void clear_driven(AssemblyGradient& gradient) const;

 private:
  void write_one(const DrivenInput& control, ScalarView values, Inputs& inputs) const;
  void take_one(const DrivenInput& control, InputGradients& by_inputs, ScalarSpan by_values) const;

  const System* system_ = nullptr;
  std::vector<DrivenInput> list_;
  std::vector<std::size_t> pin_slots_;
  std::size_t size_ = 0;
};

/// The inputs of steps that a caller drives.
class DrivenSteps {
 public:
  /// All must outlive this.
  DrivenSteps(const System& system, const Controls& controls, std::span<const double> fractions);

  /// Of the step from `state` on with `action` held; an empty action: the schedule's values. Valid until the
  /// next call.
  const StepInputs& inputs(const State& state, ScalarView action);
  /// At the time of `state`, the end of a step with `action`.
  [[nodiscard]] Inputs inputs_at(const State& state, ScalarView action) const;

 private:
  const System& system_;
  const Controls& controls_;
  std::span<const double> fractions_;
  StepSchedule schedule_;
  StepInputs inputs_;
};

}  // namespace electret
