#pragma once
/// \file
/// An HDF5 file that a plain open can read at every instant, even if this process is killed while it writes.
///
/// HDF5 writes its metadata in the order of their addresses. A file that is killed meanwhile may say that a
/// frame exists before the index of chunks contains it. This file driver holds metadata back until HDF5
/// flushes. It then writes them in an order of which every prefix is a readable file:
///
///   growing:   file's length, superblock (end of file), new blocks that nothing refers to yet, chunk index
///              (parents before the children they split), object headers (the number of frames)
///   shrinking: object headers, chunk index, the rest, superblock, file's length
///
/// Raw data are written at once, because a chunk is referred to only after it is written. Blocks that change
/// in place lie within a page of memory, which a kill cannot tear. There are no locks, so that readers may
/// read meanwhile.

#include <cstdint>
#include <string>

#include <electret/record/detail/hdf5.hpp>

namespace electret::hdf5 {

/// The owner's view of the driver; must outlive the file.
struct OrderedFileControl {
  int error = 0;           ///< errno of the first write that failed.
  bool shrinking = false;  ///< Set while datasets are being cut.
  bool discard = false;    ///< Nothing is written from now on, so that the file stays as at its last flush.
};

class OrderedFile {
 public:
  enum class Mode { create, modify };
  /// Throws IoError.
  OrderedFile(const std::string& path, Mode mode);
  ~OrderedFile();
  OrderedFile(const OrderedFile&) = delete;
  OrderedFile& operator=(const OrderedFile&) = delete;

  [[nodiscard]] Id id() const { return file_.get(); }
  /// Makes everything written so far visible. Throws IoError; the file then stays as at the flush before.
  void flush();
  /// Call these before and after datasets are cut; `end_cut` flushes. HDF5 at once overwrites what it cuts
  /// off with fill values, while the file still says that those frames exist. Such writes are dropped,
  /// because nobody reads the frames afterwards.
  void begin_cut() { control_.shrinking = true; }
  void end_cut();
  /// Call after an error: gives up what is not flushed yet. `flush` and `close` throw nothing from then on.
  void abandon() { control_.discard = is_abandoned_ = true; }
  /// Flushes and closes; datasets must be closed. Throws IoError.
  void close();
  /// What the operating system said about the first write that failed, such as "No space left on device"; or
  /// "".
  [[nodiscard]] std::string failure() const;

 private:
  /// Throws IoError if not `good`, or if a write has failed, unless the file is abandoned.
  void throw_unless(bool good);

  OrderedFileControl control_;
  bool is_abandoned_ = false;
  Handle driver_, file_;
};

}  // namespace electret::hdf5
