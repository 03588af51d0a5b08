#pragma once
/// \file
/// Writes an assembly whose parameters were changed as a scene file.

#include <string>
#include <vector>

#include <electret/scene/parameters.hpp>

namespace electret {

/// The text of the scene that `assembly` was read from, with its overrides applied and with the current
/// values of `changed`. Saved as a file in `folder`, it reads as the same assembly, bit for bit. It names the
/// same files, with paths from `folder`. Values that vertices or springs have in common are written once.
/// Comments are lost. Throws InputError if the assembly has no scene file.
std::string scene_text(const Assembly& assembly, const std::vector<Parameter>& changed,
                       const std::string& folder);

}  // namespace electret
