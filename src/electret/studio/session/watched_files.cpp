#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/studio/session/watched_files.hpp>

namespace electret::studio {

void WatchedFiles::note(const std::string& path, const std::string& stamp, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  at(path) = {path, stamp, stamp, bytes.size(), std::hash<std::string_view>()(bytes)};
}

void WatchedFiles::note_missing(const std::string& path, const std::string& stamp) {
  const std::lock_guard lock(mutex_);
  at(path) = {path, stamp, stamp, 0, 0, true};
}

WatchedFiles::Watched& WatchedFiles::at(const std::string& path) {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const Watched& each) { return each.path == path; });
  return found != files_.end() ? *found : files_.emplace_back();
}

bool WatchedFiles::look(const FileReader& read) {
  const std::lock_guard lock(mutex_);
  bool is_other = false;
  for (Watched& file : files_) is_other |= look_at(file, read);
  return is_other;
}

/// While a file is being written it is another one at every look.
bool WatchedFiles::look_at(Watched& file, const FileReader& read) {
  std::string now = file_stamp(file.path);
  if (now == file.stamp) {
    file.seen = std::move(now);
    return false;
  }
  if (now != file.seen) {
    file.seen = std::move(now);
    return false;
  }
  const bool was_changed = file.is_changed, was_gone = file.is_gone;
  std::error_code unknown;
  const auto size = std::filesystem::file_size(file.path, unknown);
  if (!unknown && (file.was_missing || size != file.size)) {
    file.is_changed = true;  // Also where it is too large to be read.
    file.is_gone = false;
  } else {
    try {
      const std::string bytes = read(file.path);
      file.is_gone = false;
      file.is_changed = file.was_missing || std::hash<std::string_view>()(bytes) != file.hash;
    } catch (const InputError&) {
      file.is_gone = file.is_changed = !file.was_missing;
    }
  }
  file.stamp = std::move(now);
  return file.is_changed != was_changed || file.is_gone != was_gone || file.is_changed;
}

std::vector<FileChange> WatchedFiles::changes() const {
  const std::lock_guard lock(mutex_);
  std::vector<FileChange> all;
  for (const Watched& file : files_)
    if (file.is_changed) all.push_back({file.path, file.is_gone});
  return all;
}

void WatchedFiles::keep() {
  const std::lock_guard lock(mutex_);
  for (Watched& file : files_) file.is_changed = file.is_gone = false;
}

FileReader noted(FileReader read, std::shared_ptr<WatchedFiles> files) {
  return [read = std::move(read), files = std::move(files)](const std::string& path) {
    const std::string stamp = file_stamp(path);
    try {
      std::string bytes = read(path);
      files->note(path, stamp, bytes);
      return bytes;
    } catch (const InputError&) {
      files->note_missing(path, stamp);
      throw;
    }
  };
}

}  // namespace electret::studio
