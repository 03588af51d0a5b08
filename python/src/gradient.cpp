/// \file
/// Roll-outs: forward with actions and frames kept, back with cotangents.

#include <cmath>
#include <optional>

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/rollout.hpp>
#include <electret/dynamics/capped_steps.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/scene/parameters.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "loss.hpp"
#include "scene.hpp"
#include "state.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

class PyRollout : public Guarded {
 public:
  PyRollout(const std::shared_ptr<Assembly>& assembly, const std::vector<std::string>& controls,
            const std::vector<std::string>& wrt, Count steps, Count hold, double memory, int threads)
      : Guarded("roll-out"), base_(*assembly), control_names_(controls), threads_(threads_here(threads)) {
    const DefaultFloats floats;
    plan_.steps = steps;
    plan_.hold = hold;
    plan_.memory = memory;
    for (const std::string& name : wrt)
      plan_.rest_positions |= find_parameter(base_, name).source.kind == &number::rest_positions;
    const ReleasedGil release;
    make(base_);
  }

  /// Loss, frames' positions and velocities, the first step, and what to tell of steps that missed their
  /// tolerance.
  /// `act`(interval, step, positions, velocities) gives the actions where they are not given beforehand.
  py::tuple forward(const Values& values, const std::optional<Array>& actions,
                    const std::vector<Count>& frames, const std::optional<HeldLoss>& loss,
                    const std::optional<py::dict>& start, const py::object& act, bool keeps_states) {
    const Entry entry(*this);
    set(values);
    if (start)
      place(*start);
    else
      simulator_->restart();
    const Count first = simulator_->state().step;
    from_scene_ = !start;
    std::vector<Count> steps;
    for (const Count frame : frames) steps.push_back(first + frame);
    frames_ = std::make_unique<FrameLoss>(std::move(steps), loss ? loss->loss : nullptr);
    RolloutPlan plan = plan_;
    // Of the roll-out's own: the sweep back looks, too, when this call is over.
    plan.control.progress = [look = SignalLook()](const Progress&) mutable { look.now_and_then(); };
    rollout_.reset();
    const bool is_driven = actions || !act.is_none();
    rollout_ = std::make_unique<Rollout>(*simulator_, is_driven ? *controls_ : none_, std::move(plan));
    const auto given = [&](Count interval, const State& state, ScalarSpan action) {
      if (!actions) return ask(act, interval, state, action);
      std::copy_n(actions->data() + static_cast<std::size_t>(interval) * action.size(), action.size(),
                  action.begin());
    };
    try {
      const ReleasedGil release;
      rollout_->forward(*frames_, given, keeps_states);
    } catch (...) {  // What has not come to its end cannot be swept back.
      rollout_.reset();
      throw;
    }
    memory_ = memory_of(simulator_->state());
    py::list positions, velocities;
    for (const VectorArray& frame : frames_->positions()) positions.append(copied(VectorView(frame)));
    for (const VectorArray& frame : frames_->velocities()) velocities.append(copied(VectorView(frame)));
    return py::make_tuple(frames_->value(), positions, velocities, first,
                          capped_steps_notice(rollout_->capped_steps(), plan_.steps, current_.scene));
  }

  py::dict backward(const std::vector<Array>& by_positions, const std::vector<Array>& by_velocities,
                    double energy, bool counts_loss, const std::vector<std::string>& wrt,
                    const py::object& acted) {
    if (!rollout_) throw std::runtime_error("call forward before vjp");
    if (counts_loss && !std::isfinite(frames_->value()))
      throw DivergenceError(plan_.steps, -1, "the loss is not finite", "check it and its target");
    const Entry entry(*this);
    frames_->set_cotangents(owned(by_positions), owned(by_velocities), energy, counts_loss);
    RolloutGradient result;
    {
      const ReleasedGil release;
      Rollout::Acted tell;
      if (!acted.is_none())
        tell = [&](Count interval, const State& state, ScalarView by_action) {
          this->acted(acted, interval, state, by_action);
        };
      result = rollout_->backward(*frames_, from_scene_, tell);
    }
    py::dict gradients, start, report;
    for (const std::string& name : wrt)
      gradients[py::str(name)] = copied(ScalarView(find_parameter(current_, name).pull(result.gradient)));
    start["positions"] = copied(VectorView(result.by_start.positions));
    start["velocities"] = copied(VectorView(result.by_start.velocities));
    for (const auto& array : result.by_start.memory.arrays)
      start[py::str("memory." + array.name)] = copied(ScalarView(array.values));
    report["steps"] = result.report.steps;
    report["stored_states"] = result.report.stored_states;
    report["forward_steps"] = result.report.forward_steps;
    report["solves"] = result.report.solves;
    report["iterations"] = result.report.iterations;
    report["worst_residual"] = result.report.worst_residual;
    report["capped_steps"] = result.report.capped_steps;
    py::dict all;
    all["gradients"] = gradients;
    all["actions"] = copied(ScalarView(result.by_actions));
    all["start"] = start;
    all["report"] = report;
    return all;
  }

