#pragma once
/// \file
/// Inputs that a caller drives by name, in place of the scene's schedule: charges, external charges, pins,
/// loads, activations, placements of obstacles and grabs. Their numbers form one flat vector, the action.
///
/// \code
///   const std::vector<std::string> names{"body.jelly.charge[left]", "external_charge.0.position"};
///   electret::Controls controls(simulator.system(), names);
///   const auto fractions = simulator.integrator().stage_fractions();
///   electret::DrivenSteps driven(simulator.system(), controls, fractions);
///   const std::vector<double> action{2e-7, 0.0, 0.0, 1.5};
///   simulator.step(driven.inputs(simulator.state(), action));
/// \endcode
///
/// An action holds over one whole step: charges, external charges, loads, activations and placements have the
/// same values at the step's start, stages and end. A placement says the obstacle's place and its velocity
/// separately, because the step cannot know where the obstacle was before. An obstacle with the law `exact`
/// comes at that velocity, which takes along what touches it: at the step's start its offset is a step of the
/// velocity less, and its rotation a step of the turning. Driven pins move on a straight line from where they
/// are to the action's places, which they reach at the end of the step.

#include <span>
#include <string>
#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/scene/driven_inputs.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

/// The names of everything that can be driven in `system`.
std::vector<std::string> control_names(const System& system);

class Controls {
 public:
  Controls() = default;
  /// Throws InputError with every finding: names that are unknown, and numbers that two controls would drive.
  /// `system` must outlive this object.
  Controls(const System& system, const std::vector<std::string>& names);

  /// The controls, in the order of the action.
  [[nodiscard]] const std::vector<DrivenInput>& list() const { return list_; }
  /// How many numbers an action has.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Overwrites what `action` drives in `inputs`, which holds the schedule's values at one time. Driven pins
  /// are put at the action's places. Throws InputError for a value that the scene's key does not allow (an
  /// activation below 0), and std::invalid_argument for an action or inputs of another size.
  void write(ScalarView action, Inputs& inputs) const;
  /// Puts driven obstacles with the law `exact` back to where they come from in a step. Throws InputError if
  /// one of them turns by more than `most_turn` in it.
  void place_starts(Inputs& start) const;
  /// The driven pins, as row numbers of Inputs::pin_positions.
  [[nodiscard]] const std::vector<std::size_t>& pin_slots() const { return pin_slots_; }

  /// The transpose of DrivenSteps::inputs. Adds the derivatives with respect to driven inputs to `by_action`
  /// and removes them from `by_inputs`. There are two exceptions:
  ///   * Derivatives with respect to loads remain in `by_inputs` as well, because the action's forces may be
  ///     added to the scene's loads. The schedule later adds them to an AssemblyGradient, as derivatives with
  ///     respect to the scene's loads. There `clear_driven` removes them for loads that the action replaces.
  ///   * Derivatives with respect to the driven pins' places at the step's start are added to `by_positions`
  ///     (n×3), because these places are positions of the state there.
  /// Throws std::invalid_argument if an array has another size than those of the system's steps.
  void take_gradient(std::span<const double> fractions, StepInputGradients& by_inputs,
                     VectorSpan by_positions, ScalarSpan by_action) const;
  /// Does only the part of `take_gradient` that concerns the pins' places at the step's start. A step without
  /// an action has this part, too.
  void take_pin_starts(std::span<const double> fractions, StepInputGradients& by_inputs,
                       VectorSpan by_positions) const;
  /// Sets the derivatives with respect to the scene's values of driven loads to 0, because the action
  /// replaces these values.
  void clear_driven(AssemblyGradient& gradient) const;

 private:
  void write_one(const DrivenInput& control, ScalarView values, Inputs& inputs) const;
  /// Calls visit(row) for the placements of driven obstacles with the law `exact`.
  template <class Visit>
  void for_exact_obstacles(Visit&& visit) const;
  void require_slow_turn(std::size_t row, const Placement& placement) const;
  void take_one(const DrivenInput& control, InputGradients& by_inputs, ScalarSpan by_values) const;

  void check(std::span<const double> fractions, const StepInputGradients& by_inputs,
             VectorSpan by_positions) const;

  const System* system_ = nullptr;
  Inputs sizes_;  ///< Any inputs of the system, for their sizes.
  std::vector<DrivenInput> list_;
  std::vector<std::size_t> pin_slots_;
  std::size_t size_ = 0;
};

/// Makes the inputs of steps that a caller drives.
class DrivenSteps {
 public:
  /// All three arguments must outlive this object. `fractions` are Integrator::stage_fractions(). The
  /// functions below throw std::invalid_argument for a state with another number of vertices, and as
  /// Controls::write.
  DrivenSteps(const System& system, const Controls& controls, std::span<const double> fractions);

  /// The inputs of the step that starts at `state`, with `action` held. If `action` is empty, the inputs are
  /// the schedule's, except that driven pins start from their places in `state`. `grabs` act over the whole
  /// step, beside the scene's. Valid until the next call.
  const StepInputs& inputs(const State& state, ScalarView action, std::span<const PlacedGrab> grabs = {});
  /// The inputs at the time of `state`, which a step with `action` and `grabs` has led to.
  [[nodiscard]] Inputs inputs_at(const State& state, ScalarView action,
                                 std::span<const PlacedGrab> grabs = {}) const;

 private:
  const System& system_;
  const Controls& controls_;
  std::span<const double> fractions_;
  StepSchedule schedule_;
  StepInputs inputs_;
};

}  // namespace electret
