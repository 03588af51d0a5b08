/// \file
/// The parts of detecting contact of a sheet with itself, in processor time of one thread: a sheet rolled up
/// with layers 1 to 6 mm apart, of 10000 and 100000 faces. contact_detection.md has the table.

#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

#include <time.h>

#include <electret/contact/collision_bound.hpp>
#include <electret/contact/pair_distance.hpp>
#include <electret/contact/surface_intersections.hpp>
#include <electret/contact/surface_pairs.hpp>

namespace electret::bench {
namespace {

constexpr double thickness = 1e-3, edge = 1e-2;  ///< m.

double seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least of some runs, ms.
double milliseconds(int runs, const std::function<void()>& work) {
  double least = 1e300;
  for (int run = 0; run < runs; ++run) {
    const double before = seconds();
    work();
    least = std::min(least, seconds() - before);
  }
  return 1e3 * least;
}

struct Roll {
  VectorArray places;
  std::vector<Triangle> triangles;
};

/// rows × columns squares. Along the rows the sheet follows a spiral whose layers come apart outwards.
Roll rolled_sheet(Index rows, Index columns) {
  Roll roll;
  double angle = 0.0, radius = 0.05;
  for (Index i = 0; i <= rows; ++i) {
    for (Index j = 0; j <= columns; ++j)
      roll.places.push_back({radius * std::cos(angle), radius * std::sin(angle), edge * j});
    const double share = static_cast<double>(i) / rows, gap = 1e-3 + 5e-3 * share;
    const double turn = edge / radius;
    angle += turn;
    radius += gap * turn / (2.0 * std::numbers::pi);
  }
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Index a = i * (columns + 1) + j, b = a + columns + 1;
      roll.triangles.push_back({a, b, a + 1});
      roll.triangles.push_back({b, b + 1, a + 1});
    }
  return roll;
}

void measure(Index rows, Index columns, int runs) {
  const Roll roll = rolled_sheet(rows, columns);
  const std::vector<Count> offsets{0, static_cast<Count>(roll.places.size())};
  const std::vector<char> is_free(roll.places.size(), 1);
  const ContactSurface surface({roll.triangles, {}, {}}, offsets, roll.places, is_free);
  BodyPairs self(1);
  self.allow(0, 0);
  Threads threads(1);
  // A fall of 4 cm in a step, of which the vertices' own ways differ by up to 0.2 mm.
  VectorArray to = roll.places, way(to.size());
  for (std::size_t v = 0; v < to.size(); ++v) {
    const double phase = 40.0 * roll.places[v].z;
    way[v] = Vec3{1e-4 * std::sin(phase), 1e-4 * std::cos(3.0 * phase), 1e-4 * std::sin(2.0 * phase)};
    to[v] += way[v] + Vec3{0, 0, -0.04};
  }
  const double build = milliseconds(1, [&] { SurfacePairs(surface, self, thickness, threads); });
  SurfacePairs pairs(surface, self, thickness, threads);
  pairs.find(roll.places, to);
  const double find = milliseconds(runs, [&] { pairs.find(roll.places, to); });
  const double covers = milliseconds(runs, [&] { static_cast<void>(pairs.covers(to)); });
  double bound = 0.0, sum = 0.0;
  const double bounds =
      milliseconds(runs, [&] { bound = collision_bound(pairs.pairs(), roll.places, way, threads); });
  const double distances = milliseconds(runs, [&] {
    sum = 0.0;
    for (const SurfacePair& pair : pairs.pairs()) {
      const auto at = [&](std::size_t k) { return roll.places[static_cast<std::size_t>(pair.vertices[k])]; };
      sum += pair_distance(pair.kind, {at(0), at(1), at(2), at(3)}).distance;
    }
  });
  std::size_t found = 0;
  const double cuts =
      milliseconds(1, [&] { found = surface_intersections(surface, self, roll.places, threads).size(); });
  const auto count = static_cast<double>(pairs.pairs().size());
  std::printf("| %zu | %.1f | %.1f | %.0f | %.2f | %.1f (%.0f ns) | %.1f (%.0f ns) | %.1f |\n",
              surface.triangles().size(), build, find, count, covers, bounds, 1e6 * bounds / count, distances,
              1e6 * distances / count, cuts);
  std::fprintf(stderr, "bound %g, mean distance %g m, %zu intersections\n", bound, sum / count, found);
}

}  // namespace
}  // namespace electret::bench

int main() {
  std::puts(
      "| faces | trees | candidates, ms | their number | `covers` | bounds (a pair) | distances (a pair) | "
      "intersections |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
  electret::bench::measure(100, 50, 5);
  electret::bench::measure(500, 100, 3);
  return 0;
}
