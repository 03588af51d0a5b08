#include "tshirt_scene.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <electret/geometry/generators.hpp>

namespace electret::experiments {
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
  return scene_file("tshirt.toml")
      .changed({fmt::format("body.0.generate.vertices={}", vertices),
                fmt::format("body.0.springs.0.stiffness={}", stiffness),
                fmt::format("body.0.springs.1.stiffness={}", stiffness),
                fmt::format("body.0.group.0.indices=[{}, {}]", left, right)});
}

}  // namespace electret::experiments
