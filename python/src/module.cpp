/// \file
/// The compiled part `_core`: everything that the Python sources of the package call.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <electret/geometry/read.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "guard.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  using namespace electret::python;
  watch_forks();
  translate_errors();
  module.attr("version") = ELECTRET_PACKAGE_VERSION;
  module.def("is_plain", is_plain);
  module.def("is_output", is_output);
  module.def("read_text", [](const std::string& path) { return py::bytes(electret::read_whole_file(path)); });
  bind_build_info(module);
  bind_mesh(module);
  bind_scene(module);
  bind_simulator(module);
  bind_run(module);
  bind_trajectory(module);
  bind_field(module);
  bind_losses(module);
  bind_gradient(module);
  bind_step_gradient(module);
  bind_native(module);
}
