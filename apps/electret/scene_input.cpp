#include "scene_input.hpp"

#include <utility>

#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>

#include "first_use.hpp"

namespace electret::app {

Assembly assembled_scene(const SceneOptions& options) {
  if (!is_standard_input(options.scene)) return load_scene(options.scene, options.overrides());
  return load_scene_text(text_of_standard_input(), std::string(standard_input), ".", options.overrides(),
                         read_regular_file);
}

std::unique_ptr<System> compiled_scene(const SceneOptions& options) {
  Assembly assembly = assembled_scene(options);
  if (assembly.scene.coulomb) tell_of_first_use(assembly.scene.coulomb->device);
  return compile(std::move(assembly), options.threads);
}

}  // namespace electret::app
