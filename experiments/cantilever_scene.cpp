#include "cantilever_scene.hpp"

#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "linear_loss.hpp"

namespace electret::experiments {
namespace {

constexpr double width = 0.08, length = 0.32;  // m
constexpr double density = 1000.0;             // kg/m³
constexpr double step = 0.01;                  // s

/// Vertices of the beam's grid: `generate`'s box counts x fastest, the published code slowest.
class Grid {
 public:
  explicit Grid(int across) : across_(across) {}

  [[nodiscard]] double cell() const { return width / across_; }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>((4 * across_ + 1) * (across_ + 1) * (across_ + 1));
  }
  /// visit(our number of the vertex, its place), in the published order.
  template <class Visit>
  void in_published_order(Visit visit) const {
    const int n = across_ + 1, along = 4 * across_ + 1;
    for (int i = 0; i < along; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          visit(static_cast<std::size_t>((k * n + j) * along + i), Vec3{i * cell(), j * cell(), k * cell()});
  }

 private:
  int across_;
};

Vec3 turned(const Vec3& x) {
  const double angle = 0.5 * std::numbers::pi * x.x / length, c = std::cos(angle), s = std::sin(angle);
  const double y = x.y - 0.5 * width, z = x.z - 0.5 * width;
  return {x.x, 0.5 * width + c * y - s * z, 0.5 * width + s * y + c * z};
}

VectorArray normals(const Grid& grid, NumpyRandom& random, double factor) {
  VectorArray result(grid.size());
  grid.in_published_order([&](std::size_t vertex, const Vec3&) {
    for (int axis = 0; axis < 3; ++axis) result[vertex][axis] = factor * random.normal();
  });
  return result;
}

std::string csv(const VectorArray& rows) {
  std::string text = "x,y,z\n";
  for (const Vec3& row : rows) fmt::format_to(std::back_inserter(text), "{},{},{}\n", row.x, row.y, row.z);
  return text;
}

SceneSource beam(int across, double cell, Count frames, const std::vector<double>& activations) {
  std::vector<int> edge(activations.size());
  std::iota(edge.begin(), edge.end(), 0);
  return scene_file("cantilever.toml")
      .changed({fmt::format("time.steps={}", frames),
                fmt::format("body.0.generate.cells=[{}, {}, {}]", 4 * across, across, across),
                fmt::format("body.0.generate.cell_size={}", cell),
                fmt::format("body.0.mass={}", density * cell * cell * cell),
                fmt::format("body.0.element_group.0.indices=[{}]", fmt::join(edge, ", ")),
                fmt::format("body.0.muscle.0.activations=[{}]", fmt::join(activations, ", "))});
}

}  // namespace

std::unique_ptr<Loss> Cantilever::loss() const {
  return std::make_unique<LinearLoss>(position_weights, velocity_weights);
}

Cantilever cantilever_scene(int across, Count frames, NumpyRandom& random) {
  const Grid grid(across);
  Cantilever result;
  normals(grid, random, 0.1);  // The published script draws these and leaves them.
  result.position_weights = normals(grid, random, 1.0);
  result.velocity_weights = normals(grid, random, 1.0);
  std::vector<double> activations(static_cast<std::size_t>(4) * static_cast<std::size_t>(across));
  for (double& activation : activations) activation = random.uniform(0.0, 1.0);
  const VectorArray forces = normals(grid, random, 0.1 * 1e-3);
  VectorArray start(grid.size());
  double squares = 0.0;
  grid.in_published_order([&](std::size_t vertex, const Vec3& place) {
    start[vertex] = turned(place);
    if (place.x > 0.0) squares += squared_norm(start[vertex]);
  });
  const double cell = grid.cell(), mass = density * cell * cell * cell;
  result.gradient_scale = mass / (step * step) * std::sqrt(squares);
  result.scene = beam(across, cell, frames, activations);
  result.scene.files = {{"turned.csv", csv(start)}, {"forces.csv", csv(forces)}};
  return result;
}

}  // namespace electret::experiments
