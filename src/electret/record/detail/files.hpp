#pragma once
/// \file
/// Plain files: texts and numbers, and tables that grow by whole rows.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/detail/file_sum.hpp>

namespace electret {

/// Writes all of `text` at the descriptor's position. Returns false and sets errno if that fails.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);
/// Throws IoError: `path` cannot be written, because of the system's `error`.
[[noreturn]] void cannot_write(const std::string& path, int error);
/// The whole text of a file. Throws IoError.
[[nodiscard]] std::string read_file(const std::string& path);
/// The names of what is in a folder. Throws IoError.
[[nodiscard]] std::vector<std::string> names_in_folder(const std::string& folder);
/// Appends a number with 17 significant digits, as C's %.17g, which reads back to the same bits.
void append_number(std::string& text, double value);
/// The numbers, so written, with commas between them.
[[nodiscard]] std::string row_of_numbers(std::span<const double> numbers);

/// A text table that grows row by row. Each row is passed to the system as a whole.
class RowFile {
 public:
  /// Makes a new file with a header line. Throws IoError, as every function does.
  RowFile(const std::string& path, std::string_view header);
  /// Goes on with a file after its first `length` bytes and cuts off the rest.
  RowFile(const std::string& path, Count length);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Adds `row` and an end of line. If the row cannot be written as a whole, nothing of it remains.
  void append(std::string row);
  [[nodiscard]] Count length() const { return length_; }  ///< Bytes.
  /// CRC-32 of all bytes, the header's included.
  [[nodiscard]] std::int64_t sum() const { return sum_.value(); }

 private:
  std::string path_;
  int descriptor_ = -1;
  Count length_ = 0;
  Crc sum_;
};

}  // namespace electret