  /// The method's arrays after the last forward.
  [[nodiscard]] py::dict memory() const {
    check_readable();
    return memory_;
  }

  /// Of a state that is stored for the way back; `memory` holds at least three of them.
  [[nodiscard]] double state_bytes() const { return bytes_of_state(*simulator_); }
  [[nodiscard]] py::dict memory_layout() const { return layout_of(*simulator_); }

  [[nodiscard]] py::list controls() const {
    py::list list;
    for (const DrivenInput& control : controls_->list()) list.append(control.name);
    return list;
  }

  /// What to tell before a gradient, as `electret gradient` does. The loss uses the groups `used`; without
  /// them it may use any.
  [[nodiscard]] py::list warnings(const std::optional<std::vector<std::string>>& used) const {
    System& system = simulator_->system();
    std::vector<Warning> found;
    std::string notice;
    {
      const ReleasedGil release;
      found = gradient_warnings(system, simulator_->integrator(), plan_.rest_positions,
                                used.value_or(std::vector<std::string>()));
      notice = gradient_tolerance_notice(system, simulator_->integrator());
    }
    py::list list;
    for (const Warning& each : found)
      if (used || each.kind != WarningKind::unused_group) list.append(shown(to_string(each)));
    if (!notice.empty()) list.append(shown(notice));
    return list;
  }

  /// Frees the states of the last forward.
  void forget() {
    const Entry entry(*this);
    rollout_.reset();
    frames_.reset();
  }

 private:
  /// An interval's action of Python's.
  void ask(const py::object& act, Count interval, const State& state, ScalarSpan action) {
    const HeldGil gil;
    const InCallback waiting(*this);
    const auto given =
        act(interval, state.step, copied(VectorView(state.positions)), copied(VectorView(state.velocities)))
            .cast<Array>();
    const ScalarView values = scalars(given);
    if (values.size() != action.size())
      throw std::invalid_argument("the action does not have as many values as the controls");
    std::copy(values.begin(), values.end(), action.begin());
  }

  /// Python turns derivatives by an interval's action into those by the state it saw, or None.
  void acted(const py::object& call, Count interval, const State& state, ScalarView by_action) {
    const HeldGil gil;
    const InCallback waiting(*this);
    const py::object by_state = call(interval, state.step, copied(VectorView(state.positions)),
                                     copied(VectorView(state.velocities)), copied(by_action));
    if (by_state.is_none()) return;
    const auto [by_positions, by_velocities] = by_state.cast<std::pair<Array, Array>>();
    const VectorView by_x = vectors(by_positions), by_v = vectors(by_velocities);
    if (by_x.size() != state.positions.size() || by_v.size() != state.positions.size())
      throw std::invalid_argument("the cotangent does not have one row per vertex");
    frames_->add_cotangent(state.step, by_x, by_v);
  }

  static std::vector<VectorArray> owned(const std::vector<Array>& arrays) {
    std::vector<VectorArray> result;
    for (const Array& array : arrays) {
      const VectorView view = vectors(array);
      result.emplace_back(view.begin(), view.end());
    }
    return result;
  }

