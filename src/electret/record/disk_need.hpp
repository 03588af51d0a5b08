#pragma once
/// \file
/// How much room a run takes on the disk.

#include <electret/dynamics/system.hpp>

namespace electret {

/// Bytes of a run's files.
struct DiskNeed {
  double fixed = 0.0;      ///< What does not grow: the scene's arrays, the checkpoint, the plot.
  double per_frame = 0.0;  ///< Of the trajectory (as if it did not compress) and of the tables.
  double frames = 0.0;     ///< Of the scene: frame 0 included.
  double in_chunks = 0.0;  ///< What the trajectory's last, partly filled chunks take beyond their frames.
  [[nodiscard]] double total() const { return fixed + frames * per_frame + in_chunks; }
};

/// Of a run of the system to its last step. To a few per cent, but for compression.
DiskNeed disk_need(const System& system);

}  // namespace electret
