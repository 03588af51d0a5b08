// The distance between two parts of surfaces: against a search over all points of both, and its derivatives
// against differences, for every closest feature.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "contact/pair_places.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr auto vt = PairKind::vertex_triangle, ee = PairKind::edge_edge;

Vec3 between(const Vec3& a, const Vec3& b, double s) {
  return a + s * (b - a);
}

/// The least distance over a lattice of points of both parts: too large by no more than its cells.
double sampled_distance(PairKind kind, const PairPlaces& x, int cells) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      const double s = double(i) / cells, t = double(j) / cells;
      const Vec3 on_triangle = between(x[1], between(x[2], x[3], t), s);
      const Vec3 gap = kind == vt ? x[0] - on_triangle : between(x[0], x[1], s) - between(x[2], x[3], t);
      least = std::min(least, norm(gap));
    }
  return least;
}

TEST(PairDistance, KnowsEveryFeature) {
  for (const PlacedPair& pair : pairs_of_every_feature())
    EXPECT_EQ(pair_distance(pair.kind, pair.places).feature, pair.feature) << pair.name;
}

TEST(PairDistance, IsTheLeastOverAllPointsOfBothParts) {
  Random random(3);
  for (int k = 0; k < 400; ++k) {
    const PairKind kind = k % 2 == 0 ? vt : ee;
    PairPlaces x;
    for (Vec3& p : x) p = random.in_cube(1.0);
    const double d = pair_distance(kind, x).distance, sampled = sampled_distance(kind, x, 60);
    EXPECT_LE(d, sampled + 1e-14);
    EXPECT_NEAR(d, sampled, 0.06);  // Half of a cell on each part, of vectors up to 3.5 long.
  }
}

