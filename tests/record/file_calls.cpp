#include "record/file_calls.hpp"

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>

namespace electret::test {
namespace {

FileCalls* current_calls = nullptr;
bool syncs = true;

/// The C library's function of this name.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::string path_of(int descriptor) {
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(length < 0 ? 0 : length)};
}

std::int64_t allocated(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? 512 * static_cast<std::int64_t>(status.st_blocks) : 0;
}

/// Notes a call on a descriptor's file.
bool noted(const char* name, int descriptor, const void* bytes, std::size_t size, std::int64_t offset) {
  FileCalls* calls = FileCalls::current();
  return calls == nullptr || calls->note(name, path_of(descriptor), bytes, size, offset);
}

bool noted(const char* name, const char* path) {
  FileCalls* calls = FileCalls::current();
  return calls == nullptr || calls->note(name, path, nullptr, 0, 0);
}

int no_room() {
  errno = ENOSPC;
  return -1;
}

}  // namespace

FileCalls::FileCalls(std::string folder) : folder_(std::move(folder)) {
  current_calls = this;
}

FileCalls::~FileCalls() {
  current_calls = nullptr;
}

WithoutSyncs::WithoutSyncs() {
  syncs = false;
}

WithoutSyncs::~WithoutSyncs() {
  syncs = true;
}

FileCalls* FileCalls::current() {
  return current_calls;
}

bool FileCalls::note(const char* name, const std::string& path, const void* bytes, std::size_t size,
                     std::int64_t offset) {
  if (!path.starts_with(folder_)) return true;
  ++count_;
  if (count_ == stop_at_) _exit(stopped_status);
  if (keeps_) {
    const auto* first = static_cast<const char*>(bytes);
    made_.push_back({name, path, {first, first + size}, offset});
  }
  const bool is_full = full_at_ > 0 && count_ >= full_at_;
  return !is_full || size == 0 || offset + static_cast<std::int64_t>(size) <= allocated(path);
}

void FileCalls::note_read(const std::string& path) {
  if (!before_reads_ || in_read_ || !path.starts_with(folder_)) return;
  in_read_ = true;
  before_reads_();
  in_read_ = false;
}

int child(const std::string& folder, FileCalls::Plan plan, int k, const std::function<void()>& action) {
  const pid_t pid = fork();
  if (pid == 0) {
    FileCalls calls(folder);
    plan == FileCalls::Plan::stop ? calls.stop_at(k) : calls.fill_disk_at(k);
    try {
      action();
    } catch (const IoError&) {
      std::exit(1);
    } catch (...) {
      std::exit(3);
    }
    std::exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace electret::test

using electret::test::FileCalls;
using electret::test::no_room;
using electret::test::noted;
using electret::test::path_of;
using electret::test::real;

extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static auto* const original = real<ssize_t(int, const void*, std::size_t)>("write");
  if (electret::test::FileCalls::current() == nullptr) return original(descriptor, bytes, size);
  const auto place = lseek(descriptor, 0, SEEK_CUR);
  return noted("write", descriptor, bytes, size, place) ? original(descriptor, bytes, size) : no_room();
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  static auto* const original = real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return noted("pwrite", descriptor, bytes, size, offset) ? original(descriptor, bytes, size, offset)
                                                          : no_room();
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  static auto* const original = real<ssize_t(int, void*, std::size_t, off_t)>("pread");
  FileCalls* calls = FileCalls::current();
  if (calls != nullptr) calls->note_read(path_of(descriptor));
  return original(descriptor, bytes, size, offset);
}

int ftruncate(int descriptor, off_t length) noexcept {
  static auto* const original = real<int(int, off_t)>("ftruncate");
  noted("ftruncate", descriptor, nullptr, 0, length);
  return original(descriptor, length);
}

int fdatasync(int descriptor) {
  static auto* const original = real<int(int)>("fdatasync");
  noted("fdatasync", descriptor, nullptr, 0, 0);
  return electret::test::syncs ? original(descriptor) : 0;
}

int posix_fallocate(int descriptor, off_t offset, off_t length) {
  static auto* const original = real<int(int, off_t, off_t)>("posix_fallocate");
  const std::string nothing(static_cast<std::size_t>(length), '\0');
  return noted("posix_fallocate", descriptor, nothing.data(), nothing.size(), offset)
             ? original(descriptor, offset, length)
             : ENOSPC;
}

int rename(const char* from, const char* to) noexcept {
  static auto* const original = real<int(const char*, const char*)>("rename");
  noted("rename", to);
  return original(from, to);
}

int unlink(const char* path) noexcept {
  static auto* const original = real<int(const char*)>("unlink");
  noted("unlink", path);
  return original(path);
}

int remove(const char* path) noexcept {
  static auto* const original = real<int(const char*)>("remove");
  noted("remove", path);
  return original(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const original = real<int(const char*, mode_t)>("mkdir");
  noted("mkdir", path);
  return original(path, mode);
}

int open(const char* path, int flags, ...) {
  static auto* const original = real<int(const char*, int, ...)>("open");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if ((flags & (O_CREAT | O_TRUNC)) != 0) noted("open", path);
  return original(path, flags, mode);
}
}
