#include <algorithm>
#include <array>
#include <utility>

#include <electret/geometry/generators/duck.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret {
namespace {

using surface::Part;
using surface::turned;

/// The parts of a duck that is about 2.5 long.
struct DuckParts {
  std::vector<Part> body, tail, head, beak;
};

DuckParts parts_of_a_duck() {
  DuckParts parts;
  parts.body.push_back({{{0.0, 0.0, 0.0}, {1.00, 0.70, 0.55}}, 0.0});
  parts.body.push_back({{{0.45, 0.0, 0.12}, {0.50, 0.52, 0.50}}, 0.25});  // Breast,
  for (const double side : {1.0, -1.0})                                   // wings.
    parts.body.push_back({{{-0.22, side * 0.62, 0.14}, {0.55, 0.16, 0.28}, turned(0.15, 0.0)}, 0.08});
  parts.tail.push_back({{{-0.98, 0.0, 0.34}, {0.44, 0.34, 0.16}, turned(0.75, 0.0)}, 0.22});
  parts.head.push_back({{{0.60, 0.0, 0.95}, {0.44, 0.42, 0.42}}, 0.30});
  parts.beak.push_back({{{1.10, 0.0, 0.84}, {0.34, 0.25, 0.13}, turned(0.12, 0.0)}, 0.08});
  return parts;
}

void add_duck_groups(Mesh& mesh, const DuckParts& parts) {
  const auto part = [&](std::size_t i) {
    const Vec3& point = mesh.vertices[i];
    const std::array<double, 4> distances = {
        surface::distance(parts.body, point), surface::distance(parts.tail, point),
        surface::distance(parts.head, point), surface::distance(parts.beak, point)};
    return std::min_element(distances.begin(), distances.end()) - distances.begin();
  };
  parameters::add_group(mesh, "body", [&](std::size_t i) { return part(i) == 0; });
  parameters::add_group(mesh, "tail", [&](std::size_t i) { return part(i) == 1; });
  parameters::add_group(mesh, "head", [&](std::size_t i) { return part(i) == 2; });
  parameters::add_group(mesh, "beak", [&](std::size_t i) { return part(i) == 3; });
}

void place(Mesh& mesh, double length) {
  const BoundingBox box = bounding_box(mesh.vertices);
  const double scale = length / (box.high.x - box.low.x);
  const Vec3 origin{0.5 * (box.low.x + box.high.x), 0.5 * (box.low.y + box.high.y), box.low.z};
  for (Vec3& point : mesh.vertices) point = scale * (point - origin);
}

}  // namespace

Mesh duck(const DuckOptions& options) {
  const DuckParts parts = parts_of_a_duck();
  constexpr double area = 10.0;  // About, in the parts' unit squared.
  const double least = 0.75 * surface::even_edge(area, options.vertices);
  std::vector<Part> all;
  for (const auto* some : {&parts.body, &parts.tail, &parts.head, &parts.beak})
    all.insert(all.end(), some->begin(), some->end());
  all = surface::thickened(std::move(all), least);
  surface::ImplicitSurface solid;
  solid.distance = [&](const Vec3& point) { return surface::distance(all, point); };
  solid.box = {{-1.70, -1.05, -0.85}, {1.75, 1.05, 1.65}};
  solid.detail = std::max(0.13, least);
  Mesh mesh = surface::meshed(solid, options.vertices);
  add_duck_groups(mesh, parts);
  place(mesh, options.length);
  return mesh;
}

const Shape& duck_shape() {
  static const DuckOptions defaults;
  static const Shape shape = {"duck",
                              "a bath duck",
                              {parameters::length("length", defaults.length, "from tail to beak"),
                               parameters::integer("vertices", defaults.vertices, 100, 2'000'000, "exactly")},
                              {"body", "tail", "head", "beak"},
                              [](const ParameterValues& values) {
                                DuckOptions options;
                                options.length = parameters::value(values, "length", options.length);
                                options.vertices = parameters::value(values, "vertices", options.vertices);
                                return duck(options);
                              }};
  return shape;
}

}  // namespace electret
