#pragma once
/// \file
/// The command line of `run` and `check`: the same options, so that the one can be written for the other; and
/// the part of it that other commands on scenes share.

#include <string>
#include <vector>

namespace electret::app {

class Command;

/// A scene and how it is to be run, as typed.
struct SceneOptions {
  std::string scene;
  std::string directory;                    ///< Empty: none was given.
  std::vector<std::string> sets, removals;  ///< "KEY=VALUE" of --set, "KEY" of --unset.
  int threads = 0;                          ///< 0: all.
  bool resume = false;
  bool overwrite = false;
  bool stop_on_warning = false;

  /// As the scene's reader takes them: what is removed first, then what is set.
  [[nodiscard]] std::vector<std::string> overrides() const;
  /// DIR, or runs/SCENE-STEM, or runs/stdin.
  [[nodiscard]] std::string output() const;
};

/// Adds --threads.
void add_threads_option(Command& command, int& threads);
/// Adds --memory, of commands that take gradients (GB; 0: half of what is free).
void add_memory_option(Command& command, double& gigabytes);

/// Adds --stop-on-warning.
void add_stop_on_warning_option(Command& command, bool& stop);

/// Adds SCENE, --set, --unset and --threads to `command`; `options` must outlive it.
void add_scene_and_settings(Command& command, SceneOptions& options);

/// Adds these and every other option to `command`; `options` must outlive it.
void add_scene_options(Command& command, SceneOptions& options);

}  // namespace electret::app
