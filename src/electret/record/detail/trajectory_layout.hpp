#pragma once
/// \file
/// What a trajectory.h5 says of itself, checked. A damaged or made-up file must not lead a reader beyond its
/// arrays, and must not make it take memory for numbers that the file does not hold.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/detail/contact_frames.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/pair_frames.hpp>
#include <electret/record/run_arrays.hpp>

namespace electret {

struct TrajectoryLayout {
  Count frames = 0;  ///< Length of the shortest growing dataset.
  Index vertices = 0;
  std::size_t pins = 0;
  bool has_velocities = false, charges_change = false, single = false, has_pin_reactions = false;
  std::string scene, overrides, version;
  double time_step = 0.0;                 ///< h, s.
  std::optional<ContactLayout> contacts;  ///< With the folder /contact.
  /// With the folder /contact_pairs: the offsets of the frames whose rows are all there, and one more.
  std::optional<std::vector<std::int64_t>> pairs;
};

/// Reads the layout and checks the whole file, except for the frames' numbers: attributes, and for each
/// dataset type, shape, and whatever it says of other datasets (`check_arrays`). Throws IoError that names
/// the attribute or dataset.
TrajectoryLayout checked_layout(hdf5::Id file);

/// Checks every constant array by its row in `run_arrays`, the bodies' names and the groups. Throws IoError.
void check_arrays(hdf5::Id file, Index vertices);

/// A constant array; empty if it is absent and may be. Throws IoError.
ArrayValues read_array(hdf5::Id file, const RunArray& array);

/// Indices by body and group, from /groups or /element_groups; empty if there is no such folder. Throws
/// IoError.
using TrajectoryGroups = std::map<std::string, std::map<std::string, std::vector<Index>>>;
TrajectoryGroups read_groups(hdf5::Id file, const std::string& folder);

}  // namespace electret
