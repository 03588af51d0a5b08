#include <electret/scene/report.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret {

std::string used_by_ddef_alone(const std::string& setting, const std::string& solver) {
  return setting + " is used by the solver ddef alone, the solver here is " +
         (solver == "auto" ? "auto, which never takes ddef" : in_quotes(solver));
}

// No errors: a scene made for ddef may be run with another solver by --set, which can take no key away.
std::vector<std::string> scene_warnings(const Scene& scene) {
  std::vector<std::string> warnings;
  if (!scene.coulomb || scene.coulomb->solver == "ddef") return warnings;
  const auto unused = [&](const std::string& key) {
    // A scene that was made in C++ has the key alone.
    Location where = place_of(scene.source, "coulomb." + key);
    where.file = printable(where.file);
    warnings.push_back(to_string(where) +
                       ": warning: " + used_by_ddef_alone(in_quotes(key), scene.coulomb->solver) +
                       "; write solver = \"ddef\", or leave " + key + " out");
  };
  if (scene.coulomb->ddef_grid_points) unused("ddef.grid_points");
  if (scene.coulomb->ddef_half_taylor) unused("ddef.half_taylor");
  return warnings;
}

}  // namespace electret
