#pragma once
/// \file
/// What is being written stands beside its place under a name of its own until it is whole.
///
/// \code
///   Unfinished file("out/table.csv");
///   write(file.name());
///   file.put_in_place();   // or, left without: nothing remains of it
/// \endcode

#include <string>
#include <string_view>

#include <electret/core/types.hpp>

namespace electret {

/// A new, empty file or folder beside `path`, called `PATH.P-K.part` with P the process and K the first
/// number that is free: two programs that write to one path at once do not meet, and the one that ends last
/// stands.
class Unfinished {
 public:
  enum class Kind { file, folder };

  /// Throws IoError where it cannot be made.
  explicit Unfinished(std::string path, Kind kind = Kind::file);
  /// Removes it, unless it was put in place.
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Brings a file to the disk and gives it its place, replacing a file there at once. A folder's place must
  /// be empty. Throws IoError; what was in place then is still there.
  void put_in_place();

 private:
  std::string path_, name_;
  Kind kind_;
};

/// Replaces the file at `path` as a whole: written beside, brought to the disk, renamed. Throws IoError.
void write_file_whole(const std::string& path, std::string_view text);

/// Room on the disk for a file that must be written even when the disk is full by then.
class Reserve {
 public:
  /// Keeps `bytes` for `path`, beside it. Throws IoError where the disk has no room for them.
  Reserve(std::string path, Count bytes);
  /// Replaces the file at `path` as a whole, and gives the room back. Not a second time.
  void write(std::string_view text);

 private:
  std::string path_;
  Unfinished file_;
};

/// Whether `name` is one that an `Unfinished` of `finished` bears: a kill leaves it behind.
[[nodiscard]] bool is_unfinished_name(std::string_view name, std::string_view finished);

}  // namespace electret
