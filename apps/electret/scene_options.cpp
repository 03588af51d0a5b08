#include "scene_options.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "scene_input.hpp"

namespace electret::app {

std::vector<std::string> SceneOptions::overrides() const {
  std::vector<std::string> result;
  for (const auto& key : removals) result.push_back("--unset " + key);
  result.insert(result.end(), sets.begin(), sets.end());
  return result;
}

std::string SceneOptions::output() const {
  if (!directory.empty()) return directory;
  if (is_standard_input(scene)) return "runs/stdin";
  return (std::filesystem::path("runs") / std::filesystem::path(scene).stem()).string();
}

void add_threads_option(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "Number of threads; 0: all; the result does not depend on it")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
}

void add_memory_option(CLI::App& command, double& gigabytes) {
  command
      .add_option("--memory", gigabytes,
                  "GB of states to hold; what does not fit is computed again (default: half of what is free)")
      ->check(CLI::PositiveNumber)
      ->type_name("GB");
}

void add_scene_and_settings(CLI::App& command, SceneOptions& options) {
  command.add_option("SCENE", options.scene, "The scene file (TOML); - is standard input")
      ->required()
      ->type_name("");
  command.add_option("--set", options.sets, "Override a key of the scene; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--unset", options.removals,
                  "Remove a key or table of the scene, before anything is set; may be repeated")
      ->type_name("KEY")
      ->allow_extra_args(false);
  add_threads_option(command, options.threads);
}

void add_scene_options(CLI::App& command, SceneOptions& options) {
  add_scene_and_settings(command, options);
  command
      .add_option("-o,--output", options.directory,
                  "Directory of the results; default runs/SCENE-STEM, runs/stdin for -")
      ->type_name("DIR")
      ->check(not_empty);
  auto* resume = command.add_flag("--resume", options.resume, "Continue from the run's checkpoint");
  command
      .add_flag("--overwrite", options.overwrite, "Replace an unfinished run, or one of another scene file")
      ->excludes(resume);
  command.add_flag("--stop-on-warning", options.stop_on_warning, "Take warnings for errors");
}

}  // namespace electret::app
