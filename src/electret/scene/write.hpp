#pragma once
/// \file
/// From an assembly whose parameters were changed back to a scene file.

#include <string>
#include <vector>

#include <electret/scene/parameters.hpp>

namespace electret {

/// The scene that `assembly` was read from, its overrides applied, with the values that `changed` have in
/// `assembly` now: a file in `folder` that reads as the same assembly, bit for bit. Files that it names are
/// the same files, named from `folder`. Values that vertices or springs have in common are written once.
/// Comments are lost. Throws InputError for an assembly without a scene file.
std::string scene_text(const Assembly& assembly, const std::vector<Parameter>& changed,
                       const std::string& folder);

}  // namespace electret
