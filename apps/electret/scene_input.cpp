#include "scene_input.hpp"

#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>

namespace electret::app {

Assembly assembled_scene(const SceneOptions& options) {
  if (!is_standard_input(options.scene)) return load_scene(options.scene, options.overrides());
  return load_scene_text(text_of_standard_input(), std::string(standard_input), ".", options.overrides(),
                         read_regular_file);
}

std::unique_ptr<System> compiled_scene(const SceneOptions& options) {
  return compile(assembled_scene(options), options.threads);
}

}  // namespace electret::app
