#pragma once
/// \file
/// A file that is written from its start to its end, through a buffer: any length, little memory.

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

class OutputFile {
 public:
  /// A new file at `path`; with `length` above 0 the file there, of which that many bytes are kept and
  /// written on behind. Throws IoError, as all of it does where the file cannot be written; also where it is
  /// shorter.
  explicit OutputFile(std::string path, Count length = 0);
  /// What was not closed stays as far as it was written.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// The number's bytes, in this order.
  template <class Number>
  void write(Number value, std::endian order);
  /// As float32, in this order.
  void write(const Vec3& vector, std::endian order);
  /// The shortest decimal digits that read back to the same bits.
  void write_digits(double value);
  void write_digits(Count value);

  /// Hands what was written to the system.
  void flush();
  /// Replaces bytes at `place`, all of which were written before.
  void write_over(Count place, std::string_view bytes);
  /// After it nothing may be written.
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
