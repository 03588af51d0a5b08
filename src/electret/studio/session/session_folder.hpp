#pragma once
/// \file
/// A session's output folder: session.toml, which `electret run` repeats, and the last state.

#include <memory>
#include <optional>
#include <string>

#include <electret/dynamics/simulator.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {

class SessionFolder {
 public:
  /// Makes the folder and keeps other programs out of it. `scene_file` is as in RunResult. Throws InputError
  /// if the folder has something that may not be replaced: anything but an earlier session or a finished run
  /// of the same scene file. Throws IoError.
  SessionFolder(const std::string& path, std::string scene_file);
  /// Removes the folder if nothing was written.
  ~SessionFolder();
  SessionFolder(const SessionFolder&) = delete;
  SessionFolder& operator=(const SessionFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return folder_.path(); }
  [[nodiscard]] const std::string& scene_file() const { return scene_file_; }
  /// What was written here is an earlier session's from now on.
  void begin_again() { is_clear_ = false; }
  /// Renews session.toml: the simulator's scene with as many steps as were done, and what hands did. Throws
  /// IoError.
  void write(const Simulator& simulator, const Pulls& pulls);
  /// The same, and checkpoint.h5 with the simulator's state. Throws IoError.
  void finish(const Simulator& simulator, const Pulls& pulls);

 private:
  RunDirectory folder_;
  std::string scene_file_;
  std::optional<RunLock> lock_;
  bool is_new_ = false;    ///< The folder was made here.
  bool is_clear_ = false;  ///< What an earlier run or session left is gone.
  void clear();
};

/// The text of session.toml: a scene that repeats the simulator's steps bit for bit, `pulls` with them. It
/// names the method that `auto` stood for. Paths lead from `folder`.
[[nodiscard]] std::string session_text(const Simulator& simulator, const Pulls& pulls,
                                       const std::string& folder, const std::string& scene_file);

}  // namespace electret::studio
