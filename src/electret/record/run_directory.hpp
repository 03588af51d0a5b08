#pragma once
/// \file
/// A run's directory: the names of its files, and whether a run may be put there.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// How the session.toml of `electret studio` begins; the scene's file follows (RunDirectory::scene_name).
inline constexpr const char* session_mark = "# A session of the studio with ";

/// Keeps a second run (or export; `what` names it) out of a directory while this object lives. The lock ends
/// with the process, however that ends, and leaves no file behind. A lock does nothing if the file system has
/// no locks.
class RunLock {
 public:
  /// Makes the directory with its parents. Throws IoError if that fails, and InputError if another run is
  /// being written there.
  explicit RunLock(const std::string& path, const std::string& what = "run");
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

class RunDirectory {
 public:
  /// `run` is an earlier run of Electret, complete or not.
  enum class Contents { absent, empty, run, foreign };

  explicit RunDirectory(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string trajectory() const { return path_ + "/trajectory.h5"; }
  [[nodiscard]] std::string energies() const { return path_ + "/energy.csv"; }
  [[nodiscard]] std::string observables() const { return path_ + "/observables.csv"; }
  [[nodiscard]] std::string plot() const { return path_ + "/energy.svg"; }
  [[nodiscard]] std::string page() const { return path_ + "/index.html"; }
  [[nodiscard]] std::string summary() const { return path_ + "/summary.json"; }
  [[nodiscard]] std::string checkpoint() const { return path_ + "/checkpoint.h5"; }
  [[nodiscard]] std::string session() const { return path_ + "/session.toml"; }
  /// The scene's text when the session began, and as it stands.
  [[nodiscard]] std::string session_start() const { return path_ + "/session.start.toml"; }
  [[nodiscard]] std::string session_text() const { return path_ + "/session.text.toml"; }

  /// The scene file of the studio's session that is here and was not run yet, as `printable` text; absent if
  /// there is none.
  [[nodiscard]] std::optional<std::string> session_scene() const;
  /// How a session.toml that is here names its scene file, which is as in RunResult::scene_file: by the path
  /// that leads there, so that both may be moved together. The whole path if the two have no folder in common
  /// but the root.
  [[nodiscard]] std::string scene_name(const std::string& scene_file) const;

  /// A directory holds a run if it has a summary, a trajectory or a session of the studio, or nothing but
  /// what a kill left of one that was just begun. Throws IoError if the directory cannot be read.
  [[nodiscard]] Contents contents() const;
  /// Throws InputError if something other than a run is there: a file, or a non-empty folder.
  void check_usable() const;
  /// The same, but an earlier run is refused, too.
  void check_empty() const;
  /// Throws InputError if a new run of `scene_file` would silently destroy work. Work is a run that did not
  /// end with `done`, a run of another scene file, one from standard input, or a session of the studio. A run
  /// without trajectory and checkpoint holds no work. `scene_file` is an absolute path, `standard_input`, or
  /// "" for a scene made in memory.
  void check_replaceable(const std::string& scene_file) const;
  /// Why it cannot be read as a run: there is no folder, or the folder holds no run. Throws IoError as
  /// `contents`.
  [[nodiscard]] std::optional<Finding> missing_run() const;
  /// Opens its trajectory for a user. Throws InputError if there is no run, or if the trajectory is missing
  /// or damaged; IoError as `contents`.
  [[nodiscard]] TrajectoryReader open() const;
  /// Removes an earlier run's files, with the pictures made of it in this folder, and no others. The summary
  /// is not removed but replaced: `renew_summary` is called when the checkpoint is gone and everything else
  /// is still there. A kill at any moment thus leaves a run that never looks complete or resumable if it is
  /// not. A session.toml that is itself the scene to be run, `scene_file`, stays. Throws IoError.
  void clear(const std::function<void()>& renew_summary, const std::string& scene_file = {}) const;
  /// Removes the half-written files that killed runs left. Throws IoError.
  void remove_unfinished() const;
  /// Those of the run's files that exist.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  void check(bool run_is_allowed) const;

  std::string path_;
};

/// The file from which a scene was read, as an absolute path with links resolved. `standard_input` if it came
/// from there, "" if it was made in memory.
[[nodiscard]] std::string scene_file_of(const Scene& scene);

}  // namespace electret
