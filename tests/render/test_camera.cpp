#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <electret/render/camera.hpp>

namespace electret {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Where a point is seen: -1 to 1 across the picture and along it.
std::array<double, 2> seen(const Camera& camera, const Vec3& x, double shape) {
  const CameraAxes view = axes(camera);
  const Vec3 from_eye = x - camera.eye;
  const double depth = -dot(from_eye, view.backward), half = std::tan(camera.field_of_view * pi / 360.0);
  EXPECT_GT(depth, 0.0) << "behind the camera";
  return {dot(from_eye, view.right) / (depth * half * shape), dot(from_eye, view.up) / (depth * half)};
}

VectorArray cloud(int n, unsigned seed, const Vec3& size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  VectorArray points;
  for (int k = 0; k < n; ++k)
    points.push_back({3.0 + size.x * part(random), -7.0 + size.y * part(random), size.z * part(random)});
  return points;
}

TEST(Framing, HoldsAllPointsAndTouchesTheMargin) {
  const double margin = 0.1;
  unsigned seed = 1;
  for (const double shape : {0.5, 1.0, 16.0 / 9.0})
    for (const double elevation : {-80.0, 0.0, 20.0, 90.0})
      for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{5, 0.1, 0.1}, Vec3{0.01, 0.01, 3}}) {
        const VectorArray points = cloud(200, seed++, size);
        Framing framing({0, 0, 1}, {.azimuth = 25.0 * seed, .elevation = elevation}, shape, margin);
        framing.add(points);
        const Camera camera = framing.camera();
        double across = 0.0, along = 0.0, nearest = INFINITY;
        for (const Vec3& x : points) {
          const auto [a, b] = seen(camera, x, shape);
          across = std::max(across, std::abs(a));
          along = std::max(along, std::abs(b));
          nearest = std::min(nearest, dot(camera.eye - x, axes(camera).backward));
        }
        EXPECT_LE(std::max(across, along), 1.0 - 2.0 * margin + 1e-9);
        // A long thin thing seen from its end keeps away from the eye instead.
        if (nearest > 0.11 * norm(size)) {
          EXPECT_NEAR(std::max(across, along), 1.0 - 2.0 * margin, 1e-9) << shape << " " << elevation;
        }
      }
}

TEST(Framing, HoldsBalls) {
  Framing framing({0, 0, 1}, {.azimuth = 40, .elevation = 30}, 1.5, 0.0);
  framing.add(Vec3{1, 2, 3}, 0.5);
  const Camera camera = framing.camera();
  // The cone around the ball touches the lower and upper edge.
  const double half = camera.field_of_view * pi / 360.0;
  EXPECT_NEAR(norm(camera.eye - Vec3{1, 2, 3}), 0.5 / std::sin(half), 1e-9);
}

/// A row of balls seen from its end, 101 long: the eye keeps a twentieth of that from the first.
TEST(Framing, KeepsTheEyeOutOfBalls) {
  Framing framing({0, 0, 1}, {.azimuth = 0, .elevation = 0}, 1.5, 0.0);
  framing.add(Vec3{0, 0, 0}, 0.5);
  framing.add(Vec3{0, 100, 0}, 0.5);
  const Camera camera = framing.camera();
  EXPECT_NEAR(camera.eye.y, -0.5 - 0.05 * 101.0, 1e-9);
  EXPECT_NEAR(norm(camera.target - Vec3{0, 50, 0}), 0.0, 1e-9);
}

TEST(Framing, DirectionIsFromTheFront) {
  Framing z({0, 0, 1}, {.azimuth = 0, .elevation = 0}, 1.0),
      y({0, 1, 0}, {.azimuth = 0, .elevation = 0}, 1.0),
      above({0, 0, 2}, {.azimuth = 0, .elevation = 90}, 1.0);
  EXPECT_NEAR(axes(z.camera()).backward.y, -1.0, 1e-12);
  EXPECT_NEAR(axes(y.camera()).backward.z, 1.0, 1e-12);
  EXPECT_NEAR(axes(above.camera()).backward.z, 1.0, 1e-12);
  Framing beside({0, 0, 1}, {.azimuth = 90, .elevation = 0}, 1.0);
  EXPECT_NEAR(axes(beside.camera()).backward.x, 1.0, 1e-12);
}

TEST(Framing, LeavesOutWhatIsNotFinite) {
  Framing with({0, 0, 1}, {}, 1.0), without({0, 0, 1}, {}, 1.0);
  const VectorArray points = cloud(20, 5, {1, 1, 1});
  with.add(points);
  without.add(points);
  with.add(Vec3{std::nan(""), 0, 0});
  with.add(Vec3{0, INFINITY, 0});
  EXPECT_EQ(with.camera().eye, without.camera().eye);
}

/// Wherever a body is, it is seen from the same distance, in a picture of the same shape.
TEST(Framing, DoesNotDependOnTheOrigin) {
  for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{0.1, 8, 0.1}})
    for (const Vec3& away : {Vec3{1e6, 0, 0}, Vec3{-1e6, 0, 0}, Vec3{0, 1e6, 0}, Vec3{0, -1e6, 0},
                             Vec3{0, 0, 1e6}, Vec3{2e5, -3e5, -1e6}}) {
      const VectorArray points = cloud(200, 3, size);
      Framing here({0, 0, 1}, {.azimuth = 0.0, .elevation = 20.0}, 1.5), there = here;
      here.add(points);
      for (const Vec3& x : points) there.add(x + away);
      const Camera near = here.camera(), far = there.camera();
      EXPECT_LT(norm(far.eye - away - near.eye), 1e-8) << away.x << " " << away.y << " " << away.z;
      EXPECT_LT(norm(far.target - away - near.target), 1e-8);
      EXPECT_NEAR(there.shape(), here.shape(), 1e-8);
    }
  Framing point({0, 0, 1}, {}, 1.0);
  point.add(Vec3{1e9, 1e9, 1e9});
  EXPECT_GT(norm(point.camera().eye - point.camera().target), 0.0);
}

TEST(Framing, NoPointAndOnePointHaveCameras) {
  Framing none({0, 0, 1}, {}, 1.0), one({0, 0, 1}, {}, 1.0);
  EXPECT_NEAR(norm(none.camera().eye), 1.0, 1e-12);
  one.add(Vec3{1, 1, 1});
  const Camera camera = one.camera();
  EXPECT_TRUE(is_finite(camera.eye));
  EXPECT_GT(norm(camera.eye - camera.target), 0.0);
}

TEST(CameraAxes, AreAtRightAnglesEvenAlongUp) {
  for (const Vec3& eye : {Vec3{1, 2, 3}, Vec3{0, 0, 5}, Vec3{0, 0, -1e-3}}) {
    const CameraAxes view = axes({.eye = eye, .target = {}, .up = {0, 0, 1}});
    EXPECT_NEAR(dot(view.right, view.up), 0.0, 1e-14);
    EXPECT_NEAR(dot(view.right, view.backward), 0.0, 1e-14);
    EXPECT_NEAR(norm(view.right), 1.0, 1e-14);
    EXPECT_NEAR(norm(cross(view.right, view.up) - view.backward), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace electret
