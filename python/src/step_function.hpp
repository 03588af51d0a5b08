#pragma once
/// \file
/// The function behind a step from Python. Small bodies take so little time a step that the call itself
/// counts.

#include <pybind11/pybind11.h>

namespace electret::python {

/// A function of one argument, an action or None, which steps `simulator`, a PySimulator, and returns a
/// `report`: a named tuple of StepReport's members in their order. It is called without pybind11's
/// dispatcher, which costs as much as the rest of the call. Holds references to both.
pybind11::object step_function(const pybind11::object& simulator, const pybind11::type& report);

}  // namespace electret::python
