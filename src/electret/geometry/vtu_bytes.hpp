#pragma once
/// \file
/// The bytes of a data array in VTK's XML files: raw or base64, plain or compressed by zlib.

#include <optional>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret::vtu {

/// Bytes from the front of raw or base64 text. White space between base64 digits is passed over, and what
/// follows padding (`=`) begins anew, as VTK encodes an array's header and its data apart.
class Encoded {
 public:
  Encoded(std::string_view text, bool is_base64) : text_(text), is_base64_(is_base64) {}

  /// The next `count` bytes added to `bytes`; false where there are fewer, or digits that are none.
  bool take(std::size_t count, std::string& bytes);
  /// There are no more than these left.
  [[nodiscard]] std::size_t most_left() const;

 private:
  bool fill();

  std::string_view text_;
  bool is_base64_;
  char group_[3] = {};
  std::size_t ready_ = 0, used_ = 0;  ///< Bytes of the group, and how many of them were taken.
};

/// No block of zlib grows more than this when it is unpacked (deflate's limit is 1032).
constexpr std::size_t most_growth = 1100;

/// How a file's arrays are stored.
struct Storage {
  bool big_endian = false;
  std::size_t header_size = 4;  ///< Bytes of the numbers in headers, 4 or 8.
  bool is_compressed = false;   ///< By zlib, in blocks.
};

/// An array's bytes, or what is wrong with them. Allocates no more than `encoded` can hold. Compressed bytes
/// that unpack to more than `most` are at fault, and are not unpacked beyond it.
struct Unpacked {
  std::string bytes;
  std::string fault;  ///< Empty if all is well.
};
Unpacked unpacked(Encoded encoded, const Storage& storage, std::size_t most);

}  // namespace electret::vtu
