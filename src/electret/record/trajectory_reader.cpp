#include <algorithm>
#include <span>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/record/trajectory_writer.hpp>

namespace electret {
namespace {

/// Runs `read`; errors that it throws name `path`.
template <class Read>
auto about(const std::string& path, Read&& read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw IoError(path + ": " + error.what(), path);
  }
}

template <class Tuple, class T>
std::vector<Tuple> grouped(const std::vector<T>& values) {
  constexpr std::size_t width = std::tuple_size_v<Tuple>;
  std::vector<Tuple> rows(values.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i) rows[i / width][i % width] = values[i];
  return rows;
}

std::span<double> numbers(VectorArray& values) {
  return {reinterpret_cast<double*>(values.data()), 3 * values.size()};
}

VectorArray vectors(const std::vector<double>& values) {
  VectorArray rows(values.size() / 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return rows;
}

}  // namespace

struct TrajectoryReader::Impl {
  std::string path;
  hdf5::Handle file;
  Count frames = 0;
  Index vertices = 0;
  std::size_t pins = 0;
  bool has_velocities = false, charges_change = false, single = false, has_pin_reactions = false;
  std::string scene, overrides, version;
  double time_step = 0.0;
  hdf5::RowReader positions, velocities, charges, pin_reactions;  ///< Those that exist.

  void check_format() const {
    if (!hdf5::has_attribute(file.get(), "format_version")) throw IoError("not a trajectory of Electret");
    const auto found = hdf5::read_integer_attribute(file.get(), "format_version");
    if (found != trajectory_format_version)
      throw IoError("its format version is " + std::to_string(found) + "; this version of Electret reads " +
                    std::to_string(trajectory_format_version));
  }

  void shrink_to(const std::string& name, std::size_t rank) {
    const hdf5::Shape shape = hdf5::shape_of(file.get(), name);
    const bool fits = shape.size() == rank && (rank < 2 || static_cast<Index>(shape[1]) == vertices) &&
                      (rank < 3 || shape[2] == 3);
    if (!fits) throw IoError("its dataset " + name + " has a wrong shape");
    frames = std::min(frames, static_cast<Count>(shape[0]));
  }

  /// Rows of pins and of their reactions must be as many.
  void read_pins() {
    const hdf5::Id id = file.get();
    if (hdf5::has_dataset(id, "pins")) {
      const auto rows = hdf5::read_dataset<std::int32_t>(id, "pins", 1);
      const bool are_vertices = std::is_sorted(rows.begin(), rows.end()) &&
                                (rows.empty() || (rows.front() >= 0 && rows.back() < vertices));
      if (!are_vertices) throw IoError("its dataset pins does not name vertices in ascending order");
      pins = rows.size();
    }
    has_pin_reactions = hdf5::has_dataset(id, "pin_reactions");
    if (!has_pin_reactions) return;
    const hdf5::Shape shape = hdf5::shape_of(id, "pin_reactions");
    if (shape.size() != 3 || shape[1] != pins || shape[2] != 3)
      throw IoError("its dataset pin_reactions has a wrong shape");
    frames = std::min(frames, static_cast<Count>(shape[0]));
    pin_reactions = hdf5::RowReader(id, "pin_reactions");
  }

  void read_header() {
    const hdf5::Id id = file.get();
    scene = hdf5::read_text_attribute(id, "scene");
    // Runs of the first versions have none.
    if (hdf5::has_attribute(id, "overrides")) overrides = hdf5::read_text_attribute(id, "overrides");
    version = hdf5::read_text_attribute(id, "version");
    time_step = hdf5::read_number_attribute(id, "step");
    vertices = static_cast<Index>(hdf5::shape_of(id, "masses").at(0));
    has_velocities = hdf5::has_dataset(id, "velocities");
    charges_change = hdf5::shape_of(id, "charges").size() == 2;
    single = hdf5::stored_as_single(id, "positions");
    frames = static_cast<Count>(hdf5::shape_of(id, "time").at(0));
    shrink_to("positions", 3);
    if (has_velocities) shrink_to("velocities", 3);
    if (charges_change) shrink_to("charges", 2);
    positions = hdf5::RowReader(id, "positions");
    if (has_velocities) velocities = hdf5::RowReader(id, "velocities");
    if (charges_change) charges = hdf5::RowReader(id, "charges");
    read_pins();
  }

  /// How many numbers a frame has.
  [[nodiscard]] std::size_t size_of(FrameValues what) const {
    if (what == FrameValues::charges) return static_cast<std::size_t>(vertices);
    return 3 * (what == FrameValues::pin_reactions ? pins : static_cast<std::size_t>(vertices));
  }

  [[nodiscard]] const hdf5::RowReader& rows_of(FrameValues what) const {
    if (what == FrameValues::velocities && !has_velocities) throw IoError("velocities were not stored");
    if (what == FrameValues::pin_reactions && !has_pin_reactions)
      throw IoError("reactions of pins were not stored");
    return what == FrameValues::positions       ? positions
           : what == FrameValues::velocities    ? velocities
           : what == FrameValues::pin_reactions ? pin_reactions
                                                : charges;
  }

  template <class T>
  void read(FrameValues what, Count frame, std::span<T> out) const {
    require_argument(out.size() == size_of(what), "a frame does not have the requested size");
    about(path, [&] {
      if (frame < 0 || frame >= frames)
        throw IoError("it has no frame " + std::to_string(frame) + "; it has " + std::to_string(frames));
      if (what == FrameValues::charges && !charges_change) {
        const auto constant = hdf5::read_dataset<double>(file.get(), "charges", 1);
        std::copy(constant.begin(), constant.end(), out.begin());
        return;
      }
      if (out.empty()) return;  // Of a run without pins.
      rows_of(what).read(static_cast<std::uint64_t>(frame), out);
    });
  }

