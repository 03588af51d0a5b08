#pragma once
/// \file
/// A folder of trajectory.h5 with as many rows for each frame as the frame has. Frame f has the rows from
/// offsets[f] to below offsets[f + 1] of the other datasets.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <electret/record/detail/hdf5.hpp>

namespace electret {

/// A dataset of the folder, and which numbers of a row it holds.
struct RowColumn {
  const char* name;
  hdf5::Stored stored;
  std::size_t first, count;
};

/// What a folder is made of.
struct RowTable {
  const char* folder;
  const char* offsets;  ///< The dataset of the offsets.
  std::span<const RowColumn> columns;
  std::size_t width;  ///< The numbers of one row.
};

/// Grows a folder by one frame at a time.
class FrameRowWriter {
 public:
  explicit FrameRowWriter(const RowTable& table) : table_(table) {}

  /// Makes the folder, without compression. Frames follow.
  void create(hdf5::Id file);
  /// Opens the folder of a file that has one.
  void open(hdf5::Id file);
  void close();
  [[nodiscard]] bool is_open() const { return offsets_.open(); }
  [[nodiscard]] const RowTable& table() const { return table_; }

  /// Appends a frame of these rows, `width` numbers each.
  void append(std::span<const double> rows);
  /// Those of the last frame after their count, as in `frame_numbers`.
  [[nodiscard]] std::span<const double> numbers() const { return numbers_; }
  /// The frames that the file has in full.
  [[nodiscard]] Count frames() const { return static_cast<Count>(ends_.size()) - 1; }
  /// Cuts the file to its first `frames` frames.
  void cut(Count frames);
  /// Calls visit(dataset) for each open dataset.
  void for_datasets(const std::function<void(hdf5::Handle&)>& visit);

 private:
  RowTable table_;
  hdf5::Handle offsets_;
  std::vector<hdf5::Handle> columns_;
  std::vector<std::int64_t> ends_;  ///< The offsets that the file has.
  std::vector<double> numbers_, column_;
};

/// The offsets of the frames whose rows are all there, and one more. Throws IoError about datasets that are
/// missing, of a wrong shape or type, or do not fit each other.
std::vector<std::int64_t> checked_offsets(hdf5::Id file, const RowTable& table);

/// The rows of a frame, `width` numbers each, after their count. Throws IoError.
std::vector<double> frame_numbers(hdf5::Id file, const RowTable& table, std::span<const std::int64_t> offsets,
                                  Count frame);

}  // namespace electret
