#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

constexpr std::string_view part_ending = ".part";

/// What a chain of symbolic links leads to, whether that exists or not.
std::string followed(const std::string& path) {
  constexpr int most_links = 40;  // As the system itself.
  std::filesystem::path place = path;
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(place, error); ++links) {
    if (links == most_links) cannot_write(path, ELOOP);
    const auto target = std::filesystem::read_symlink(place, error);
    if (error) cannot_write(path, error.value());
    place = place.parent_path() / target;
  }
  return place.string();
}

/// Throws IoError if something other than a file stands at `place`, to which `path` leads.
void check_replaceable(const std::string& place, const std::string& path) {
  struct stat status {};
  if (::stat(place.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode)) cannot_write(path, EISDIR);
  throw IoError("cannot write " + path + ": it is a device, a pipe or a socket, which no file may replace",
                path);
}

/// Opens a new file or folder of that name; -1 if something of that name exists already.
int made(const std::string& name, Unfinished::Kind kind, const std::string& path) {
  const bool is_folder = kind == Unfinished::Kind::folder;
  if (is_folder && ::mkdir(name.c_str(), 0777) != 0) {
    if (errno != EEXIST) cannot_write(path, errno);
    return -1;
  }
  const int flags = is_folder ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_CREAT | O_EXCL;
  const int descriptor = ::open(name.c_str(), flags | O_CLOEXEC, 0666);
  // Another process may take a new folder for dead, and remove it, before it is opened.
  if (descriptor < 0 && errno != (is_folder ? ENOENT : EEXIST)) cannot_write(path, errno);
  return descriptor;
}

/// Whether `name` is still what the descriptor has open.
bool is_same(int descriptor, const std::string& name) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Removes `name` if its process has ended, which leaves it without a lock. A file system without locks keeps
/// it.
void remove_dead(const std::string& name, Unfinished::Kind kind) {
  const int only = kind == Unfinished::Kind::folder ? O_DIRECTORY : 0;
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | only);
  if (descriptor < 0) return;
  struct stat status {};
  const bool is_folder = kind == Unfinished::Kind::folder;
  const bool is_of_kind =
      ::fstat(descriptor, &status) == 0 && (is_folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode));
  std::error_code ignored;
  if (is_of_kind && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_same(descriptor, name))
    is_folder ? std::filesystem::remove_all(name, ignored) : std::filesystem::remove(name, ignored);
  ::close(descriptor);
}

/// Removes what killed processes left beside `place`. What cannot be removed harms nobody.
void remove_dead_beside(const std::string& place, Unfinished::Kind kind) {
  const std::filesystem::path path = place;
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  const std::string finished = path.filename().string();
  try {
    for (const std::string& name : names_in_folder(folder))
      if (is_unfinished_name(name, finished)) remove_dead(folder + "/" + name, kind);
  } catch (const IoError&) {
    // A folder that may be written to but not be listed.
  }
}

bool is_unfinished_of(std::string_view name, std::span<const std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view ours) { return is_unfinished_name(name, ours); });
}

/// An unfinished file that is open for writing.
class NewFile {
 public:
  /// It will replace the file at `path`, which findings name.
  NewFile(const std::string& name, std::string path)
      : path_(std::move(path)), descriptor_(::open(name.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) cannot_write(path_, errno);
  }
  ~NewFile() { ::close(descriptor_); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void add(std::string_view text) const {
    if (!write_all(descriptor_, text)) cannot_write(path_, errno);
  }

  /// The permissions of an earlier file stay. A file system without permissions refuses them.
  void take_mode() const {
    struct stat earlier {};
    if (::stat(path_.c_str(), &earlier) == 0)
      static_cast<void>(::fchmod(descriptor_, earlier.st_mode & 0777U));
  }

 private:
  std::string path_;
  int descriptor_;
};

void bring_to_disk(const std::string& name, const std::string& path) {
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_write(path, errno);
  const int error = ::fdatasync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  // Other errors mean that there is nothing to be synchronised.
  if (error == EIO || error == ENOSPC) cannot_write(path, error);
}

}  // namespace

