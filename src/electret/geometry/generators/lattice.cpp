#include <electret/geometry/generators/lattice.hpp>
#include <electret/geometry/generators/parameters.hpp>

namespace electret {
namespace {

void add_points_and_lines(Mesh& mesh, const LatticeOptions& options) {
  const auto at = [&](Count i, Count j, Count k) {
    return static_cast<Index>((k * options.ny + j) * options.nx + i);
  };
  // Coordinates are half-integers times the spacing, so opposite ends are exact mirror images.
  const auto place = [&](Count i, Count n) {
    return options.spacing * 0.5 * static_cast<double>(2 * i - (n - 1));
  };
  for (Count k = 0; k < options.nz; ++k)
    for (Count j = 0; j < options.ny; ++j)
      for (Count i = 0; i < options.nx; ++i) {
        mesh.vertices.push_back({place(i, options.nx), place(j, options.ny), place(k, options.nz)});
        if (i > 0) mesh.lines.push_back({at(i - 1, j, k), at(i, j, k)});
        if (j > 0) mesh.lines.push_back({at(i, j - 1, k), at(i, j, k)});
        if (k > 0) mesh.lines.push_back({at(i, j, k - 1), at(i, j, k)});
      }
}

}  // namespace

Mesh lattice(const LatticeOptions& options) {
  Mesh mesh;
  add_points_and_lines(mesh, options);
  const auto nx = static_cast<std::size_t>(options.nx);
  const auto ny = static_cast<std::size_t>(options.ny);
  const auto nz = static_cast<std::size_t>(options.nz);
  const auto ends = [&](std::size_t v) {
    const std::size_t i = v % nx, j = v / nx % ny, k = v / nx / ny;
    return (i == 0 || i + 1 == nx ? 1 : 0) + (j == 0 || j + 1 == ny ? 1 : 0) +
           (k == 0 || k + 1 == nz ? 1 : 0);
  };
  parameters::add_group(mesh, "left", [&](std::size_t v) { return v % nx == 0; });
  parameters::add_group(mesh, "right", [&](std::size_t v) { return v % nx + 1 == nx; });
  parameters::add_group(mesh, "front", [&](std::size_t v) { return v / nx % ny == 0; });
  parameters::add_group(mesh, "back", [&](std::size_t v) { return v / nx % ny + 1 == ny; });
  parameters::add_group(mesh, "bottom", [&](std::size_t v) { return v / nx / ny == 0; });
  parameters::add_group(mesh, "top", [&](std::size_t v) { return v / nx / ny + 1 == nz; });
  parameters::add_group(mesh, "boundary", [&](std::size_t v) { return ends(v) > 0; });
  parameters::add_group(mesh, "corners", [&](std::size_t v) { return ends(v) == 3; });
  return mesh;
}

const Shape& lattice_shape() {
  static const LatticeOptions defaults;
  static const auto read = [](const ParameterValues& values) {
    LatticeOptions options;
    options.nx = parameters::value(values, "nx", options.nx);
    options.ny = parameters::value(values, "ny", options.ny);
    options.nz = parameters::value(values, "nz", options.nz);
    options.spacing = parameters::value(values, "spacing", options.spacing);
    return options;
  };
  static const Shape shape = {
      "lattice",
      "a box of points on a cubic lattice, neighbours along the axes joined by lines",
      {parameters::integer("nx", defaults.nx, 1, parameters::most_vertices, "points along x"),
       parameters::integer("ny", defaults.ny, 1, parameters::most_vertices, "points along y"),
       parameters::integer("nz", defaults.nz, 1, parameters::most_vertices, "points along z"),
       parameters::length("spacing", defaults.spacing, "between neighbouring points")},
      {"left", "right", "front", "back", "bottom", "top", "boundary", "corners"},
      [](const ParameterValues& values) { return lattice(read(values)); },
      [](const ParameterValues& values) -> std::vector<ParameterFinding> {
        const LatticeOptions options = read(values);
        const double count = static_cast<double>(options.nx) * static_cast<double>(options.ny) *
                             static_cast<double>(options.nz);
        if (count <= static_cast<double>(parameters::most_vertices)) return {};
        return {{"nx", "a lattice of " + parameters::written(count) + " points",
                 "nx·ny·nz is at most " + std::to_string(parameters::most_vertices)}};
      }};
  return shape;
}

}  // namespace electret
