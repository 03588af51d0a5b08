#include <cmath>
#include <limits>
#include <numbers>

#include <nanoflann.hpp>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/torus.hpp>
#include <electret/geometry/measure.hpp>
#include <electret/geometry/point_cloud.hpp>
#include <electret/geometry/point_search.inl>

namespace electret {
namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

/// The point at the angle `around` the axis and the angle `along` the tube's circle, which starts at the
/// outermost point and goes upwards.
Vec3 point(const TorusOptions& options, double around, double along) {
  const double distance = options.major_radius + options.minor_radius * std::cos(along);
  return {distance * std::cos(around), distance * std::sin(around), options.minor_radius * std::sin(along)};
}

/// Rings about the axis, each of `segments` vertices.
struct Division {
  Count rings = 0, segments = 0;
};

/// The division within 2 % of the requested number whose cells are nearest to squares. An exact division is
/// preferred if its cells are at most 2.5 times longer. No rings if there is none.
Division best_division(const TorusOptions& options) {
  constexpr double worth_of_exact = 2.5;
  Division best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (Count segments = 3; segments <= options.vertices / 3 + 1; ++segments) {
    const Count most = options.vertices * 51 / (50 * segments);
    for (Count rings = std::max<Count>(3, options.vertices * 49 / (50 * segments)); rings <= most; ++rings) {
      if (!parameters::is_near(rings * segments, options.vertices)) continue;
      const double cell = options.major_radius * static_cast<double>(segments) /
                          (options.minor_radius * static_cast<double>(rings));
      const double cost =
          std::abs(std::log(cell)) + (rings * segments == options.vertices ? 0.0 : std::log(worth_of_exact));
      if (cost < best_cost) {
        best = {rings, segments};
        best_cost = cost;
      }
    }
  }
  return best;
}

Mesh ringed(const TorusOptions& options, const Division& division) {
  Mesh mesh;
  const auto [rings, segments] = division;
  const auto at = [s = segments](Count ring, Count segment) {
    return static_cast<Index>(ring * s + segment);
  };
  for (Count ring = 0; ring < rings; ++ring)
    for (Count segment = 0; segment < segments; ++segment) {
      mesh.vertices.push_back(
          point(options, full_turn * static_cast<double>(ring) / static_cast<double>(rings),
                full_turn * static_cast<double>(segment) / static_cast<double>(segments)));
      const Count next_ring = (ring + 1) % rings, next_segment = (segment + 1) % segments;
      const std::array<Index, 4> quad = {at(ring, segment), at(next_ring, segment),
                                         at(next_ring, next_segment), at(ring, next_segment)};
      mesh.polygons.add(quad);
    }
  return mesh;
}

/// Places all vertices on one closed helix, which winds round the tube as often as there would be rings. Any
/// number of vertices fits.
Mesh wound(const TorusOptions& options) {
  Mesh mesh;
  const Count n = options.vertices;
  const double square = std::sqrt(static_cast<double>(n) * options.major_radius / options.minor_radius);
  const auto windings = std::clamp(static_cast<Count>(std::lround(square)), Count{3}, n / 3);
  const Count step = (n + windings / 2) / windings;  // Leads to about the same place on the next winding.
  for (Count t = 0; t < n; ++t) {
    const double share = static_cast<double>(t) / static_cast<double>(n);
    const double turns = static_cast<double>((t * windings) % n) / static_cast<double>(n);
    mesh.vertices.push_back(point(options, full_turn * share, full_turn * turns));
    const auto at = [&](Count ahead) { return static_cast<Index>((t + ahead) % n); };
    const std::array<Index, 4> quad = {at(0), at(step), at(step + 1), at(1)};
    mesh.polygons.add(quad);
  }
  return mesh;
}

Mesh of_quads(const TorusOptions& options) {
  const Division division = best_division(options);
  const auto quality = [](const Mesh& mesh) {
    const EdgeLengths lengths = edge_lengths(mesh);
    return lengths.longest / lengths.median;
  };
  if (division.rings == 0) return wound(options);
  Mesh rings = ringed(options, division);
  constexpr double good = 3.0;
  if (quality(rings) <= good) return rings;
  Mesh helix = wound(options);
  return quality(helix) < quality(rings) ? helix : rings;
}

/// A k-d tree of the vertices so far.
using SurfacePoints = PointCloud<const VectorArray&>;
using GrowingTree =
    nanoflann::KDTreeSingleIndexDynamicAdaptor<nanoflann::L2_Simple_Adaptor<double, SurfacePoints>,
                                               SurfacePoints, 3, std::size_t>;

/// A random point of the surface; equal areas are equally likely.
Vec3 random_point(const TorusOptions& options, std::mt19937_64& random) {
  for (;;) {
    const double around = full_turn * parameters::uniform(random);
    const double along = full_turn * parameters::uniform(random);
    const double area = options.major_radius + options.minor_radius * std::cos(along);
    if (parameters::uniform(random) * (options.major_radius + options.minor_radius) <= area)
      return point(options, around, along);
  }
}

Mesh of_candidates(const TorusOptions& options) {
  Mesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(options.vertices));
  const SurfacePoints cloud{mesh.vertices};
  GrowingTree tree(3, cloud);
  std::mt19937_64 random(options.seed);
  while (static_cast<Count>(mesh.vertices.size()) < options.vertices) {
    throw_if_stopped();
    Vec3 best;
    double best_distance = -1.0;
    for (Count c = 0; c < (mesh.vertices.empty() ? 1 : options.candidates); ++c) {
      const Vec3 candidate = random_point(options, random);
      std::size_t neighbour = 0;
      double distance = std::numeric_limits<double>::max();
      if (!mesh.vertices.empty()) {
        nanoflann::KNNResultSet<double> result(1);
        result.init(&neighbour, &distance);
        tree.findNeighbors(result, &candidate.x, SearchOptions());
      }
      if (distance > best_distance) {
        best = candidate;
        best_distance = distance;
      }
    }
    mesh.vertices.push_back(best);
    tree.addPoints(mesh.vertices.size() - 1, mesh.vertices.size() - 1);
  }
  return mesh;
}

