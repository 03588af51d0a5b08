/// \file
/// One step's transpose, for steps that Python chains on its own.

#include <optional>

#include <pybind11/stl.h>

#include <electret/adjoint/step_gradient.hpp>
#include <electret/scene/parameters.hpp>

#include "bindings.hpp"
#include "gil.hpp"
#include "simulator.hpp"
#include "state.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

/// A state as Python hands it over: step, positions, velocities, the method's arrays.
using StateTuple = std::tuple<Count, Array, Array, py::dict>;

VectorView view_of(const std::optional<Array>& array, std::size_t vertices) {
  if (!array) return {};
  const VectorView view = vectors(*array);
  if (view.size() != vertices) throw std::invalid_argument("the cotangent does not have one row per vertex");
  return view;
}

/// (by positions, by velocities, by action or None, {name: derivatives}); the state of `simulator` stays.
py::tuple gradient_of_step(PySimulator& simulator, const StateTuple& from, const StateTuple& to,
                           const py::dict& tape, const std::optional<Array>& action,
                           const std::optional<Array>& by_positions,
                           const std::optional<Array>& by_velocities, const std::vector<std::string>& wrt) {
  Simulator& open = simulator.open();
  const Entry entry(simulator);
  const auto n = static_cast<std::size_t>(open.system().vertex_count());
  const auto state = [n](const StateTuple& tuple) {
    return state_of(std::get<0>(tuple), std::get<1>(tuple), std::get<2>(tuple), std::get<3>(tuple), n);
  };
  const State start = state(from), end = state(to);
  StepTape taped;
  take_arrays(tape, taped);
  const ScalarView given = action ? scalars(*action) : ScalarView();
  if (action && given.size() != simulator.controls().size())
    throw std::invalid_argument("the action does not have as many values as the controls");
  const StateCotangent by_end{view_of(by_positions, n), view_of(by_velocities, n)};
  const Assembly& assembly = open.system().assembly;
  bool rest_positions = false;
  for (const std::string& name : wrt)
    rest_positions |= find_parameter(assembly, name).source.kind == &number::rest_positions;
  StepGradient result;
  {
    const ReleasedGil release;
    result = step_gradient(open, simulator.controls(), {start, end, taped, given}, by_end, rest_positions);
  }
  py::dict by_parameters;
  for (const std::string& name : wrt)
    by_parameters[py::str(name)] = copied(ScalarView(find_parameter(assembly, name).pull(result.gradient)));
  return py::make_tuple(copied(VectorView(result.by_start.positions)),
                        copied(VectorView(result.by_start.velocities)), copied(ScalarView(result.by_action)),
                        by_parameters);
}

}  // namespace

void bind_step_gradient(py::module_& module) {
  module.def("step_gradient", gradient_of_step);
}

}  // namespace electret::python