  void make(Assembly assembly) {
    rollout_.reset();
    Assembly kept = assembly;
    simulator_ = std::make_unique<Simulator>(compile(std::move(assembly), threads_, IdleForces::kept));
    current_ = std::move(kept);
    controls_ = std::make_unique<Controls>(simulator_->system(), control_names_);
  }

  /// Parameters that differ from those of the last roll-out need another factor.
  void set(const Values& values) {
    if (values == values_) return;
    Assembly assembly = base_;
    for (const auto& [name, numbers] : values) {
      const Parameter parameter = find_parameter(assembly, name);
      if (numbers.size() != parameter.size()) throw std::invalid_argument(name + ": wrong number of values");
      parameter.write(assembly, numbers);
    }
    const ReleasedGil release;
    try {
      make(std::move(assembly));
    } catch (const DivergenceError& error) {
      throw refused(values, error);  // Nothing was stepped: it is the values that are wrong.
    }
    values_ = values;
  }

  void place(const py::dict& start) {
    simulator_->restore(
        state_of(start["step"].cast<Count>(), start["positions"].cast<Array>(),
                 start["velocities"].cast<Array>(), start["memory"].cast<py::dict>(), current_.masses.size()),
        {});
  }

  Assembly base_, current_;
  std::vector<std::string> control_names_;
  int threads_;
  RolloutPlan plan_;
  Values values_;
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Controls> controls_;
  Controls none_;
  std::unique_ptr<FrameLoss> frames_;
  std::unique_ptr<Rollout> rollout_;
  py::dict memory_;
  bool from_scene_ = true;
};

/// As `electret gradient --check`: for each value of the parameter.
py::tuple checked(const std::shared_ptr<Assembly>& assembly, const std::string& name,
                  const std::function<double(std::shared_ptr<Assembly>)>& loss) {
  const Parameter parameter = find_parameter(*assembly, name);
  std::vector<double> values, errors;
  for (const Difference& one : differences(*assembly, parameter, [&](Assembly changed) {
         return loss(std::make_shared<Assembly>(std::move(changed)));
       })) {
    values.push_back(one.value);
    errors.push_back(one.error);
  }
  return py::make_tuple(copied(ScalarView(values)), copied(ScalarView(errors)));
}

}  // namespace

void bind_gradient(py::module_& module) {
  py::class_<PyRollout>(module, "Rollout")
      .def(py::init<const std::shared_ptr<Assembly>&, const std::vector<std::string>&,
                    const std::vector<std::string>&, Count, Count, double, int>())
      .def("forward", &PyRollout::forward, py::arg("values"), py::arg("actions"), py::arg("frames"),
           py::arg("loss"), py::arg("start"), py::arg("act") = py::none(), py::arg("keeps_states") = true)
      .def("backward", &PyRollout::backward, py::arg("by_positions"), py::arg("by_velocities"),
           py::arg("energy"), py::arg("counts_loss"), py::arg("wrt"), py::arg("acted") = py::none())
      .def("warnings", &PyRollout::warnings, py::arg("used_groups") = py::none())
      .def("forget", &PyRollout::forget)
      .def_property_readonly("memory", &PyRollout::memory)
      .def_property_readonly("bytes_of_state", &PyRollout::state_bytes)
      .def_property_readonly("memory_layout", &PyRollout::memory_layout)
      .def_property_readonly("controls", &PyRollout::controls);
  module.def("differences", checked);
  module.def("difference", [](const std::function<double(double)>& f, double reach, bool one_sided) {
    const Difference result = difference(f, reach, one_sided);
    return py::make_tuple(result.value, result.error);
  });
  module.def("groups_of_loss", [](const std::shared_ptr<Assembly>& assembly, const std::string& text) {
    return groups_of_loss(text, *assembly, {"loss", 0, 0});
  });
  module.def("find_parameter", [](const std::shared_ptr<Assembly>& assembly, const std::string& name) {
    return find_parameter(*assembly, name).size();
  });
  module.def("typical_size", [](const std::shared_ptr<Assembly>& assembly, const std::string& name) {
    const Parameter parameter = find_parameter(*assembly, name);
    return typical_size(*assembly, parameter, parameter.read(*assembly));
  });
}

}  // namespace electret::python
