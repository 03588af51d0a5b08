#pragma once
/// \file
/// What the tables of a scene say after some of its changes.

#include <electret/scene/changes.hpp>

namespace electret {

/// `scene`, which was read from `origin`, with its first `made` changes. No file that it names is read.
/// Findings go to `report`.
Scene changed_scene(const SceneOrigin& origin, const Scene& scene, std::size_t made, Report& report);

/// The tables of which it is read. What cannot be set goes to `findings`.
Document changed_document(const SceneOrigin& origin, const Scene& scene, std::size_t made,
                          std::vector<Finding>& findings);

}  // namespace electret
