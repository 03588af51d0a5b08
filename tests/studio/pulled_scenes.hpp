#pragma once
/// \file
/// What hands are tried on: a torus, a cloth and a stiff blob of springs, a hanging chain, a jelly of
/// elements.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::test {

struct PulledScene {
  std::string name, text;
  std::size_t vertex;             ///< One that can be pulled far,
  Vec3 direction{0.0, 0.0, 1.0};  ///< this way.
};

inline std::vector<PulledScene> pulled_scenes() {
  const auto with_time = [](const std::string& rest) {
    return "[time]\nstep = 0.01\nsteps = 100000\n[integrator]\nmethod = \"imex\"\n" + rest;
  };
  return {
      {"torus", with_time(R"([[body]]
name = "torus"
generate = { shape = "torus", major_radius = 1.0, minor_radius = 0.4, vertices = 145, sampling = "best_candidate" }
mass = 1.0
  [[body.springs]]
  from = "nearest"
  neighbours = 24
  stiffness = 10.0
)"),
       20},
      {"cloth", with_time(R"([damping]
drag = 0.2
[[body]]
name = "cloth"
generate = { shape = "grid", width = 1.0, height = 1.0, rows = 12, columns = 12 }
mass = 0.005
  [[body.springs]]
  from = "edges"
  stiffness = 20.0
)"),
       77},
      {"stiff", with_time(R"([damping]
drag = 0.1
[[body]]
name = "blob"
generate = { shape = "blob", vertices = 150 }
mass = 0.05
  [[body.springs]]
  from = "nearest"
  neighbours = 16
  stiffness = 2000.0
)"),
       40},
      {"jelly", with_time(R"([[body]]
name = "jelly"
generate = { shape = "box", cells = [8, 3, 3], cell_size = 0.1, element = "hex" }
density = 1000.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 2e4
  poissons_ratio = 0.4
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
)"),
       100},
      {"chain",
       with_time(R"([gravity]
acceleration = [0.0, 0.0, -9.81]
[damping]
drag = 0.1
[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 141 }
rotate = [0.0, 90.0, 0.0]
mass = 0.01
  [[body.springs]]
  from = "edges"
  stiffness = 1e4
  [[body.group]]
  name = "top"
  indices = [0]
  [[body.pin]]
  group = "top"
)"),
       140,
       {0.0, 1.0, 0.0}},
  };
}

}  // namespace electret::test
