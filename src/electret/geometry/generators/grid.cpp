#include <cmath>

#include <electret/geometry/generators/grid.hpp>
#include <electret/geometry/generators/parameters.hpp>

namespace electret {
namespace {

constexpr double longest_cell = 3.0;  // The largest ratio of a cell's sides if `vertices` is given.

/// |log| of a cell's width over its height; 0 for squares.
double slant(const GridOptions& options) {
  const double cell_width = options.width / static_cast<double>(options.columns - 1);
  const double cell_height = options.height / static_cast<double>(options.rows - 1);
  return std::abs(std::log(cell_width / cell_height));
}

GridOptions grid_options(const ParameterValues& values) {
  GridOptions options;
  options.width = parameters::value(values, "width", options.width);
  options.height = parameters::value(values, "height", options.height);
  options.rows = parameters::value(values, "rows", options.rows);
  options.columns = parameters::value(values, "columns", options.columns);
  if (const Count vertices = parameters::value(values, "vertices", Count{0}); vertices > 0)
    return grid_of(options.width, options.height, vertices);
  return options;
}

std::vector<ParameterFinding> grid_contradictions(const ParameterValues& values) {
  if (!values.contains("vertices")) {
    const GridOptions options = grid_options(values);
    if (options.rows <= parameters::most_vertices / options.columns) return {};
    return {{"rows", "a grid of more than " + std::to_string(parameters::most_vertices) + " vertices",
             "use fewer rows or columns"}};
  }
  if (values.contains("rows") || values.contains("columns"))
    return {{"vertices", "\"vertices\" beside \"rows\" or \"columns\"",
             "give vertices alone, or rows and columns"}};
  const GridOptions options = grid_options(values);
  const Count wanted = parameters::value(values, "vertices", Count{0});
  if (options.rows > 0 && slant(options) <= std::log(longest_cell)) return {};
  return {
      {"vertices",
       "no grid of this width and height has " + std::to_string(wanted) + " vertices in near-square cells",
       "use another number, or rows and columns"}};
}

}  // namespace

GridOptions grid_of(double width, double height, Count vertices) {
  GridOptions best{width, height, 0, 0};
  double best_cost = parameters::unbounded;
  for (Count rows = 2; rows <= vertices / 2 + 1; ++rows)
    for (const Count columns : {vertices / rows, vertices / rows + 1}) {
      if (columns < 2 || !parameters::is_near(rows * columns, vertices)) continue;
      const GridOptions option{width, height, rows, columns};
      // Of equally square grids, take the nearest to the requested number.
      const double off =
          std::abs(static_cast<double>(rows * columns - vertices)) / static_cast<double>(vertices);
      if (const double cost = slant(option) + 5.0 * off; cost < best_cost) {
        best = option;
        best_cost = cost;
      }
    }
  return best;
}

Mesh grid(const GridOptions& options) {
  Mesh mesh;
  const auto at = [&](Count row, Count column) { return static_cast<Index>(row * options.columns + column); };
  const auto place = [](double size, Count i, Count n) {
    return size * (0.5 * static_cast<double>(2 * i - (n - 1)) / static_cast<double>(n - 1));
  };
  for (Count row = 0; row < options.rows; ++row)
    for (Count column = 0; column < options.columns; ++column) {
      mesh.vertices.push_back(
          {place(options.width, column, options.columns), place(options.height, row, options.rows), 0.0});
      if (row == 0 || column == 0) continue;
      const std::array<Index, 4> quad = {at(row - 1, column - 1), at(row - 1, column), at(row, column),
                                         at(row, column - 1)};
      mesh.polygons.add(quad);
    }
  const auto columns = static_cast<std::size_t>(options.columns);
  const auto rows = static_cast<std::size_t>(options.rows);
  const auto in_end_column = [&](std::size_t v) { return v % columns == 0 || v % columns + 1 == columns; };
  const auto in_end_row = [&](std::size_t v) { return v / columns == 0 || v / columns + 1 == rows; };
  parameters::add_group(mesh, "left", [&](std::size_t v) { return v % columns == 0; });
  parameters::add_group(mesh, "right", [&](std::size_t v) { return v % columns + 1 == columns; });
  parameters::add_group(mesh, "bottom", [&](std::size_t v) { return v / columns == 0; });
  parameters::add_group(mesh, "top", [&](std::size_t v) { return v / columns + 1 == rows; });
  parameters::add_group(mesh, "boundary", [&](std::size_t v) { return in_end_column(v) || in_end_row(v); });
  parameters::add_group(mesh, "corners", [&](std::size_t v) { return in_end_column(v) && in_end_row(v); });
  return mesh;
}

const Shape& grid_shape() {
  static const GridOptions defaults;
  static const Shape shape = {
      "grid",
      "a rectangle of quads in the xy plane (cloth)",
      {parameters::length("width", defaults.width, "along x"),
       parameters::length("height", defaults.height, "along y"),
       parameters::integer("rows", defaults.rows, 2, parameters::most_vertices, "vertices along y"),
       parameters::integer("columns", defaults.columns, 2, parameters::most_vertices, "vertices along x"),
       parameters::integer("vertices", std::nullopt, 4, parameters::most_vertices,
                           "instead of rows and columns: near-square cells, the number within 2 %")},
      {"left", "right", "bottom", "top", "boundary", "corners"},
      [](const ParameterValues& values) { return grid(grid_options(values)); },
      grid_contradictions};
  return shape;
}

}  // namespace electret
