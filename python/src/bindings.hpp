#pragma once
/// \file
/// Each room's part of `_core`.

#include <pybind11/pybind11.h>

namespace electret::python {

void bind_build_info(pybind11::module_& module);
void bind_mesh(pybind11::module_& module);
void bind_scene(pybind11::module_& module);
void bind_simulator(pybind11::module_& module);
void bind_fit(pybind11::module_& module);
void bind_run(pybind11::module_& module);
void bind_sweep(pybind11::module_& module);
void bind_trajectory(pybind11::module_& module);
void bind_field(pybind11::module_& module);
void bind_losses(pybind11::module_& module);
void bind_gradient(pybind11::module_& module);
void bind_step_gradient(pybind11::module_& module);
void bind_native(pybind11::module_& module);

}  // namespace electret::python
