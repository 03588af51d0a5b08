#pragma once
/// \file
/// A file of any length that is written from start to end through a small buffer.

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

inline constexpr auto little = std::endian::little;  ///< The order of bytes that most formats want.

class OutputFile {
 public:
  /// Makes a new file at `path`. If `length` is above 0, opens the file there instead, keeps its first
  /// `length` bytes and appends to them; throws IoError if it is shorter. Every function throws IoError if
  /// the file cannot be written.
  explicit OutputFile(std::string path, Count length = 0);
  /// A file that was not closed stays as far as it was written.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Writes the number's bytes in this order.
  template <class Number>
  void write(Number value, std::endian order);
  /// Writes the vector as float32 in this order.
  void write(const Vec3& vector, std::endian order);
  /// Writes the shortest decimal digits that read back to the same bits.
  void write_digits(double value);
  void write_digits(Count value);

  /// Passes the buffer to the system.
  void flush();
  /// Replaces bytes at `place`, all of which have been written before.
  void write_over(Count place, std::string_view bytes);
  /// Nothing may be written afterwards.
  void close();
  [[nodiscard]] Count length() const { return flushed_ + static_cast<Count>(buffer_.size()); }

 private:
  std::string path_, buffer_;
  int descriptor_ = -1;
  Count flushed_ = 0;
};

template <class Number>
void OutputFile::write(Number value, std::endian order) {
  auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(value);
  if (order != std::endian::native)
    for (std::size_t k = 0; k < bytes.size() / 2; ++k) std::swap(bytes[k], bytes[bytes.size() - 1 - k]);
  write(std::string_view(bytes.data(), bytes.size()));
}

}  // namespace electret
