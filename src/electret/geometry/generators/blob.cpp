#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <electret/geometry/generators/blob.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret {
namespace {

using surface::Part;
using surface::turned;

/// The parts of a blob of radius 1. The left parts (y > 0) are mirrored to the right.
struct BlobParts {
  std::vector<Part> body, tail, head, left_ear, right_ear;
};

void add_pair(std::vector<Part>& parts, const Vec3& centre, const Vec3& radii, double blend) {
  for (const double side : {1.0, -1.0})
    parts.push_back({{{centre.x, side * centre.y, centre.z}, radii}, blend});
}

Part ear(double side) {
  return {{{0.50, side * 0.36, 1.88}, {0.17, 0.23, 0.62}, turned(-0.30, side * 0.22)}, 0.16};
}

BlobParts parts_of_a_blob() {
  BlobParts parts;
  parts.body.push_back({{{-0.10, 0.0, 0.0}, {1.02, 0.84, 0.86}, turned(0.0, 0.0)}, 0.0});
  add_pair(parts.body, {-0.30, 0.56, -0.38}, {0.62, 0.42, 0.52}, 0.2);  // Haunches,
  add_pair(parts.body, {0.62, 0.38, -0.74}, {0.42, 0.24, 0.20}, 0.2);   // front paws.
  parts.tail.push_back({{{-1.16, 0.0, -0.22}, {0.30, 0.30, 0.30}}, 0.12});
  parts.head.push_back({{{0.66, 0.0, 0.92}, {0.56, 0.50, 0.50}}, 0.25});
  parts.head.push_back({{{1.10, 0.0, 0.80}, {0.26, 0.26, 0.20}}, 0.2});  // Muzzle.
  parts.left_ear.push_back(ear(1.0));
  parts.right_ear.push_back(ear(-1.0));
  return parts;
}

/// Gentle bumps: a few plane waves in random directions.
class Bumps {
 public:
  explicit Bumps(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (Wave& wave : waves_) {
      const double z = 2.0 * parameters::uniform(random) - 1.0;
      const double turn = 2.0 * std::numbers::pi * parameters::uniform(random);
      const double frequency = 4.0 + 4.0 * parameters::uniform(random);
      const double flat = std::sqrt(1.0 - z * z);
      wave.direction = frequency * Vec3{flat * std::cos(turn), flat * std::sin(turn), z};
      wave.phase = 2.0 * std::numbers::pi * parameters::uniform(random);
    }
  }
  [[nodiscard]] double operator()(const Vec3& point) const {
    constexpr double height = 0.012;
    double sum = 0.0;
    for (const Wave& wave : waves_) sum += std::sin(dot(wave.direction, point) + wave.phase);
    return height * sum;
  }

 private:
  struct Wave {
    Vec3 direction;
    double phase = 0.0;
  };
  std::array<Wave, 6> waves_;
};

void add_blob_groups(Mesh& mesh, const BlobParts& parts) {
  const auto& x = mesh.vertices;
  const auto part = [&](std::size_t i) {
    const std::array<double, 5> distances = {
        surface::distance(parts.body, x[i]), surface::distance(parts.tail, x[i]),
        surface::distance(parts.head, x[i]), surface::distance(parts.left_ear, x[i]),
        surface::distance(parts.right_ear, x[i])};
    return std::min_element(distances.begin(), distances.end()) - distances.begin();
  };
  parameters::add_group(mesh, "tail", [&](std::size_t i) { return part(i) == 1; });
  parameters::add_group(mesh, "head", [&](std::size_t i) { return part(i) == 2; });
  parameters::add_group(mesh, "left_ear", [&](std::size_t i) { return part(i) == 3; });
  parameters::add_group(mesh, "right_ear", [&](std::size_t i) { return part(i) == 4; });
  const BoundingBox box = bounding_box(x);
  const double level = box.low.z + 0.1 * (box.high.z - box.low.z);
  parameters::add_group(mesh, "base", [&](std::size_t i) { return x[i].z <= level; });
}

}  // namespace

Mesh blob(const BlobOptions& options) {
  const BlobParts parts = parts_of_a_blob();
  constexpr double area = 19.0;  // About, m² at radius 1.
  const double least = 0.75 * surface::even_edge(area, options.vertices);
  std::vector<Part> all;
  for (const auto* some : {&parts.body, &parts.tail, &parts.head, &parts.left_ear, &parts.right_ear})
    all.insert(all.end(), some->begin(), some->end());
  all = surface::thickened(std::move(all), least);
  const Bumps bumps(options.seed);
  surface::ImplicitSurface unit;
  unit.distance = [&](const Vec3& point) { return surface::distance(all, point) - bumps(point); };
  unit.box = {{-1.75, -1.35, -1.25}, {1.65, 1.35, 2.85}};
  unit.detail = std::max(0.17, least);
  Mesh mesh = surface::meshed(unit, options.vertices);
  add_blob_groups(mesh, parts);
  for (Vec3& point : mesh.vertices) point *= options.radius;
  return mesh;
}

const Shape& blob_shape() {
  static const BlobOptions defaults;
  static const Shape shape = {"blob",
                              "a bumpy closed surface with two ears: a bunny without detail",
                              {parameters::length("radius", defaults.radius, "of the body, about"),
                               parameters::integer("vertices", defaults.vertices, 100, 2'000'000, "exactly"),
                               parameters::seed(defaults.seed)},
                              {"left_ear", "right_ear", "head", "tail", "base"},
                              [](const ParameterValues& values) {
                                BlobOptions options;
                                options.radius = parameters::value(values, "radius", options.radius);
                                options.vertices = parameters::value(values, "vertices", options.vertices);
                                options.seed = parameters::value(values, "seed", options.seed);
                                return blob(options);
                              }};
  return shape;
}

}  // namespace electret