  [[nodiscard]] VectorArray row(FrameValues what, Count frame) const {
    VectorArray values(size_of(what) / 3);
    read(what, frame, numbers(values));
    return values;
  }

  template <class T>
  [[nodiscard]] std::vector<T> all(const std::string& name, std::size_t rank) const {
    return about(path, [&] { return hdf5::read_dataset<T>(file.get(), name, rank); });
  }
};

TrajectoryReader::TrajectoryReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->file = hdf5::open_for_reading(path);
  about(path, [&] {
    impl_->check_format();
    impl_->read_header();
  });
}

TrajectoryReader::~TrajectoryReader() = default;
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;
TrajectoryReader& TrajectoryReader::operator=(TrajectoryReader&&) noexcept = default;

Count TrajectoryReader::frames() const {
  return impl_->frames;
}
Index TrajectoryReader::vertices() const {
  return impl_->vertices;
}
bool TrajectoryReader::has_velocities() const {
  return impl_->has_velocities;
}
bool TrajectoryReader::charges_change() const {
  return impl_->charges_change;
}
bool TrajectoryReader::has_pin_reactions() const {
  return impl_->has_pin_reactions;
}
bool TrajectoryReader::single_precision() const {
  return impl_->single;
}
const std::string& TrajectoryReader::scene() const {
  return impl_->scene;
}
const std::string& TrajectoryReader::overrides() const {
  return impl_->overrides;
}
const std::string& TrajectoryReader::version() const {
  return impl_->version;
}
double TrajectoryReader::time_step() const {
  return impl_->time_step;
}

std::vector<double> TrajectoryReader::times() const {
  auto values = impl_->all<double>("time", 1);
  values.resize(static_cast<std::size_t>(impl_->frames));
  return values;
}
VectorArray TrajectoryReader::positions(Count frame) const {
  return impl_->row(FrameValues::positions, frame);
}
VectorArray TrajectoryReader::velocities(Count frame) const {
  return impl_->row(FrameValues::velocities, frame);
}
VectorArray TrajectoryReader::pin_reactions(Count frame) const {
  return impl_->row(FrameValues::pin_reactions, frame);
}
std::vector<double> TrajectoryReader::charges(Count frame) const {
  std::vector<double> values(static_cast<std::size_t>(impl_->vertices));
  impl_->read(FrameValues::charges, frame, std::span<double>(values));
  return values;
}
void TrajectoryReader::read(FrameValues what, Count frame, std::span<double> out) const {
  impl_->read(what, frame, out);
}
void TrajectoryReader::read(FrameValues what, Count frame, std::span<float> out) const {
  impl_->read(what, frame, out);
}
std::vector<double> TrajectoryReader::masses() const {
  return impl_->all<double>("masses", 1);
}
VectorArray TrajectoryReader::rest_positions() const {
  return vectors(impl_->all<double>("rest_positions", 2));
}
std::vector<Edge> TrajectoryReader::springs() const {
  return grouped<Edge>(impl_->all<std::int32_t>("springs", 2));
}
std::vector<double> TrajectoryReader::spring_stiffness() const {
  return impl_->all<double>("spring_stiffness", 1);
}
std::vector<double> TrajectoryReader::spring_rest_length() const {
  return impl_->all<double>("spring_rest_length", 1);
}
std::vector<Triangle> TrajectoryReader::faces() const {
  if (!hdf5::has_dataset(impl_->file.get(), "faces")) return {};
  return grouped<Triangle>(impl_->all<std::int32_t>("faces", 2));
}
std::vector<Index> TrajectoryReader::pins() const {
  if (!hdf5::has_dataset(impl_->file.get(), "pins")) return {};
  return impl_->all<std::int32_t>("pins", 1);
}
std::vector<Count> TrajectoryReader::body_offsets() const {
  return impl_->all<std::int64_t>("body_offsets", 1);
}

std::vector<std::string> TrajectoryReader::body_names() const {
  if (!hdf5::has_dataset(impl_->file.get(), "body_names")) return {};
  return about(impl_->path, [&] { return hdf5::read_texts(impl_->file.get(), "body_names"); });
}
TrajectoryReader::Groups TrajectoryReader::groups() const {
  return groups_in("groups");
}
TrajectoryReader::Groups TrajectoryReader::element_groups() const {
  return groups_in("element_groups");
}
TrajectoryReader::Groups TrajectoryReader::groups_in(const std::string& folder) const {
  Groups result;
  const hdf5::Id file = impl_->file.get();
  if (!hdf5::has_dataset(file, folder)) return result;
  return about(impl_->path, [&] {
    for (const std::string& body : hdf5::names_in(file, folder))
      for (const std::string& group : hdf5::names_in(file, folder + "/" + body))
        result[body][group] = hdf5::read_dataset<std::int32_t>(file, folder + "/" + body + "/" + group, 1);
    return result;
  });
}
ArrayValues TrajectoryReader::values(const RunArray& array) const {
  ArrayValues values = array.of({});  // Empty, of the array's type.
  if (array.may_be_absent && !hdf5::has_dataset(impl_->file.get(), array.name)) return values;
  std::visit([&]<class T>(std::vector<T>& v) { v = impl_->all<T>(array.name, array.columns == 1 ? 1 : 2); },
             values);
  return values;
}

}  // namespace electret