TorusOptions torus_options(const ParameterValues& values) {
  TorusOptions options;
  options.major_radius = parameters::value(values, "major_radius", options.major_radius);
  options.minor_radius = parameters::value(values, "minor_radius", options.minor_radius);
  options.vertices = parameters::value(values, "vertices", options.vertices);
  if (parameters::value(values, "sampling", "grid") == "best_candidate")
    options.sampling = TorusSampling::best_candidate;
  options.candidates = parameters::value(values, "candidates", options.candidates);
  options.seed = parameters::value(values, "seed", options.seed);
  return options;
}

std::vector<ParameterFinding> torus_contradictions(const ParameterValues& values) {
  const TorusOptions options = torus_options(values);
  std::vector<ParameterFinding> findings;
  if (options.minor_radius >= options.major_radius)
    findings.push_back({values.contains("minor_radius") ? "minor_radius" : "major_radius",
                        "a minor radius of " + parameters::written(options.minor_radius) +
                            " in a major radius of " + parameters::written(options.major_radius),
                        "the minor radius is smaller than the major one"});
  // Of smaller numbers, only 3 × 3 and 3 × 4 rings of quads do not intersect themselves.
  constexpr Count fewest = 15;
  const bool works = options.vertices >= fewest || options.vertices == 9 || options.vertices == 12;
  if (options.sampling == TorusSampling::grid && !works)
    findings.push_back({"vertices", "a torus of " + std::to_string(options.vertices) + " vertices",
                        "a grid has 9, 12, or at least " + std::to_string(fewest)});
  return findings;
}

}  // namespace

Mesh torus(const TorusOptions& options) {
  Mesh mesh = options.sampling == TorusSampling::grid ? of_quads(options) : of_candidates(options);
  const auto& x = mesh.vertices;
  const auto is_inner = [&](std::size_t i) { return std::hypot(x[i].x, x[i].y) < options.major_radius; };
  parameters::add_group(mesh, "left", [&](std::size_t i) { return x[i].x < 0.0; });
  parameters::add_group(mesh, "right", [&](std::size_t i) { return x[i].x >= 0.0; });
  parameters::add_group(mesh, "inner", is_inner);
  parameters::add_group(mesh, "outer", [&](std::size_t i) { return !is_inner(i); });
  return mesh;
}

const Shape& torus_shape() {
  static const TorusOptions defaults;
  static const Shape shape = {
      "torus",
      "a ring about the z axis",
      {parameters::length("major_radius", defaults.major_radius, "from the axis to the middle of the tube"),
       parameters::length("minor_radius", defaults.minor_radius, "of the tube"),
       parameters::integer("vertices", defaults.vertices, 1, 10'000'000, "within 2 %"),
       parameters::choice("sampling", "grid", {"grid", "best_candidate"},
                          "quads in rings, or only vertices, which keep apart from each other"),
       parameters::integer("candidates", defaults.candidates, 1, 10'000,
                           "best_candidate: points drawn per vertex, of which the farthest is kept"),
       parameters::seed(defaults.seed)},
      {"left", "right", "inner", "outer"},
      [](const ParameterValues& values) { return torus(torus_options(values)); },
      torus_contradictions};
  return shape;
}

}  // namespace electret
