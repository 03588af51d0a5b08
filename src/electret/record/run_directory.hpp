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

/// Keeps a second run (or export: `what`) out of a directory while it lives, however its process ends; leaves
/// no file behind. Where the file system knows no locks it does nothing.
class RunLock {
 public:
  /// Makes the directory with its parents. Throws IoError where that fails, InputError where another run is
  /// being written.
  explicit RunLock(const std::string& path, const std::string& what = "run");
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

class RunDirectory {
 public:
  /// `run`: an earlier run of ours, whole or not.
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

  /// A run shows itself by its summary or trajectory, or by holding nothing but a first file that a kill left
  /// half-written. Throws IoError where the directory cannot be looked into.
  [[nodiscard]] Contents contents() const;
  /// Throws InputError where something other than a run is there: a file, or a non-empty folder.
  void check_usable() const;
  /// The same where an earlier run is there, too.
  void check_empty() const;
  /// Throws InputError where a new run of `scene_file` (absolute; `standard_input`; "" for a scene made in
  /// memory) would
  /// silently take away work: a run that did not end with `done`, or one of another scene file. A run
  /// without trajectory and checkpoint holds no work.
  void check_replaceable(const std::string& scene_file) const;
  /// What is wrong with it as a run to read: no folder, or one that holds none. Throws IoError as `contents`.
  [[nodiscard]] std::optional<Finding> missing_run() const;
  /// Its trajectory, to be read for a user. Throws InputError where there is no run, or where the trajectory
  /// is missing or damaged; IoError as `contents`.
  [[nodiscard]] TrajectoryReader open() const;
  /// Removes an earlier run's files, ours only, but for its summary, which the new run replaces in between:
  /// `renew_summary` is called when the checkpoint is gone and everything else is still there. So a kill at
  /// any moment leaves a run, never one that looks whole or resumable and is not. Throws IoError.
  void clear(const std::function<void()>& renew_summary) const;
  /// Removes what killed runs left half-written beside their files. Throws IoError.
  void remove_unfinished() const;
  /// The run's files that are there.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  void check(bool run_is_allowed) const;

  std::string path_;
};

/// Where a scene was read from, absolute, links resolved, whatever the way there; `standard_input`; "" for
/// one made in memory.
[[nodiscard]] std::string scene_file_of(const Scene& scene);

}  // namespace electret
