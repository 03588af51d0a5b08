#pragma once
/// \file
/// The folder /contact of trajectory.h5: of each frame the vertices that obstacles push.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <electret/contact/contact_set.hpp>
#include <electret/record/detail/frame_rows.hpp>

namespace electret {

/// A row: vertex, obstacle, state, and the normal and the tangential force.
extern const RowTable contact_row_table;
/// rows ← those of a frame.
void put_contacts(std::span<const ContactForce> frame, std::vector<double>& rows);

/// The names of the scene's obstacles, beside the rows.
void write_contact_obstacles(hdf5::Id file, const std::vector<std::string>& names);

/// What a file says of its folder, checked.
struct ContactLayout {
  std::vector<std::string> obstacles;
  std::vector<std::int64_t> offsets;  ///< Of the frames whose rows are all there, and one more.
};
/// Throws IoError about datasets that are missing, of a wrong shape or type, or do not fit each other.
ContactLayout checked_contact_layout(hdf5::Id file);

/// The rows of a frame as forces. Throws IoError for a vertex, obstacle or state that does not exist.
std::vector<ContactForce> contact_forces(hdf5::Id file, const ContactLayout& layout, Count frame,
                                         Index vertices);

}  // namespace electret
