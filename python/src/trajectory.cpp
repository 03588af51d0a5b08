/// \file
/// Runs on the disk: trajectory.h5, frame by frame.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <pybind11/stl.h>

#include <electret/record/trajectory_reader.hpp>
#include <electret/record/trajectory_writer.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

/// A trajectory that any number of threads may read. In a forked child it reads nothing and closes nothing:
/// another thread of the parent may have been inside HDF5, whose lock nobody would release here.
class PyTrajectory : public Guarded {
 public:
  explicit PyTrajectory(const FileName& path)
      : Guarded("trajectory"), reader_(std::make_unique<TrajectoryReader>(path.bytes)) {}
  ~PyTrajectory() {
    if (is_inherited()) (void)reader_.release();
  }
  PyTrajectory(const PyTrajectory&) = delete;
  PyTrajectory& operator=(const PyTrajectory&) = delete;

  /// Throws std::runtime_error in a forked child.
  [[nodiscard]] const TrajectoryReader& open() const {
    check_process();
    return *reader_;
  }

 private:
  std::unique_ptr<TrajectoryReader> reader_;
};

template <class Read>
auto read(Read&& values) {
  const ReleasedGil release;
  return values();
}

/// `count` frames from `first` on, every `step`-th, in one new array: float32 where they are stored so.
template <class T>
py::array filled(const TrajectoryReader& reader, FrameValues what, Count first, Count step, Count count,
                 std::vector<py::ssize_t> shape) {
  const bool is_vector = what != FrameValues::charges;
  const std::size_t rows =
      what == FrameValues::pin_reactions ? reader.pins().size() : static_cast<std::size_t>(reader.vertices());
  const std::size_t size = rows * (is_vector ? 3 : 1);
  shape.push_back(static_cast<py::ssize_t>(rows));
  if (is_vector) shape.push_back(3);
  py::array_t<T> result(shape);
  T* out = result.mutable_data();
  {
    const ReleasedGil release;
    for (Count k = 0; k < count; ++k)
      reader.read(what, first + k * step, std::span<T>(out + static_cast<std::size_t>(k) * size, size));
  }
  return result;
}

py::array made(const TrajectoryReader& reader, FrameValues what, Count first, Count step, Count count,
               std::vector<py::ssize_t> shape) {
  const bool may_be_single = what == FrameValues::positions || what == FrameValues::velocities;
  return may_be_single && reader.single_precision()
             ? filled<float>(reader, what, first, step, count, std::move(shape))
             : filled<double>(reader, what, first, step, count, std::move(shape));
}

py::array frame(const PyTrajectory& trajectory, FrameValues what, Count number) {
  return made(trajectory.open(), what, number, 1, 1, {});
}

py::array frames(const PyTrajectory& trajectory, FrameValues what, Count first, Count step, Count count) {
  return made(trajectory.open(), what, first, step, count, {static_cast<py::ssize_t>(count)});
}

/// What the reader's `Function` says.
template <auto Function>
auto of(const PyTrajectory& trajectory) {
  auto said = (trajectory.open().*Function)();
  if constexpr (std::is_same_v<decltype(said), std::string>)
    return shown(said);
  else
    return said;
}

py::list names_of(const PyTrajectory& trajectory) {
  py::list names;
  for (const std::string& name : trajectory.open().body_names()) names.append(shown(name));
  return names;
}

py::list obstacles_of(const PyTrajectory& trajectory) {
  py::list names;
  for (const std::string& name : trajectory.open().contact_obstacles()) names.append(shown(name));
  return names;
}

py::tuple contact_of(const PyTrajectory& trajectory, Count frame) {
  return contact_tuple(read([&] { return trajectory.open().contacts(frame); }));
}

py::tuple pairs_of(const PyTrajectory& trajectory, Count frame) {
  return pair_tuple(read([&] { return trajectory.open().contact_pairs(frame); }));
}

/// By body and group as the scene calls them. The file's names of groups are links, in which a "/" is another
/// character.
py::dict groups_of(const PyTrajectory& trajectory) {
  std::map<std::string, std::string> bodies;  // By link.
  for (const std::string& name : trajectory.open().body_names()) bodies.emplace(link_name(name), name);
  py::dict result;
  for (const auto& [body, groups] : trajectory.open().groups())
    for (const auto& [group, members] : groups)
      result[shown(bodies.at(body) + "[" + name_of_link(group) + "]")] = copied_indices(members);
  return result;
}

}  // namespace

void bind_trajectory(py::module_& module) {
  py::enum_<FrameValues>(module, "FrameValues")
      .value("positions", FrameValues::positions)
      .value("velocities", FrameValues::velocities)
      .value("charges", FrameValues::charges)
      .value("pin_reactions", FrameValues::pin_reactions);
  py::class_<PyTrajectory>(module, "TrajectoryReader")
      .def(py::init<const FileName&>(), py::call_guard<ReleasedGil>())
      .def_property_readonly("frames", of<&TrajectoryReader::frames>)
      .def_property_readonly("vertices", of<&TrajectoryReader::vertices>)
      .def_property_readonly("has_velocities", of<&TrajectoryReader::has_velocities>)
      .def_property_readonly("charges_change", of<&TrajectoryReader::charges_change>)
      .def_property_readonly("has_pin_reactions", of<&TrajectoryReader::has_pin_reactions>)
      .def_property_readonly("has_contacts", of<&TrajectoryReader::has_contacts>)
      .def("obstacles", obstacles_of)
      .def("contact", contact_of)
      .def_property_readonly("has_contact_pairs", of<&TrajectoryReader::has_contact_pairs>)
      .def("contact_pairs", pairs_of)
      .def("pins", [](const PyTrajectory& t) { return copied_indices(t.open().pins()); })
      .def_property_readonly("single_precision", of<&TrajectoryReader::single_precision>)
      .def_property_readonly("scene", of<&TrajectoryReader::scene>)
      .def_property_readonly("version", of<&TrajectoryReader::version>)
      .def_property_readonly("time_step", of<&TrajectoryReader::time_step>)
      .def("times",
           [](const PyTrajectory& t) { return copied(ScalarView(read([&] { return t.open().times(); }))); })
      .def("frame", frame)
      .def("frames_of", frames)
      .def("masses", [](const PyTrajectory& t) { return copied(ScalarView(t.open().masses())); })
      .def("rest_positions",
           [](const PyTrajectory& t) { return copied(VectorView(t.open().rest_positions())); })
      .def("springs", [](const PyTrajectory& t) { return copied_rows(t.open().springs()); })
      .def("spring_stiffness",
           [](const PyTrajectory& t) { return copied(ScalarView(t.open().spring_stiffness())); })
      .def("spring_rest_length",
           [](const PyTrajectory& t) { return copied(ScalarView(t.open().spring_rest_length())); })
      .def("faces", [](const PyTrajectory& t) { return copied_rows(t.open().faces()); })
      .def("body_offsets", of<&TrajectoryReader::body_offsets>)
      .def("body_names", names_of)
      .def("groups", groups_of);
}

}  // namespace electret::python
