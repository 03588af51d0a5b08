#include "dynamics/solids.hpp"

#include <limits>

#include <electret/elastic/rest_shape.hpp>

#include "dynamics/networks.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

Scene scene_of(const SolidOptions& options) {
  Scene scene;
  scene.time = {.step = options.step, .steps = 1000};
  scene.integrator.method = options.method;
  scene.integrator.tolerance = options.tolerance;
  scene.integrator.max_iterations = 20000;
  Body& body = scene.bodies.emplace_back();
  body.name = "solid";
  const std::vector<double> cells(3, options.cells);
  body.generate = GeneratorSpec{"box", {{"cells", cells}, {"cell_size", 0.1}, {"element", options.element}}};
  body.density = 1000.0;
  body.materials.push_back({options.model, options.youngs_modulus, options.poissons_ratio, ""});
  return scene;
}

}  // namespace

Assembly solid(const SolidOptions& options) {
  return assemble(scene_of(options));
}

Assembly muscular(const SolidOptions& options) {
  Scene scene = scene_of(options);
  Body& body = scene.bodies[0];
  body.velocity = Vec3{0.2, -0.1, 0.3};
  body.element_groups.push_back({"few", std::nullopt, {0, 2, 3}, ""});
  Muscle own{.group = "few", .fibre = FibreDirection{{1.0, 0.5, 0.0}}, .stiffness = 2e4};
  own.activations.values = {0.7, 1.2, 0.9};
  Muscle driven{.fibre = FibreDirection{{0.0, 0.3, 1.0}}, .stiffness = 1e4};
  driven.keys = {{0.0, 0.06, 0.2}, {1.0, 0.7, 1.2}, Interpolation::cubic};
  Muscle by_formula{
      .group = "few", .fibre = FibreDirection{.along = {}, .around = Vec3{0.2, 0.1, 1.0}}, .stiffness = 5e3};
  by_formula.expression = "1 + A*sin(w*(t/h - 1))";
  by_formula.constants = {{"A", 0.2}, {"w", 0.3}};
  body.muscles = {own, driven, by_formula};
  Assembly assembly = assemble(std::move(scene));
  add_pins(assembly, {0, 1});
  return assembly;
}

void jitter(Assembly& assembly, double size, unsigned seed) {
  const VectorArray random = random_vectors(assembly.initial_positions.size(), seed, size);
  for (std::size_t i = 0; i < random.size(); ++i) assembly.initial_positions[i] += random[i];
}

double least_determinant(const Assembly& assembly, const VectorArray& x) {
  double least = std::numeric_limits<double>::infinity();
  const auto look_at = [&](int vertices, const auto& elements) {
    if (elements.empty()) return;
    std::vector<Index> corners;
    for (const auto& element : elements) corners.insert(corners.end(), element.begin(), element.end());
    const ElementBlock block(vertices, static_cast<Index>(x.size()), corners);
    const RestShape shape(block, assembly.rest_positions);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t q = 0; q < shape.points(); ++q) {
        Mat3 f;
        for (std::size_t a = 0; a < elements[e].size(); ++a)
          f += outer(x[static_cast<std::size_t>(elements[e][a])],
                     transposed_product(shape.inverse(static_cast<Count>(e), q), shape.slopes(q)[a]));
        least = std::min(least, dot(f.rows[0], cross(f.rows[1], f.rows[2])));
      }
  };
  look_at(4, assembly.tetrahedra);
  look_at(8, assembly.hexahedra);
  return least;
}

}  // namespace electret::test
