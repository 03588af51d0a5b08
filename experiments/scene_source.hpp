#pragma once
/// \file
/// A scene of an experiment: its file's text, and what an experiment changes in it.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <electret/dynamics/system.hpp>

#include "experiment.hpp"

namespace electret::experiments {

/// A scene as its file's text, kept beside the report, and what `--set` puts over it.
struct SceneSource {
  std::string file;                               ///< "torus.toml".
  std::string text;                               ///< TOML.
  std::vector<std::string> overrides;             ///< "integrator.method=verlet".
  std::map<std::string, std::string> files = {};  ///< Those that it names, and their bytes.

  /// With `changes` in the text, which are written like overrides: what the size of the run decides. Comments
  /// are lost.
  [[nodiscard]] SceneSource changed(const std::vector<std::string>& changes) const;
  /// With `further` overrides: variants of one scene.
  [[nodiscard]] SceneSource with(const std::vector<std::string>& further) const;
  /// With this method and step, s.
  [[nodiscard]] SceneSource with(const std::string& method, double step) const;
  /// "electret run inputs/torus.toml --set … -o NAME".
  [[nodiscard]] std::string command(const std::string& output) const;
};

/// The scene of experiments/scenes/`file`.
[[nodiscard]] SceneSource scene_file(const std::string& file);

/// The scene with its meshes and tables.
[[nodiscard]] Assembly assembled(const SceneSource& scene);

/// Puts the scene and the files that it names beside the report.
void add_inputs(Report& report, const SceneSource& scene);

/// The system of a scene, with as many threads as the context has.
[[nodiscard]] std::unique_ptr<System> compiled(const Context& context, const SceneSource& scene);

}  // namespace electret::experiments
