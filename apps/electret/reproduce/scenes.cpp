#include "scenes.hpp"

#include <fmt/format.h>

namespace electret::app::reproduce {

SceneSource torus_scene() {
  return {"torus.toml",
          R"([time]
step = 0.03
duration = 15.0

[integrator]
method = "imex"

[coulomb]

[[body]]
name = "torus"
generate = { shape = "torus", vertices = 145, sampling = "best_candidate", candidates = 40, seed = 7 }
mass = 1.0
charge = 6e-6

  [[body.springs]]
  from = "nearest"
  neighbours = 24
  stiffness = 10.0
)",
          {}};
}

SceneSource bunny_scene(Count vertices, double stiffness, double charge) {
  const std::string text = fmt::format(R"([time]
step = 0.05
duration = 30.0

[integrator]
method = "imex"

[coulomb]

[[body]]
name = "bunny"
generate = {{ shape = "blob", vertices = {} }}
scale = 2.0
mass = 1.0
charge = {}

  [[body.springs]]
  from = "nearest"
  neighbours = 12
  stiffness = {}
)",
                                       vertices, charge, stiffness);
  return {"bunny.toml", text, {}};
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

}  // namespace electret::app::reproduce
