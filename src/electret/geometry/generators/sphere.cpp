#include <cmath>

#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/sphere.hpp>
#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret {

Mesh sphere(const SphereOptions& options) {
  // The sphere is meshed with radius 1, so that the triangles have the same shape for every radius.
  constexpr double room = 1.3;
  surface::ImplicitSurface unit;
  unit.distance = [](const Vec3& point) { return norm(point) - 1.0; };
  unit.box = {{-room, -room, -room}, {room, room, room}};
  unit.detail = 0.5;
  Mesh mesh = surface::meshed(unit, options.vertices);
  for (Vec3& point : mesh.vertices) point *= options.radius / norm(point);
  const auto& x = mesh.vertices;
  parameters::add_group(mesh, "top", [&](std::size_t i) { return x[i].z > 0.5 * options.radius; });
  parameters::add_group(mesh, "bottom", [&](std::size_t i) { return x[i].z < -0.5 * options.radius; });
  parameters::add_group(mesh, "left", [&](std::size_t i) { return x[i].x < 0.0; });
  parameters::add_group(mesh, "right", [&](std::size_t i) { return x[i].x >= 0.0; });
  return mesh;
}

const Shape& sphere_shape() {
  static const SphereOptions defaults;
  static const Shape shape = {
      "sphere",
      "a ball's surface about the origin",
      {parameters::length("radius", defaults.radius, "of every vertex from the origin"),
       parameters::integer("vertices", defaults.vertices, 12, 2'000'000, "exactly")},
      {"top", "bottom", "left", "right"},
      [](const ParameterValues& values) {
        SphereOptions options;
        options.radius = parameters::value(values, "radius", options.radius);
        options.vertices = parameters::value(values, "vertices", options.vertices);
        return sphere(options);
      }};
  return shape;
}

}  // namespace electret