Unfinished::Unfinished(std::string path, Kind kind)
    : path_(std::move(path)),
      place_(kind == Kind::file ? followed(path_) : path_),
      kind_(kind),
      process_(::getpid()) {
  if (kind_ == Kind::file) check_replaceable(place_, path_);
  remove_dead_beside(place_, kind_);
  const std::string start = place_ + "." + std::to_string(process_) + "-";
  for (int k = 0; name_.empty(); ++k) {
    std::string name = start + std::to_string(k) + std::string(part_ending);
    descriptor_ = made(name, kind_, path_);
    if (descriptor_ < 0) continue;
    // Another process may take it for dead, and remove it, before it is locked.
    ::flock(descriptor_, LOCK_EX);
    is_same(descriptor_, name) ? std::swap(name_, name) : release();
  }
}

Unfinished::~Unfinished() {
  std::error_code ignored;
  if (!name_.empty() && process_ == ::getpid()) std::filesystem::remove_all(name_, ignored);
  release();
}

void Unfinished::release() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Unfinished::put_in_place() {
  if (kind_ == Kind::file) bring_to_disk(name_, path_);
  if (::rename(name_.c_str(), place_.c_str()) != 0) cannot_write(path_, errno);
  name_.clear();
  release();
}

void write_file_whole(const std::string& path, std::string_view text) {
  Unfinished file(path);
  const NewFile written(file.name(), path);
  written.add(text);
  written.take_mode();
  file.put_in_place();
}

void write_file_in_pieces(const std::string& path, const std::function<std::string()>& next) {
  Unfinished file(path);
  const NewFile written(file.name(), path);
  for (std::string piece = next(); !piece.empty(); piece = next()) written.add(piece);
  written.take_mode();
  file.put_in_place();
}

Reserve::Reserve(std::string path, Count bytes) : path_(std::move(path)), file_(path_) {
  const int descriptor = ::open(file_.name().c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_write(path_, errno);
  const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  ::close(descriptor);
  // Other errors are accepted: the file system cannot reserve space, or files' lengths are limited, and the
  // text may still fit.
  if (error == ENOSPC || error == EDQUOT || error == EIO) cannot_write(path_, error);
}

void Reserve::write(std::string_view text) {
  const int descriptor = ::open(file_.name().c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_write(path_, errno);
  const bool good =
      write_all(descriptor, text) && ::ftruncate(descriptor, static_cast<off_t>(text.size())) == 0;
  const int error = good ? 0 : errno;
  ::close(descriptor);
  if (error != 0) cannot_write(path_, error);
  file_.put_in_place();
}

std::string_view finished_name(std::string_view name) {
  if (!name.ends_with(part_ending)) return {};
  name.remove_suffix(part_ending.size());
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view numbers = name.substr(dot + 1);
  const auto dash = numbers.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool is_one = dash != std::string_view::npos && is_number(numbers.substr(0, dash)) &&
                      is_number(numbers.substr(dash + 1));
  return is_one ? name.substr(0, dot) : std::string_view();
}

bool is_unfinished_name(std::string_view name, std::string_view finished) {
  return !finished.empty() && finished_name(name) == finished;
}

void remove_left_of(const std::string& path) {
  remove_dead_beside(path, Unfinished::Kind::file);
}

bool holds_only_unfinished(const std::string& folder, std::span<const std::string_view> names) {
  const auto found = names_in_folder(folder);
  return std::all_of(found.begin(), found.end(),
                     [&](const std::string& name) { return is_unfinished_of(name, names); });
}

void remove_unfinished(const std::string& folder, std::span<const std::string_view> names) {
  for (const std::string& name : names_in_folder(folder)) {
    if (!is_unfinished_of(name, names)) continue;
    std::error_code error;
    std::filesystem::remove(folder + "/" + name, error);
    if (error)
      throw IoError("cannot remove " + folder + "/" + name + ": " + error.message(), folder + "/" + name);
  }
}

}  // namespace electret
