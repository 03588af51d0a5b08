// The pinhole camera against its formula written out, and its derivatives against differences.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <electret/scene/pinhole.hpp>

namespace electret::test {
namespace {

Pinhole camera() {
  Pinhole camera;
  camera.axes = camera_axes({-0.2, 0.9, -0.5}, {0.1, 0.0, 1.0});
  camera.position = {0.6, -0.8, 1.1};
  camera.focal_length = 1100.0;
  camera.rotate = {3.0, -5.0, 8.0};
  camera.translate = {0.02, -0.03, 0.05};
  camera.zoom = 1.1;
  return camera;
}

constexpr Vec3 place{0.5, 0.3, 0.04};

TEST(Pinhole, ItsAxesAreRightUpAndBack) {
  const Mat3 axes = camera_axes({0.0, 2.0, 0.0}, {0.3, 5.0, 0.7});
  EXPECT_LT(norm(axes.rows[2] - Vec3{0.0, -1.0, 0.0}), 1e-15);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(dot(axes.rows[i], axes.rows[j]), i == j, 1e-15);
  EXPECT_LT(norm(cross(axes.rows[0], axes.rows[1]) - axes.rows[2]), 1e-15);
  EXPECT_GT(axes.rows[1].z, 0.9) << "up is what it can be of the given direction";
}

/// A camera at the origin that looks along y: x is to the right, z up, and the picture is f/y times as large.
TEST(Pinhole, SeesWhatIsBeforeIt) {
  Pinhole simple;
  simple.axes = camera_axes({0.0, 1.0, 0.0}, {0.0, 0.0, 1.0});
  simple.focal_length = 1000.0;
  const Pixel at = PinholeView(simple).seen({0.1, 2.0, -0.3});
  EXPECT_NEAR(at.u, 50.0, 1e-12);
  EXPECT_NEAR(at.v, -150.0, 1e-12);
  EXPECT_NEAR(at.depth, 2.0, 1e-15);
  EXPECT_LT(PinholeView(simple).seen({0.1, -2.0, -0.3}).depth, 0.0);
}

/// X = Rz Ry Rx A x + translate - A position, matrix by matrix.
TEST(Pinhole, FollowsItsFormula) {
  const Pinhole c = camera();
  const double d = std::numbers::pi / 180.0;
  const double a = d * c.rotate.x, b = d * c.rotate.y, g = d * c.rotate.z;
  const Mat3 rx{{Vec3{1, 0, 0}, Vec3{0, std::cos(a), -std::sin(a)}, Vec3{0, std::sin(a), std::cos(a)}}};
  const Mat3 ry{{Vec3{std::cos(b), 0, std::sin(b)}, Vec3{0, 1, 0}, Vec3{-std::sin(b), 0, std::cos(b)}}};
  const Mat3 rz{{Vec3{std::cos(g), -std::sin(g), 0}, Vec3{std::sin(g), std::cos(g), 0}, Vec3{0, 0, 1}}};
  const Vec3 x = rz * (ry * (rx * (c.axes * place))) + c.translate - c.axes * c.position;
  const Pixel at = PinholeView(c).seen(place);
  EXPECT_NEAR(at.u, 1.1 * 1100.0 * x.x / -x.z, 1e-10);
  EXPECT_NEAR(at.v, 1.1 * 1100.0 * x.y / -x.z, 1e-10);
  EXPECT_NEAR(at.depth, -x.z, 1e-14);
  EXPECT_GT(at.depth, 0.5);
}

TEST(Pinhole, ItsRaysLeadToWhatItSees) {
  const PinholeView view(camera());
  const Pixel at = view.seen(place);
  const Vec3 ray = view.ray(at.u, at.v), way = place - view.centre();
  EXPECT_LT(norm((1.0 / norm(ray)) * ray - (1.0 / norm(way)) * way), 1e-13);
}

TEST(Pinhole, HasTheDerivativesOfDifferences) {
  const Pinhole base = camera();
  const double by_u = 0.7, by_v = -1.3;
  PinholeGradient gradient{{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}, 1.0};
  const Vec3 by_x = PinholeView(base).pulled(place, by_u, by_v, gradient);
  const auto expect_slope = [&](double found, double step, auto&& change) {
    const auto at = [&](double s) {
      Pinhole changed = base;
      Vec3 x = place;
      change(changed, x, s * step);
      const Pixel pixel = PinholeView(changed).seen(x);
      return by_u * pixel.u + by_v * pixel.v;
    };
    const double difference = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * step);
    EXPECT_NEAR(found, difference, 1e-8 * (1.0 + std::abs(difference)));
  };
  for (int axis = 0; axis < 3; ++axis) {
    expect_slope(by_x[axis], 1e-3, [&](Pinhole&, Vec3& x, double s) { x[axis] += s; });
    expect_slope(gradient.rotate[axis] - 1.0, 1e-1,
                 [&](Pinhole& c, Vec3&, double s) { c.rotate[axis] += s; });
    expect_slope(gradient.translate[axis] - 1.0, 1e-3,
                 [&](Pinhole& c, Vec3&, double s) { c.translate[axis] += s; });
  }
  expect_slope(gradient.zoom - 1.0, 1e-2, [](Pinhole& c, Vec3&, double s) { c.zoom += s; });
}

}  // namespace
}  // namespace electret::test
