// The law of vertices that touch several walls: its answers against Signorini's and Coulomb's conditions, its
// Newton steps, and its adjoint against differences of solved problems.

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <electret/contact/corner_law.hpp>
#include <electret/core/small_matrices.hpp>
#include <electret/core/transverse.hpp>

#include "support/random.hpp"

namespace electret::test {
namespace {

/// A ball, or with a radius of 0 the half space below a plane through `centre`.
struct Wall {
  Vec3 centre, normal;
  double radius = 0.0, friction = 0.0;
  Vec3 carried;  ///< x̃.
};

/// One vertex on springs between walls: f = H x - pull.
struct Problem {
  std::vector<Wall> walls;
  Mat3 hessian = 40.0 * Mat3::identity();
  Vec3 pull;
  double scale = 30.0;

  [[nodiscard]] Vec3 force(const Vec3& x) const { return hessian * x - pull; }
  [[nodiscard]] CornerPoint seen(const Vec3& x, bool is_flat) const {
    CornerPoint corner;
    corner.count = static_cast<int>(walls.size());
    for (std::size_t k = 0; k < walls.size(); ++k) {
      const Wall& wall = walls[k];
      ContactPoint& p = corner.walls[k];
      p.force = force(x);
      p.slide = x - wall.carried;
      p.normal = wall.normal;
      p.distance = dot(wall.normal, x - wall.centre);
      if (wall.radius > 0.0) {
        const Vec3 from = x - wall.centre;
        p.normal = (1.0 / norm(from)) * from;
        p.distance = norm(from) - wall.radius;
        if (!is_flat)
          p.curvature = (1.0 / norm(from)) * (Mat3::identity() + -1.0 * outer(p.normal, p.normal));
      }
      p.scale = scale;
      p.friction = wall.friction;
      p.rounding = 1e-15;
      if (std::abs(p.distance) <= p.rounding) p.distance = 0.0;
    }
    return corner;
  }
  /// The Newton step of the law linearised at x.
  [[nodiscard]] Vec3 step(const CornerPoint& corner, const CornerResidual& residual) const {
    if (residual.mode.state == ContactState::free) return -solve(hessian, residual.value);
    const ReducedContact r = reduce_corner(0, corner, residual);
    const Vec3 pulled = hessian * r.prescribed;
    const VertexConstraint& c = r.constraint;
    if (c.columns == 0) return r.prescribed;
    const auto entry = [&](std::size_t i, std::size_t j) {
      return dot(c.test[i], hessian * c.trial[j]) + c.diagonal[static_cast<std::size_t>(c.columns) * i + j];
    };
    const auto right = [&](std::size_t i) { return r.right_hand_side[i] - dot(c.test[i], pulled); };
    if (c.columns == 1) return r.prescribed + (right(0) / entry(0, 0)) * c.trial[0];
    const double whole = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
    const double a = (right(0) * entry(1, 1) - right(1) * entry(0, 1)) / whole;
    const double b = (right(1) * entry(0, 0) - right(0) * entry(1, 0)) / whole;
    return r.prescribed + a * c.trial[0] + b * c.trial[1];
  }
  /// Newton's method from the shortest way out of the walls.
  [[nodiscard]] Vec3 solved() const {
    Vec3 x = walls[0].carried;
    for (int k = 0; k < 100; ++k) {
      const CornerPoint corner = seen(x, true);
      const CornerResidual residual = corner_residual(corner);
      if (norm(residual.value) < 1e-14 * norm(pull)) break;
      x += step(corner, residual);
    }
    return x;
  }
};

void expect_law(const CornerPoint& at, const CornerMode& mode) {
  const std::array<Vec3, most_walls> forces = corner_forces(at, mode);
  Vec3 left = at.walls[0].force;
  const double size = norm(left) + 1e-3;
  for (std::size_t k = 0; k < static_cast<std::size_t>(at.count); ++k) {
    const ContactPoint& wall = at.walls[k];
    left -= forces[k];
    const double normal = dot(wall.normal, forces[k]);
    const Vec3 friction = transverse(wall.normal, forces[k]), slide = transverse(wall.normal, wall.slide);
    EXPECT_GE(wall.distance, -1e-14);
    EXPECT_GE(normal, -1e-9 * size);
    EXPECT_LE(normal * wall.distance, 1e-9 * size);
    EXPECT_LE(norm(friction), wall.friction * normal + 1e-8 * size);
    if (norm(slide) > 1e-9) {
      EXPECT_LT(norm(friction + (wall.friction * normal / norm(slide)) * slide), 1e-7 * size) << "wall " << k;
    }
  }
  EXPECT_LT(norm(left), 1e-8 * size);
}

Vec3 unit(const Vec3& v) {
  return (1.0 / norm(v)) * v;
}

/// A vertex that starts in the corner of `count` planes or at `off` from it, and is pulled somewhere.
Problem cornered(unsigned seed, std::size_t count, double friction, double off) {
  Random random(seed);
  Problem problem;
  const Vec3 start = off > 0.0 ? off * Vec3{0.4, 0.5, 0.6} : Vec3{};
  const std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  for (std::size_t k = 0; k < count; ++k)
    problem.walls.push_back({{},
                             unit(axes[k] + random.in_cube(0.3)),
                             0.0,
                             friction * (1.0 + 0.2 * static_cast<double>(k)),
                             start});
  problem.pull = random.in_cube(3.0);
  return problem;
}

TEST(CornerLaw, AnswersAreSignorinisAndCoulombsConditions) {
  int on_edges = 0, held = 0, on_one = 0, free = 0;
  for (const double friction : {0.0, 0.3, 0.5})
    for (const double off : {0.0, 0.01})
      for (std::size_t count : {2U, 3U})
        for (unsigned seed = 0; seed < 200; ++seed) {
          const Problem problem = cornered(seed, count, friction, off);
          // The vertex goes to y, with the force that it has there against the resistance.
          const Vec3 x = problem.walls[0].carried;
          const CornerPoint from = problem.seen(x, true);
          const CornerResidual residual = corner_residual(from);
          const Vec3 move = (-1.0 / problem.scale) * residual.value;
          CornerPoint at = problem.seen(x + move, true);
          for (ContactPoint& wall : at.walls) wall.force = from.walls[0].force + problem.scale * move;
          SCOPED_TRACE(testing::Message() << friction << " " << off << " " << count << " " << seed
                                          << " closed " << residual.mode.closed);
          EXPECT_LT(norm(corner_residual(at).value), 1e-12);
          if (residual.mode.state != ContactState::free) expect_law(at, residual.mode);
          const int closed = std::popcount(residual.mode.closed);
          free += closed == 0;
          on_one += closed == 1;
          on_edges += closed == 2 && residual.mode.state == ContactState::slip;
          held += closed > 1 && residual.mode.state == ContactState::stick;
        }
  EXPECT_GT(free, 50);
  EXPECT_GT(on_one, 50);
  EXPECT_GT(on_edges, 50);
  EXPECT_GT(held, 50);
}

TEST(CornerLaw, OneWallIsTheLawOfOne) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Problem problem = cornered(seed, 1, 0.4, 0.0);
    const CornerPoint corner = problem.seen({}, true);
    const ContactResidual one = contact_residual(corner.walls[0]);
    const CornerResidual residual = corner_residual(corner);
    EXPECT_EQ(residual.value, one.value);
    EXPECT_EQ(residual.mode.state, one.state);
  }
}

