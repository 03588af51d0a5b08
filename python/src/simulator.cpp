#include "simulator.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <pybind11/stl.h>

#include <electret/dynamics/capped_steps.hpp>
#include <electret/dynamics/step_choice.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/write.hpp>

#include "bindings.hpp"
#include "errors.hpp"
#include "gil.hpp"
#include "state.hpp"
#include "step_function.hpp"

namespace py = pybind11;

namespace electret::python {

PySimulator::PySimulator(const std::shared_ptr<Assembly>& assembly, const std::vector<std::string>& controls,
                         int threads)
    : Guarded("simulator"), control_names_(controls) {
  const DefaultFloats floats;
  const ReleasedGil release;
  simulator_ = std::make_unique<Simulator>(compile(*assembly, threads_here(threads)));
  System& system = simulator_->system();
  const StepChoice step = step_choice(system, std::as_const(*simulator_).integrator(), false);
  warnings_ = run_warnings(system, std::as_const(*simulator_).integrator(), step);
  tells_of_charges_ = step.tells_of_charges();
  static_cast<void>(make_controls(system));
}

PySimulator::~PySimulator() {
  // A record's files are the parent's: nothing may be flushed or removed here.
  if (is_inherited()) (void)recording_.release();
  if (simulator_) leave_arrays();
}

Inputs PySimulator::make_controls(const System& system) {
  auto controls = std::make_unique<Controls>(system, control_names_);
  driven_ = std::make_unique<DrivenSteps>(system, *controls,
                                          std::as_const(*simulator_).integrator().stage_fractions());
  controls_ = std::move(controls);
  return driven_->inputs_at(simulator_->state(), last_action_, last_grabs_);
}

/// As `make_controls` where there are none to be made.
Simulator::InputsOf PySimulator::inputs_of() {
  if (is_scheduled()) return {};
  return [this](const System& changed) { return make_controls(changed); };
}

Simulator& PySimulator::open() const {
  check_readable();
  if (!simulator_) throw std::runtime_error("this simulator is closed");
  return *simulator_;
}

/// Before the state changes: what was handed out keeps the storage.
void PySimulator::leave_arrays() {
  if (positions_.is_lent()) positions_.leave(simulator_->take_positions());
  if (velocities_.is_lent()) velocities_.leave(simulator_->take_velocities());
}

/// Makes the changes of the scene that are due. A step that fails takes them back.
StepReport PySimulator::change_and_step(ScalarView action, StepTape* tape,
                                        const std::vector<PlacedGrab>& grabs) {
  if (!simulator_->is_change_due()) return step_with(action, tape, grabs);
  ++parameter_changes_;
  simulator_->make_changes(inputs_of());
  try {
    if (is_scheduled()) static_cast<void>(make_controls(simulator_->system()));
    return step_with(action, tape, grabs);
  } catch (...) {
    static_cast<void>(make_controls(simulator_->system()));
    throw;
  }
}

StepReport PySimulator::step_with(ScalarView action, StepTape* tape, const std::vector<PlacedGrab>& grabs) {
  return controls_->size() == 0 && grabs.empty()
             ? simulator_->step(tape)
             : simulator_->step(driven_->inputs(simulator_->state(), action, grabs), tape);
}

StepReport PySimulator::take_step(ScalarView action, StepTape* tape, std::vector<PlacedGrab> grabs) {
  ++state_changes_;
  const StepReport report = change_and_step(action, tape, grabs);
  // Not before: a step that fails leaves the state with the action that led to it.
  if (controls_->size() > 0) last_action_.assign(action.begin(), action.end());
  last_grabs_ = std::move(grabs);
  if (recording_ && !is_abandoned_) recording_->add_step(report);
  return report;
}

StepReport PySimulator::step(const std::optional<Array>& action, StepTape* tape,
                             std::vector<PlacedGrab> grabs) {
  (void)open();
  const Entry entry(*this);
  leave_arrays();
  const ScalarView values = action ? scalars(*action) : ScalarView();
  const ReleasedGil release;
  return take_step(values, tape, std::move(grabs));
}

/// Calls what is due in a run from step `first` to `last`.
void PySimulator::after_step(Count first, Count last, const py::object& callback, Count every,
                             const py::object& progress) {
  const Count done = simulator_->state().step - first;
  const bool is_called = !callback.is_none() && done % every == 0;
  if (!is_called && progress.is_none()) return;
  const HeldGil gil;
  const InCallback waiting(*this);
  if (!progress.is_none()) progress(done, last - first);
  if (is_called) callback();
  leave_arrays();
}

void PySimulator::run(Count last, const std::optional<Array>& action, const py::object& callback, Count every,
                      const py::object& progress, const py::object& notice) {
  (void)open();
  const Entry entry(*this);
  leave_arrays();
  const std::vector<double> values =
      action ? std::vector<double>(scalars(*action).begin(), scalars(*action).end()) : std::vector<double>();
  const Count first = simulator_->state().step;
  Count capped = 0;
  const auto tell = [&] {
    if (capped > 0)
      notice(
          capped_steps_notice(capped, simulator_->state().step - first, simulator_->system().assembly.scene));
  };
  try {
    SignalLook look;
    const ReleasedGil release;
    while (simulator_->state().step < last) {
      capped += take_step(values, nullptr).capped ? 1 : 0;
      after_step(first, last, callback, every, progress);
      look.now_and_then();
    }
  } catch (...) {
    tell();
    throw;
  }
  tell();
}

void PySimulator::restart() {
  (void)open();
  const Entry entry(*this);
  check_not_recorded();
  leave_arrays();
  ++state_changes_;
  const ReleasedGil release;
  const Count before = simulator_->system_number();
  simulator_->restart();
  last_action_.clear();
  last_grabs_.clear();
  renew_controls(before);
}

/// If another system has taken the place of the one of that number.
void PySimulator::renew_controls(Count before) {
  if (simulator_->system_number() == before) return;
  ++parameter_changes_;
  set_names_.clear();  // It was made from the scene's text.
  static_cast<void>(make_controls(simulator_->system()));
}

void PySimulator::restore(State state, const WorkAccounts& work, const std::vector<double>& action,
                          std::vector<PlacedGrab> grabs) {
  (void)open();
  const Entry entry(*this);
  check_not_recorded();
  leave_arrays();
  ++state_changes_;
  const Count before = simulator_->system_number();
  if (controls_->size() == 0 && grabs.empty()) {
    simulator_->restore(std::move(state), work);
    last_grabs_.clear();
    return renew_controls(before);
  }
  static_cast<void>(driven_->inputs_at(state, action, grabs));  // May refuse the action.
  simulator_->restore(state, work);
  last_action_ = action;
  last_grabs_ = std::move(grabs);
  renew_controls(before);
  Inputs inputs = driven_->inputs_at(state, last_action_, last_grabs_);
  simulator_->restore(std::move(state), work, std::move(inputs));
}

void PySimulator::set(const std::vector<std::pair<std::string, std::vector<double>>>& values) {
  (void)open();
  const Entry entry(*this);
  check_not_recorded();
  Assembly assembly = simulator_->system().assembly;
  const Scene& scene = assembly.scene;
  if (scene.changes_made < scene.changes.size())
    throw InputError(Finding{place_of(scene.source, "change." + std::to_string(scene.changes_made)),
                             "what is set now is lost at the change of step " +
                                 std::to_string(scene.changes[scene.changes_made].step),
                             "set parameters after the scene's last change, or in the changes"});
  for (const auto& [name, numbers] : values) {
    const Parameter parameter = find_parameter(assembly, name);
    if (numbers.size() != parameter.size()) throw std::invalid_argument(name + ": wrong number of values");
    parameter.write(assembly, numbers);
  }
  const ReleasedGil release;
  try {
    simulator_->change(std::move(assembly), inputs_of());
  } catch (const DivergenceError& error) {
    static_cast<void>(make_controls(simulator_->system()));
    throw refused(values, error);  // Nothing was stepped: it is the values that are wrong.
  } catch (...) {
    static_cast<void>(make_controls(simulator_->system()));
    throw;
  }
  ++parameter_changes_;
  for (const auto& [name, numbers] : values) set_names_.insert(name);
  if (is_scheduled()) static_cast<void>(make_controls(simulator_->system()));
}

std::optional<std::vector<std::string>> PySimulator::overrides_now() const {
  if (set_names_.empty()) return std::nullopt;
  const Assembly& assembly = simulator_->system().assembly;
  std::vector<Parameter> changed;
  for (const std::string& name : set_names_) changed.push_back(find_parameter(assembly, name));
  return present_overrides(assembly, changed);
}

void PySimulator::close() {
  if (!simulator_) return;
  check_free();
  check_not_recorded();
  leave_arrays();
  driven_.reset();
  simulator_.reset();
}

void PySimulator::end_abandoned() noexcept {
  if (!is_abandoned_) return;
  is_abandoned_ = false;
  const std::unique_ptr<DrivenRun> recording = std::move(recording_);
  try {
    if (recording) recording->finish(RunStatus::interrupted);
  } catch (...) {  // A full disk, say. Nobody waits for it any more.
    static_cast<void>(recording);
  }
}

void PySimulator::abandon_recording() {
  if (!recording_) return;
  is_abandoned_ = true;
  if (is_free()) end_abandoned();
}

void PySimulator::check_not_recorded() {
  end_abandoned();
  if (recording_)
    throw std::runtime_error(
        "this simulator is being recorded: until the end of the record it can only be stepped");
}

void PySimulator::record(const FileName& directory, Count every, bool overwrite) {
  (void)open();
  const Entry entry(*this);
  check_not_recorded();
  const auto drives_charges = [](const DrivenInput& control) { return control.field == &input::charges; };
  const auto& list = controls_->list();
  const DrivenRunOptions options{every, overwrite, std::any_of(list.begin(), list.end(), drives_charges),
                                 overrides_now()};
  const ReleasedGil release;
  recording_ = std::make_unique<DrivenRun>(*simulator_, directory.bytes, options);
}

void PySimulator::stop_recording(RunStatus status, const std::optional<RunFailure>& failure) {
  const Entry entry(*this);
  const ReleasedGil release;
  const std::unique_ptr<DrivenRun> recording = std::move(recording_);
  if (recording) recording->finish(status, failure);
}

Observables PySimulator::observables() {
  const Simulator& simulator = open();
  const ReadingEntry entry(*this);
  const ReleasedGil release;
  const System& system = simulator.system();
  const State& state = simulator.state();
  return observer_.observe(system.time(state.step), system.masses(), simulator.inputs().charges,
                           state.positions, state.velocities);
}

py::array PySimulator::positions() {
  return positions_.view(open().state().positions);
}

py::array PySimulator::velocities() {
  return velocities_.view(open().state().velocities);
}

Energies PySimulator::energies() {
  const Simulator& simulator = open();
  const ReadingEntry entry(*this);
  const ReleasedGil release;
  return simulator.energies();
}

std::vector<ElementStress> PySimulator::element_stress() {
  const Simulator& simulator = open();
  const ReadingEntry entry(*this);
  const ReleasedGil release;
  return element_stresses(simulator.system().assembly, simulator.state().positions);
}

std::string PySimulator::capped_notice(Count steps) const {
  return capped_steps_notice(steps, steps, open().system().assembly.scene);
}

namespace {

py::tuple tuple_of(const WorkAccounts& work) {
  return py::make_tuple(work.field_work, work.keyframe_work, work.pin_work, work.dissipation);
}

/// A grab as Python hands it over: vertices, weights, stiffness, damping, target.
using GrabTuple = std::tuple<std::vector<Index>, std::vector<double>, double, double, std::array<double, 3>>;

std::vector<PlacedGrab> grabs_of(const std::vector<GrabTuple>& tuples) {
  std::vector<PlacedGrab> grabs;
  for (const auto& [vertices, weights, stiffness, damping, target] : tuples)
    grabs.push_back({{target[0], target[1], target[2]}, stiffness, damping, vertices, weights});
  return grabs;
}

std::vector<GrabTuple> tuples_of(const std::vector<PlacedGrab>& grabs) {
  std::vector<GrabTuple> tuples;
  for (const PlacedGrab& grab : grabs)
    tuples.emplace_back(grab.vertices, grab.weights, grab.stiffness, grab.damping,
                        std::array{grab.target.x, grab.target.y, grab.target.z});
  return tuples;
}

void restore(PySimulator& simulator, Count step, const Array& positions, const Array& velocities,
             const py::dict& memory, const std::array<double, 4>& work, const std::vector<double>& action,
             const std::vector<GrabTuple>& grabs) {
  const auto n = static_cast<std::size_t>(simulator.open().system().vertex_count());
  simulator.restore(state_of(step, positions, velocities, memory, n), {work[0], work[1], work[2], work[3]},
                    action, grabs_of(grabs));
}

py::list control_table(const PySimulator& simulator) {
  py::list list;
  for (const DrivenInput& control : simulator.controls().list())
    list.append(py::make_tuple(control.name, control.unit, control.rows, control.columns, control.is_each));
  return list;
}

/// Everything about a simulator that steps do not change.
py::dict fixed_arrays(const PySimulator& simulator) {
  const System& system = simulator.open().system();
  const Assembly& assembly = system.assembly;
  py::dict result, bodies, groups;
  std::vector<std::array<Index, 2>> springs;
  std::vector<double> stiffness, rest_length;
  for (const Spring& spring : assembly.springs) {
    springs.push_back({spring.i, spring.j});
    stiffness.push_back(spring.stiffness);
    rest_length.push_back(spring.rest_length);
  }
  for (std::size_t b = 0; b < assembly.scene.bodies.size(); ++b)
    bodies[py::str(assembly.scene.bodies[b].name)] =
        py::slice(assembly.body_offsets[b], assembly.body_offsets[b + 1], 1);
  for (const NamedGroup& group : assembly.groups)
    groups[py::str(assembly.scene.bodies[group.body].name + "[" + group.name + "]")] =
        copied_indices(group.vertices);
  result["masses"] = copied(ScalarView(assembly.masses));
  result["rest_positions"] = copied(VectorView(assembly.rest_positions));
  result["springs"] = copied_rows(springs);
  result["spring_stiffness"] = copied(ScalarView(stiffness));
  result["spring_rest_length"] = copied(ScalarView(rest_length));
  result["faces"] = copied_rows(assembly.faces);
  result["tetrahedra"] = copied_rows(assembly.tetrahedra);
  result["hexahedra"] = copied_rows(assembly.hexahedra);
  result["pins"] = copied_indices(system.pins);
  result["bodies"] = bodies;
  result["groups"] = groups;
  return result;
}

/// Per element: Cauchy's stress, von Mises' and the energy density, and whether they have values.
py::tuple element_stress(PySimulator& simulator) {
  const std::vector<ElementStress> stresses = simulator.element_stress();
  const auto count = static_cast<py::ssize_t>(stresses.size());
  py::array_t<double> cauchy({count, py::ssize_t{6}}), von_mises(count), energy(count);
  py::array_t<bool> is_defined(count);
  double* row = cauchy.mutable_data();
  for (py::ssize_t e = 0; e < count; ++e) {
    const ElementStress& each = stresses[static_cast<std::size_t>(e)];
    row = std::copy(each.cauchy.begin(), each.cauchy.end(), row);
    von_mises.mutable_at(e) = each.von_mises;
    energy.mutable_at(e) = each.energy_density;
    is_defined.mutable_at(e) = each.is_defined;
  }
  return py::make_tuple(cauchy, von_mises, energy, is_defined);
}

py::dict choices_of(const PySimulator& simulator) {
  const Simulator& open = simulator.open();
  py::dict choices;
  choices["integrator"] = std::string(std::as_const(open).integrator().name());
  choices["field_solver"] = to_string(open.system().field_choice);
  choices["field_device"] = to_string(open.system().field_device);
  choices["integrator_choice"] = to_string(std::as_const(open).integrator().choice());
  return choices;
}

}  // namespace

void bind_simulator(py::module_& module) {
  module.def("step_function", step_function);
  py::class_<PySimulator>(module, "Simulator")
      .def(py::init<const std::shared_ptr<Assembly>&, const std::vector<std::string>&, int>())
      .def("step",
           [](PySimulator& s, const std::optional<Array>& action) {
             return s.step(action, nullptr).capped ? s.capped_notice(1) : std::string();
           })
      .def("step_with_grabs",
           [](PySimulator& s, const std::optional<Array>& action, const std::vector<GrabTuple>& grabs) {
             const StepReport report = s.step(action, nullptr, grabs_of(grabs));
             return py::make_tuple(report.elastic_iterations, report.capped, report.residual,
                                   report.residual_target);
           })
      .def("step_taped",
           [](PySimulator& s, const std::optional<Array>& action) {
             StepTape tape;
             const StepReport report = s.step(action, &tape);
             return py::make_tuple(arrays_of(tape), report.capped ? s.capped_notice(1) : std::string());
           })
      .def_property_readonly("state_changes", &PySimulator::state_changes)
      .def_property_readonly("parameter_changes", &PySimulator::parameter_changes)
      .def("run", &PySimulator::run)
      .def("reset", &PySimulator::restart)
      .def("restore", restore)
      .def("set", &PySimulator::set)
      .def("close", &PySimulator::close)
      .def("record", &PySimulator::record)
      .def("abandon_recording", &PySimulator::abandon_recording)
      .def("stop_recording",
           [](PySimulator& s, const std::string& status,
              const std::optional<std::tuple<Count, Index, std::string, std::string>>& failure) {
             const RunStatus how = status == "done"       ? RunStatus::done
                                   : status == "diverged" ? RunStatus::diverged
                                                          : RunStatus::interrupted;
             if (!failure) return s.stop_recording(how, {});
             const auto& [step, vertex, cause, advice] = *failure;
             s.stop_recording(how, RunFailure{step, vertex, cause, advice});
           })
      .def_property_readonly("positions", &PySimulator::positions)
      .def_property_readonly("velocities", &PySimulator::velocities)
      .def_property_readonly(
          "charges", [](const PySimulator& s) { return copied(ScalarView(s.open().inputs().charges)); })
      .def_property_readonly(
          "pin_positions",
          [](const PySimulator& s) { return copied(VectorView(s.open().inputs().pin_positions)); })
      .def_property_readonly("pin_reactions",
                             [](const PySimulator& s) { return copied(s.open().pin_reactions()); })
      .def_property_readonly("contact",
                             [](const PySimulator& s) { return contact_tuple(s.open().contacts()); })
      .def_property_readonly("contact_pairs",
                             [](const PySimulator& s) {
                               const BodyContacts* bodies = s.open().system().body_contacts.get();
                               return pair_tuple(bodies != nullptr
                                                     ? std::span<const PairForce>(bodies->state().forces)
                                                     : std::span<const PairForce>());
                             })
      .def_property_readonly("obstacles",
                             [](const PySimulator& s) {
                               py::list names;
                               for (const ObstacleTrack& track : s.open().system().assembly.obstacles)
                                 names.append(shown(track.name.substr(track.name.find('.') + 1)));
                               return names;
                             })
      .def_property_readonly("steps_done", [](const PySimulator& s) { return s.open().state().step; })
      .def_property_readonly(
          "time", [](const PySimulator& s) { return s.open().system().time(s.open().state().step); })
      .def_property_readonly("time_step", [](const PySimulator& s) { return s.open().system().time_step; })
      .def_property_readonly("last_step",
                             [](const PySimulator& s) { return s.open().system().assembly.scene.time.steps; })
      .def_property_readonly("threads",
                             [](const PySimulator& s) { return s.open().system().threads->count(); })
      .def_property_readonly("work", [](const PySimulator& s) { return tuple_of(s.open().work()); })
      .def_property_readonly("memory_layout", [](const PySimulator& s) { return layout_of(s.open()); })
      .def_property_readonly("memory", [](const PySimulator& s) { return memory_of(s.open().state()); })
      .def_property_readonly("last_action", &PySimulator::last_action)
      .def_property_readonly("last_grabs", [](const PySimulator& s) { return tuples_of(s.last_grabs()); })
      .def("energies",
           [](PySimulator& s) {
             const Energies e = s.energies();
             return py::make_tuple(e.kinetic, e.elastic, e.coulomb, e.external, e.gravity);
           })
      .def("observables",
           [](PySimulator& s) {
             const Observables o = s.observables();
             const auto tuple = [](const Vec3& v) { return py::make_tuple(v.x, v.y, v.z); };
             return py::make_tuple(o.time, tuple(o.centre_of_mass), o.radius_of_gyration,
                                   tuple(o.linear_momentum), tuple(o.angular_momentum),
                                   o.smallest_charge_distance);
           })
      .def("element_stress", element_stress)
      .def("charge_step_notice", [](const PySimulator& s) { return s.open().charge_step_notice(); })
      .def("warnings",
           [](const PySimulator& s) {
             py::list list;
             for (const Warning& each : s.warnings())
               list.append(py::make_tuple(std::string(name_of(each.kind)), shown(to_string(each))));
             return list;
           })
      .def_property_readonly("tells_of_charges", &PySimulator::tells_of_charges)
      .def("assembly",
           [](const PySimulator& s) { return std::make_shared<Assembly>(s.open().system().assembly); })
      .def("control_names", [](const PySimulator& s) { return control_names(s.open().system()); })
      .def("controls", control_table)
      .def("fixed_arrays", fixed_arrays)
      .def("choices", choices_of);
}

}  // namespace electret::python
