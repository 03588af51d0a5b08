// The potential of obstacles' pushes, against differences and against the law whose solutions it keeps.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/contact/contact_springs.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret::test {
namespace {

constexpr double stiffness = 40.0, friction = 0.5, infinity = std::numeric_limits<double>::infinity();

/// A vertex beside an obstacle at rest, that began the step at `start`.
class Beside {
 public:
  Beside(RigidSurface surface, const Vec3& start, bool sticks = false)
      : start_{start},
        contacts_({0}, {{std::move(surface), 0, {sticks ? infinity : friction}}}, threads_),
        springs_(contacts_, {stiffness}) {
    contacts_.begin_step(placements_, placements_, start_);
  }

  ContactSprings& springs() { return springs_; }

  void push(const Vec3& at, const Vec3& force, double raise = 1.0) {
    contacts_.look(VectorArray{at});
    springs_.begin(raise);
    springs_.push(0, 0, force);
    springs_.settle();
  }
  double value(const Vec3& at) { return springs_.evaluate(VectorArray{at}); }
  Vec3 gradient(const Vec3& at) {
    value(at);
    VectorArray out(1);
    springs_.add_gradient(1.0, out);
    return out[0];
  }
  Mat3 hessian(const Vec3& at, bool is_clamped) {
    value(at);
    std::vector<StencilVertices> vertices;
    std::vector<StencilBlocks> blocks;
    springs_.append_hessian(is_clamped, 1.0, vertices, blocks);
    return blocks.empty() ? Mat3{} : blocks.front().at(0, 0);
  }

