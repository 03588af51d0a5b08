#pragma once
/// \file
/// How much disk space a run takes, and how much there is.

#include <optional>
#include <string>

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

/// The bytes that can be written to `directory`, whether it exists or not: the free space of its file system
/// and the space of an earlier run in it. None if the system does not say.
[[nodiscard]] std::optional<double> disk_available(const std::string& directory);

}  // namespace electret
