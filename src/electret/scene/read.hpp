#pragma once
/// \file
/// Reads a scene file into a Scene or an Assembly. Every finding is located.
///
/// \code
///   electret::Assembly assembly = electret::load_scene("torus.toml", {"time.step=0.01"});
/// \endcode
///
/// An override is "KEY=VALUE", which sets a key as `--set` does, or "--unset KEY", which removes what KEY
/// names. KEY is any dotted key of the scene. An item of a list is named by its number from 0
/// ("body.0.charge"); the number after the last starts a new item. VALUE is TOML on one line; a text may come
/// without quotes. Overrides apply in their order. Findings in them are located as "--set KEY" and "--unset
/// KEY".

#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// Reads and checks a scene file, but not its meshes. Throws InputError with all findings.
Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for a text. Findings call it `file_name`; relative paths start from `folder`.
Scene parse_scene(std::string_view text, const std::string& file_name, const std::string& folder,
                  const std::vector<std::string>& overrides = {});

/// Reads a scene file with its meshes and tables. Throws InputError with the findings of all files: those of
/// the scene file first, then by file, line and column.
Assembly load_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for a text, with `read_file` in place of the file system.
Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file);

/// The same for a tree of values made in memory (document.hpp). It is checked against the same table of keys
/// as a file. Findings are located by their keys ("body.0.charge"). The assembly's scene has the tree's TOML
/// as its text.
Assembly load_scene_tree(const Node& root, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file);

}  // namespace electret
