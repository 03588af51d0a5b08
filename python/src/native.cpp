/// \file
/// The library's own calls in a loop, without Python between them: what the performance table of the package
/// (bench/python.md) measures its calls against. Times are in s.

#include "native.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/step_gradient.hpp>
#include <electret/field/solver.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "guard.hpp"
#include "loss.hpp"
#include "scene.hpp"
#include "simulator.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

/// `count` steps by the schedule, after one that does not count and leaves arrays handed out what they show.
double seconds_of_steps(PySimulator& simulator, Count count) {
  simulator.step(std::nullopt, nullptr);
  Simulator& native = simulator.open();
  const Entry entry(simulator);
  return seconds_of(count, [&] { native.step(); });
}

/// `count` steps by the schedule with their tapes, and their transposes from the last to the first: seconds
/// of either. The derivatives by the last state are `positions` and `velocities`, n×3 each, which are given
/// those by the first.
py::tuple seconds_of_steps_and_back(PySimulator& simulator, Count count, Array positions, Array velocities) {
  simulator.step(std::nullopt, nullptr);
  Simulator& native = simulator.open();
  const Entry entry(simulator);
  const VectorSpan by_x = writable_vectors(positions), by_v = writable_vectors(velocities);
  std::vector<State> states{native.state()};
  std::vector<StepTape> tapes;
  const double forward = seconds_of(count, [&] {
    native.step(&tapes.emplace_back());
    states.push_back(native.state());
  });
  const double back = seconds_of(count, [&] {
    const State end = std::move(states.back());
    states.pop_back();
    const StepGradient found =
        step_gradient(native, simulator.controls(), {states.back(), end, tapes.back(), {}},
                      {VectorView(by_x), VectorView(by_v)}, false);
    std::copy(found.by_start.positions.begin(), found.by_start.positions.end(), by_x.begin());
    std::copy(found.by_start.velocities.begin(), found.by_start.velocities.end(), by_v.begin());
    tapes.pop_back();
  });
  return py::make_tuple(forward, back);
}

/// Threads, solver, sums and the results' memory, `count` times over: what one call of `el.field` is.
double seconds_of_fields(const Array& positions, const Array& charges, const FieldOptions& options,
                         int threads, Count count) {
  const DefaultFloats floats;
  const VectorView x = vectors(positions);
  const ScalarView q = scalars(charges);
  const int team = threads_here(threads);
  return seconds_of(count, [&] {
    Threads own(team);
    const auto solver = make_field_solver(options, static_cast<Count>(q.size()), own);
    VectorArray e(x.size());
    std::vector<double> phi(x.size());
    solver->prepare(x);
    solver->field(q, e, phi);
  });
}

/// The library's loss and gradient of a scene, compiled once.
class NativeGradient {
 public:
  NativeGradient(const std::shared_ptr<Assembly>& assembly, int threads) {
    const DefaultFloats floats;
    simulator_ = std::make_unique<Simulator>(compile(*assembly, threads_here(threads), IdleForces::kept));
  }

  double seconds(const HeldLoss& loss, Count steps, Count count) {
    const DefaultFloats floats;
    GradientOptions options;
    options.steps = steps;
    options.rest_positions = false;
    return seconds_of(count, [&] { value_ = loss_and_gradient(*simulator_, *loss.loss, options).loss; });
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  std::unique_ptr<Simulator> simulator_;
  double value_ = 0.0;
};

}  // namespace

void bind_native(py::module_& module) {
  module.def("native_steps", seconds_of_steps);
  module.def("native_steps_and_back", seconds_of_steps_and_back);
  module.def("native_fields", seconds_of_fields);
  py::class_<NativeGradient>(module, "NativeGradient")
      .def(py::init<const std::shared_ptr<Assembly>&, int>())
      .def("seconds", &NativeGradient::seconds)
      .def_property_readonly("value", &NativeGradient::value);
}

}  // namespace electret::python
