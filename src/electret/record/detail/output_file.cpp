#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/output_file.hpp>

namespace electret {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

}  // namespace

OutputFile::OutputFile(std::string path, Count length) : path_(std::move(path)), flushed_(length) {
  const int flags = O_WRONLY | O_CLOEXEC | (length == 0 ? O_CREAT | O_TRUNC : 0);
  descriptor_ = ::open(path_.c_str(), flags, 0666);
  if (descriptor_ < 0) cannot_write(path_, errno);
  struct stat status {};
  int error = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  const bool is_short = error == 0 && status.st_size < length;
  if (error == 0 && !is_short &&
      (::ftruncate(descriptor_, length) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0))
    error = errno;
  if (error == 0 && !is_short) return;
  ::close(descriptor_);
  if (is_short) throw IoError(path_ + " is shorter than what was written to it", path_);
  cannot_write(path_, error);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffer_bytes) flush();
}

void OutputFile::write(const Vec3& vector, std::endian order) {
  for (int axis = 0; axis < 3; ++axis) write(static_cast<float>(vector[axis]), order);
}

void OutputFile::write_digits(double value) {
  std::array<char, 32> digits{};
  write({digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr});
}

void OutputFile::write_digits(Count value) {
  std::array<char, 32> digits{};
  write({digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr});
}

void OutputFile::flush() {
  if (!write_all(descriptor_, buffer_)) cannot_write(path_, errno);
  flushed_ += static_cast<Count>(buffer_.size());
  buffer_.clear();
}

void OutputFile::write_over(Count place, std::string_view bytes) {
  flush();
  require(place + static_cast<Count>(bytes.size()) <= flushed_, "bytes are replaced that were not written");
  const bool good = ::lseek(descriptor_, place, SEEK_SET) >= 0 && write_all(descriptor_, bytes) &&
                    ::lseek(descriptor_, 0, SEEK_END) >= 0;
  if (!good) cannot_write(path_, errno);
}

void OutputFile::close() {
  flush();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) cannot_write(path_, errno);
}

}  // namespace electret
