#include <algorithm>
#include <span>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/trajectory_layout.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {
namespace {

/// Runs `read`; an error that it throws names `path` and says that the file is not readable.
template <class Read>
auto about(const std::string& path, Read&& read) {
  try {
    return read();
  } catch (const IoError& error) {
    throw UnreadableError(path + ": " + error.what(), path);
  }
}

hdf5::Handle opened(const std::string& path) {
  try {
    return hdf5::open_for_reading(path);
  } catch (const IoError& error) {
    throw UnreadableError(error.what(), path);
  }
}

template <class Tuple, class T>
std::vector<Tuple> grouped(const std::vector<T>& values) {
  constexpr std::size_t width = std::tuple_size_v<Tuple>;
  std::vector<Tuple> rows(values.size() / width);
  for (std::size_t i = 0; i < width * rows.size(); ++i) rows[i / width][i % width] = values[i];
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
  TrajectoryLayout layout;
  hdf5::RowReader positions, velocities, charges, pin_reactions;  ///< Those that exist.

  void read_layout() {
    const hdf5::Id id = file.get();
    layout = checked_layout(id);
    positions = hdf5::RowReader(id, "positions");
    if (layout.has_velocities) velocities = hdf5::RowReader(id, "velocities");
    if (layout.charges_change) charges = hdf5::RowReader(id, "charges");
    if (layout.has_pin_reactions) pin_reactions = hdf5::RowReader(id, "pin_reactions");
  }

  /// How many numbers a frame has.
  [[nodiscard]] std::size_t size_of(FrameValues what) const {
    const auto n = static_cast<std::size_t>(layout.vertices);
    if (what == FrameValues::charges) return n;
    return 3 * (what == FrameValues::pin_reactions ? layout.pins : n);
  }

  [[nodiscard]] const hdf5::RowReader& rows_of(FrameValues what) const {
    if (what == FrameValues::velocities && !layout.has_velocities)
      throw IoError("velocities were not stored");
    if (what == FrameValues::pin_reactions && !layout.has_pin_reactions)
      throw IoError("reactions of pins were not stored");
    return what == FrameValues::positions       ? positions
           : what == FrameValues::velocities    ? velocities
           : what == FrameValues::pin_reactions ? pin_reactions
                                                : charges;
  }

  void check_frame(Count frame) const {
    if (frame < 0 || frame >= layout.frames)
      throw IoError("it has no frame " + std::to_string(frame) + "; it has " + std::to_string(layout.frames));
  }

  template <class T>
  void read(FrameValues what, Count frame, std::span<T> out) const {
    require_argument(out.size() == size_of(what), "a frame does not have the requested size");
    about(path, [&] {
      check_frame(frame);
      if (what == FrameValues::charges && !layout.charges_change) {
        const auto constant = hdf5::read_dataset<double>(file.get(), "charges", 1);
        if (constant.size() != out.size()) throw IoError("its dataset charges has a wrong shape");
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
  impl_->file = opened(path);
  about(path, [&] { impl_->read_layout(); });
}

TrajectoryReader::~TrajectoryReader() = default;
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;
TrajectoryReader& TrajectoryReader::operator=(TrajectoryReader&&) noexcept = default;

Count TrajectoryReader::frames() const {
  return impl_->layout.frames;
}
Index TrajectoryReader::vertices() const {
  return impl_->layout.vertices;
}
bool TrajectoryReader::has_velocities() const {
  return impl_->layout.has_velocities;
}
bool TrajectoryReader::charges_change() const {
  return impl_->layout.charges_change;
}
bool TrajectoryReader::has_pin_reactions() const {
  return impl_->layout.has_pin_reactions;
}
bool TrajectoryReader::single_precision() const {
  return impl_->layout.single;
}
const std::string& TrajectoryReader::scene() const {
  return impl_->layout.scene;
}
const std::string& TrajectoryReader::overrides() const {
  return impl_->layout.overrides;
}
const std::string& TrajectoryReader::version() const {
  return impl_->layout.version;
}
double TrajectoryReader::time_step() const {
  return impl_->layout.time_step;
}

bool TrajectoryReader::has_contacts() const {
  return impl_->layout.contacts.has_value();
}
const std::vector<std::string>& TrajectoryReader::contact_obstacles() const {
  static const std::vector<std::string> none;
  return impl_->layout.contacts ? impl_->layout.contacts->obstacles : none;
}
std::vector<ContactForce> TrajectoryReader::contacts(Count frame) const {
  return about(impl_->path, [&] {
    impl_->check_frame(frame);
    if (!impl_->layout.contacts) throw IoError("contacts were not stored");
    return contact_forces(impl_->file.get(), *impl_->layout.contacts, frame, impl_->layout.vertices);
  });
}
bool TrajectoryReader::has_contact_pairs() const {
  return impl_->layout.pairs.has_value();
}
std::vector<PairForce> TrajectoryReader::contact_pairs(Count frame) const {
  return about(impl_->path, [&] {
    impl_->check_frame(frame);
    if (!impl_->layout.pairs) throw IoError("contact between bodies was not stored");
    return pair_forces(impl_->file.get(), *impl_->layout.pairs, frame, impl_->layout.vertices);
  });
}

std::vector<double> TrajectoryReader::times() const {
  auto values = impl_->all<double>("time", 1);
  values.resize(static_cast<std::size_t>(impl_->layout.frames));
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
  std::vector<double> values(static_cast<std::size_t>(impl_->layout.vertices));
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
  return about(impl_->path, [&] { return read_groups(impl_->file.get(), "groups"); });
}
TrajectoryReader::Groups TrajectoryReader::element_groups() const {
  return about(impl_->path, [&] { return read_groups(impl_->file.get(), "element_groups"); });
}
ArrayValues TrajectoryReader::values(const RunArray& array) const {
  return about(impl_->path, [&] { return read_array(impl_->file.get(), array); });
}

}  // namespace electret
