#include "tshirt_scene.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <electret/geometry/generators.hpp>

namespace electret::app::reproduce {
namespace {

/// The outer end of the left shoulder's seam, and the vertex of the mesh opposite.
std::array<Index, 2> held_vertices(const Mesh& mesh) {
  const auto place = [&](Index i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  const auto& shoulder = mesh.groups.at("left_shoulder");
  const Index left = *std::max_element(shoulder.begin(), shoulder.end(),
                                       [&](Index a, Index b) { return place(a).x < place(b).x; });
  const Vec3 opposite{-place(left).x, place(left).y, place(left).z};
  Index right = 0;
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
    if (norm(place(i) - opposite) < norm(place(right) - opposite)) right = i;
  return {left, right};
}

}  // namespace

SceneSource tshirt_scene(Count vertices, double stiffness) {
  const auto [left, right] =
      held_vertices(generate({"tshirt", {{"vertices", static_cast<double>(vertices)}}}));
  const std::string number = fmt::format("{:.1f}", stiffness);
  return {"tshirt.toml",
          fmt::format(R"([time]
step = 0.01
duration = 1.2

[integrator]
method = "imex"

[gravity]
acceleration = [0.0, 0.0, -98.1]

[[body]]
name = "tshirt"
generate = {{ shape = "tshirt", height = {}, vertices = {} }}
total_mass = 0.4

  [[body.springs]]
  from = "edges"
  stiffness = {}

  [[body.springs]]
  from = "diagonals"
  stiffness = {}

  [[body.group]]
  name = "held"
  indices = [{}, {}]

  [[body.pin]]
  group = "held"
)",
                      tshirt_height, vertices, number, number, left, right),
          {}};
}

}  // namespace electret::app::reproduce
