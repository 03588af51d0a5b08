#pragma once
/// \file
/// The calls by which this process changes files, under a test's control: the program's own definitions of
/// `write`, `rename`, `unlink`, … come before the C library's. Only calls on files below one folder count.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace electret::test {

/// A call that changes a file, before it is made.
struct FileCall {
  std::string name;  ///< "pwrite", "ftruncate", "rename", "unlink", "fdatasync", "open", ….
  std::string path;  ///< Of the file; of `rename` the new name.
  std::vector<char> bytes;
  std::int64_t offset = 0;  ///< Of `pwrite`; the new length of `ftruncate`.
};

/// What becomes of the calls while it lives; one at a time, in a process of one thread.
class FileCalls {
 public:
  enum class Plan { stop, fill_disk };

  explicit FileCalls(std::string folder);
  ~FileCalls();
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;

  /// The process ends as if by kill -9 when it is about to make call number k, from 1.
  void stop_at(int k) { stop_at_ = k; }
  /// From call number k on the disk has no room but what is allocated.
  void fill_disk_at(int k) { full_at_ = k; }
  /// Calls `action` before each `pread` of a file, but not while it runs.
  void before_reads(std::function<void()> action) { before_reads_ = std::move(action); }
  /// Keep the calls in `made()`.
  void keep() { keeps_ = true; }
  [[nodiscard]] const std::vector<FileCall>& made() const { return made_; }
  [[nodiscard]] int count() const { return count_; }

  /// For the calls themselves: notes one; false where the disk is too full for it.
  bool note(const char* name, const std::string& path, const void* bytes, std::size_t size,
            std::int64_t offset);
  /// For the calls themselves: notes a reading one.
  void note_read(const std::string& path);
  /// Those in force; null: none.
  static FileCalls* current();

 private:
  std::string folder_;
  int stop_at_ = 0, full_at_ = 0, count_ = 0;
  bool keeps_ = false;
  std::vector<FileCall> made_;
  std::function<void()> before_reads_;
  bool in_read_ = false;
};

/// Nothing is brought to the disk while it lives, which would be most of the time of a test of many runs.
class WithoutSyncs {
 public:
  WithoutSyncs();
  ~WithoutSyncs();
  WithoutSyncs(const WithoutSyncs&) = delete;
  WithoutSyncs& operator=(const WithoutSyncs&) = delete;
};

/// The end of a process that was stopped at a call.
constexpr int stopped_status = 137;

/// Runs `action` in a child in which the k-th call on a file whose path begins with `folder` is the last, or
/// finds the disk full from then on. The child ends as a program does, HDF5's own end included. Returns its
/// exit status, which is 1 after an IoError and 3 after anything else, or minus the signal that ended it.
int child(const std::string& folder, FileCalls::Plan plan, int k, const std::function<void()>& action);

}  // namespace electret::test
