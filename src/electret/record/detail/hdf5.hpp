#pragma once
/// \file
/// The part of HDF5's C interface that the record room needs, with handles that close themselves. Only .cpp
/// files include HDF5's own header. Errors are thrown as IoError; nothing is printed. HDF5 is used from one
/// thread at a time.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::hdf5 {

using Id = std::int64_t;  ///< HDF5's hid_t.
using Shape = std::vector<std::uint64_t>;

/// The numbers of `vectors`, three a row.
inline std::span<const double> flat(VectorView vectors) {
  return {vectors.empty() ? nullptr : &vectors.front().x, 3 * vectors.size()};
}

/// Owns any HDF5 identifier.
class Handle {
 public:
  Handle() = default;
  explicit Handle(Id id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { close(); }
  [[nodiscard]] Id get() const { return id_; }
  [[nodiscard]] bool open() const { return id_ >= 0; }
  /// Returns false if HDF5 could not close it, because a file's last writes may fail.
  bool close() noexcept;

 private:
  Id release() noexcept;
  Id id_ = -1;
};

/// HDF5 prints no messages while this lives.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  void* function_ = nullptr;
  void* data_ = nullptr;
};

/// How numbers are stored; memory types follow from the C++ types.
enum class Stored { float64, float32, int32, int64 };

/// Opens `path` for reading, without locks. Throws IoError if it is missing or is not a readable HDF5 file.
Handle open_for_reading(const std::string& path);
/// The same for a file that may grow meanwhile, as it is now; see growing_file.hpp.
Handle open_afresh(const std::string& path);

/// A dataset's shape, and how its numbers are stored, in either order of bytes. Other types have no `stored`.
struct DatasetForm {
  Shape shape;
  std::optional<Stored> stored;
};

[[nodiscard]] bool has_dataset(Id file, const std::string& name);
/// Throws IoError if dataset `name` is missing.
[[nodiscard]] DatasetForm form_of(Id file, const std::string& name);
/// Throws IoError if dataset `name` is missing or declares more numbers than the file holds, so that a
/// damaged file does not take all memory.
void check_held(Id file, const std::string& name);
/// The shape of dataset `name`. Throws IoError if it is missing.
[[nodiscard]] Shape shape_of(Id file, const std::string& name);

/// Whether dataset `name` holds 4-byte numbers.
[[nodiscard]] bool stored_as_single(Id file, const std::string& name);

/// Writes a whole new dataset (a dimension may be 0). T: double, std::int32_t or std::int64_t.
template <class T>
void write_dataset(Id file, const std::string& name, const Shape& shape, std::span<const T> values,
                   Stored stored);
/// Reads a whole dataset. Throws IoError if it is missing, if its rank is not `rank`, if its numbers are not
/// stored as T, or if it declares more of them than the file holds.
template <class T>
std::vector<T> read_dataset(Id file, const std::string& name, std::size_t rank);
/// The numbers of `count` rows of dataset `name` from row number `first` on, whatever it stores of `Stored`.
/// Throws IoError if it has no such rows, or if its index lacks them and it was made by `create_growing`.
std::vector<double> read_rows(Id file, const std::string& name, std::uint64_t first, std::uint64_t count);
/// Reads a dataset of `file` one entry of its first dimension at a time. The dataset is kept open, so that
/// HDF5 keeps its chunks.
class RowReader {
 public:
  RowReader() = default;
  /// Throws IoError if the dataset is missing or holds no float64 or float32.
  RowReader(Id file, const std::string& name);
  /// Reads entry `row` into `out`, which has exactly its size. Floats are exact if they are stored as floats.
  void read(std::uint64_t row, std::span<double> out) const;
  void read(std::uint64_t row, std::span<float> out) const;

 private:
  template <class T>
  void read_as(std::uint64_t row, std::span<T> out) const;

  std::string name_;
  Handle dataset_;
};

/// A new list of `count` texts of any length (UTF-8), which are still empty.
[[nodiscard]] Handle create_texts(Id file, const std::string& name, std::uint64_t count);
/// Writes some of its texts, from number `first` on. HDF5 holds what is not flushed in memory.
void put_texts(Id dataset, std::uint64_t first, std::span<const char* const> texts);
/// A list of texts of any length (UTF-8).
void write_texts(Id file, const std::string& name, const std::vector<std::string>& texts);
[[nodiscard]] std::vector<std::string> read_texts(Id file, const std::string& name);
/// Makes a new group within `parent`, in which datasets and groups can be made.
Handle make_group(Id parent, const std::string& name);
/// The names of everything in the group at a path, sorted.
[[nodiscard]] std::vector<std::string> names_in(Id file, const std::string& group);

void write_attribute(Id object, const std::string& name, std::string_view text);
void write_attribute(Id object, const std::string& name, double value);
void write_attribute(Id object, const std::string& name, std::int64_t value);
/// Each throws IoError if the attribute is missing, an array or of another type.
[[nodiscard]] std::string read_text_attribute(Id object, const std::string& name);
[[nodiscard]] double read_number_attribute(Id object, const std::string& name);
[[nodiscard]] std::int64_t read_integer_attribute(Id object, const std::string& name);
[[nodiscard]] bool has_attribute(Id object, const std::string& name);

/// A dataset that grows by one entry at a time along its first dimension, stored in chunks of `chunk_rows`
/// entries.
struct Growing {
  std::string name;
  Shape row_shape;  ///< Without the first dimension.
  Stored stored = Stored::float64;
  std::uint64_t chunk_rows = 64;
  int compression = 0;  ///< 0…9, deflate.
};
Handle create_growing(Id file, const Growing& layout);
/// Opens a growing dataset for writing.
Handle open_growing(Id file, const std::string& name);
/// Appends `values` (one row) as row number `row`.
void append_row(Id dataset, std::uint64_t row, std::span<const double> values);
/// Appends `count` rows, whose numbers are `values`, from row number `first` on. The dataset may store
/// integers.
void append_rows(Id dataset, std::uint64_t first, std::uint64_t count, std::span<const double> values);
/// Where the chunks of a dataset are in the file: address and size of each, bytes.
[[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> chunks_of(Id dataset);
/// Cuts the first dimension to `rows` if it is longer.
void cut_rows(Id dataset, std::uint64_t rows);

/// Throws IoError with `what` if `status` is negative.
void check(std::int64_t status, const std::string& what);

}  // namespace electret::hdf5