 private:
  Threads threads_{1};
  VectorArray start_;
  std::vector<Placement> placements_{Placement{}};
  ContactSet contacts_;
  ContactSprings springs_;
};

Vec3 axis(int c) {
  Vec3 e;
  e[c] = 1.0;
  return e;
}

void expect_derivatives(Beside& vertex, const Vec3& at) {
  const double h = 1e-6;
  const Vec3 gradient = vertex.gradient(at);
  const Mat3 hessian = vertex.hessian(at, false);
  for (int c = 0; c < 3; ++c) {
    const Vec3 up = at + h * axis(c), down = at - h * axis(c);
    EXPECT_NEAR((vertex.value(up) - vertex.value(down)) / (2 * h), gradient[c], 1e-7) << c;
    const Vec3 slope = (1.0 / (2 * h)) * (vertex.gradient(up) - vertex.gradient(down));
    EXPECT_NEAR(norm(slope - hessian * axis(c)), 0.0, 1e-5) << c;
  }
}

const RigidSurface floor_surface{make_plane({0, 0, 1}), {}};
const RigidSurface ball{make_sphere(0.5), {}};

TEST(ContactSprings, GradientsAndHessiansAreThoseOfTheValue) {
  Beside vertex(floor_surface, {0.1, 0.2, 0});
  vertex.push({0.1, 0.2, 0}, {0.3, -0.2, 2.0});
  expect_derivatives(vertex, {0.101, 0.203, -0.004});  // sticks
  expect_derivatives(vertex, {0.15, 0.27, 0.01});      // slips
  expect_derivatives(vertex, {0.15, 0.27, 0.07});      // is not pressed
  Beside on_ball(ball, {0, 0, 0.5});
  on_ball.push({0, 0, 0.5}, {0.3, -0.2, 2.0});
  expect_derivatives(on_ball, {0.01, 0.02, 0.495});
  expect_derivatives(on_ball, {0.1, 0.05, 0.48});
}

TEST(ContactSprings, ClampedHessiansArePositive) {
  Beside on_ball(ball, {0, 0, 0.5});
  on_ball.push({0, 0, 0.5}, {0, 0, 5.0});
  const Vec3 at{0.2, 0.1, 0.4}, across = cross(at, {0, 0, 1});
  EXPECT_LT(dot(across, on_ball.hessian(at, false) * across), 0.0);
  EXPECT_GE(dot(across, on_ball.hessian(at, true) * across), 0.0);
  EXPECT_GT(dot(at, on_ball.hessian(at, true) * at), 0.0);
}

TEST(ContactSprings, WhatMeetsTheLawIsPushedAsItWas) {
  Beside vertex(floor_surface, {0.1, 0.2, 0});
  const Vec3 held{0.3, -0.2, 2.0};
  vertex.push({0.1, 0.2, 0}, held);
  EXPECT_EQ(norm(vertex.gradient({0.1, 0.2, 0}) + held), 0.0);
  const Vec3 slid{0.15, 0.2, 0}, at_limit{-friction * 2.0, 0, 2.0};
  vertex.push(slid, at_limit);
  EXPECT_NEAR(norm(vertex.gradient(slid) + at_limit), 0.0, 1e-14);
  vertex.push({0.1, 0.2, 0.3}, {});
  EXPECT_EQ(vertex.gradient({0.1, 0.2, 0.3}), Vec3{});
}

TEST(ContactSprings, WhatIsBeyondTheLawIsLeftOut) {
  const Vec3 at{0.1, 0.2, 0};
  Beside vertex(floor_surface, at);
  vertex.push(at, {3.0, 0, 2.0});  // more than friction
  EXPECT_NEAR(norm(vertex.gradient(at) + Vec3{friction * 2.0, 0, 2.0}), 0.0, 1e-14);
  vertex.springs().clear();
  vertex.push(at, {3.0, 0, -2.0});  // a pull
  EXPECT_EQ(norm(vertex.gradient(at)), 0.0);
  Beside held(floor_surface, at, true);
  held.push(at, {3.0, 0, 2.0});
  EXPECT_EQ(norm(held.gradient(at) + Vec3{3.0, 0, 2.0}), 0.0);
}

/// The friction that a vertex is pushed by at `at`, which is its start.
double friction_at(Beside& vertex, const Vec3& at) {
  return std::abs(vertex.gradient(at).x);
}

TEST(ContactSprings, ALargestFrictionThatAlternatesChangesByAShare) {
  const Vec3 at{0.1, 0.2, 0};
  Beside vertex(floor_surface, at);
  const double first = friction * 2.0, second = friction * 1.0;
  vertex.push(at, {90.0, 0, 2.0});
  EXPECT_NEAR(friction_at(vertex, at), first, 1e-14);
  // Around `first` the vertex is pressed by less. If this is linear, 2/3 of `first` leads to itself.
  vertex.push(at, {90.0, 0, 1.0});
  EXPECT_NEAR(friction_at(vertex, at), first + (second - first) * 2.0 / 3.0, 1e-14);
}

TEST(ContactSprings, ALargestFrictionThatGrowsAndGrowsChangesByMore) {
  const Vec3 at{0.1, 0.2, 0};
  Beside vertex(floor_surface, at);
  vertex.push(at, {90.0, 0, 2.0});
  vertex.push(at, {90.0, 0, 6.0});
  EXPECT_NEAR(friction_at(vertex, at), friction * (2.0 + 2.0 * 4.0), 1e-14);
  vertex.springs().clear();
  vertex.push(at, {90.0, 0, 6.0});
  EXPECT_NEAR(friction_at(vertex, at), friction * 6.0, 1e-14);
}

TEST(ContactSprings, RaisedSpringsAreStiffer) {
  const Vec3 at{0.1, 0.2, 0};
  Beside vertex(floor_surface, at);
  vertex.push(at, {0.3, 0, 2.0}, 10.0);
  EXPECT_NEAR(vertex.gradient({0.1, 0.2, -0.01}).z, -(2.0 + 10.0 * stiffness * 0.01), 1e-12);
  EXPECT_NEAR(vertex.hessian(at, false).rows[0].x, 10.0 * stiffness, 1e-12);
  vertex.springs().clear();
  EXPECT_NEAR(vertex.gradient({0.1, 0.2, -0.01}).z, -stiffness * 0.01, 1e-12);
}

}  // namespace
}  // namespace electret::test
