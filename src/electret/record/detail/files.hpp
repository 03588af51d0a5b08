#pragma once
/// \file
/// Plain files' text and numbers, and tables that grow by whole rows.

#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

/// Writes all of `text` at the descriptor's place; false, with errno, where that fails.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);
/// The whole text of a file. Throws IoError.
[[nodiscard]] std::string read_file(const std::string& path);
/// A number with 17 significant digits, as C's %.17g: it reads back to the same bits.
void append_number(std::string& text, double value);

/// A text table that grows row by row; each row is handed to the system whole.
class RowFile {
 public:
  /// A new file with a header line. Throws IoError, as all of it does.
  RowFile(const std::string& path, std::string_view header);
  /// Goes on with a file after its first `length` bytes; the rest is cut off.
  RowFile(const std::string& path, Count length);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Adds `row` and an end of line. A row that cannot be written whole leaves none of itself.
  void append(std::string row);
  [[nodiscard]] Count length() const { return length_; }  ///< Bytes.

 private:
  std::string path_;
  int descriptor_ = -1;
  Count length_ = 0;
};

}  // namespace electret
