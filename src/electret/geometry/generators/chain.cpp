#include <electret/geometry/generators/chain.hpp>
#include <electret/geometry/generators/parameters.hpp>

namespace electret {

Mesh chain(const ChainOptions& options) {
  Mesh mesh;
  const auto last = static_cast<Index>(options.vertices - 1);
  for (Index i = 0; i <= last; ++i) {
    mesh.vertices.push_back({options.length * static_cast<double>(i) / static_cast<double>(last), 0.0, 0.0});
    if (i > 0) mesh.lines.push_back({i - 1, i});
  }
  mesh.groups = {{"first", {0}}, {"last", {last}}, {"ends", {0, last}}};
  return mesh;
}

const Shape& chain_shape() {
  static const Shape shape = {
      "chain",
      "a row of points along x, joined by links",
      {parameters::integer("vertices", ChainOptions{}.vertices, 2, 10'000'000, "points"),
       parameters::length("length", ChainOptions{}.length, "from the first point to the last")},
      {"first", "last", "ends"},
      [](const ParameterValues& values) {
        ChainOptions options;
        options.vertices = parameters::value(values, "vertices", options.vertices);
        options.length = parameters::value(values, "length", options.length);
        return chain(options);
      }};
  return shape;
}

}  // namespace electret
