#include "dynamics/networks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "support/random.hpp"

namespace electret::test {
namespace {

void finish(Assembly& assembly) {
  const auto n = static_cast<Count>(assembly.masses.size());
  assembly.rest_positions = assembly.initial_positions;
  assembly.body_offsets = {0, n};
  assembly.spring_offsets = {0, static_cast<Count>(assembly.springs.size())};
  assembly.body_spring_offsets = assembly.spring_offsets;
}

double distance(const Assembly& assembly, std::size_t i, std::size_t j) {
  return norm(assembly.initial_positions[i] - assembly.initial_positions[j]);
}

void add_springs_within(Assembly& assembly, double reach, Random& random) {
  for (std::size_t i = 0; i < assembly.masses.size(); ++i)
    for (std::size_t j = i + 1; j < assembly.masses.size(); ++j)
      if (distance(assembly, i, j) < reach)
        assembly.springs.push_back({static_cast<Index>(i), static_cast<Index>(j), random.uniform(5.0, 20.0),
                                    distance(assembly, i, j) * random.uniform(0.7, 1.3)});
}

void add_nearest_springs(Assembly& assembly, std::size_t neighbours, double stiffness) {
  std::set<std::pair<Index, Index>> pairs;
  for (std::size_t i = 0; i < assembly.masses.size(); ++i) {
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t j = 0; j < assembly.masses.size(); ++j)
      if (j != i) others.emplace_back(distance(assembly, i, j), j);
    std::sort(others.begin(), others.end());
    for (std::size_t k = 0; k < neighbours; ++k) {
      const auto j = others[k].second;
      pairs.emplace(static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j)));
    }
  }
  for (const auto& [i, j] : pairs)
    assembly.springs.push_back(
        {i, j, stiffness, distance(assembly, static_cast<std::size_t>(i), static_cast<std::size_t>(j))});
}

void apply(const NetworkOptions& options, Scene& scene) {
  scene.time.step = options.step;
  scene.integrator.method = options.method;
  scene.integrator.tolerance = options.tolerance;
  scene.integrator.max_iterations = 5000;
  if (options.coulomb) scene.coulomb = FieldOptions{};
  if (options.gravity) scene.gravity = Vec3{0.3, -0.2, -9.81};
  scene.damping = {options.drag, options.spring_damping};
}

}  // namespace

Assembly random_network(const NetworkOptions& options) {
  Random random(options.seed);
  Assembly assembly;
  apply(options, assembly.scene);
  for (int i = 0; i < options.side; ++i)
    for (int j = 0; j < options.side; ++j)
      for (int k = 0; k < options.side; ++k) {
        assembly.initial_positions.push_back(Vec3{1.0 * i, 1.0 * j, 1.0 * k} + random.in_cube(0.2));
        assembly.initial_velocities.push_back(random.in_cube(0.5));
        assembly.masses.push_back(random.uniform(0.5, 2.0));
        assembly.charges.push_back(random.uniform(-1e-5, 1e-5));
      }
  if (options.springs) add_springs_within(assembly, 1.3, random);
  finish(assembly);
  if (options.pins) add_pins(assembly, {0, 4, 7});
  if (options.moved_pins)
    add_pins(assembly, {2, 5},
             {{0.0, 0.03, 0.09}, {{}, {0.05, 0.0, 0.02}, {0.0, 0.1, -0.02}}, Interpolation::linear});
  if (options.rollers) {
    add_pins(assembly, {9, 17}, {{0.0, 0.05}, {{}, {0.04, -0.02, 0.01}}, Interpolation::linear},
             {{0.6, 0.0, 0.8}, {}});
    add_pins(assembly, {17}, {}, {{0.0, 1.0, 0.0}, {}});
    add_pins(assembly, {22}, {{0.0, 0.1}, {{}, {0.02, 0.03, -0.05}}, Interpolation::linear},
             {{}, {2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0}});
  }
  return assembly;
}

Assembly loose_vertices(VectorArray positions, double step, const std::string& method) {
  Assembly assembly;
  NetworkOptions options;
  options.step = step;
  options.method = method;
  options.coulomb = false;
  apply(options, assembly.scene);
  assembly.masses.assign(positions.size(), 1.0);
  assembly.charges.assign(positions.size(), 0.0);
  assembly.initial_velocities.resize(positions.size());
  assembly.initial_positions = std::move(positions);
  finish(assembly);
  return assembly;
}

Assembly charged_torus(double step, const std::string& method, double charge) {
  constexpr double major = 1.0, minor = 0.4, turn = 2.0 * std::numbers::pi;
  Random random(145);
  VectorArray points;
  const auto candidate = [&] {
    for (;;) {
      const double u = random.uniform(0.0, turn), v = random.uniform(0.0, turn);
      const double ring = major + minor * std::cos(v);
      if (random.uniform(0.0, major + minor) > ring) continue;  // uniform by area
      return Vec3{ring * std::cos(u), ring * std::sin(u), minor * std::sin(v)};
    }
  };
  while (points.size() < 145) {
    Vec3 best;
    double best_gap = -1.0;
    for (int k = 0; k < 40; ++k) {
      const Vec3 point = candidate();
      double gap = 1e30;
      for (const Vec3& other : points) gap = std::min(gap, norm(point - other));
      if (gap > best_gap) best_gap = gap, best = point;
    }
    points.push_back(best);
  }
  Assembly assembly = loose_vertices(std::move(points), step, method);
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.integrator.tolerance = 1e-6;
  assembly.charges.assign(assembly.masses.size(), charge);
  add_nearest_springs(assembly, 24, 10.0);
  finish(assembly);
  return assembly;
}

void add_pins(Assembly& assembly, std::vector<Index> vertices, KeyFrames<Vec3> offsets, PinHold hold) {
  assembly.pin_tracks.push_back({std::move(vertices), std::move(offsets), "pin", hold});
}

double largest_difference(VectorView a, VectorView b) {
  double largest = a.size() == b.size() ? 0.0 : 1e300;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double d = norm(a[i] - b[i]);
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

}  // namespace electret::test
