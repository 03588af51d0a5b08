/// \file
/// The compiled part `_core`: everything that the Python sources of the package call.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <electret/core/version.hpp>
#include <electret/geometry/read.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "guard.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

py::dict build_info() {
  py::dict info;
  info["version"] = electret::version;
  info["pybind11"] = py::make_tuple(PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR);
  info["compiler"] = "GCC " __VERSION__;
#ifdef __AVX512F__
  info["built_for"] = "avx512";
#else
  info["built_for"] = "the processor at run time";
#endif
  return info;
}

}  // namespace
}  // namespace electret::python

PYBIND11_MODULE(_core, module) {
  using namespace electret::python;
  watch_forks();
  translate_errors();
  module.attr("version") = ELECTRET_PACKAGE_VERSION;
  module.def("build_info", build_info);
  module.def("is_plain", is_plain);
  module.def("is_output", is_output);
  module.def("read_text", [](const std::string& path) { return py::bytes(electret::read_whole_file(path)); });
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
