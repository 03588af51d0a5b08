#pragma once
/// \file
/// The bytes of a fuzzer's input as a script: a fuzz target that makes a file from an input takes its
/// decisions from them one after the other.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace electret::test {

class InputBytes {
 public:
  InputBytes(const std::uint8_t* bytes, std::size_t size) : rest_(bytes, size) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  /// The next byte; 0 after the last.
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  /// A number below `count`, which is at most 256; 0 if there is none below it.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : byte() % count; }
  /// The next two bytes.
  std::size_t word() {
    const std::size_t low = byte();
    return low + 256 * std::size_t{byte()};
  }
  /// A text as long as the next byte says, if there is that much.
  std::string text() {
    const std::size_t length = std::min<std::size_t>(byte(), rest_.size());
    const std::string value(reinterpret_cast<const char*>(rest_.data()), length);
    rest_ = rest_.subspan(length);
    return value;
  }
  /// A number that is seldom met: the next byte names one, or says that the next eight are its bits.
  template <class T>
  T number(std::span<const T> known) {
    const std::size_t which = byte();
    if (which < known.size()) return known[which];
    T value{};
    for (std::size_t k = 0; k < sizeof(T); ++k) {
      const std::uint8_t one = byte();
      std::memcpy(reinterpret_cast<char*>(&value) + k, &one, 1);
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace electret::test
