// Edges that go through triangles: against all pairs, and never after steps within the collision bound.

#include <gtest/gtest.h>

#include <electret/contact/collision_bound.hpp>
#include <electret/contact/surface_intersections.hpp>
#include <electret/contact/surface_pairs.hpp>
#include <electret/geometry/orientation.hpp>

#include "contact/surfaces.hpp"

namespace electret::test {
namespace {

BodyPairs every_body(std::size_t count) {
  BodyPairs bodies(count);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b <= a; ++b) bodies.allow(a, b);
  return bodies;
}

TEST(SurfaceIntersections, AreThoseOfAllEdgesAndTriangles) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TestBodies bodies = crowded_bodies(seed);
    const ContactSurface surface = bodies.surface();
    BodyPairs may_touch = every_body(5);
    may_touch.allow(1, 2, false);
    const auto at = [&](Index v) { return bodies.places[static_cast<std::size_t>(v)]; };
    std::vector<std::pair<Edge, Triangle>> expected;
    for (const Edge& e : surface.edges())
      for (const Triangle& t : surface.triangles()) {
        if (std::find_first_of(e.begin(), e.end(), t.begin(), t.end()) != e.end()) continue;
        const std::array<Index, 5> all{e[0], e[1], t[0], t[1], t[2]};
        if (std::none_of(all.begin(), all.end(), [&](Index v) { return surface.is_free(v); })) continue;
        if (may_touch.may_touch(surface.body(e[0]), surface.body(t[0])) &&
            segment_meets_triangle(at(e[0]), at(e[1]), {at(t[0]), at(t[1]), at(t[2])}))
          expected.emplace_back(e, t);
      }
    EXPECT_GT(expected.size(), 20U);
    for (const int count : {1, 3}) {
      Threads threads(count);
      const auto found = surface_intersections(surface, may_touch, bodies.places, threads);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].edge, expected[k].first);
        EXPECT_EQ(found[k].triangle, expected[k].second);
      }
    }
  }
}

TEST(SurfaceIntersections, SayWhere) {
  TestBodies bodies;
  bodies.add_sheet(1, [](double u, double v) { return Vec3{u, v, 0.5 * u}; });
  bodies.add_chain(1, {0.6, 0.7, -1.0}, {0.6, 0.7, 1.0});
  Threads threads(1);
  const auto found = surface_intersections(bodies.surface(), every_body(2), bodies.places, threads);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].edge, (Edge{4, 5}));
  EXPECT_EQ(found[0].triangle, (Triangle{1, 2, 3}));
  EXPECT_NEAR(norm(found[0].place - Vec3{0.6, 0.7, 0.3}), 0.0, 1e-12);
  EXPECT_TRUE(surface_intersections(bodies.surface(), BodyPairs(2), bodies.places, threads).empty());
}

/// Sheets that tumble through each other at random, held back by the bound alone, stay apart for hundreds of
/// steps; without it they meet at once.
TEST(SurfaceIntersections, NeverAppearWithinTheCollisionBound) {
  TestBodies bodies;
  for (int layer = 0; layer < 3; ++layer)
    bodies.add_sheet(5, [&](double u, double v) { return Vec3{u, v, 0.1 * layer}; });
  bodies.add_chain(6, {0.1, -0.3, 0.25}, {0.8, 1.2, 0.26});
  const ContactSurface surface = bodies.surface();
  const BodyPairs all = every_body(4);
  Threads threads(2);
  SurfacePairs pairs(surface, all, 0.01, threads);
  Random random(8);
  VectorArray x = bodies.places, way(x.size()), to(x.size());
  int held = 0, crossed = 0;
  for (int step = 0; step < 300; ++step) {
    for (std::size_t v = 0; v < x.size(); ++v) {
      way[v] = random.in_cube(0.05) + 0.3 * (Vec3{0.5, 0.5, 0.1} - x[v]) * random.uniform(0.0, 1.0);
      to[v] = x[v] + way[v];
    }
    pairs.find(x, to);
    ASSERT_TRUE(pairs.covers(x) && pairs.covers(to));
    const double bound = collision_bound(pairs.pairs(), x, way, threads);
    held += bound < 1.0 ? 1 : 0;
    if (step == 0) crossed += surface_intersections(surface, all, to, threads).empty() ? 0 : 1;
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += bound * way[v];
    ASSERT_TRUE(surface_intersections(surface, all, x, threads).empty()) << step;
  }
  EXPECT_GT(held, 200);
  EXPECT_EQ(crossed, 1);
}

}  // namespace
}  // namespace electret::test
