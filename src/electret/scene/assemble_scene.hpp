#pragma once
/// \file
/// Assembles a scene and adds the findings to a report, so that a reader can add its own.

#include <electret/scene/assembly.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// Does what assemble() does after check_scene, but adds the findings to `report` instead of throwing. Parts
/// that could not be made are left out of the assembly.
Assembly assemble_scene(Scene scene, const FileReader& read_file, Report& report);

}  // namespace electret
