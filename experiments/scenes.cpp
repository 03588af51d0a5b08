#include "scenes.hpp"

#include <fmt/format.h>

namespace electret::experiments {

SceneSource torus_scene() {
  return scene_file("torus.toml");
}

SceneSource bunny_scene(Count vertices, double stiffness, double charge) {
  return scene_file("bunny.toml")
      .changed({fmt::format("body.0.generate.vertices={}", vertices), fmt::format("body.0.charge={}", charge),
                fmt::format("body.0.springs.0.stiffness={}", stiffness)});
}

void add_torus_settings(Report& report) {
  report.setting("torus",
                 "R = 1 m, r = 0.4 m, 145 points by best-candidate sampling (40 candidates, seed 7)");
  report.setting("springs", "k = 10 N/m to the 24 nearest, symmetrised; rest length = initial length");
  report.setting("vertices", "1 kg and 6 µC each, at rest");
}

void add_bunny_settings(Report& report, Count vertices) {
  report.setting("mesh", fmt::format("`generate`'s blob, {} vertices, scaled to about 4 m (the paper's bunny "
                                     "is not published, nor are its size, masses and springs)",
                                     vertices));
  report.setting("springs", "to the 12 nearest, symmetrised; rest length = initial length");
  report.setting("masses", "1 kg a vertex, at rest");
}

}  // namespace electret::experiments
