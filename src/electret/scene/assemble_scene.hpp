#pragma once
/// \file
/// Assembles a scene and adds the findings to a report, so that a reader can add its own.

#include <memory>

#include <electret/scene/assembly.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// Does what assemble() does after check_scene, but adds the findings to `report` instead of throwing. Parts
/// that could not be made are left out of the assembly.
/// Meshes come from `store` where it has them; null: none are kept. `control` is as in mesh_store.hpp.
Assembly assemble_scene(Scene scene, const FileReader& read_file, Report& report, MeshStore* store = nullptr,
                        const Control& control = {});

/// The same of a scene that may have changes, made by `changed` (null: it has none), with their findings.
Assembly assemble_read(Scene scene, std::shared_ptr<ChangedScenes> changed, const FileReader& read_file,
                       Report& report, MeshStore* store, const Control& control);

}  // namespace electret
