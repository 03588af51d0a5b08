#include <electret/scene/report.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// "scene.toml:11:20: "; a scene that was made in C++ has the key alone.
std::string begin_of(const Location& where) {
  std::string text = on_one_line(where.file);
  if (where.line > 0) text += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  return text + ": ";
}

}  // namespace

// No errors: a scene made for ddef may be run with another solver by --set, which can take no key away.
std::vector<std::string> scene_warnings(const Scene& scene) {
  std::vector<std::string> warnings;
  if (!scene.coulomb || scene.coulomb->solver == "ddef") return warnings;
  const std::string& solver = scene.coulomb->solver;
  const std::string here = solver == "auto" ? "auto, which never takes ddef" : in_quotes(solver);
  const auto unused = [&](const std::string& key) {
    warnings.push_back(begin_of(place_of(scene.source, "coulomb." + key)) + "warning: " + in_quotes(key) +
                       " is used by the solver ddef alone, the solver here is " + here +
                       "; write solver = \"ddef\", or leave " + key + " out");
  };
  if (scene.coulomb->ddef_grid_points) unused("ddef.grid_points");
  if (scene.coulomb->ddef_half_taylor) unused("ddef.half_taylor");
  return warnings;
}

}  // namespace electret
