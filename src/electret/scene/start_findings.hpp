#pragma once
/// \file
/// Whether a scene may start with other numbers than those that were read.

#include <vector>

#include <electret/core/errors.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// What `assemble` would find of an assembly whose numbers have changed since, such as bodies inside of
/// obstacles or of each other, pins that do not begin at the initial place, and charges on one place. They
/// are placed at the scene's keys. Empty for an assembly that is as it was read, and for one that is not that
/// of its scene's bodies.
std::vector<Finding> findings_at_start(const Assembly& assembly);

}  // namespace electret
