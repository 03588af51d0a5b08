#pragma once
/// \file
/// Writes a run's `trajectory.h5` frame by frame. The file is readable by a plain HDF5 open at every instant,
/// whatever happens to the process; its frames are those of its shortest growing dataset.

#include <memory>
#include <string>

#include <electret/core/types.hpp>
#include <electret/record/options.hpp>
#include <electret/record/trajectory_header.hpp>

namespace electret {

/// Version of the layout of trajectory.h5: attribute `format_version`.
inline constexpr int trajectory_format_version = 1;

/// The state at one frame; views of the caller's arrays.
struct FrameView {
  double time = 0.0;      ///< s.
  VectorView positions;   ///< n×3, m.
  VectorView velocities;  ///< n×3, m/s; unused where velocities are not stored.
  ScalarView charges;     ///< n, C; unused where they do not change.
};

class TrajectoryWriter {
 public:
  /// Makes the file with frame 0 under a name of its own beside `path`, then gives it its final name: it
  /// never stands there half-made. Throws IoError.
  TrajectoryWriter(const std::string& path, const TrajectoryHeader& header, const OutputOptions& options,
                   const FrameView& first);
  /// Goes on with the file at `path` after its first `frames` frames; later ones are cut off. Throws IoError
  /// where it has fewer or is not a trajectory of these options.
  TrajectoryWriter(const std::string& path, const OutputOptions& options, Count frames);
  ~TrajectoryWriter();
  TrajectoryWriter(TrajectoryWriter&&) noexcept;
  TrajectoryWriter& operator=(TrajectoryWriter&&) noexcept;

  /// Appends a frame and makes it visible. Throws IoError (a full disk, say); the file then keeps the frames
  /// before it and takes no more.
  void write(const FrameView& frame);
  [[nodiscard]] Count frames() const;
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The name of a body or group as the name of a place in the file, where / parts and . is the place itself:
/// those are written ∕ (U+2215) and ․ (U+2024).
std::string link_name(const std::string& name);

/// Rows of `row_bytes` in one chunk: 64, fewer where they are so large that a chunk would exceed 16 MiB, one
/// when compressed (a chunk is then written whole, once).
Count frames_per_chunk(Count row_bytes, int compression);

}  // namespace electret
