#pragma once
/// \file
/// Surfaces of several bodies for the tests of contact between them.

#include <vector>

#include <electret/contact/contact_surface.hpp>

#include "support/random.hpp"

namespace electret::test {

/// Bodies under construction.
struct TestBodies {
  VectorArray places;
  std::vector<Triangle> triangles;
  std::vector<Edge> lines;
  std::vector<Index> points;
  std::vector<Count> offsets{0};
  std::vector<char> is_free;

  /// Ends a body: all vertices since the last one.
  void end_body() {
    offsets.push_back(static_cast<Count>(places.size()));
    is_free.resize(places.size(), 1);
  }
  /// A sheet of n × n squares, cut in two. `at` places the point (u, v) of [0, 1]².
  template <class At>
  void add_sheet(Index n, const At& at) {
    const auto first = static_cast<Index>(places.size());
    for (Index i = 0; i <= n; ++i)
      for (Index j = 0; j <= n; ++j)
        places.push_back(at(static_cast<double>(i) / n, static_cast<double>(j) / n));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const Index a = first + i * (n + 1) + j, b = a + n + 1;
        triangles.push_back({a, b, a + 1});
        triangles.push_back({b, b + 1, a + 1});
      }
    end_body();
  }
  /// A chain of n edges from `from` to `to`.
  void add_chain(Index n, const Vec3& from, const Vec3& to) {
    const auto first = static_cast<Index>(places.size());
    for (Index k = 0; k <= n; ++k) places.push_back(from + (static_cast<double>(k) / n) * (to - from));
    for (Index k = 0; k < n; ++k) lines.push_back({first + k, first + k + 1});
    end_body();
  }
  void add_points(const VectorArray& cloud) {
    for (const Vec3& x : cloud) {
      points.push_back(static_cast<Index>(places.size()));
      places.push_back(x);
    }
    end_body();
  }

  [[nodiscard]] ContactSurface surface() const {
    return ContactSurface({triangles, lines, points}, offsets, places, is_free);
  }
};

/// Three wavy sheets that nearly touch, a chain, and a cloud of points; some vertices are pinned, and one
/// sheet is pinned as a whole.
inline TestBodies crowded_bodies(std::uint64_t seed, Index n = 6) {
  Random random(seed);
  TestBodies bodies;
  for (int layer = 0; layer < 3; ++layer)
    bodies.add_sheet(n, [&](double u, double v) { return Vec3{u, v, 0.06 * layer} + random.in_cube(0.05); });
  bodies.add_chain(2 * n, {0.1, -0.2, 0.1}, {0.9, 1.2, 0.05});
  VectorArray cloud(20);
  for (Vec3& x : cloud) x = Vec3{0.5, 0.5, 0.1} + random.in_cube(0.5);
  bodies.add_points(cloud);
  for (std::size_t v = 0; v < bodies.places.size(); ++v)
    if (v < static_cast<std::size_t>(bodies.offsets[1]) || random.uniform(0.0, 1.0) < 0.1)
      bodies.is_free[v] = 0;
  return bodies;
}

}  // namespace electret::test
