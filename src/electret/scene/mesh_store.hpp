#pragma once
/// \file
/// Keeps the meshes that scenes read or generate, for callers that assemble one scene again and again with
/// other values: a blob of 20 000 vertices takes 1.7 s to make.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <electret/geometry/generators.hpp>
#include <electret/geometry/mesh.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

class MeshStore {
 public:
  /// The mesh of `key`, which names everything that it was made from; made by `make` if it is not there. Of a
  /// mesh that `make` cannot make, nothing is kept. The store forgets the mesh that was not asked for longest
  /// when it has more than `most`.
  std::optional<Mesh> get(const std::string& key, const std::function<std::optional<Mesh>()>& make);

 private:
  static constexpr std::size_t most = 16;
  std::vector<std::pair<std::string, Mesh>> meshes_;  ///< The last one asked for is the last.
};

/// Names a generator's shape and parameters to the last bit.
[[nodiscard]] std::string key_of(const GeneratorSpec& spec);

/// As `load_scene_text` (read.hpp), with meshes from `store`. `read_file` returns the same bytes for a path
/// each time.
Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file,
                         MeshStore& store);

}  // namespace electret
