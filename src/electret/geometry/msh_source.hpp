#pragma once
/// \file
/// Reads the numbers of an MSH file, which are words of text or bytes.

#include <cstdint>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret::msh {

/// Reads from the front. Throws InputError, located in the file, for what it cannot read.
class Source {
 public:
  Source(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  /// From now on numbers are bytes, in this machine's order or `swapped`. Sizes have 8 bytes.
  void set_binary(bool swapped) { binary_ = true, swapped_ = swapped; }
  [[nodiscard]] bool is_binary() const { return binary_; }

  /// The next word of text; empty at the end of the file.
  std::string_view word();
  /// The text in quotes that follows the next word on its line: "name".
  std::string quoted();
  /// The next number, which is a word of text in both formats.
  std::int64_t text_integer(const char* what);
  double text_real(const char* what);
  /// The next number: 4 bytes (integer), 8 bytes (size, real), or a word of text.
  std::int64_t integer(const char* what);
  std::int64_t size(const char* what);
  double real(const char* what);
  /// 4 bytes as they are, read in this machine's order.
  std::int32_t raw_integer();
  /// Moves to the next line.
  void next_line();
  /// Moves past the next "$End`section`".
  void skip_to_end_of(std::string_view section);

  /// The line of the last number or word; 0 in bytes.
  [[nodiscard]] Count line() const { return binary_ ? 0 : word_line_; }
  [[noreturn]] void fault(const std::string& message, const std::string& allowed) const;

 private:
  template <class T>
  T raw(const char* what);
  void skip_blanks();

  std::string_view bytes_;
  std::string file_;
  std::size_t place_ = 0, line_start_ = 0;
  Count line_ = 1, word_line_ = 1, word_column_ = 1;
  bool binary_ = false, swapped_ = false;
};

}  // namespace electret::msh
