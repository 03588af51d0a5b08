// Ways of vertices through and round rigid shapes.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <electret/contact/passage.hpp>
#include <electret/geometry/mesh.hpp>
#include <electret/geometry/shapes/shapes.hpp>

namespace electret::test {
namespace {

constexpr double thickness = 0.001;

/// The way of a vertex beside a shape about the origin that moves from `before` to `after`.
bool passes(const std::shared_ptr<const RigidShape>& shape, const Placement& before, const Placement& after,
            const Vec3& from, const Vec3& to, double thick = thickness) {
  const RigidSurface surface{shape, {}};
  return way_through(PlacedSurface(surface, before), PlacedSurface(surface, after), from, to, thick)
      .has_value();
}

bool passes(const std::shared_ptr<const RigidShape>& shape, const Vec3& from, const Vec3& to,
            double thick = thickness) {
  return passes(shape, {}, {}, from, to, thick);
}

std::shared_ptr<const RigidShape> box(const Vec3& size) {
  return make_box(size, Mat3::identity());
}

TEST(Passage, GoesThroughSheetsHoweverThin) {
  for (const double height : {0.5, 0.01, 0.002, 1e-4, 1e-6}) {
    const auto sheet = box({2.0, 2.0, height});
    const double above = 0.5 * height + thickness;
    EXPECT_TRUE(passes(sheet, {0, 0, above}, {0, 0, -above})) << height;
    EXPECT_TRUE(passes(sheet, {0.1, -0.3, above + 0.07}, {0.15, -0.2, -above - 0.1})) << height;
    EXPECT_FALSE(passes(sheet, {0, 0, above}, {0.9, 0.3, above})) << height;
    EXPECT_FALSE(passes(sheet, {1.2, 0, above}, {1.2, 0, -above})) << height;
  }
}

/// A vertex that slides off an edge ends beside the next face, and its way cuts the edge.
TEST(Passage, MayCutEdgesThatItGoesRound) {
  const auto cube = box({1.0, 1.0, 1.0});
  for (const double way : {0.5, 1.5, 3.0, 6.0, 8.0}) {
    const double s = way * thickness;
    EXPECT_FALSE(passes(cube, {0.5 - s, 0, 0.5 + thickness}, {0.5 + thickness, 0, 0.5 - s})) << way;
    EXPECT_FALSE(passes(cube, {0.5 - s, 0.5 - s, 0.5 + thickness}, {0.5 + thickness, 0.5 - s, 0.5 - s}))
        << way;
  }
  EXPECT_TRUE(passes(cube, {0.4, 0, 0.5 + thickness}, {0.5 + thickness, 0, 0.4}));
  // From one side to the opposite one it may not go, as near to the edge as it is.
  const auto sheet = box({1.0, 1.0, 0.002});
  EXPECT_TRUE(passes(sheet, {0.498, 0, 0.002}, {0.498, 0, -0.002}));
}

/// Of ways round edges of all angles, from as far before the edge as beyond it or not: the depth is at least
/// two thirds of the deepest place's, and with the thickness that is named they may go.
TEST(Passage, NamesAThicknessWithWhichAWayMayCutAnEdge) {
  const RigidSurface surface{box({1.0, 1.0, 1.0}), {}};
  const PlacedSurface cube(surface, {});
  for (const double before : {0.02, 0.1, 0.3})
    for (const double after : {0.01, 0.1, 0.2}) {
      const double thick = 1e-4;
      const Vec3 from{0.5 - before, 0, 0.5 + thick}, to{0.5 + thick, 0, 0.5 - after};
      const std::optional<WayThrough> cut = way_through(cube, cube, from, to, thick);
      ASSERT_TRUE(cut.has_value());
      EXPECT_FALSE(cut->is_to_other_side);
      const double deepest = before * after / (before + after);
      EXPECT_LT(cut->depth, deepest * (1 + 1e-9));
      EXPECT_GT(cut->depth, deepest / 1.6);
      const double enough = sufficient_thickness(*cut, norm(to - from));
      EXPECT_LT(enough, 0.5 * norm(to - from));
      EXPECT_FALSE(way_through(cube, cube, from, to, enough).has_value());
    }
  const Vec3 above{0, 0, 0.6}, below{0, 0, -0.6};
  const std::optional<WayThrough> whole = way_through(cube, cube, above, below, 1e-3);
  ASSERT_TRUE(whole.has_value());
  EXPECT_TRUE(whole->is_to_other_side);
  EXPECT_EQ(sufficient_thickness(*whole, 1.2), 1.2);
}

/// A ball that turns about itself does not move its surface. Nothing goes anywhere.
TEST(Passage, IsThatOfTheShapeAsItTurns) {
  const auto ball = make_sphere(0.5);
  const Vec3 beside{0, 0, 0.5 + thickness};
  for (const double angle : {5.0, 40.0, 120.0, 180.0})
    EXPECT_FALSE(passes(ball, {}, {{}, {angle, 0, 0}, {}, {}}, beside, beside)) << angle;
  // The ball that comes, turning, is no other than the ball to which the vertex goes.
  EXPECT_TRUE(
      passes(ball, {{0, 0, -1}, {10, 20, 30}, {}, {}}, {{0, 0, 1.2}, {70, 20, 0}, {}, {}}, beside, beside));
  const auto bar = box({2.0, 0.1, 0.1});
  const Vec3 middle{0.8 * std::cos(0.5), 0.8 * std::sin(0.5), 0};
  EXPECT_TRUE(passes(bar, {}, {{}, {0, 0, 180 / std::numbers::pi}, {}, {}}, middle, middle));
  EXPECT_FALSE(passes(bar, {}, {{}, {0, 0, 20}, {}, {}}, middle, middle));
  // It goes with the bar, above it.
  EXPECT_FALSE(passes(bar, {}, {{}, {0, 0, 90}, {}, {}}, {0.8, 0, 0.052}, {0, 0.8, 0.052}));
}

/// How deep a way goes through a shape without a thickness; 0 if it does not.
double depth_of(const std::shared_ptr<const RigidShape>& shape, const Placement& before,
                const Placement& after, const Vec3& from, const Vec3& to) {
  const RigidSurface surface{shape, {}};
  const auto through = way_through_thin(PlacedSurface(surface, before), PlacedSurface(surface, after), from,
                                        to, shape->reach());
  return through ? through->depth : 0.0;
}

double depth_of(const std::shared_ptr<const RigidShape>& shape, const Vec3& from, const Vec3& to) {
  return depth_of(shape, {}, {}, from, to);
}

/// A prism along y, 2 m long, with its edge up: of the height `height` (m) and so wide below (m).
std::shared_ptr<const RigidShape> ridge(double height, double width) {
  Mesh mesh;
  for (const double y : {-1.0, 1.0}) {
    mesh.vertices.push_back({-0.5 * width, y, 0});
    mesh.vertices.push_back({0.5 * width, y, 0});
    mesh.vertices.push_back({0, y, height});
  }
  for (const Triangle& t : {Triangle{0, 1, 2}, Triangle{3, 5, 4}, Triangle{0, 3, 4}, Triangle{0, 4, 1},
                            Triangle{1, 4, 5}, Triangle{1, 5, 2}, Triangle{2, 5, 3}, Triangle{2, 3, 0}})
    mesh.polygons.add(t);
  return make_closed_mesh(mesh);
}

TEST(PassageWithoutThickness, IsThatFromOneSideToTheOpposite) {
  for (const double height : {0.3, 0.01, 1e-4, 1e-6}) {
    const auto sheet = box({2.0, 2.0, height});
    const double top = 0.5 * height;
    // From the surface itself and from above it, to the surface and below it, straight and aslant.
    for (const double above : {0.0, 1e-3, 0.2})
      for (const double below : {0.0, 2e-3, 0.1}) {
        if (height + above + below < 2e-3) continue;
        EXPECT_NEAR(depth_of(sheet, {0.1, 0.2, top + above}, {0.1, 0.2, -top - below}), top, 0.1 * top)
            << height << ", " << above << ", " << below;
        EXPECT_GT(depth_of(sheet, {0.1, 0.2, top + above}, {0.13, 0.1, -top - below}), 0.5 * top);
      }
    // Along it, up from it, beside it, and into it.
    EXPECT_EQ(depth_of(sheet, {0, 0, top}, {0.3, 0.1, top}), 0.0);
    EXPECT_EQ(depth_of(sheet, {0, 0, top}, {0.3, 0.1, top + 0.2}), 0.0);
    EXPECT_EQ(depth_of(sheet, {1.01, 0, top + 0.1}, {1.02, 0, -top - 0.1}), 0.0);
    EXPECT_EQ(depth_of(sheet, {0, 0, top + 0.1}, {0.1, 0, 0.5 * top}), 0.0);
  }
  const auto capsule = make_capsule({0, 1, 0}, 0.02, 0.5);
  EXPECT_NEAR(depth_of(capsule, {0, 0, 0.03}, {0, 0, -0.05}), 0.02, 0.002);
  EXPECT_EQ(depth_of(capsule, {0.021, 0, 0.03}, {0.021, 0, -0.05}), 0.0);
}

TEST(PassageWithoutThickness, IsNoWayRoundAnEdgeOrAcrossARoom) {
  const auto cube = box({1.0, 1.0, 1.0});
  for (const double way : {1e-3, 0.01, 0.3})
    EXPECT_EQ(depth_of(cube, {0.5 - way, 0, 0.5}, {0.5, 0, 0.5 - way}), 0.0) << way;
  const double quarter = 0.5 * std::numbers::pi;
  for (const double angle : {0.1, quarter, 1.9})
    EXPECT_EQ(depth_of(make_sphere(0.5), {0, 0, 0.5}, {0.5 * std::sin(angle), 0, 0.5 * std::cos(angle)}),
              0.0);
  const auto room = make_inside_out(make_sphere(0.5));
  EXPECT_EQ(depth_of(room, {0, 0, 0.5}, {0, 0.1, -0.48}), 0.0);
  // Over a blunt ridge, over the very edge of a sharp one, and through that.
  EXPECT_EQ(depth_of(ridge(0.1, 0.2), {-0.05, 0, 0.05}, {0.05, 0, 0.05}), 0.0);
  EXPECT_EQ(depth_of(ridge(0.2, 0.02), {-0.05, 0, 0.2}, {0.05, 0, 0.2}), 0.0);
  EXPECT_GT(depth_of(ridge(0.2, 0.02), {-0.05, 0, 0.15}, {0.05, 0, 0.15}), 1e-3);
}

TEST(PassageWithoutThickness, IsThatOfTheShapeAsItMoves) {
  const auto plate = box({2.0, 2.0, 0.01});
  const Vec3 rests{0.3, 0.1, 0.005};
  // It goes along with the plate, stays where that comes through it, and stays beside it.
  EXPECT_EQ(depth_of(plate, {}, {{0, 0, -0.4}, {}, {}, {}}, rests, rests + Vec3{0, 0, -0.4}), 0.0);
  EXPECT_NEAR(depth_of(plate, {}, {{0, 0, 0.4}, {}, {}, {}}, rests, rests), 0.005, 5e-4);
  EXPECT_EQ(depth_of(plate, {}, {{0, 0, -0.4}, {}, {}, {}}, rests, rests), 0.0);
  const auto bar = box({2.0, 0.1, 0.1});
  const Vec3 middle{0.8 * std::cos(0.5), 0.8 * std::sin(0.5), 0};
  EXPECT_GT(depth_of(bar, {}, {{}, {0, 0, 180 / std::numbers::pi}, {}, {}}, middle, middle), 0.03);
  EXPECT_EQ(depth_of(bar, {}, {{}, {0, 0, 20}, {}, {}}, middle, middle), 0.0);
  // A ball that turns about itself takes nothing through it.
  EXPECT_EQ(depth_of(make_sphere(0.5), {}, {{}, {0, 170, 0}, {}, {}}, {0, 0, 0.5}, {0, 0, 0.5}), 0.0);
}

}  // namespace
}  // namespace electret::test
