#pragma once
/// \file
/// How much disk space a run takes.

#include <electret/dynamics/system.hpp>

namespace electret {

/// Bytes of a run's files.
struct DiskNeed {
  double fixed = 0.0;      ///< The part that does not grow: the scene's arrays, the checkpoint, the plot.
  double per_frame = 0.0;  ///< Per frame, in the trajectory (as if it were not compressed) and in the tables.
  double frames = 0.0;     ///< The number of frames that the scene makes, frame 0 included.
  double in_chunks = 0.0;  ///< The empty part of the trajectory's last chunks.
  [[nodiscard]] double total() const { return fixed + frames * per_frame + in_chunks; }
};

/// The need of a run of the system to its last step. It is right to a few per cent without compression.
DiskNeed disk_need(const System& system);

}  // namespace electret
