#include "scene_options.hpp"

#include <filesystem>

#include <electret/core/instruction_set.hpp>

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

void add_threads_option(Command& command, int& threads) {
  command.option("--threads", threads, "Number of threads; 0: all; the result does not depend on it")
      .type_name("N")
      .between(0, 4096);
}

void add_instructions_option(Command& command) {
  command
      .option(
          "--instructions",
          [](const std::string& set) { choose_instruction_set(set.c_str(), "--instructions"); },
          "Instruction set: portable, avx2 or avx512; default: the processor's best")
      .type_name("SET");
}

void add_memory_option(Command& command, double& gigabytes) {
  command
      .option("--memory", gigabytes,
              "Memory for states, GB; states beyond it are computed again (default: half of what is free)")
      .positive()
      .type_name("GB");
}

void add_stop_on_warning_option(Command& command, bool& stop) {
  command.flag("--stop-on-warning", stop, "Treat warnings as errors");
}

void add_overrides(Command& command, SceneOptions& options) {
  command.option("--set", options.sets, "Override a key of the scene; may be repeated")
      .type_name("KEY=VALUE")
      .one_value_each();
  command
      .option("--unset", options.removals,
              "Remove a key or table of the scene, before --set; may be repeated")
      .type_name("KEY")
      .one_value_each();
}

void add_scene_and_overrides(Command& command, SceneOptions& options) {
  command.option("SCENE", options.scene, "The scene file (TOML); - is standard input")
      .required()
      .type_name("");
  add_overrides(command, options);
}

void add_scene_and_settings(Command& command, SceneOptions& options) {
  add_scene_and_overrides(command, options);
  add_threads_option(command, options.threads);
  add_instructions_option(command);
}

void add_scene_options(Command& command, SceneOptions& options) {
  add_scene_and_settings(command, options);
  command
      .option("-o,--output", options.directory,
              "Directory of the results; default runs/SCENE-STEM, runs/stdin for -")
      .type_name("DIR")
      .not_empty();
  const Option resume = command.flag("--resume", options.resume, "Continue from the run's checkpoint");
  command.flag("--overwrite", options.overwrite, "Replace an unfinished run, or one of another scene file")
      .excludes(resume);
  add_stop_on_warning_option(command, options.stop_on_warning);
}

}  // namespace electret::app
