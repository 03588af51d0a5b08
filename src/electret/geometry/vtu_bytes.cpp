#include <algorithm>
#include <cstring>
#include <vector>

#include <zlib.h>

#include <electret/geometry/vtk_numbers.hpp>
#include <electret/geometry/vtu_bytes.hpp>

namespace electret::vtu {
namespace {

int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// `count` numbers of a header; empty if there are fewer, or if one is too large for a size.
std::vector<std::size_t> header(Encoded& encoded, const Storage& storage, std::size_t count) {
  std::string bytes;
  if (count > encoded.most_left() / storage.header_size || !encoded.take(count * storage.header_size, bytes))
    return {};
  std::vector<std::int64_t> values;
  vtk::decode(bytes, {vtk::NumberType::Kind::unsigned_integer, storage.header_size}, storage.big_endian,
              values);
  if (std::any_of(values.begin(), values.end(), [](std::int64_t v) { return v < 0; })) return {};
  return {values.begin(), values.end()};
}

bool uncompressed(const std::string& block, std::size_t size, std::string& bytes) {
  const std::size_t before = bytes.size();
  bytes.resize(before + size);
  auto length = static_cast<uLongf>(size);
  const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &length,
                              reinterpret_cast<const Bytef*>(block.data()), static_cast<uLong>(block.size()));
  return code == Z_OK && length == size;
}

/// Blocks of `size` bytes each. The last block has a size of its own, which is given as 0 if it is full.
Unpacked unpacked_blocks(Encoded& encoded, const Storage& storage, std::size_t most) {
  const auto start = header(encoded, storage, 1);
  if (start.empty()) return {"", "it ends within its header"};
  const std::size_t blocks = start[0];
  if (blocks == 0) return {};
  const auto sizes = header(encoded, storage, 2);
  if (sizes.empty() || blocks > encoded.most_left() / storage.header_size)
    return {"", "it ends within its header"};
  const auto packed = header(encoded, storage, blocks);
  if (packed.empty()) return {"", "it ends within its header"};
  Unpacked result;
  std::string block;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t size = b + 1 == blocks && sizes[1] != 0 ? sizes[1] : sizes[0];
    block.clear();
    if (packed[b] > encoded.most_left() || !encoded.take(packed[b], block))
      return {"", "it ends within block " + std::to_string(b)};
    const bool is_possible = size / most_growth <= packed[b] + 1;
    if (is_possible && size > most - result.bytes.size())
      return {"", "it unpacks to more than " + std::to_string(most) + " bytes"};
    if (!is_possible || !uncompressed(block, size, result.bytes))
      return {"", "block " + std::to_string(b) + " is not " + std::to_string(size) + " bytes packed by zlib"};
  }
  return result;
}

/// One block that is not compressed, after its size.
Unpacked whole(Encoded& encoded, const Storage& storage) {
  const auto size = header(encoded, storage, 1);
  Unpacked result;
  if (size.empty() || size[0] > encoded.most_left() || !encoded.take(size[0], result.bytes))
    result.fault = "it holds fewer bytes than its header says";
  return result;
}

}  // namespace

bool Encoded::fill() {
  int digits[4], count = 0, padding = 0;
  while (count < 4) {
    while (!text_.empty() && is_blank(text_.front())) text_.remove_prefix(1);
    if (text_.empty()) return false;
    const char c = text_.front();
    text_.remove_prefix(1);
    if (c == '=' && count >= 2)
      ++padding, digits[count++] = 0;
    else if (padding > 0 || digit(c) < 0)
      return false;
    else
      digits[count++] = digit(c);
  }
  const int bits = digits[0] << 18 | digits[1] << 12 | digits[2] << 6 | digits[3];
  for (int k = 0; k < 3; ++k) group_[k] = static_cast<char>(bits >> (16 - 8 * k) & 0xff);
  ready_ = static_cast<std::size_t>(3 - padding), used_ = 0;
  return true;
}

bool Encoded::take(std::size_t count, std::string& bytes) {
  if (!is_base64_) {
    if (count > text_.size()) return false;
    bytes.append(text_.substr(0, count));
    text_.remove_prefix(count);
    return true;
  }
  for (; count > 0; --count) {
    if (used_ == ready_ && !fill()) return false;
    bytes += group_[used_++];
  }
  return true;
}

std::size_t Encoded::most_left() const {
  return is_base64_ ? text_.size() / 4 * 3 + (ready_ - used_) : text_.size();
}

Unpacked unpacked(Encoded encoded, const Storage& storage, std::size_t most) {
  const std::size_t before = encoded.unread();
  Unpacked result = storage.is_compressed ? unpacked_blocks(encoded, storage, most) : whole(encoded, storage);
  result.stored = before - encoded.unread();
  return result;
}

}  // namespace electret::vtu
