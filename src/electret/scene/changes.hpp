#pragma once
/// \file
/// Scenes that change while they run (`[[change]]`): each change, and what it makes of the scene.
///
/// A changed scene is the scene's own text with the keys of its changes set, read and assembled anew. It
/// keeps the vertices, the pins and the places and velocities at the start.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// What a scene was read from: a text, or a tree made in memory.
struct SceneOrigin {
  std::string text{};
  std::optional<Node> tree{};
  std::string file{};  ///< As findings name it.
  std::string folder = ".";
  std::vector<std::string> overrides{};

  [[nodiscard]] Document document(std::vector<Finding>& findings) const;
};

/// Makes the assemblies of a scene after its changes. Every file is read once, so that a run does not depend
/// on what becomes of files after its start. Many threads may use one object.
class ChangedScenes {
 public:
  ChangedScenes(SceneOrigin origin, FileReader read_file);

  /// The scene with its first `made` changes. `scene` is the one as written, or one after changes.
  [[nodiscard]] Assembly with(const Scene& scene, std::size_t made) const;

  /// Whether a change gives a vertex another charge, or other key-frames of it.
  [[nodiscard]] bool change_charges() const { return change_charges_; }
  /// A hash of the files that only changes read.
  [[nodiscard]] std::uint64_t files_read() const;

  /// Checks what changes set: adds every finding that the scene as written does not have, at the change's
  /// place. Writes the length of the run and its legs to `scene`.
  void check_keys(Scene& scene, Report& report) const;
  /// The same of meshes and of what changes may not touch. `start` is the scene's assembly.
  void check_assemblies(const Assembly& start, Report& report);
  /// Reads files for the scene as written.
  [[nodiscard]] FileReader reader() const;
  [[nodiscard]] MeshStore& meshes() const { return store_; }

 private:
  [[nodiscard]] Document document(const Scene& scene, std::size_t made, std::vector<Finding>& findings) const;
  /// Reads and checks the changed scene; findings go to `report`.
  [[nodiscard]] Scene read(const Scene& scene, std::size_t made, Report& report) const;
  [[nodiscard]] Assembly assembled(const Scene& scene, std::size_t made, Report& report) const;
  const std::string& bytes_of(const std::string& path) const;

  SceneOrigin origin_;
  FileReader read_file_;
  bool change_charges_ = false;
  std::set<std::string> of_start_;  ///< Paths that the scene as written reads.
  mutable std::mutex mutex_;        ///< Guards what follows.
  mutable std::map<std::string, std::string> files_;
  mutable MeshStore store_;
};

/// The assembly of a scene that has changes, with the first `made` of them. Fields that are functions stay.
Assembly changed_assembly(const Assembly& assembly, std::size_t made);

/// How many changes are made before the step that starts from state `step`, those at `step` not among them.
std::size_t changes_before(const Scene& scene, Count step);
/// Whether a change is due at state `step`: before the step that starts from it.
bool is_change_due(const Scene& scene, Count step);

/// One finding for each change of the scene: "a gradient" cannot pass a change.
std::vector<Finding> findings_about_changes(const Scene& scene, std::string_view what);
/// Throws InputError with these, if there are any.
void refuse_changes(const Scene& scene, std::string_view what);

}  // namespace electret
