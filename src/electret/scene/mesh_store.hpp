#pragma once
/// \file
/// Assembles scenes with a store of meshes, for callers that assemble one scene again and again with other
/// values: a blob of 20 000 vertices takes 1.7 s to make. Such a call can tell how far it is, and be stopped.
///
/// \code
///   electret::MeshStore store(electret::file_stamp);
///   electret::Assembly assembly = electret::load_scene("blob.toml", {}, store);
///   assembly = electret::load_scene("blob.toml", {"body.0.mass=2"}, store);  // No mesh is made.
/// \endcode

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/mesh.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// Names what is in a file, so that it is another text when the file has changed.
using FileStamp = std::function<std::string(const std::string& path)>;

/// The file's number, size and times of change. A file that is not there has a stamp, too.
[[nodiscard]] std::string file_stamp(const std::string& path);

/// Keeps the meshes of bodies by the file that they were read from, or the `generate` table that they were
/// made by. It is for one thread at a time.
class MeshStore {
 public:
  MeshStore() = default;
  /// Meshes of files are read again when the file's stamp changes. Without a stamp they are read once.
  explicit MeshStore(FileStamp stamp) : stamp_(std::move(stamp)) {}

  /// The mesh of `key`, which names everything that it was made from; made by `make` if it is not there. Of a
  /// mesh that `make` cannot make, nothing is kept. The store forgets the mesh that was not asked for longest
  /// when it has more than `most`.
  std::optional<Mesh> get(const std::string& key, const std::function<std::optional<Mesh>()>& make);
  /// A part of a key that names a file as it is now.
  [[nodiscard]] std::string key_of_file(const std::string& path) const;
  [[nodiscard]] std::size_t size() const { return meshes_.size(); }

 private:
  static constexpr std::size_t most = 16;
  FileStamp stamp_;
  std::vector<std::pair<std::string, Mesh>> meshes_;  ///< The last one asked for is the last.
};

/// Names a generator's shape and parameters to the last bit.
[[nodiscard]] std::string key_of(const GeneratorSpec& spec);

/// As `assemble` (assembly.hpp), with meshes from `store`. `control.progress` counts bodies, and one more for
/// what joins them; `control.notice` is told of each file that is read, each shape that is made, and each
/// body whose vertices are joined ("reading torus.obj"). After a requested stop it throws Cancelled within
/// some milliseconds, also while a shape is made.
Assembly assemble(Scene scene, const FileReader& read_file, MeshStore& store, const Control& control = {});

/// The same for `load_scene` and `load_scene_text` (read.hpp). If the store has no stamps, `read_file`
/// returns the same bytes for a path each time.
Assembly load_scene(const std::string& path, const std::vector<std::string>& overrides, MeshStore& store,
                    const Control& control = {});
Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file,
                         MeshStore& store, const Control& control = {});

}  // namespace electret
