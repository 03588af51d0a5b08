#pragma once
/// \file
/// Checks of a scene that need no file: ranges, contradictions, names, key-frames, expressions, shapes.

#include <electret/scene/report.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// Adds every fault of `scene` that `report` does not have yet. It serves scenes from files and scenes made
/// in C++ alike.
void check_scene(Scene& scene, Report& report);

}  // namespace electret
