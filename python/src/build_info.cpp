/// \file
/// What the compiled part was made with, and what it runs on.

#include <array>
#include <string>
#include <tuple>

#include <hdf5.h>
#include <pybind11/pybind11.h>

#if __has_include(<oneapi/tbb/version.h>)
#include <oneapi/tbb/version.h>
#endif
#ifdef ELECTRET_HAS_CHOLMOD
#include <cholmod.h>
#endif

#include <electret/core/instruction_set.hpp>
#include <electret/core/version.hpp>

#include "bindings.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

py::object hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return py::none();
  return py::str(dotted(major, minor, release));
}

py::object tbb_version() {
#ifdef TBB_VERSION_STRING
  return py::str(TBB_VERSION_STRING);
#else
  return py::none();
#endif
}

py::object version_of_cholmod() {
#ifdef ELECTRET_HAS_CHOLMOD
  std::array<int, 3> version{};
  cholmod_version(version.data());
  return py::str(dotted(static_cast<unsigned>(version[0]), static_cast<unsigned>(version[1]),
                        static_cast<unsigned>(version[2])));
#else
  return py::none();
#endif
}

py::dict build_info() {
  py::dict info;
  info["version"] = electret::version;
  info["pybind11"] = py::make_tuple(PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR);
  info["compiler"] = "GCC " __VERSION__;
  info["instruction_set"] = name_of(instruction_set());
  info["tbb"] = tbb_version();
  info["hdf5"] = hdf5_version();
  info["cholmod"] = version_of_cholmod();
#ifdef ELECTRET_HAS_CHOLMOD
  info["licence"] = "GPL-2.0-or-later as a whole, because of CHOLMOD's supernodal part";
#else
  info["licence"] = "that of Electret";
#endif
  return info;
}

}  // namespace

void bind_build_info(py::module_& module) {
  module.def("build_info", build_info);
}

}  // namespace electret::python
