#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/file_sum.hpp>
#include <electret/record/detail/files.hpp>

namespace electret {
namespace {

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : path_(path), descriptor_(::open(path.c_str(), flags)) {
    if (descriptor_ < 0) fail();
  }
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] std::int64_t size() const { return ::lseek(descriptor_, 0, SEEK_END); }
  /// Reads up to `bytes.size()` bytes from `at` on; how many there were.
  std::size_t read(std::int64_t at, std::span<char> bytes) const {
    ssize_t got = 0;
    do {
      got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail();
    return static_cast<std::size_t>(got);
  }
  [[noreturn]] void fail() const {
    throw IoError(path_ + ": " + std::generic_category().message(errno), path_);
  }

 private:
  std::string path_;
  int descriptor_;
};

void add_part(const Descriptor& file, std::int64_t begin, std::int64_t end, Crc& sum) {
  if (begin >= end) return;  // Ranges from a file may be any numbers, whose difference may not exist.
  std::vector<char> bytes(static_cast<std::size_t>(std::min<std::int64_t>(end - begin, 1 << 20)));
  while (begin < end) {
    const auto wanted = std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(end - begin));
    const std::size_t got = file.read(begin, std::span(bytes).first(wanted));
    if (got == 0) return;
    sum.add(std::span<const char>(bytes).first(got));
    begin += static_cast<std::int64_t>(got);
  }
}

std::string line_of(std::int64_t sum) {
  char text[32];
  std::snprintf(text, sizeof text, "\nelectret sum %08llx\n", static_cast<unsigned long long>(sum));
  return text;
}

}  // namespace

void Crc::add_bytes(const void* bytes, std::size_t size) {
  if (size == 0) return;
  value_ =
      static_cast<std::int64_t>(crc32_z(static_cast<uLong>(value_), static_cast<const Bytef*>(bytes), size));
}

void FrameSum::add(std::span<const double> numbers, bool single) {
  if (!single) return sum_.add(numbers);
  stored_.clear();
  for (const double number : numbers) stored_.push_back(static_cast<float>(number));
  sum_.add(std::span<const float>(stored_));
}

std::int64_t sum_of_file(const std::string& path, const ByteRanges& left_out) {
  const Descriptor file(path, O_RDONLY | O_CLOEXEC);
  Crc sum;
  std::int64_t at = 0;
  for (std::size_t k = 0; k + 1 < left_out.size(); k += 2) {
    add_part(file, at, left_out[k], sum);
    at = std::max(at, left_out[k + 1]);
  }
  add_part(file, at, file.size(), sum);
  return sum.value();
}

std::int64_t sum_of_beginning(const std::string& path, std::int64_t length) {
  const Descriptor file(path, O_RDONLY | O_CLOEXEC);
  Crc sum;
  add_part(file, 0, length, sum);
  return sum.value();
}

void append_sum(const std::string& path) {
  const std::string line = line_of(sum_of_file(path));
  const Descriptor file(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (!write_all(file.get(), line)) file.fail();
}

void check_appended_sum(const std::string& path) {
  const Descriptor file(path, O_RDONLY | O_CLOEXEC);
  const std::string form = line_of(0);
  std::string line(form.size(), '\0');
  const std::int64_t end = file.size() - static_cast<std::int64_t>(line.size());
  const std::size_t named = form.find('0');
  if (end < 0 || file.read(end, line) != line.size() || line.compare(0, named, form, 0, named) != 0)
    throw IoError(
        "its sum is not at its end: it was cut, changed by another program, or written by an earlier version "
        "of Electret");
  Crc sum;
  add_part(file, 0, end, sum);
  if (line != line_of(sum.value()))
    throw IoError("its bytes are not those that were written: their sum is another");
}

}  // namespace electret
