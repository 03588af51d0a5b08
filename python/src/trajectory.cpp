/// \file
/// Runs on the disk: trajectory.h5, frame by frame.

#include <span>
#include <vector>

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

/// `count` frames from `first` on, every `step`-th, in one new array: float32 where they are stored so.
template <class T>
py::array filled(const TrajectoryReader& reader, FrameValues what, Count first, Count step, Count count,
                 std::vector<py::ssize_t> shape) {
  const bool is_vector = what != FrameValues::charges;
  const std::size_t size = static_cast<std::size_t>(reader.vertices()) * (is_vector ? 3 : 1);
  shape.push_back(reader.vertices());
  if (is_vector) shape.push_back(3);
  py::array_t<T> result(shape);
  T* out = result.mutable_data();
  {
    const py::gil_scoped_release release;
    for (Count k = 0; k < count; ++k)
      reader.read(what, first + k * step, std::span<T>(out + static_cast<std::size_t>(k) * size, size));
  }
  return result;
}

py::array made(const TrajectoryReader& reader, FrameValues what, Count first, Count step, Count count,
               std::vector<py::ssize_t> shape) {
  return what != FrameValues::charges && reader.single_precision()
             ? filled<float>(reader, what, first, step, count, std::move(shape))
             : filled<double>(reader, what, first, step, count, std::move(shape));
}

py::array frame(const TrajectoryReader& reader, FrameValues what, Count number) {
  return made(reader, what, number, 1, 1, {});
}

py::array frames(const TrajectoryReader& reader, FrameValues what, Count first, Count step, Count count) {
  return made(reader, what, first, step, count, {static_cast<py::ssize_t>(count)});
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
  py::enum_<FrameValues>(module, "FrameValues")
      .value("positions", FrameValues::positions)
      .value("velocities", FrameValues::velocities)
      .value("charges", FrameValues::charges);
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
      .def("frame", frame)
      .def("frames_of", frames)
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
