#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/files.hpp>

namespace electret {
void cannot_write(const std::string& path, int error) {
  throw IoError("cannot write " + path + ": " + std::strerror(error), path);
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError("cannot read " + path, path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> names_in_folder(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error) throw IoError("cannot look into " + folder + ": " + error.message(), folder);
  return names;
}

void append_number(std::string& text, double value) {
  // to_chars writes %.17g as printf does in the C locale, whatever the program's locale.
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 17);
  text.append(digits.data(), end.ptr);
}

std::string row_of_numbers(std::span<const double> numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) text += ',';
    append_number(text, numbers[k]);
  }
  return text;
}

RowFile::RowFile(const std::string& path, std::string_view header) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot_write(path, errno);
  append(std::string(header));
}

RowFile::RowFile(const std::string& path, Count length)
    : path_(path), length_(length), sum_(sum_of_beginning(path, length)) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) cannot_write(path, errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) cannot_write(path, errno);
  if (status.st_size < length) {
    ::close(descriptor_);
    throw IoError(path + " is shorter than the checkpoint says; run with --overwrite to start afresh", path);
  }
  if (::ftruncate(descriptor_, length) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    const int error = errno;
    ::close(descriptor_);
    cannot_write(path, error);
  }
}

RowFile::~RowFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RowFile::append(std::string row) {
  row += '\n';
  if (!write_all(descriptor_, row)) {
    const int error = errno;
    if (::ftruncate(descriptor_, length_) == 0) ::lseek(descriptor_, length_, SEEK_SET);
    cannot_write(path_, error);
  }
  length_ += static_cast<Count>(row.size());
  sum_.add(std::span<const char>(row));
}

}  // namespace electret
