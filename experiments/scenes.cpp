#include "scenes.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <electret/geometry/generators.hpp>

namespace electret::experiments {

SceneSource torus_scene() {
  return scene_file("torus.toml");
}

SceneSource bunny_scene(Count vertices, double stiffness, double charge) {
  return scene_file("bunny.toml")
      .changed({fmt::format("body.0.generate.vertices={}", vertices), fmt::format("body.0.charge={}", charge),
                fmt::format("body.0.springs.0.stiffness={}", stiffness)});
}

std::string duck_obj(double length, double vertices) {
  const Mesh duck = generate({"duck", {{"length", length}, {"vertices", vertices}}});
  std::string text;
  for (const Vec3& x : duck.vertices) fmt::format_to(std::back_inserter(text), "v {} {} {}\n", x.x, x.y, x.z);
  for (std::size_t p = 0; p < duck.polygons.size(); ++p) {
    text += "f";
    for (const Index vertex : duck.polygons[p]) fmt::format_to(std::back_inserter(text), " {}", vertex + 1);
    text += "\n";
  }
  return text;
}

SceneSource without_penalty(SceneSource scene) {
  std::string kept;
  for (std::size_t begin = 0; begin < scene.text.size();) {
    const std::size_t end = std::min(scene.text.find('\n', begin), scene.text.size());
    const std::string line = scene.text.substr(begin, end - begin);
    const bool is_dropped = line.starts_with("stiffness") || line.starts_with("friction_stiffness") ||
                            line.starts_with("exponent");
    if (!is_dropped) kept += line + "\n";
    begin = end + 1;
  }
  scene.text = std::move(kept);
  return scene;
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
