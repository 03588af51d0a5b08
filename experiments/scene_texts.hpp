#pragma once
/// \file
/// The scene files of the experiments, scenes/*.toml, which the build puts into the program.

#include <span>
#include <string_view>

namespace electret::experiments {

struct SceneText {
  std::string_view file;  ///< "torus.toml".
  std::string_view text;
};

/// By name.
[[nodiscard]] std::span<const SceneText> scene_texts();

}  // namespace electret::experiments
