#pragma once
/// \file
/// The options of `run` and `check`, and those that other commands on scenes share. `run` and `check` have
/// the same, so that one word turns one command line into the other.

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

  /// The overrides as the scene's reader takes them: removals first, then settings.
  [[nodiscard]] std::vector<std::string> overrides() const;
  /// DIR, or runs/SCENE-STEM, or runs/stdin.
  [[nodiscard]] std::string output() const;
};

/// Adds --threads.
void add_threads_option(Command& command, int& threads);
/// Adds --instructions, which settles the instruction set in force. A set that the processor lacks throws
/// InputError when the command line is parsed.
void add_instructions_option(Command& command);
/// Adds --memory for commands that compute gradients (GB; 0: half of the free memory).
void add_memory_option(Command& command, double& gigabytes);

/// Adds --stop-on-warning.
void add_stop_on_warning_option(Command& command, bool& stop);

/// Adds --set and --unset; `options` must outlive `command`.
void add_overrides(Command& command, SceneOptions& options);

/// Adds SCENE, --set and --unset to `command`; `options` must outlive it.
void add_scene_and_overrides(Command& command, SceneOptions& options);

/// Adds these, --threads and --instructions to `command`; `options` must outlive it.
void add_scene_and_settings(Command& command, SceneOptions& options);

/// Adds these and all other options to `command`; `options` must outlive it.
void add_scene_options(Command& command, SceneOptions& options);

}  // namespace electret::app
