#pragma once
/// \file
/// What a checkpoint knows of the bytes of trajectory.h5, so that a resumed run finds damage.

#include <cstdint>
#include <vector>

namespace electret {

struct TrajectorySums {
  /// CRC-32 of the frames' numbers as they are stored, one frame after the other: time, positions, and those
  /// of velocities, charges and reactions that are stored.
  std::int64_t frames = 0;
  /// Whether the file was closed, so that no byte of it has changed since. The rest is known only then.
  bool is_closed = false;
  std::int64_t rest = 0;  ///< CRC-32 of all bytes outside of `chunks`.
  /// Where the frames' chunks are: begin and end of each part, one after the other, ascending and disjoint.
  std::vector<std::int64_t> chunks;
};

}  // namespace electret
