/// \file
/// The compiled part `_core`: everything that the Python sources of the package call.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <electret/geometry/read.hpp>
#include <electret/record/unfinished.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "guard.hpp"
#include "text.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  using namespace electret::python;
  watch_forks();
  translate_errors();
  module.attr("version") = ELECTRET_PACKAGE_VERSION;
  module.def("is_plain", is_plain);
  module.def("is_output", is_output);
  module.def("read_text",
             [](const FileName& path) { return py::bytes(electret::read_whole_file(path.bytes)); });
  module.def("write_file_whole", [](const FileName& path, const py::bytes& data) {
    electret::write_file_whole(path.bytes, data);
  });
  bind_build_info(module);
  bind_mesh(module);
  bind_scene(module);
  bind_simulator(module);
  bind_run(module);
  bind_fit(module);
  bind_sweep(module);
  bind_trajectory(module);
  bind_field(module);
  bind_losses(module);
  bind_gradient(module);
  bind_step_gradient(module);
  bind_native(module);
}