/// By long double, whose rounding is 2000 times as fine: the least distance of an end from the other edge, or
/// that of the closest points within both edges. These are found on the one edge for the point on the other
/// in turn.
double edge_distance_in_long_double(const PairPlaces& x) {
  using Long = std::array<long double, 3>;
  const auto minus = [](const Long& a, const Long& b) { return Long{a[0] - b[0], a[1] - b[1], a[2] - b[2]}; };
  const auto on = [](const Long& a, long double t, const Long& u) {
    return Long{a[0] + t * u[0], a[1] + t * u[1], a[2] + t * u[2]};
  };
  const auto times = [](const Long& a, const Long& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const auto across = [](const Long& a, const Long& b) {
    return Long{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  std::array<Long, 4> p;
  for (std::size_t i = 0; i < 4; ++i) p[i] = {x[i].x, x[i].y, x[i].z};
  const Long u = minus(p[1], p[0]), v = minus(p[3], p[2]), r = minus(p[2], p[0]), area = across(u, v);
  long double least = std::numeric_limits<long double>::infinity();
  const auto nearest = [&](const Long& point, const Long& from, const Long& along) {
    const long double t =
        std::clamp<long double>(times(minus(point, from), along) / times(along, along), 0, 1);
    const Long there = on(from, t, along), off = minus(point, there);
    least = std::min(least, std::sqrt(times(off, off)));
    return there;
  };
  nearest(p[0], p[2], v), nearest(p[1], p[2], v), nearest(p[2], p[0], u), nearest(p[3], p[0], u);
  const long double c = times(area, area), first = times(across(r, v), area),
                    second = times(across(r, u), area);
  if (first > 0 && first < c && second > 0 && second < c) {
    Long point = on(p[0], first / c, u);
    for (int turn = 0; turn < 3; ++turn) point = nearest(nearest(point, p[2], v), p[0], u);
  }
  return static_cast<double>(least);
}

/// Edges that lie along each other, as those of meshes of blocks do, and are pressed hard. What is too large
/// here would let them pass through each other.
TEST(PairDistance, OfNearlyParallelEdgesIsNotTooLarge) {
  Random random(11);
  for (const double gap : {1e-3, 1e-5, 1e-7, 1e-9})
    for (int power = -14; power <= -3; ++power)
      for (int k = 0; k < 200; ++k) {
        const Vec3 along = (1.0 / 1.7) * (random.in_cube(0.3) + Vec3{1.0, 0.8, -0.6});
        const Vec3 side = cross(along, Vec3{0.1, -0.4, 1.0}), up = cross(along, side);
        const double off = std::pow(10.0, power);
        PairPlaces x{Vec3{0.3, 0.2, 0.1}};
        x[1] = x[0] + along;
        x[2] = x[0] + random.in_cube(0.9).x * along + (off * random.in_cube(1.0).x) * side +
               (gap / norm(up)) * up;
        x[3] = x[2] + (1.0 + random.in_cube(0.5).x) * along + (off * random.in_cube(1.0).x) * side;
        const double d = pair_distance(ee, x).distance, exact = edge_distance_in_long_double(x);
        ASSERT_NEAR(d, exact, 1e-5 * exact) << gap << " " << power;
      }
}

TEST(PairDistance, GapIsTheWeightedSumAndWeightsBelongToBothParts) {
  for (const PlacedPair& pair : pairs_of_every_feature()) {
    const PairDistance at = pair_distance(pair.kind, pair.places);
    Vec3 gap;
    double sum = 0.0, size = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      gap += at.weights[i] * pair.places[i];
      sum += at.weights[i];
      size += std::abs(at.weights[i]);
    }
    EXPECT_LT(norm(gap - at.gap), 1e-14) << pair.name;
    EXPECT_NEAR(at.distance, norm(at.gap), 1e-15) << pair.name;
    EXPECT_NEAR(sum, 0.0, 1e-15) << pair.name;
    EXPECT_NEAR(size, 2.0, 1e-14) << pair.name;
  }
}

PairPlaces moved(PairPlaces x, double s, const PairPlaces& direction) {
  for (std::size_t i = 0; i < 4; ++i) x[i] += s * direction[i];
  return x;
}

TEST(PairDistance, GradientIsThatOfDifferences) {
  Random random(5);
  for (const PlacedPair& pair : pairs_of_every_feature())
    for (int k = 0; k < 3; ++k) {
      PairPlaces z;
      for (Vec3& v : z) v = random.in_cube(1.0);
      const PairDistance at = pair_distance(pair.kind, pair.places);
      double slope = 0.0;
      for (std::size_t i = 0; i < 4; ++i) slope += dot(at.weights[i] * at.normal, z[i]);
      const double expected = derivative(
          [&](double s) { return pair_distance(pair.kind, moved(pair.places, s, z)).distance; }, 1e-3);
      EXPECT_NEAR(slope, expected, 1e-9) << pair.name;
    }
}

TEST(PairDistance, HessianIsThatOfDifferences) {
  Random random(6);
  for (const PlacedPair& pair : pairs_of_every_feature()) {
    const PairDistance at = pair_distance(pair.kind, pair.places);
    const PairBlocks blocks = distance_hessian(at, closest_point_slopes(at, pair.places));
    PairPlaces z;
    for (Vec3& v : z) v = random.in_cube(1.0);
    for (std::size_t i = 0; i < 4; ++i) {
      Vec3 product;
      for (std::size_t j = 0; j < 4; ++j) product += blocks[i][j] * z[j];
      for (int axis = 0; axis < 3; ++axis) {
        const double expected = derivative(
            [&](double s) {
              const PairDistance there = pair_distance(pair.kind, moved(pair.places, s, z));
              return there.weights[i] * there.normal[axis];
            },
            1e-3);
        EXPECT_NEAR(product[axis], expected, 1e-8) << pair.name << ", vertex " << i << ", axis " << axis;
      }
    }
  }
}

TEST(PairDistance, ClosestPointMovesAsItsSlopesSay) {
  Random random(7);
  for (const PlacedPair& pair : pairs_of_every_feature()) {
    const PairDistance at = pair_distance(pair.kind, pair.places);
    const ClosestPointSlopes slopes = closest_point_slopes(at, pair.places);
    PairPlaces z;
    for (Vec3& v : z) v = random.in_cube(1.0);
    std::array<double, 2> moment{};
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t i = 0; i < 4; ++i) moment[a] += dot(slopes.moments[a][i], z[i]);
    for (std::size_t i = 0; i < 4; ++i) {
      double change = 0.0;
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 2; ++b) change -= at.slopes[a][i] * slopes.inverse[a][b] * moment[b];
      const double expected = derivative(
          [&](double s) { return pair_distance(pair.kind, moved(pair.places, s, z)).weights[i]; }, 1e-3);
      EXPECT_NEAR(change, expected, 1e-8) << pair.name;
    }
  }
}

