#pragma once
/// \file
/// Turns the command line's SCENE into a system; "-" is standard input.

#include <memory>
#include <string>

#include <electret/dynamics/system.hpp>

#include "scene_options.hpp"
#include "standard_input.hpp"

namespace electret::app {

/// The scene of the options with their overrides. If the scene comes from standard input, the files that it
/// names are relative to the working directory. Throws InputError with every finding.
[[nodiscard]] Assembly assembled_scene(const SceneOptions& options);

/// The same, compiled for the options' number of threads.
[[nodiscard]] std::unique_ptr<System> compiled_scene(const SceneOptions& options);

}  // namespace electret::app
