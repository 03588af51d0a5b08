#pragma once
/// \file
/// What a scene is read from, so that it can be read again with other values.

#include <memory>
#include <string>
#include <vector>

#include <electret/scene/mesh_store.hpp>

namespace electret::studio {

/// A scene's text with what is set in it. Every file is read once: what becomes of it later does not change
/// the scene. Meshes are made once.
struct SceneSource {
  std::string text{};
  std::string file{};  ///< As findings name it.
  std::string folder = ".";
  std::vector<std::string> overrides{};
  FileReader read{};    ///< Of `kept`.
  std::string began{};  ///< `name_of_start` of what it gives.
  std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>();

  /// The scene with `more` overrides after its own. Throws InputError with its findings, and Cancelled.
  [[nodiscard]] Assembly assembled(const std::vector<std::string>& more = {},
                                   const Control& control = {}) const;
};

/// A reader that asks `read` for each path once.
[[nodiscard]] FileReader kept(FileReader read);

}  // namespace electret::studio
