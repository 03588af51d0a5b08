#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/record/detail/trajectory_layout.hpp>
#include <electret/record/trajectory_writer.hpp>

namespace electret {
namespace {

void check_format(hdf5::Id file) {
  if (!hdf5::has_attribute(file, "format_version")) throw IoError("not a trajectory of Electret");
  const auto found = hdf5::read_integer_attribute(file, "format_version");
  if (found != trajectory_format_version)
    throw IoError("its format version is " + std::to_string(found) + "; this version of Electret reads " +
                  std::to_string(trajectory_format_version));
}

void read_attributes(hdf5::Id file, TrajectoryLayout& layout) {
  layout.scene = hdf5::read_text_attribute(file, "scene");
  // Runs of the first versions have none.
  if (hdf5::has_attribute(file, "overrides")) layout.overrides = hdf5::read_text_attribute(file, "overrides");
  layout.version = hdf5::read_text_attribute(file, "version");
  layout.time_step = hdf5::read_number_attribute(file, "step");
  if (!std::isfinite(layout.time_step) || layout.time_step <= 0.0)
    throw IoError("its attribute step is " + std::to_string(layout.time_step));
}

Index vertices_of(hdf5::Id file) {
  const hdf5::Shape shape = hdf5::form_of(file, "masses").shape;
  if (shape.size() != 1 || shape[0] > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    throw IoError("its dataset masses has a wrong shape");
  hdf5::check_held(file, "masses");
  return static_cast<Index>(shape[0]);
}

/// The length of a dataset of rows of this shape.
std::uint64_t rows_of(hdf5::Id file, const std::string& name, const hdf5::Shape& row, bool may_be_single) {
  const auto [shape, stored] = hdf5::form_of(file, name);
  if (shape.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), shape.begin() + 1))
    throw IoError("its dataset " + name + " has a wrong shape");
  if (stored != hdf5::Stored::float64 && !(may_be_single && stored == hdf5::Stored::float32))
    throw IoError("its dataset " + name + " has a wrong type");
  return shape[0];
}

/// Pins ascend; `check_arrays` checks that they are vertices.
std::size_t pins_of(hdf5::Id file) {
  if (!hdf5::has_dataset(file, "pins")) return 0;
  const auto pins = hdf5::read_dataset<std::int32_t>(file, "pins", 1);
  if (!std::is_sorted(pins.begin(), pins.end())) throw IoError("its dataset pins does not ascend");
  return pins.size();
}

Count count_frames(hdf5::Id file, const TrajectoryLayout& layout) {
  const auto n = static_cast<std::uint64_t>(layout.vertices);
  std::uint64_t frames = rows_of(file, "time", {}, false);
  hdf5::check_held(file, "time");
  frames = std::min(frames, rows_of(file, "positions", {n, 3}, true));
  if (layout.has_velocities) frames = std::min(frames, rows_of(file, "velocities", {n, 3}, true));
  if (layout.charges_change) frames = std::min(frames, rows_of(file, "charges", {n}, false));
  if (layout.has_pin_reactions)
    frames = std::min(frames, rows_of(file, "pin_reactions", {layout.pins, 3}, false));
  if (layout.contacts) frames = std::min<std::uint64_t>(frames, layout.contacts->offsets.size() - 1);
  if (layout.pairs) frames = std::min<std::uint64_t>(frames, layout.pairs->size() - 1);
  if (frames == 0) throw IoError("it has no frame");
  return static_cast<Count>(frames);
}

/// Charges that do not change are one row of all vertices.
void check_constant_charges(hdf5::Id file, const TrajectoryLayout& layout) {
  const auto n = static_cast<std::uint64_t>(layout.vertices);
  if (rows_of(file, "charges", {}, false) != n) throw IoError("its dataset charges has a wrong shape");
  hdf5::check_held(file, "charges");
}

}  // namespace

TrajectoryLayout checked_layout(hdf5::Id file) {
  TrajectoryLayout layout;
  check_format(file);
  read_attributes(file, layout);
  layout.vertices = vertices_of(file);
  layout.has_velocities = hdf5::has_dataset(file, "velocities");
  layout.charges_change = hdf5::form_of(file, "charges").shape.size() == 2;
  layout.single = hdf5::stored_as_single(file, "positions");
  layout.pins = pins_of(file);
  layout.has_pin_reactions = hdf5::has_dataset(file, "pin_reactions");
  if (hdf5::has_dataset(file, contact_row_table.folder)) layout.contacts = checked_contact_layout(file);
  if (hdf5::has_dataset(file, pair_row_table.folder)) layout.pairs = checked_offsets(file, pair_row_table);
  layout.frames = count_frames(file, layout);
  if (!layout.charges_change) check_constant_charges(file, layout);
  check_arrays(file, layout.vertices);
  return layout;
}

ArrayValues read_array(hdf5::Id file, const RunArray& array) {
  ArrayValues values = array.of({});  // Empty, of the array's type.
  if (array.may_be_absent && !hdf5::has_dataset(file, array.name)) return values;
  const std::size_t rank = array.columns == 1 ? 1 : 2;
  std::visit([&]<class T>(std::vector<T>& v) { v = hdf5::read_dataset<T>(file, array.name, rank); }, values);
  return values;
}

TrajectoryGroups read_groups(hdf5::Id file, const std::string& folder) {
  TrajectoryGroups groups;
  if (!hdf5::has_dataset(file, folder)) return groups;
  for (const std::string& body : hdf5::names_in(file, folder))
    for (const std::string& group : hdf5::names_in(file, folder + "/" + body))
      groups[body][group] = hdf5::read_dataset<std::int32_t>(file, folder + "/" + body + "/" + group, 1);
  return groups;
}

}  // namespace electret
