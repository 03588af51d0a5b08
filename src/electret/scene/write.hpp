#pragma once
/// \file
/// Writes an assembly whose parameters were changed as a scene file, and a scene as seen from another folder.

#include <string>
#include <vector>

#include <electret/scene/document.hpp>
#include <electret/scene/parameters.hpp>

namespace electret {

/// The scene `root`, whose relative paths of meshes and tables start from the folder `from`, with paths that
/// lead from `folder` to the same files; those within a change's `set`, too. Keys that hold something else
/// than the format has them for stay as they are. Paths stay as they are if both folders are the same. Throws
/// InputError for a path that is no Unicode text, because a folder's name is none.
Node with_moved_paths(Node root, const std::string& from, const std::string& folder);
/// The same for what a change sets ("body.0.charges=FILE").
std::vector<std::string> with_moved_paths(std::vector<std::string> assignments, const std::string& from,
                                          const std::string& folder);

/// The same for one path.
std::string moved_path(const std::string& file, const std::string& from, const std::string& folder);

/// The text of the scene that `assembly` was read from, with its overrides applied and with the current
/// values of `changed`. If the text is saved as a file in `folder`, loading that file gives the same
/// assembly, bit for bit. The paths of meshes and tables in it are relative to `folder`. Values that vertices
/// or springs have in common are written once. Comments are lost. Throws InputError if the assembly has no
/// scene file or the text could not name a file, and std::invalid_argument for parameters of another assembly
/// and for rest positions, which scenes have no key for.
std::string scene_text(const Assembly& assembly, const std::vector<Parameter>& changed,
                       const std::string& folder);

/// The overrides with which the text of the scene that `assembly` was read from gives it as it is now: the
/// text's own, then what the changes that were made have set, and the current values of `changed`. Rest
/// positions have no key and stay as the text has them. Throws InputError if the assembly has no scene file,
/// and std::invalid_argument for parameters of another assembly.
std::vector<std::string> present_overrides(const Assembly& assembly, const std::vector<Parameter>& changed);

}  // namespace electret
