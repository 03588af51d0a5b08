#pragma once
/// \file
/// A file or folder that is being written has a temporary name beside its final place until it is complete.
///
/// \code
///   Unfinished file("out/table.csv");
///   write(file.name());
///   file.put_in_place();   // or, left without: nothing remains of it
/// \endcode

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

/// A new, empty file or folder beside `path`, called `PATH.P-K.part`, where P is the process and K the first
/// free number. Two programs that write to one path at the same time thus do not disturb each other, and the
/// result of the one that ends last stays. Where a file's `path` is a symbolic link, PATH is what it leads
/// to, and the link stays.
///
/// The process holds a lock on it (flock) until it is in place. So what a killed process left of the same
/// PATH is known by having no lock, and is removed when the next one is made.
class Unfinished {
 public:
  enum class Kind { file, folder };

  /// Throws IoError if it cannot be made, and if a file's place is taken by a folder, a device, a pipe or a
  /// socket, which no file replaces.
  explicit Unfinished(std::string path, Kind kind = Kind::file);
  /// Removes it, unless it was put in place. In a forked child it is left to the parent.
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Flushes a file to the disk and moves it to its place, where it replaces an earlier file in one step. A
  /// folder's place must be empty. Throws IoError; what was in the place is then still there.
  void put_in_place();

 private:
  void release();

  std::string path_, place_, name_;
  Kind kind_;
  int process_;          ///< That made it.
  int descriptor_ = -1;  ///< Holds the lock.
};

/// Replaces the file at `path` as a whole: writes it beside, flushes it to the disk and renames it. The
/// permissions of an earlier file stay. Throws IoError as `Unfinished`.
void write_file_whole(const std::string& path, std::string_view text);
/// The same for a long text that is never held as a whole: `next` gives its pieces, and an empty one at its
/// end. What `next` throws leaves an earlier file as it was.
void write_file_in_pieces(const std::string& path, const std::function<std::string()>& next);

/// Reserved disk space for a file that must be written even if the disk is full by then.
class Reserve {
 public:
  /// Reserves `bytes` for `path`, in a file beside it. Throws IoError if the disk has no room for them.
  Reserve(std::string path, Count bytes);
  /// Replaces the file at `path` as a whole and releases the space. Call it once.
  void write(std::string_view text);

 private:
  std::string path_;
  Unfinished file_;
};

/// The name of the file whose temporary name `name` is; "" if it is none.
[[nodiscard]] std::string_view finished_name(std::string_view name);

/// Whether `name` is a temporary name of an `Unfinished` of `finished`, which a kill may have left behind.
[[nodiscard]] bool is_unfinished_name(std::string_view name, std::string_view finished);

/// Removes what killed processes left of a file at `path`, as the next `Unfinished` of it does.
void remove_left_of(const std::string& path);

/// Whether `folder` holds nothing but temporary files of files called `names`: a kill while the first of them
/// was being written left it so. True for an empty folder. Throws IoError if the folder cannot be read.
[[nodiscard]] bool holds_only_unfinished(const std::string& folder, std::span<const std::string_view> names);

/// Removes the temporary files of files called `names` from `folder`, locked or not: only for who knows that
/// no other process writes there. Throws IoError.
void remove_unfinished(const std::string& folder, std::span<const std::string_view> names);

}  // namespace electret
