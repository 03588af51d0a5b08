#pragma once
/// \file
/// The names that scenes may be saved and runs recorded under, and what may be written over.

#include <string>

namespace electret::studio {

/// The name of the file that a scene is saved in, of what was typed: with ".toml", without the spaces around
/// it. "" if it is none, and `why` then says what is wrong with it.
[[nodiscard]] std::string file_of_name(const std::string& typed, std::string& why);

/// The same of the folder of a run.
[[nodiscard]] std::string folder_of_name(const std::string& typed, std::string& why);

/// Renaming over a file asks only the folder for leave. What nobody may write is meant to stay, though the
/// superuser could.
[[nodiscard]] bool is_write_protected(const std::string& path);

/// Why this file beside the scene may not be written; "" if it may. `known` is what it should have, null if
/// it should not be there.
[[nodiscard]] std::string why_not_over(const std::string& path, const std::string* known, bool over);

/// Why no scene may be saved there under a new name; "" if it may. Only another scene may be written over.
[[nodiscard]] std::string why_not_there(const std::string& path, bool over);

/// Why no run of `scene_file` may be recorded there; "" if it may, in the words of `electret run`. Only
/// another run may be written over.
[[nodiscard]] std::string why_no_run_there(const std::string& directory, const std::string& scene_file,
                                           bool over);

}  // namespace electret::studio