TEST(CornerLaw, NewtonStepsMeetIt) {
  for (const double friction : {0.0, 0.3, 0.5})
    for (std::size_t count : {2U, 3U})
      for (unsigned seed = 0; seed < 100; ++seed) {
        Problem problem = cornered(seed, count, friction, seed % 2 == 0 ? 0.0 : 0.01);
        problem.hessian = problem.hessian + 8.0 * outer({1, 2, -1}, {1, 2, -1});
        const Vec3 x = problem.solved();
        EXPECT_LT(norm(corner_residual(problem.seen(x, true)).value), 1e-12 * norm(problem.pull))
            << friction << " " << count << " " << seed;
      }
}

/// The groove between two balls, in which the vertex slides along a curve.
Problem between_balls(unsigned seed, double friction, const Vec3& pull) {
  Random random(seed);
  Problem problem;
  problem.walls = {{{-0.7, 0.0, -0.7}, {}, 1.0, friction, {}},
                   {{0.8, 0.1, -0.6}, {}, 1.0, 0.8 * friction, {}}};
  problem.hessian = problem.hessian + 5.0 * outer({1, 2, -1}, {1, 2, -1});
  problem.pull = pull + random.in_cube(0.5);
  return problem;
}

/// A vertex that starts on both balls, and one that lands on them.
void expect_gradient(Problem problem, ContactState state, std::size_t closed) {
  const Vec3 loss{0.3, -0.7, 1.1};
  const Vec3 x = problem.solved();
  const CornerPoint at = problem.seen(x, false);
  const CornerResidual residual = corner_residual(at);
  ASSERT_LT(norm(residual.value), 1e-12 * norm(problem.pull));
  ASSERT_EQ(residual.mode.state, state);
  ASSERT_EQ(static_cast<std::size_t>(std::popcount(residual.mode.closed)), closed);
  const VertexConstraint c = corner_constraint(0, at, residual.mode);
  Vec3 z;
  if (c.columns == 1)
    z = (dot(c.trial[0], loss) / (dot(c.test[0], problem.hessian * c.trial[0]) + c.diagonal[0])) * c.test[0];
  const auto by = corner_adjoint(at, residual.mode, z, loss - problem.hessian * z).walls;
  const auto expect = [&](double found, const std::function<void(Problem&, double)>& change, const char* what,
                          std::size_t wall) {
    constexpr double step = 1e-6;
    Problem up = problem, down = problem;
    change(up, step);
    change(down, -step);
    const double exact = dot(loss, up.solved() - down.solved()) / (2.0 * step);
    EXPECT_NEAR(found, exact, 2e-8 * (1.0 + std::abs(exact))) << what << " of wall " << wall;
  };
  for (std::size_t k = 0; k < problem.walls.size(); ++k) {
    expect(
        by[k].friction, [&](Problem& p, double d) { p.walls[k].friction += d; }, "friction", k);
    expect(
        -by[k].distance, [&](Problem& p, double d) { p.walls[k].radius += d; }, "radius", k);
    for (int axis = 0; axis < 3; ++axis) {
      expect(
          by[k].carried[axis], [&](Problem& p, double d) { p.walls[k].carried[axis] += d; }, "start", k);
      const ContactPoint& wall = at.walls[k];
      const double by_centre = -by[k].distance * wall.normal[axis] - (wall.curvature * by[k].normal)[axis];
      expect(
          by_centre, [&](Problem& p, double d) { p.walls[k].centre[axis] += d; }, "centre", k);
    }
  }
  for (int axis = 0; axis < 3; ++axis)
    expect(
        z[axis], [&](Problem& p, double d) { p.pull[axis] += d; }, "pull", 0);
}

