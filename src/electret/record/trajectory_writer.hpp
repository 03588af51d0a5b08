#pragma once
/// \file
/// Writes a run's `trajectory.h5` frame by frame. A plain HDF5 open can read the file at every instant,
/// whatever happens to the process. Its shortest growing dataset determines the number of frames.

#include <memory>
#include <span>
#include <string>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/contact_set.hpp>
#include <electret/core/types.hpp>
#include <electret/record/options.hpp>
#include <electret/record/trajectory_header.hpp>
#include <electret/record/trajectory_sums.hpp>

namespace electret {

/// Version of the layout of trajectory.h5: attribute `format_version`.
inline constexpr int trajectory_format_version = 1;

/// The state at one frame; views of the caller's arrays.
struct FrameView {
  double time = 0.0;      ///< s.
  VectorView positions;   ///< n×3, m.
  VectorView velocities;  ///< n×3, m/s; unused if velocities are not stored.
  ScalarView charges;     ///< n, C; unused if they do not change.
  /// p×3, N, for the header's pins: the force that held or moved each over the last step; 0 if none led here.
  VectorView pin_reactions{};
  /// What exact obstacles pushed with at the end of the last step; unused if the header names none.
  std::span<const ContactForce> contacts{};
  /// What parts of bodies pushed each other with then; unused if the header says that no bodies may touch.
  std::span<const PairForce> pairs{};
};

class TrajectoryWriter {
 public:
  /// Makes the file with frame 0 under a temporary name beside `path`, then gives it its final name, so that
  /// no half-made file ever stands there. Throws IoError.
  TrajectoryWriter(const std::string& path, const TrajectoryHeader& header, const OutputOptions& options,
                   const FrameView& first);
  /// Goes on with the file at `path` after its first `frames` frames, whose sum is `sums.frames`, and cuts
  /// off later ones. Throws IoError if the file has fewer frames or is not a trajectory of these options.
  TrajectoryWriter(const std::string& path, const OutputOptions& options, Count frames,
                   const TrajectorySums& sums = {});
  ~TrajectoryWriter();
  TrajectoryWriter(TrajectoryWriter&&) noexcept;
  TrajectoryWriter& operator=(TrajectoryWriter&&) noexcept;

  /// Appends a frame and makes it visible. Throws IoError, for example if the disk is full; the file then
  /// keeps its frames and takes no more.
  void write(const FrameView& frame);
  [[nodiscard]] Count frames() const;
  /// Of the frames so far, and after `close` of the whole file.
  [[nodiscard]] const TrajectorySums& sums() const;
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The name of a body or group as a name in the file. In HDF5, / separates names and . means the place
/// itself, so that they are written as ∕ (U+2215) and ․ (U+2024).
std::string link_name(const std::string& name);
/// The name that link_name made `link` of. A name that has a ∕ or ․ of its own comes back as one with / or .
std::string name_of_link(const std::string& link);

/// The number of rows of `row_bytes` in one chunk: 64, or fewer if a chunk would exceed 1 MiB, because a file
/// ends with a whole chunk. With compression it is 1, so that each chunk is written once, whole.
Count frames_per_chunk(Count row_bytes, int compression);

}  // namespace electret
