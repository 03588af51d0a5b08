#pragma once
/// \file
/// What can be opened when nothing is: scenes and runs below a folder, the examples, new scenes.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/studio/session/events.hpp>

namespace electret::studio {

/// A scene that is part of the program.
struct SceneText {
  std::string_view name;  ///< "charged_torus".
  std::string_view text;
};

/// The examples, which the build puts into the program.
[[nodiscard]] std::span<const SceneText> example_texts();
/// Small scenes to begin with.
[[nodiscard]] std::span<const SceneText> new_scene_texts();

/// How many files and folders are looked at.
inline constexpr int most_looks = 20000;

/// The choices, at most 200 scenes and 200 runs: names are "FILE", "DIR", "example:NAME" and "new:NAME".
/// Folders are searched four levels deep, near ones first, until `looks` files and folders were seen; links
/// to folders and hidden folders are left out.
[[nodiscard]] ChoicesInfo choices_below(const std::string& folder, int looks = most_looks);

/// Before the path of a copy that was saved, as the name of a choice.
inline constexpr const char* copy_mark = "copy:";

/// The text of the example or new scene that a choice names.
[[nodiscard]] std::optional<SceneText> text_of_choice(const std::string& name);

/// Whether the file looks like a scene: it has the tables that every scene has, and repeats no session.
[[nodiscard]] bool looks_like_scene(const std::string& path);
/// Whether a session's texts have such names: they are kept for it, not to be opened.
[[nodiscard]] bool is_of_session(const std::string& name);

/// The absolute path with links resolved, as runs name the file of their scene.
[[nodiscard]] std::string whole_path(const std::string& path);
/// Whether what is at `path`, with links resolved, is `folder` or below it.
[[nodiscard]] bool is_at_or_below(const std::string& path, const std::string& folder);
/// Whether the file at `path`, with links resolved, is a regular file in `folder` or below.
[[nodiscard]] bool is_within(const std::string& path, const std::string& folder);

}  // namespace electret::studio
