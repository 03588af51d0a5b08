#pragma once
/// \file
/// Assembling with findings gathered by the caller, so that a reader can add its own.

#include <electret/scene/assembly.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// What assemble() does after check_scene, adding to `report` instead of throwing. What could not be made is
/// left out.
Assembly assemble_scene(Scene scene, const FileReader& read_file, Report& report);

}  // namespace electret
