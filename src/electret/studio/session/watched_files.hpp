#pragma once
/// \file
/// The files that a scene was read from, and whether they are still what was read.

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/read.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

/// Many threads may use one object.
class WatchedFiles {
 public:
  /// `bytes` were read from `path`; `stamp` is what file_stamp (scene/mesh_store.hpp) said before.
  void note(const std::string& path, const std::string& stamp, std::string_view bytes);
  /// It could not be read.
  void note_missing(const std::string& path, const std::string& stamp);
  /// Looks at all files. One counts as changed when two looks have found it alike and its bytes are others
  /// than were read; `read` gives them, or throws InputError where it is gone. Whether what changed is
  /// another than at the look before.
  bool look(const FileReader& read);
  /// What differs from what was read, as of the last look.
  [[nodiscard]] std::vector<FileChange> changes() const;
  /// What is there now counts as known: it is not told again.
  void keep();

 private:
  struct Watched {
    std::string path, seen;  ///< Its stamp at the last look.
    std::string stamp;       ///< Of what was read, or was looked at whole.
    std::size_t size = 0;    ///< Of what was read, bytes.
    std::size_t hash = 0;
    bool was_missing = false;
    bool is_changed = false, is_gone = false;
  };
  Watched& at(const std::string& path);
  static bool look_at(Watched& file, const FileReader& read);

  mutable std::mutex mutex_;
  std::vector<Watched> files_;
};

/// A reader that asks `read`, and notes what it read.
[[nodiscard]] FileReader noted(FileReader read, std::shared_ptr<WatchedFiles> files);

}  // namespace electret::studio
