#include <electret/geometry/generators/box.hpp>
#include <electret/geometry/generators/lattice.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

constexpr Count most_cells = 1'000'000;

/// The paths from a cell's lowest corner to its highest, along one axis after the other (Kuhn's subdivision).
/// Corners have Gmsh's numbers; each tetrahedron has a positive volume.
constexpr std::size_t ways[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                    {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

void add_cells(Mesh& mesh, const BoxOptions& options) {
  const Count nx = options.cells[0], ny = options.cells[1],
              nz = options.cells[2];  // clang 14 captures no bindings.
  const auto at = [&](Count i, Count j, Count k) {
    return static_cast<Index>((k * (ny + 1) + j) * (nx + 1) + i);
  };
  for (Count k = 0; k < nz; ++k)
    for (Count j = 0; j < ny; ++j)
      for (Count i = 0; i < nx; ++i) {
        const Hexahedron cell = {
            at(i, j, k),     at(i + 1, j, k),     at(i + 1, j + 1, k),     at(i, j + 1, k),
            at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)};
        if (options.element == BoxElement::hexahedron) {
          mesh.hexahedra.push_back(cell);
        } else {
          for (const auto& way : ways)
            mesh.tetrahedra.push_back({cell[way[0]], cell[way[1]], cell[way[2]], cell[way[3]]});
        }
      }
}

BoxOptions box_options(const ParameterValues& values) {
  BoxOptions options;
  options.cells = parameters::value(values, "cells", options.cells);
  options.cell_size = parameters::value(values, "cell_size", options.cell_size);
  if (parameters::value(values, "element", "hex") == "tet") options.element = BoxElement::tetrahedron;
  return options;
}

}  // namespace

Mesh box(const BoxOptions& options) {
  const auto [nx, ny, nz] = options.cells;
  Mesh mesh = lattice({.nx = nx + 1, .ny = ny + 1, .nz = nz + 1, .spacing = options.cell_size});
  mesh.lines.clear();
  add_cells(mesh, options);
  mesh.polygons = boundary_of_elements(mesh);
  return mesh;
}

const Shape& box_shape() {
  static const BoxOptions defaults;
  static const Shape shape = {
      "box",
      "a solid box of hexahedra or tetrahedra",
      {parameters::triple("cells", defaults.cells, most_cells, "along x, y and z"),
       parameters::length("cell_size", defaults.cell_size, "edge of a cell"),
       parameters::choice("element", "hex", {"hex", "tet"}, "one hexahedron or six tetrahedra per cell")},
      {"left", "right", "front", "back", "bottom", "top", "boundary", "corners"},
      [](const ParameterValues& values) { return box(box_options(values)); },
      [](const ParameterValues& values) -> std::vector<ParameterFinding> {
        double count = 1.0;
        for (const Count n : box_options(values).cells) count *= static_cast<double>(n + 1);
        if (count <= static_cast<double>(parameters::most_vertices)) return {};
        return {{"cells", "a box of " + parameters::written(count) + " vertices",
                 "at most " + std::to_string(parameters::most_vertices)}};
      }};
  return shape;
}

}  // namespace electret
