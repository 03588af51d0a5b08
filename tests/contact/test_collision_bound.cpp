// How far pairs may move: against samples of the way, and known collisions.

#include <gtest/gtest.h>

#include <electret/contact/collision_bound.hpp>
#include <electret/contact/pair_distance.hpp>
#include <electret/contact/surface_pairs.hpp>

#include "contact/surfaces.hpp"

namespace electret::test {
namespace {

constexpr SurfacePair vertex_triangle{PairKind::vertex_triangle, {0, 1, 2, 3}},
    edge_edge{PairKind::edge_edge, {0, 1, 2, 3}};

double distance_on_way(const SurfacePair& pair, VectorView x, VectorView way, double t) {
  PairPlaces at;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto v = static_cast<std::size_t>(pair.vertices[k]);
    at[k] = x[v] + t * way[v];
  }
  return pair_distance(pair.kind, at).distance;
}

/// l of the bound.
double longest_ways(PairKind kind, VectorArray way) {
  const Vec3 mean = 0.25 * (way[0] + way[1] + way[2] + way[3]);
  for (Vec3& p : way) p -= mean;
  if (kind == PairKind::edge_edge)
    return std::max(norm(way[0]), norm(way[1])) + std::max(norm(way[2]), norm(way[3]));
  return norm(way[0]) + std::max({norm(way[1]), norm(way[2]), norm(way[3])});
}

/// Random pairs which mostly collide. Between samples distances change by no more than the way.
void expect_bound_as_samples(const SurfacePair& pair, std::uint64_t seed) {
  constexpr int samples = 4000;
  Random random(seed);
  int stopped = 0;
  for (int trial = 0; trial < 200; ++trial) {
    VectorArray x(4), way(4);
    for (std::size_t k = 0; k < 4; ++k) {
      x[k] = random.in_cube(1.0);
      way[k] = random.in_cube(1.0) - 1.5 * x[k];
    }
    const double first = distance_on_way(pair, x, way, 0.0), length = longest_ways(pair.kind, way),
                 between = 0.5 * length / samples;
    const double bound = collision_bound(pair, x, way);
    ASSERT_GE(bound, std::min(1.0, 0.8 * first / length * (1.0 - 1e-12)));
    ASSERT_GE(distance_on_way(pair, x, way, bound), 0.2 * first * (1.0 - 1e-12));
    double close = 2.0;  // The first sample nearer than 0.2 of the first distance.
    for (int k = 0; k <= samples; ++k) {
      const double t = static_cast<double>(k) / samples, d = distance_on_way(pair, x, way, t);
      ASSERT_TRUE(t > bound || d > 0.02 * first - between) << t << " of " << bound;
      if (d < 0.2 * first) close = std::min(close, t);
    }
    if (bound == 1.0) continue;
    ++stopped;
    // The next step would have come closer.
    const double step = 0.9 * distance_on_way(pair, x, way, bound) / length;
    ASSERT_LE(close, bound + step + 1.0 / samples);
  }
  EXPECT_GT(stopped, 40);
  EXPECT_LT(stopped, 190);
}

TEST(CollisionBound, KeepsAVertexAndATriangleApart) {
  expect_bound_as_samples(vertex_triangle, 1);
}

TEST(CollisionBound, KeepsTwoEdgesApart) {
  expect_bound_as_samples(edge_edge, 2);
}

TEST(CollisionBound, LeavesATenthOfTheWayOfAVertexThatFallsOnATriangle) {
  const VectorArray x{{0.2, 0.2, 1.0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const VectorArray way{{0, 0, -4}, {}, {}, {}};
  const double bound = collision_bound(vertex_triangle, x, way);
  EXPECT_GE(bound, 0.8 * 0.25);
  EXPECT_LT(bound, 0.25);
  EXPECT_GE(distance_on_way(vertex_triangle, x, way, bound), 0.2 - 1e-12);
  EXPECT_EQ(collision_bound(vertex_triangle, x, VectorArray{{0, 0, -0.5}, {}, {}, {}}), 1.0);
  EXPECT_EQ(collision_bound(vertex_triangle, x, VectorArray{{0, 0, 4}, {}, {}, {}}), 1.0);
}

TEST(CollisionBound, DoesNotDependOnACommonMotion) {
  const VectorArray x{{0.2, 0.2, 1.0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  VectorArray way{{0, 0, -4}, {}, {}, {}};
  const double alone = collision_bound(vertex_triangle, x, way);
  for (Vec3& p : way) p += Vec3{30.0, -20.0, 50.0};
  EXPECT_NEAR(collision_bound(vertex_triangle, x, way), alone, 1e-12);
}

TEST(CollisionBound, OfPartsThatMeetIsZeroAndOfPartsThatRestIsOne) {
  const VectorArray touching{{0.2, 0.2, 0.0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, rest(4);
  EXPECT_EQ(collision_bound(vertex_triangle, touching, VectorArray{{0, 0, 1}, {}, {}, {}}), 0.0);
  EXPECT_EQ(collision_bound(vertex_triangle, touching, rest), 1.0);
}

/// A slide at a distance of a part of the way, which never meets, ends at its end.
TEST(CollisionBound, LetsPartsSlidePastEachOther) {
  const VectorArray x{{-1e-3, 0.2, 1e-3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const VectorArray way{{4, 0, 0}, {}, {}, {}};
  EXPECT_EQ(collision_bound(vertex_triangle, x, way), 1.0);
}

/// The bound of many pairs would else depend on which of them comes first.
TEST(CollisionBound, UpToAnyLengthIsTheLesserOfBoth) {
  Random random(9);
  for (int trial = 0; trial < 300; ++trial) {
    VectorArray x(4), way(4);
    for (std::size_t k = 0; k < 4; ++k) x[k] = random.in_cube(1.0), way[k] = random.in_cube(1.0) - 1.5 * x[k];
    const double bound = collision_bound(edge_edge, x, way);
    for (const double share : {0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 1.5}) {
      const double most = std::min(1.0, share * bound);
      EXPECT_EQ(collision_bound(edge_edge, x, way, most), std::min(most, bound));
    }
  }
}

struct Crowd {
  TestBodies bodies = crowded_bodies(5, 10);
  ContactSurface surface = bodies.surface();
  VectorArray way;
  Threads threads{3};
  std::unique_ptr<SurfacePairs> pairs;

  explicit Crowd(double size) : way(random_vectors(bodies.places.size(), 6, size)) {
    BodyPairs all(5);
    for (std::size_t a = 0; a < 5; ++a)
      for (std::size_t b = 0; b <= a; ++b) all.allow(a, b);
    pairs = std::make_unique<SurfacePairs>(surface, all, 0.01, threads);
    VectorArray to = bodies.places;
    for (std::size_t v = 0; v < to.size(); ++v) to[v] += way[v];
    pairs->find(bodies.places, to);
  }
};

TEST(CollisionBound, OfAllPairsIsTheSmallestAtAnyNumberOfThreads) {
  const Crowd crowd(0.02);
  double least = 1.0;
  for (const SurfacePair& pair : crowd.pairs->pairs())
    least = std::min(least, collision_bound(pair, crowd.bodies.places, crowd.way));
  EXPECT_LT(least, 0.5);
  EXPECT_GT(least, 0.0);
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    EXPECT_EQ(collision_bound(crowd.pairs->pairs(), crowd.bodies.places, crowd.way, threads), least);
  }
  std::vector<SurfacePair> reversed(crowd.pairs->pairs().rbegin(), crowd.pairs->pairs().rend());
  Threads one(1);
  EXPECT_EQ(collision_bound(reversed, crowd.bodies.places, crowd.way, one), least);
}

TEST(ShortenedWays, BringNoPairNearerThanATenthOfItsDistance) {
  const Crowd crowd(0.1);
  std::vector<double> distances(crowd.way.size());
  VectorArray ways;
  for (const int count : {1, 3}) {
    Threads threads(count);
    VectorArray way = crowd.way;
    shorten_ways(crowd.pairs->pairs(), crowd.bodies.places, way, distances, threads);
    if (ways.empty()) ways = way;
    EXPECT_EQ(ways, way);
  }
  std::size_t shortened = 0;
  for (std::size_t v = 0; v < ways.size(); ++v) {
    if (ways[v] == crowd.way[v]) continue;
    ++shortened;
    EXPECT_NEAR(norm(ways[v]), 0.45 * distances[v], 1e-12);
  }
  EXPECT_GT(shortened, 100U);
  for (const SurfacePair& pair : crowd.pairs->pairs()) {
    const double first = distance_on_way(pair, crowd.bodies.places, ways, 0.0);
    for (const double t : {0.3, 0.6, 1.0})
      EXPECT_GE(distance_on_way(pair, crowd.bodies.places, ways, t), 0.1 * first * (1.0 - 1e-9));
  }
}

}  // namespace
}  // namespace electret::test
