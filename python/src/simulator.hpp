#pragma once
/// \file
/// A simulator as Python holds it: state handed out without a copy, one call at a time.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <electret/core/warning.hpp>
#include <electret/dynamics/controls.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/element_stress.hpp>
#include <electret/record/observables.hpp>

#include "arrays.hpp"
#include "guard.hpp"
#include "scene.hpp"
#include "text.hpp"

namespace electret::python {

class PySimulator : public Guarded {
 public:
  PySimulator(const std::shared_ptr<Assembly>& assembly, const std::vector<std::string>& controls,
              int threads);
  ~PySimulator();
  PySimulator(const PySimulator&) = delete;
  PySimulator& operator=(const PySimulator&) = delete;

  /// `tape`, where given, receives what the step back cannot cheaply recompute. `grabs` act over the step
  /// beside the scene's.
  StepReport step(const std::optional<Array>& action, StepTape* tape, std::vector<PlacedGrab> grabs = {});
  /// Steps until `last`; `callback()` after every `every`-th, `progress(done, total)` after every one. Throws
  /// what these and signals raise, after a whole step. However it ends, `notice(text)` is told of steps that
  /// missed their tolerance; it may not raise.
  void run(Count last, const std::optional<Array>& action, const pybind11::object& callback, Count every,
           const pybind11::object& progress, const pybind11::object& notice);
  void restart();
  /// `action`, `grabs`: of the step that led to the state; an empty action: the schedule's values.
  void restore(State state, const WorkAccounts& work, const std::vector<double>& action,
               std::vector<PlacedGrab> grabs);
  /// Changes these parameters; the state stays, and the accounts have the change of the energy. Throws
  /// InputError if the scene has changes to come.
  void set(const std::vector<std::pair<std::string, std::vector<double>>>& values);
  void close();
  /// From now on steps are recorded in `directory`; only steps may change the state until `stop_recording`.
  void record(const FileName& directory, Count every, bool overwrite);
  /// `status` as of summary.json. Without effect where nothing is recorded.
  void stop_recording(RunStatus status, const std::optional<RunFailure>& failure);
  /// Ends the recording as interrupted, and does not throw: what cannot be written is lost. Within a call of
  /// this simulator it ends when the next one looks for it; nothing more is recorded.
  void abandon_recording();

  pybind11::array positions();
  pybind11::array velocities();
  Energies energies();
  Observables observables();
  std::vector<ElementStress> element_stress();
  /// What to tell of `steps` steps that missed their tolerance.
  [[nodiscard]] std::string capped_notice(Count steps) const;
  /// The warnings of the scene as it was given.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  /// Whether these say that the step is too large for the charges.
  [[nodiscard]] bool tells_of_charges() const { return tells_of_charges_; }

  /// For reading. Throws std::runtime_error where it is closed or at work.
  [[nodiscard]] Simulator& open() const;
  [[nodiscard]] const Controls& controls() const { return *controls_; }
  /// Of the last step; empty: the schedule's values.
  [[nodiscard]] const std::vector<double>& last_action() const { return last_action_; }
  /// Those that the last step had beside the scene's.
  [[nodiscard]] const std::vector<PlacedGrab>& last_grabs() const { return last_grabs_; }
  /// How often the state and the parameters have changed so far.
  [[nodiscard]] Count state_changes() const { return state_changes_; }
  [[nodiscard]] Count parameter_changes() const { return parameter_changes_; }

 private:
  StepReport take_step(ScalarView action, StepTape* tape, std::vector<PlacedGrab> grabs = {});
  StepReport change_and_step(ScalarView action, StepTape* tape, const std::vector<PlacedGrab>& grabs);
  StepReport step_with(ScalarView action, StepTape* tape, const std::vector<PlacedGrab>& grabs);
  /// Whether the last step had the schedule's inputs alone.
  [[nodiscard]] bool is_scheduled() const { return control_names_.empty() && last_grabs_.empty(); }
  void after_step(Count first, Count last, const pybind11::object& callback, Count every,
                  const pybind11::object& progress);
  void leave_arrays();
  void check_not_recorded();
  void end_abandoned() noexcept;
  /// Makes the controls of a system anew. Returns the inputs at the state's time after the last action.
  Inputs make_controls(const System& system);
  Simulator::InputsOf inputs_of();
  void renew_controls(Count before);
  /// With which the scene's text gives the present system; nothing if it does as it is.
  [[nodiscard]] std::optional<std::vector<std::string>> overrides_now() const;

  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Controls> controls_;
  std::unique_ptr<DrivenSteps> driven_;
  std::unique_ptr<DrivenRun> recording_;
  bool is_abandoned_ = false;  ///< The recording, by whoever made it.
  Observer observer_;
  std::vector<std::string> control_names_;
  std::set<std::string> set_names_;  ///< The parameters whose values the scene's text does not have.
  std::vector<double> last_action_;
  std::vector<PlacedGrab> last_grabs_;
  std::vector<Warning> warnings_;
  bool tells_of_charges_ = false;
  Count state_changes_ = 0, parameter_changes_ = 0;
  SharedStorage positions_, velocities_;
};

}  // namespace electret::python