TEST(CornerLaw, GradientsOfSlipBetweenBallsAreThoseOfDifferences) {
  for (unsigned seed = 0; seed < 5; ++seed)
    for (const double friction : {0.0, 0.2}) {
      Problem problem = between_balls(seed, friction, {0.5, 5.0, -9.0});
      Problem rest = problem;
      rest.pull = {0.0, 0.3, -9.0};
      for (Wall& wall : rest.walls) wall.friction = 0.0;
      const Vec3 start = rest.solved();
      for (const Vec3& off : {Vec3{}, Vec3{0.01, 0.005, 0.03}}) {
        SCOPED_TRACE(testing::Message() << seed << " " << friction << " " << off.x);
        for (Wall& wall : problem.walls) wall.carried = start + off;
        expect_gradient(problem, ContactState::slip, 2);
      }
    }
}

TEST(CornerLaw, GradientsInACornerOfThreeBallsAreThoseOfDifferences) {
  Problem problem = between_balls(1, 0.1, {});
  problem.walls.push_back({{0.1, 1.0, -0.6}, {}, 1.1, 0.1, {}});
  problem.pull = {0.5, 14.0, -19.0};
  for (Wall& wall : problem.walls) wall.carried = {0.05, -0.1, 0.2};
  expect_gradient(problem, ContactState::stick, 3);
}

/// Two parallel walls, a floor and a lid below it: wherever the vertex is, C is at least how far it is beyond
/// one of them.
TEST(CornerLaw, WallsThatLeaveNoPlaceAreNeverMet) {
  for (const int held : {0, 1})
    for (const double height : {-0.2, -0.1, -0.03, 0.0, 0.2})
      for (const double pull : {-1.0, 0.0, 1.0}) {
        CornerPoint point;
        point.count = 2;
        point.held = {Vec3{0, 1, 0}, Vec3{}};
        point.held_count = held;
        for (ContactPoint& wall : point.walls) {
          wall.force = {0.0, 0.0, pull};
          wall.scale = 5.0;
        }
        point.walls[0].normal = {0, 0, 1};
        point.walls[0].distance = height;
        point.walls[1].normal = {0, 0, -1};
        point.walls[1].distance = -0.1 - height;
        const CornerResidual found = corner_residual(point);
        EXPECT_NEAR(found.excess, 0.1, 1e-12) << held << " " << height << " " << pull;
        point.walls[1].distance = 0.1 - height;  // Now there is room.
        EXPECT_EQ(corner_residual(point).excess, 0.0) << held << " " << height << " " << pull;
      }
}

