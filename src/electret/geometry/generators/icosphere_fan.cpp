#include <algorithm>
#include <cmath>
#include <map>

#include <electret/geometry/generators/icosphere_fan.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

constexpr Count most_subdivisions = 8;

/// Triangles over vertices at distance 1 from the origin, seen counterclockwise from outside.
struct UnitSphere {
  VectorArray vertices;
  std::vector<Triangle> triangles;
};

UnitSphere icosahedron() {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0)), length = std::sqrt(1.0 + golden * golden);
  const double a = 1.0 / length, b = golden / length;
  return {{{-a, b, 0},
           {a, b, 0},
           {-a, -b, 0},
           {a, -b, 0},
           {0, -a, b},
           {0, a, b},
           {0, -a, -b},
           {0, a, -b},
           {b, 0, -a},
           {b, 0, a},
           {-b, 0, -a},
           {-b, 0, a}},
          {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
}

/// Each triangle cut into four, at the middles of its edges.
UnitSphere refined(UnitSphere sphere) {
  std::map<Edge, Index> middles;
  const auto middle = [&](Index i, Index j) {
    const auto next = static_cast<Index>(sphere.vertices.size());
    const auto [known, is_new] = middles.try_emplace({std::min(i, j), std::max(i, j)}, next);
    if (is_new) {
      const Vec3 sum =
          sphere.vertices[static_cast<std::size_t>(i)] + sphere.vertices[static_cast<std::size_t>(j)];
      sphere.vertices.push_back((1.0 / norm(sum)) * sum);
    }
    return known->second;
  };
  std::vector<Triangle> cut;
  for (const auto& [i, j, k] : sphere.triangles) {
    const Index ij = middle(i, j), jk = middle(j, k), ki = middle(k, i);
    for (const Triangle& part : {Triangle{i, ij, ki}, {j, jk, ij}, {k, ki, jk}, {ij, jk, ki}})
      cut.push_back(part);
  }
  sphere.triangles = std::move(cut);
  return sphere;
}

}  // namespace

Mesh icosphere_fan(const IcosphereFanOptions& options) {
  UnitSphere sphere = icosahedron();
  for (Count round = 0; round < options.subdivisions; ++round) sphere = refined(std::move(sphere));
  Mesh mesh;
  mesh.vertices = std::move(sphere.vertices);
  for (Vec3& vertex : mesh.vertices) vertex *= options.radius;
  const auto centre = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.emplace_back();
  for (const auto& [i, j, k] : sphere.triangles) mesh.tetrahedra.push_back({centre, i, j, k});
  mesh.polygons = boundary_of_elements(mesh);
  const auto last = static_cast<std::size_t>(centre);
  parameters::add_group(mesh, "boundary", [&](std::size_t i) { return i != last; });
  parameters::add_group(mesh, "centre", [&](std::size_t i) { return i == last; });
  return mesh;
}

const Shape& icosphere_fan_shape() {
  static const IcosphereFanOptions defaults;
  static const Shape shape = {
      "icosphere_fan",
      "a solid ball about the origin, of tetrahedra that meet in its centre",
      {parameters::length("radius", defaults.radius, "of every outer vertex from the origin"),
       parameters::integer("subdivisions", defaults.subdivisions, 0, most_subdivisions,
                           "of an icosahedron's triangles into four: s of them make 20·4^s tetrahedra")},
      {"boundary", "centre"},
      [](const ParameterValues& values) {
        IcosphereFanOptions options;
        options.radius = parameters::value(values, "radius", options.radius);
        options.subdivisions = parameters::value(values, "subdivisions", options.subdivisions);
        return icosphere_fan(options);
      }};
  return shape;
}

}  // namespace electret
