#pragma once
/// \file
/// An HDF5 file that a plain open can read at every instant, even if this process is killed while it writes.
///
/// HDF5 writes its metadata in the order of their addresses, which lets a killed file say that a frame exists
/// before the index of chunks knows it. This file driver holds metadata back until HDF5 flushes, and then
/// writes them in an order in which every prefix is a readable file:
///
///   growing:   file's length, superblock (end of file), new blocks that nothing refers to yet, chunk index
///   with
///              parents before the children they split, object headers (the number of frames)
///   shrinking: object headers, chunk index, the rest, superblock, file's length
///
/// Raw data go straight through: a chunk is only referred to after it is written. Blocks that change in place
/// lie within a page of memory, which a kill cannot tear. There are no locks: readers may look on.

#include <cstdint>
#include <string>

#include <electret/record/detail/hdf5.hpp>

namespace electret::hdf5 {

/// The owner's view of the driver; must outlive the file.
struct OrderedFileControl {
  int error = 0;           ///< errno of the first write that failed.
  bool shrinking = false;  ///< Datasets are being cut.
  bool discard = false;    ///< Drop everything from now on: the file stays as at its last flush.
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
  /// Makes everything so far visible. Throws IoError; the file then stays as at the flush before.
  void flush();
  /// Brackets the cutting of datasets; `end_cut` flushes. HDF5 overwrites what it cuts off with fill values
  /// at once, while the file still says that those frames exist: such writes are dropped, for nobody reads
  /// them after.
  void begin_cut() { control_.shrinking = true; }
  void end_cut();
  /// Gives up what is not flushed yet, after an error.
  void abandon() { control_.discard = true; }
  /// Flushes and closes; datasets must be closed. Throws IoError.
  void close();
  /// What the operating system said about the first write that failed: "No space left on device"; or "".
  [[nodiscard]] std::string failure() const;

 private:
  OrderedFileControl control_;
  Handle driver_, file_;
};

}  // namespace electret::hdf5