TEST(CornerLaw, WallsThatAVertexCannotGiveWayToDoNotPush) {
  CornerPoint point;
  point.count = 2;
  point.held = {Vec3{0, 0, 1}, Vec3{0, 1, 0}};
  for (const int held : {1, 2}) {
    point.held_count = held;
    for (ContactPoint& wall : point.walls) {
      wall.force = {2.0, 0.0, 0.0};
      wall.scale = 5.0;
      wall.friction = 0.5;
    }
    point.walls[0].normal = {0, 0, 1};
    point.walls[0].distance = -0.1;
    point.walls[1].normal = {1, 0, 0};
    point.walls[1].distance = 0.7;
    EXPECT_EQ(point.way_from(0), Vec3{});
    const CornerResidual free = corner_residual(point);
    EXPECT_EQ(free.mode.state, ContactState::free);
    EXPECT_EQ(free.value, (Vec3{2.0, 0.0, 0.0}));
    point.walls[1].distance = 0.2;  // 2 N move it by 0.4 m.
    const CornerResidual stopped = corner_residual(point);
    EXPECT_EQ(stopped.mode.closed, 2U);
    EXPECT_LT(norm(stopped.value - Vec3{1.0, 0.0, 0.0}), 1e-15);
  }
}

/// A roller's plane is a wall without friction, where it pushes; the parts of forces along its normal do not
/// count.
TEST(CornerLaw, HeldDirectionsAreWallsThatPushBothWays) {
  int pushed = 0;
  for (std::size_t count : {2U, 3U})
    for (unsigned seed = 0; seed < 200; ++seed) {
      Problem problem = cornered(seed, count, 0.3, 0.0);
      problem.walls[0].friction = 0.0;
      const CornerPoint walls = problem.seen({}, true);
      const CornerResidual expected = corner_residual(walls);
      if ((expected.mode.closed & 1U) == 0) continue;
      CornerPoint held;
      held.count = static_cast<int>(count) - 1;
      for (std::size_t k = 1; k < count; ++k) {
        held.walls[k - 1] = walls.walls[k];
        held.walls[k - 1].force = transverse(walls.walls[0].normal, walls.walls[0].force);
      }
      held.held[0] = walls.walls[0].normal;
      held.held_count = 1;
      const CornerResidual found = corner_residual(held);
      EXPECT_LT(norm(found.value - expected.value), 1e-12) << count << " " << seed;
      EXPECT_EQ(2 * found.mode.closed + 1, expected.mode.closed) << count << " " << seed;
      if (found.mode.state == ContactState::free) continue;
      const ReducedContact a = reduce_corner(0, held, found), b = reduce_corner(0, walls, expected);
      EXPECT_EQ(a.constraint.columns, b.constraint.columns);
      EXPECT_LT(norm(a.prescribed - b.prescribed), 1e-12);
      for (int k = 0; k < a.constraint.columns; ++k)
        EXPECT_LT(norm(cross(a.constraint.test[0], b.constraint.test[0])), 1e-12);
      // The place of what holds the vertex is that of the wall.
      const Vec3 z = a.constraint.columns > 0 ? a.constraint.test[0] : Vec3{}, remainder{0.3, -0.8, 0.5};
      const CornerCotangent of_held = corner_adjoint(held, found.mode, z, remainder),
                            of_walls = corner_adjoint(walls, expected.mode, z, remainder);
      EXPECT_LT(norm(of_held.held + of_walls.walls[0].distance * held.held[0]), 1e-11);
      for (std::size_t k = 1; k < count; ++k)
        EXPECT_NEAR(of_held.walls[k - 1].distance, of_walls.walls[k].distance, 1e-11);
      pushed += found.mode.closed != 0;
    }
  EXPECT_GT(pushed, 50);
}

}  // namespace
}  // namespace electret::test
