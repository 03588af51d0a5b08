#pragma once
/// \file
/// From the command line's SCENE to a system; "-" is standard input.

#include <memory>
#include <string>

#include <electret/dynamics/system.hpp>

#include "scene_options.hpp"

namespace electret::app {

/// Whether `path`, as typed, is standard input.
[[nodiscard]] inline bool is_standard_input(const std::string& path) {
  return path == "-";
}

/// All that stands on standard input. Throws InputError where it cannot be read.
[[nodiscard]] std::string text_of_standard_input();

/// The scene of the options, with their overrides. Files that a scene on standard input names are
/// relative to the working directory. Throws InputError with every finding.
[[nodiscard]] Assembly assembled_scene(const SceneOptions& options);

/// The same compiled, for the options' threads.
[[nodiscard]] std::unique_ptr<System> compiled_scene(const SceneOptions& options);

}  // namespace electret::app
