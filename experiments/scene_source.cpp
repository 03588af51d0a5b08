#include "scene_source.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/toml_text.hpp>

#include "scene_texts.hpp"

namespace electret::experiments {

SceneSource SceneSource::changed(const std::vector<std::string>& changes) const {
  std::vector<Finding> findings;
  const Document document(text, file, changes, findings);
  require(findings.empty(), "the scene has what an experiment changes");
  SceneSource result = *this;
  result.text = toml_text(document.root());
  return result;
}

SceneSource SceneSource::with(const std::vector<std::string>& further) const {
  SceneSource result = *this;
  result.overrides.insert(result.overrides.end(), further.begin(), further.end());
  return result;
}

SceneSource SceneSource::with(const std::string& method, double step) const {
  return with({fmt::format("integrator.method={}", method), fmt::format("time.step={}", step)});
}

std::string SceneSource::command(const std::string& output) const {
  std::string line = "electret run inputs/" + file;
  for (const auto& setting : overrides) line += " --set " + setting;
  return line + " -o " + output;
}

SceneSource scene_file(const std::string& file) {
  const auto texts = scene_texts();
  const auto found =
      std::find_if(texts.begin(), texts.end(), [&](const SceneText& scene) { return scene.file == file; });
  require(found != texts.end(), "an experiment's scene is a file of experiments/scenes");
  return {file, std::string(found->text), {}};
}

Assembly assembled(const SceneSource& scene) {
  const auto read_file = [&](const std::string& path) {
    const auto file = scene.files.find(std::filesystem::path(path).filename().string());
    require(file != scene.files.end(), "the scene of an experiment brings the files that it names");
    return file->second;
  };
  return load_scene_text(scene.text, scene.file, ".", scene.overrides, read_file);
}

void add_inputs(Report& report, const SceneSource& scene) {
  report.input(scene.file, scene.text);
  for (const auto& [name, bytes] : scene.files) report.input(name, bytes);
}

std::unique_ptr<System> compiled(const Context& context, const SceneSource& scene) {
  return compile(assembled(scene), context.threads().count());
}

}  // namespace electret::experiments
