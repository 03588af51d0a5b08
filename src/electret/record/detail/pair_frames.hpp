#pragma once
/// \file
/// The folder /contact_pairs of trajectory.h5: of each frame the parts of bodies that push each other.

#include <cstdint>
#include <span>
#include <vector>

#include <electret/contact/body_contacts.hpp>
#include <electret/record/detail/frame_rows.hpp>

namespace electret {

/// A row: kind, four vertices, gap, the normal and the tangential force on the first part, whether it slips.
extern const RowTable pair_row_table;
/// rows ← those of a frame.
void put_pairs(std::span<const PairForce> frame, std::vector<double>& rows);

/// The rows of a frame as forces. Throws IoError for a kind, vertex or state that does not exist.
std::vector<PairForce> pair_forces(hdf5::Id file, std::span<const std::int64_t> offsets, Count frame,
                                   Index vertices);

}  // namespace electret
