/// Small balls about points: they hold them, and are about as small as can be.

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/field/fmm/tree/small_ball.hpp>
#include <electret/field/fmm/tree/tree.hpp>

namespace electret::fmm {
namespace {

Vec3 middle_of(VectorView points) {
  Threads threads(1);
  const Box box = bounds(points, threads);
  return box.low + 0.5 * (box.high - box.low);
}

double radius_about(const Vec3& centre, VectorView points) {
  double radius = 0.0;
  for (const Vec3& p : points) radius = std::max(radius, norm(p - centre));
  return radius;
}

/// The least radius, by Bădoiu and Clarkson's own steps, very many of them.
double least_radius(VectorView points, const Vec3& start) {
  Vec3 centre = start;
  double least = radius_about(start, points);
  for (int k = 2; k < 3000; ++k) {
    Vec3 farthest = points[0];
    for (const Vec3& p : points)
      if (norm(p - centre) > norm(farthest - centre)) farthest = p;
    centre += (1.0 / k) * (farthest - centre);
    least = std::min(least, radius_about(centre, points));
  }
  return least;
}

TEST(SmallBall, HoldsThePointsAndIsNoLargerThanTheBoxs) {
  for (const auto& kind : test::cloud_kinds())
    for (const int n : {1, 2, 3, 4, 5, 30, 500}) {
      const auto cloud = test::make_cloud(kind, n, false, static_cast<unsigned>(n));
      const Vec3 start = middle_of(cloud.positions);
      const Ball ball = small_ball(cloud.positions, start);
      EXPECT_LE(radius_about(ball.centre, cloud.positions), ball.radius * (1 + 1e-15)) << cloud.name;
      EXPECT_LE(ball.radius, radius_about(start, cloud.positions)) << cloud.name;
    }
}

TEST(SmallBall, IsHardlyLargerThanTheLeast) {
  for (const std::string kind : {"cube", "torus", "blob"})
    for (const int n : {3, 10, 30, 200}) {
      double ratio = 0.0;
      constexpr int sets = 8;
      for (unsigned seed = 0; seed < sets; ++seed) {
        const auto cloud = test::make_cloud(kind, n, false, seed);
        const Vec3 start = middle_of(cloud.positions);
        ratio += small_ball(cloud.positions, start).radius / least_radius(cloud.positions, start) / sets;
      }
      EXPECT_LE(ratio, n < 20 ? 1.05 : 1.03) << kind << ' ' << n;
    }
}

TEST(SmallBall, KeepsTheMiddleOfAFullBox) {
  VectorArray corners;
  for (int k = 0; k < 27; ++k)
    corners.push_back(
        {static_cast<double>(k % 3), static_cast<double>(k / 3 % 3), static_cast<double>(k / 9)});
  EXPECT_EQ(small_ball(corners, {1, 1, 1}).centre, (Vec3{1, 1, 1}));
}

TEST(SmallBall, ManyPointsAtOneDistanceAreHeld) {
  VectorArray sphere = test::random_vectors(2000, 3);
  for (Vec3& p : sphere) p *= 1.0 / norm(p);
  const Ball ball = small_ball(sphere, {0.01, 0.02, 0});
  EXPECT_LE(radius_about(ball.centre, sphere), ball.radius * (1 + 1e-15));
  EXPECT_LE(ball.radius, radius_about({0.01, 0.02, 0}, sphere));
}

}  // namespace
}  // namespace electret::fmm
