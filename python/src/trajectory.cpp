/// \file
/// Runs on the disk: trajectory.h5, frame by frame.

#include <pybind11/stl.h>

#include <electret/record/trajectory_reader.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "guard.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

template <class Read>
auto read(Read&& values) {
  const py::gil_scoped_release release;
  return values();
}

py::dict groups_of(const TrajectoryReader& reader) {
  py::dict result;
  for (const auto& [body, groups] : reader.groups())
    for (const auto& [group, members] : groups)
      result[py::str(body + "[" + group + "]")] = copied_indices(members);
  return result;
}

}  // namespace

void bind_trajectory(py::module_& module) {
  using Reader = TrajectoryReader;
  py::class_<Reader>(module, "TrajectoryReader")
      .def(py::init<const std::string&>(), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("frames", &Reader::frames)
      .def_property_readonly("vertices", &Reader::vertices)
      .def_property_readonly("has_velocities", &Reader::has_velocities)
      .def_property_readonly("charges_change", &Reader::charges_change)
      .def_property_readonly("single_precision", &Reader::single_precision)
      .def_property_readonly("scene", &Reader::scene)
      .def_property_readonly("version", &Reader::version)
      .def_property_readonly("time_step", &Reader::time_step)
      .def("times", [](const Reader& r) { return copied(ScalarView(read([&] { return r.times(); }))); })
      .def("positions",
           [](const Reader& r, Count f) { return copied(VectorView(read([&] { return r.positions(f); }))); })
      .def("velocities",
           [](const Reader& r, Count f) { return copied(VectorView(read([&] { return r.velocities(f); }))); })
      .def("charges",
           [](const Reader& r, Count f) { return copied(ScalarView(read([&] { return r.charges(f); }))); })
      .def("masses", [](const Reader& r) { return copied(ScalarView(r.masses())); })
      .def("rest_positions", [](const Reader& r) { return copied(VectorView(r.rest_positions())); })
      .def("springs", [](const Reader& r) { return copied_rows(r.springs()); })
      .def("spring_stiffness", [](const Reader& r) { return copied(ScalarView(r.spring_stiffness())); })
      .def("spring_rest_length", [](const Reader& r) { return copied(ScalarView(r.spring_rest_length())); })
      .def("faces", [](const Reader& r) { return copied_rows(r.faces()); })
      .def("body_offsets", &Reader::body_offsets)
      .def("body_names", &Reader::body_names)
      .def("groups", groups_of);
}

}  // namespace electret::python