TEST(PairDistance, HeldFeatureIsTheClosestOneWhereItIsClosest) {
  for (const PlacedPair& pair : pairs_of_every_feature()) {
    const PairDistance closest = pair_distance(pair.kind, pair.places),
                       held = pair_distance(pair.feature, pair.kind, pair.places);
    EXPECT_EQ(closest.distance, held.distance) << pair.name;
    EXPECT_EQ(closest.weights, held.weights) << pair.name;
  }
}

TEST(PairDistance, KeepsItsDigitsForNearlyParallelEdges) {
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-13, 0.0}) {
    const PairPlaces x{{{-1, 0, 0.1}, {1, 0, 0.1}, {-0.9, -angle, 0}, {1.1, angle, 0}}};
    EXPECT_NEAR(pair_distance(ee, x).distance, 0.1, 1e-15 + 2.0 * angle * angle) << angle;
  }
}

TEST(PairDistance, IsFiniteForFlatTrianglesAndEdgesWithoutLength) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{2, 0, 0}, p{1.5, 0, 2};
  EXPECT_DOUBLE_EQ(pair_distance(vt, {{p, a, b, c}}).distance, 2.0);
  EXPECT_DOUBLE_EQ(pair_distance(vt, {{p, a, a, a}}).distance, 2.5);
  EXPECT_DOUBLE_EQ(pair_distance(vt, {{p, a, c, c}}).distance, 2.0);
  EXPECT_EQ(pair_distance(vt, {{a, a, b, {0, 1, 0}}}).distance, 0.0);
  EXPECT_DOUBLE_EQ(pair_distance(ee, {{p, p, a, c}}).distance, 2.0);
  EXPECT_DOUBLE_EQ(pair_distance(ee, {{p, p, a, a}}).distance, 2.5);
  EXPECT_EQ(pair_distance(ee, {{a, b, a, b}}).distance, 0.0);
  for (const Vec3& x : {a, b, p}) {
    const PairDistance at = pair_distance(vt, {{x, x, x, x}});
    EXPECT_EQ(at.distance, 0.0);
    EXPECT_TRUE(is_finite(at.normal));
  }
}

TEST(EdgeMollifier, DerivativesAreThoseOfDifferences) {
  const Vec3 u{1.0, 0.2, 0.1}, v{1.1, 0.21, 0.12};
  const double c0 = mollifier_threshold(u, v);
  const EdgeMollifier m = edge_mollifier(u, v, c0);
  ASSERT_FALSE(m.is_one);
  ASSERT_GT(m.value, 0.01);
  ASSERT_LT(m.value, 0.99);
  Random random(9);
  const Vec3 p = random.in_cube(1.0), q = random.in_cube(1.0);
  const auto at = [&](double s) { return edge_mollifier(u + s * p, v + s * q, c0); };
  constexpr double step = 1e-5;
  EXPECT_NEAR(dot(m.by_first, p) + dot(m.by_second, q),
              derivative([&](double s) { return at(s).value; }, step), 1e-7);
  const Vec3 first = m.first_first * p + m.first_second * q,
             second = transposed_product(m.first_second, p) + m.second_second * q;
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(first[axis], derivative([&](double s) { return at(s).by_first[axis]; }, step), 1e-4);
    EXPECT_NEAR(second[axis], derivative([&](double s) { return at(s).by_second[axis]; }, step), 1e-4);
  }
}

TEST(EdgeMollifier, IsOneForEdgesThatCrossAndNothingForParallelOnes) {
  const Vec3 u{1, 0, 0};
  EXPECT_TRUE(edge_mollifier(u, {0.5, 1, 0}, mollifier_threshold(u, {0, 1, 0})).is_one);
  const EdgeMollifier parallel = edge_mollifier(u, {2, 0, 0}, mollifier_threshold(u, u));
  EXPECT_FALSE(parallel.is_one);
  EXPECT_EQ(parallel.value, 0.0);
  EXPECT_EQ(parallel.by_first, Vec3{});
}

}  // namespace
}  // namespace electret::test
