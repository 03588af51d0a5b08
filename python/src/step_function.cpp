#include "step_function.hpp"

#include <exception>
#include <memory>
#include <optional>

#include "simulator.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

/// What the function knows; a capsule owns it.
struct StepCall {
  py::object owner;
  PySimulator* simulator;
  py::type report;
};

/// Sets Python's error to what is being handled. pybind11 translates it within a call of its own.
PyObject* raise_handled() {
  const py::cpp_function rethrow([error = std::current_exception()] { std::rethrow_exception(error); });
  return PyObject_CallNoArgs(rethrow.ptr());
}

PyObject* report_of(const StepReport& report, const py::type& kind) {
  auto* type = reinterpret_cast<PyTypeObject*>(kind.ptr());
  PyObject* made = type->tp_alloc(type, 4);  // A named tuple is a tuple whose class has names.
  if (made == nullptr) return nullptr;
  PyTuple_SET_ITEM(made, 0, PyLong_FromLong(report.elastic_iterations));
  PyTuple_SET_ITEM(made, 1, PyBool_FromLong(report.capped ? 1 : 0));
  PyTuple_SET_ITEM(made, 2, PyFloat_FromDouble(report.residual));
  PyTuple_SET_ITEM(made, 3, PyFloat_FromDouble(report.residual_target));
  return made;
}

PyObject* take_step(PyObject* capsule, PyObject* action) {
  const auto& call = *static_cast<const StepCall*>(PyCapsule_GetPointer(capsule, nullptr));
  try {
    std::optional<Array> values;
    if (action != Py_None) values = py::reinterpret_borrow<py::object>(action).cast<Array>();
    return report_of(call.simulator->step(values, nullptr), call.report);
  } catch (...) {
    return raise_handled();
  }
}

PyMethodDef definition{"step", take_step, METH_O, nullptr};

}  // namespace

py::object step_function(const py::object& simulator, const py::type& report) {
  auto call = std::make_unique<StepCall>(StepCall{simulator, simulator.cast<PySimulator*>(), report});
  const py::capsule capsule(call.get(), [](void* held) { delete static_cast<StepCall*>(held); });
  (void)call.release();
  return py::reinterpret_steal<py::object>(PyCFunction_New(&definition, capsule.ptr()));
}

}  // namespace electret::python
