#pragma once
/// \file
/// Sums over the bytes of files and the numbers of frames, which tell whether they have changed. HDF5 1.10
/// neither checks its own records nor survives every wrong one, so that a file is summed up before it is
/// opened.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace electret {

/// A CRC-32 that grows with what is added.
class Crc {
 public:
  explicit Crc(std::int64_t value = 0) : value_(value) {}
  template <class Number>
  void add(std::span<const Number> numbers) {
    add_bytes(numbers.data(), numbers.size_bytes());
  }
  [[nodiscard]] std::int64_t value() const { return value_; }

 private:
  void add_bytes(const void* bytes, std::size_t size);

  std::int64_t value_;
};

/// The sum of frames (TrajectorySums::frames).
class FrameSum {
 public:
  explicit FrameSum(std::int64_t value = 0) : sum_(value) {}
  /// Adds numbers that are stored as floats (`single`) or doubles.
  void add(std::span<const double> numbers, bool single);
  void add(std::span<const float> numbers) { sum_.add(numbers); }
  [[nodiscard]] std::int64_t value() const { return sum_.value(); }

 private:
  Crc sum_;
  std::vector<float> stored_;
};

/// Places in a file: begin and end of each, one after the other, ascending and disjoint.
using ByteRanges = std::vector<std::int64_t>;

/// The sum of all bytes of a file outside of `left_out`. Throws IoError if it cannot be read.
[[nodiscard]] std::int64_t sum_of_file(const std::string& path, const ByteRanges& left_out = {});

/// The sum of the first `length` bytes of a file, or of all if it is shorter. Throws IoError if it cannot be
/// read.
[[nodiscard]] std::int64_t sum_of_beginning(const std::string& path, std::int64_t length);

/// Appends the sum of a file's bytes to it, as a line of text. HDF5 ignores what follows its own end.
/// Throws IoError.
void append_sum(const std::string& path);
/// Throws IoError if the file does not end with the sum of the bytes before.
void check_appended_sum(const std::string& path);

}  // namespace electret
