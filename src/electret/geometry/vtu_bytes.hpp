#pragma once
/// \file
/// Reads the bytes of a data array in VTK's XML files: raw or base64, plain or compressed by zlib.

#include <optional>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret::vtu {

/// Reads bytes from the front of raw or base64 text. White space between base64 digits is skipped. After
/// padding (`=`) the encoding begins anew, because VTK encodes an array's header and its data separately.
class Encoded {
 public:
  Encoded(std::string_view text, bool is_base64) : text_(text), is_base64_(is_base64) {}

  /// Adds the next `count` bytes to `bytes`. Returns false if there are fewer, or characters that are no
  /// digits.
  bool take(std::size_t count, std::string& bytes);
  /// An upper bound on the number of bytes that are left.
  [[nodiscard]] std::size_t most_left() const;
  /// How many characters of the text have not been read.
  [[nodiscard]] std::size_t unread() const { return text_.size(); }

 private:
  bool fill();

  std::string_view text_;
  bool is_base64_;
  char group_[3] = {};
  std::size_t ready_ = 0, used_ = 0;  ///< The group's bytes, and how many were taken.
};

/// No block of zlib grows by more than this factor when it is unpacked (deflate's limit is 1032).
constexpr std::size_t most_growth = 1100;

/// How a file's arrays are stored.
struct Storage {
  bool big_endian = false;
  std::size_t header_size = 4;  ///< Bytes per number in headers, 4 or 8.
  bool is_compressed = false;   ///< By zlib, in blocks.
};

/// An array's bytes, or what is wrong with them. Allocates no more than `encoded` can hold. Compressed bytes
/// that unpack to more than `most` are a fault; unpacking stops there.
struct Unpacked {
  std::string bytes;
  std::string fault;       ///< Empty if all is well.
  std::size_t stored = 0;  ///< How many bytes of the file they are.
};
Unpacked unpacked(Encoded encoded, const Storage& storage, std::size_t most);

}  // namespace electret::vtu
