// Signed distances of shapes against a search over their points, and their derivatives against differences.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/obj.hpp>
#include <electret/geometry/placement.hpp>
#include <electret/geometry/placing.hpp>
#include <electret/geometry/shapes/shapes.hpp>
#include <electret/geometry/surface_tree.hpp>

#include "support/differences.hpp"
#include "support/hollow_meshes.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

using ShapePointer = std::shared_ptr<const RigidShape>;

/// A shape, whether a point is in it by its definition, and many points of its surface.
struct ShapeCase {
  std::string name;
  ShapePointer shape;
  std::function<bool(const Vec3&)> holds;
  VectorArray surface;
  double spacing = 0.0;    ///< No point of the surface is farther than this from one of them, m.
  double radius_is = 0.0;  ///< 0: no radius.
  std::function<ShapePointer(double)> of_radius;
};

const Vec3 slanted = (1.0 / 3.0) * Vec3{1.0, 2.0, 2.0};

/// Points of the triangles, no farther apart than `spacing`.
void add_points(const std::array<Vec3, 3>& t, double spacing, VectorArray& points) {
  const int n =
      1 + static_cast<int>(std::max({norm(t[1] - t[0]), norm(t[2] - t[1]), norm(t[0] - t[2])}) / spacing);
  for (int i = 0; i <= n; ++i)
    for (int k = 0; i + k <= n; ++k)
      points.push_back(t[0] + (static_cast<double>(i) / n) * (t[1] - t[0]) +
                       (static_cast<double>(k) / n) * (t[2] - t[0]));
}

VectorArray points_of(const Mesh& mesh, double spacing) {
  VectorArray points;
  for (const Triangle& t : triangulated(mesh.polygons))
    add_points({mesh.vertices[static_cast<std::size_t>(t[0])], mesh.vertices[static_cast<std::size_t>(t[1])],
                mesh.vertices[static_cast<std::size_t>(t[2])]},
               spacing, points);
  return points;
}

/// Points around `axis`: at each (radius, height) of the profile a ring.
VectorArray revolved(const Vec3& axis, const std::vector<std::array<double, 2>>& profile, int sides) {
  Vec3 a = cross(axis, Vec3{0.3, -0.7, 0.2});
  a *= 1.0 / norm(a);
  const Vec3 b = cross(axis, a);
  VectorArray points;
  for (const auto& [radius, height] : profile)
    for (int s = 0; s < sides; ++s) {
      const double angle = 2.0 * std::numbers::pi * s / sides;
      points.push_back(height * axis + (radius * std::cos(angle)) * a + (radius * std::sin(angle)) * b);
    }
  return points;
}

Mesh mesh_of(const ShapeDrawing& drawing) {
  Mesh mesh;
  mesh.vertices = drawing.vertices;
  for (const Triangle& t : drawing.faces) mesh.polygons.add(t);
  return mesh;
}

ShapeCase sphere_case() {
  const double r = 0.7;
  std::vector<std::array<double, 2>> profile;
  for (int k = 0; k <= 200; ++k) {
    const double angle = std::numbers::pi * k / 200;
    profile.push_back({r * std::sin(angle), r * std::cos(angle)});
  }
  return {"sphere",
          make_sphere(r),
          [=](const Vec3& x) { return norm(x) < r; },
          revolved({0, 0, 1}, profile, 400),
          0.012,
          r,
          [](double radius) { return make_sphere(radius); }};
}

ShapeCase box_case() {
  const Mat3 turn = rotation({20.0, -35.0, 50.0});
  const ShapePointer shape = make_box({0.8, 1.2, 0.5}, turn);
  return {"box",
          shape,
          [=](const Vec3& x) {
            const Vec3 own = transposed_product(turn, x);
            return std::abs(own.x) < 0.4 && std::abs(own.y) < 0.6 && std::abs(own.z) < 0.25;
          },
          points_of(mesh_of(shape->drawing(0.0)), 0.01),
          0.01,
          0.0,
          {}};
}

ShapeCase cylinder_case() {
  const double r = 0.5, half = 0.4;
  std::vector<std::array<double, 2>> profile;
  for (int k = 0; k <= 50; ++k) {
    profile.push_back({r, half * (2.0 * k / 50.0 - 1.0)});
    for (const double end : {-half, half}) profile.push_back({r * k / 50.0, end});
  }
  const auto make = [=](double radius) { return make_cylinder(slanted, radius, 2.0 * half); };
  return {"cylinder",
          make(r),
          [=](const Vec3& x) {
            const double height = dot(slanted, x);
            return std::abs(height) < half && norm(x - height * slanted) < r;
          },
          revolved(slanted, profile, 300),
          0.016,
          r,
          make};
}

ShapeCase capsule_case() {
  const double r = 0.4, half = 0.5;
  std::vector<std::array<double, 2>> profile;
  for (int k = 0; k <= 100; ++k) {
    profile.push_back({r, half * (2.0 * k / 100.0 - 1.0)});
    const double angle = 0.5 * std::numbers::pi * k / 100.0;
    for (const double end : {-1.0, 1.0})
      profile.push_back({r * std::cos(angle), end * (half + r * std::sin(angle))});
  }
  const auto make = [=](double radius) { return make_capsule(slanted, radius, 2.0 * half); };
  return {"capsule",
          make(r),
          [=](const Vec3& x) {
            const double height = std::clamp(dot(slanted, x), -half, half);
            return norm(x - height * slanted) < r;
          },
          revolved(slanted, profile, 300),
          0.012,
          r,
          make};
}

ShapeCase trough_case() {
  const double r = 0.8, half = 0.5, angle = 2.0;
  const Vec3 towards = (1.0 / std::sqrt(2.0)) * Vec3{0.0, 1.0, -1.0};
  const Vec3 side = cross(slanted, towards);
  VectorArray wall;
  for (int k = 0; k <= 200; ++k)
    for (int l = 0; l <= 120; ++l) {
      const double t = angle * (k / 200.0 - 0.5);
      wall.push_back(half * (l / 60.0 - 1.0) * slanted + r * (std::cos(t) * towards + std::sin(t) * side));
    }
  const auto make = [=](double radius) { return make_trough(slanted, towards, radius, 2.0 * half, angle); };
  return {"trough",
          make(r),
          [=](const Vec3& x) {
            const double t = std::atan2(dot(side, x), dot(towards, x));
            return std::abs(dot(slanted, x)) < half && std::abs(t) < 0.5 * angle &&
                   norm(x - dot(slanted, x) * slanted) > r;
          },
          wall,
          0.012,
          r,
          make};
}

/// A torus: it has edges and vertices that stand out and others that are sunk.
ShapeCase mesh_case() {
  GeneratorSpec spec;
  spec.shape = "torus";
  spec.parameters = {{"major_radius", 0.7}, {"minor_radius", 0.3}, {"vertices", 90.0}};
  const Mesh mesh = generate(spec);
  const auto tree = std::make_shared<SurfaceTree>(mesh);
  return {"mesh",
          make_closed_mesh(mesh),
          [=](const Vec3& x) { return tree->is_inside(x); },
          points_of(mesh, 0.01),
          0.01,
          0.0,
          {}};
}

ShapeCase inside(ShapeCase c) {
  c.name += "_from_inside";
  c.shape = make_inside_out(c.shape);
  c.holds = [holds = c.holds](const Vec3& x) { return !holds(x); };
  if (c.of_radius) c.of_radius = [make = c.of_radius](double r) { return make_inside_out(make(r)); };
  return c;
}

void PrintTo(const ShapeCase& c, std::ostream* out) {
  *out << c.name;
}

class Shapes : public testing::TestWithParam<ShapeCase> {};

INSTANTIATE_TEST_SUITE_P(All, Shapes,
                         testing::Values(sphere_case(), box_case(), cylinder_case(), capsule_case(),
                                         trough_case(), mesh_case(), inside(sphere_case()),
                                         inside(box_case()), inside(cylinder_case()), inside(capsule_case())),
                         [](const auto& tested) { return tested.param.name; });

const VectorArray points = random_vectors(400, 31, 1.3);

TEST_P(Shapes, DistancesAreThoseOfTheNearestOfManyPoints) {
  const ShapeCase& c = GetParam();
  std::size_t inside = 0;
  for (const Vec3& x : points) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& y : c.surface) nearest = std::min(nearest, squared_norm(x - y));
    nearest = std::sqrt(nearest);
    const SurfaceView seen = c.shape->view(x);
    EXPECT_EQ(seen.distance < 0.0, c.holds(x)) << x.x << " " << x.y << " " << x.z;
    EXPECT_LE(std::abs(seen.distance), nearest + 1e-12);
    EXPECT_GE(std::abs(seen.distance), nearest - c.spacing);
    // The step back to the nearest point ends on the surface.
    EXPECT_LE(std::abs(c.shape->view(x - seen.distance * seen.normal).distance), 1e-12);
    if (c.holds(x)) {
      ++inside;
      EXPECT_TRUE(c.shape->may_hold(x));
    }
  }
  EXPECT_GE(inside, 8U);
}

/// Points whose nearest feature stays the same nearby, where derivatives exist.
bool is_smooth(const RigidShape& shape, const Vec3& x, double step) {
  const SurfaceView here = shape.view(x);
  for (int axis = 0; axis < 3; ++axis)
    for (const double s : {-4.0 * step, 4.0 * step}) {
      Vec3 moved = x;
      moved[axis] += s;
      const SurfaceView there = shape.view(moved);
      if (norm(there.normal - here.normal) > 0.5) return false;
      for (const Vec3& z : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        if (norm(there.curvature * z - here.curvature * z) > 0.05 * (1.0 + norm(here.curvature * z)))
          return false;
    }
  return true;
}

TEST_P(Shapes, NormalsAndCurvaturesAreDerivatives) {
  const RigidShape& shape = *GetParam().shape;
  constexpr double step = 1e-4;
  std::size_t smooth = 0, curved = 0;
  for (const Vec3& x : points) {
    const SurfaceView seen = shape.view(x);
    EXPECT_NEAR(norm(seen.normal), 1.0, 1e-14);
    EXPECT_LE(norm(seen.curvature * seen.normal), 1e-9 * (1.0 + norm(seen.curvature.rows[0])));
    if (!is_smooth(shape, x, step)) continue;
    ++smooth;
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](double s) {
        Vec3 moved = x;
        moved[axis] += s;
        return shape.view(moved);
      };
      EXPECT_NEAR(derivative([&](double s) { return at(s).distance; }, step), seen.normal[axis], 1e-7);
      for (int row = 0; row < 3; ++row)
        EXPECT_NEAR(derivative([&](double s) { return at(s).normal[row]; }, step),
                    seen.curvature.rows[static_cast<std::size_t>(row)][axis], 1e-5)
            << x.x << " " << x.y << " " << x.z;
      curved += norm(seen.curvature.rows[static_cast<std::size_t>(axis)]) > 0.1 ? 1 : 0;
    }
  }
  EXPECT_GT(smooth, points.size() / 2);
  EXPECT_GT(curved, 20U);
}

/// The largest change of a distance by time, over points outside and inside, as the shape moves.
double seen_speed(const ShapePointer& shape, const Placement& rates) {
  const RigidSurface surface{shape, {}};
  constexpr double step = 1e-6;
  const auto at = [&](double t) {
    return PlacedSurface(surface, {t * rates.velocity, t * rates.turning, {}, {}});
  };
  const PlacedSurface before = at(-step), after = at(step);
  double most = 0.0;
  for (const Vec3& x : random_vectors(10000, 77, 1.3))
    if (shape->view(x).distance > 0.0)
      most = std::max(most, std::abs(after.view(x).distance - before.view(x).distance) / (2.0 * step));
  return most;
}

TEST_P(Shapes, MoveAlongTheirNormalsAsFastAsDistancesChange) {
  const ShapePointer& shape = GetParam().shape;
  const VectorArray velocities = random_vectors(6, 41, 0.5), turnings = random_vectors(6, 43, 60.0);
  for (std::size_t k = 0; k < 6; ++k) {
    Placement rates{{}, {}, k == 1 ? Vec3{} : velocities[k], k == 0 ? Vec3{} : turnings[k]};
    const double seen = seen_speed(shape, rates);
    const double bound = shape->normal_speed(PlacedSurface({shape, {}}, rates).motion(), 0.0);
    EXPECT_LE(seen, bound * (1.0 + 1e-6) + 1e-8) << k;
    EXPECT_GE(seen, 0.5 * bound - 1e-8) << k;
  }
}

TEST(Shapes, TurnInThemselvesWithoutASpeed) {
  const auto turning = [](const ShapePointer& shape, const Vec3& axis) {
    return shape->normal_speed({{}, axis}, 1.0);
  };
  EXPECT_EQ(turning(make_sphere(0.7), {1, 2, 3}), 0.0);
  EXPECT_LE(turning(make_cylinder(slanted, 0.5, 2.0), 7.0 * slanted), 1e-15);
  EXPECT_LE(turning(make_capsule(slanted, 0.5, 2.0), 7.0 * slanted), 1e-15);
  EXPECT_LE(turning(make_plane(slanted), 7.0 * slanted), 1e-15);
  // About another axis a plane moves the faster the farther out.
  EXPECT_NEAR(make_plane({0, 0, 1})->normal_speed({{3, 0, 0.5}, {0, 2, 0}}, 1.5), 3.5, 1e-15);
  // A long box that turns about its middle hits with its ends.
  EXPECT_NEAR(turning(make_box({2.0, 0.1, 0.1}, Mat3::identity()), {0, 0, 3}), 3.0, 1e-12);
}

TEST_P(Shapes, GrowWithTheirRadius) {
  const ShapeCase& c = GetParam();
  if (!c.of_radius) {
    EXPECT_EQ(c.shape->growth(points[0]), Vec3{});
    EXPECT_FALSE(c.shape->radius());
    EXPECT_EQ(c.shape->of_radius(1.0), nullptr);
    return;
  }
  EXPECT_EQ(c.shape->radius(), c.radius_is);
  constexpr double step = 1e-4;
  std::size_t grown = 0;
  for (const Vec3& x : points) {
    if (!is_smooth(*c.shape, x, step)) continue;
    const SurfaceView seen = c.shape->view(x);
    const Vec3 w = c.shape->growth(x);
    const auto at = [&](double s) { return c.shape->of_radius(c.radius_is + s)->view(x); };
    EXPECT_EQ(at(0.1).distance, c.of_radius(c.radius_is + 0.1)->view(x).distance);
    EXPECT_NEAR(derivative([&](double s) { return at(s).distance; }, step), -dot(seen.normal, w), 1e-7);
    const Vec3 turned = seen.curvature * w;
    for (int row = 0; row < 3; ++row)
      EXPECT_NEAR(derivative([&](double s) { return at(s).normal[row]; }, step), -turned[row], 1e-6);
    grown += norm(w) > 0.0 ? 1 : 0;
  }
  EXPECT_GT(grown, 50U);
}

TEST(Shapes, APlanesDistanceGrowsAlongItsNormal) {
  const ShapePointer plane = make_plane(slanted);
  for (const Vec3& x : points) {
    const SurfaceView seen = plane->view(x);
    EXPECT_EQ(seen.distance, dot(slanted, x));
    EXPECT_EQ(seen.normal, slanted);
    for (const Vec3& row : seen.curvature.rows) EXPECT_EQ(row, Vec3{});
  }
}

TEST(Shapes, ABoxIsThatOfItsTriangles) {
  const ShapePointer box = make_box({0.8, 1.2, 0.5}, rotation({20.0, -35.0, 50.0}));
  const ShapePointer mesh = make_closed_mesh(mesh_of(box->drawing(0.0)));
  for (const Vec3& x : points) {
    const SurfaceView a = box->view(x), b = mesh->view(x);
    EXPECT_NEAR(a.distance, b.distance, 1e-14);
    EXPECT_LE(norm(a.normal - b.normal), 1e-13);
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_LE(norm(a.curvature.rows[row] - b.curvature.rows[row]), 1e-11 / std::abs(a.distance));
  }
}

TEST(Shapes, AFlatEdgeOfAMeshIsNoEdge) {
  // The diagonal of the upper face of a cube is an edge of two triangles in one plane.
  const ShapePointer mesh = make_closed_mesh(mesh_of(make_box({2, 2, 2}, Mat3::identity())->drawing(0.0)));
  for (const double s : {-0.5, 0.0, 0.25, 0.5})
    for (const Vec3& x : {Vec3{s, s, 1.3}, Vec3{s, -s, 1.3}}) {
      const SurfaceView seen = mesh->view(x);
      EXPECT_NEAR(seen.distance, 0.3, 1e-15);
      EXPECT_LE(norm(seen.normal - Vec3{0, 0, 1}), 1e-15);
      for (const Vec3& row : seen.curvature.rows) EXPECT_EQ(row, Vec3{});
    }
}

/// From in front of three planes that meet in a hollow corner, and from behind them.
TEST(Shapes, AHollowOfAMeshHasAllItsWalls) {
  const ShapePointer mesh = make_closed_mesh(parse_obj(notched_mesh(), "notched.obj"));
  EXPECT_TRUE(mesh->has_corners());
  EXPECT_FALSE(make_closed_mesh(mesh_of(make_box({2, 2, 2}, Mat3::identity())->drawing(0.0)))->has_corners());
  Random random(7);
  for (int k = 0; k < 300; ++k) {
    const Vec3 x = Vec3{0.2, 0.2, 0.2} + random.in_cube(k % 2 == 0 ? 0.2 : 0.25);
    std::array<SurfaceView, 3> walls;
    ASSERT_EQ(mesh->walls(x, walls), 3) << x.x << " " << x.y << " " << x.z;
    std::array<double, 3> expected{x.x, x.y, x.z};
    std::sort(expected.begin(), expected.end());
    for (std::size_t w = 0; w < 3; ++w) {
      EXPECT_NEAR(walls[w].distance, expected[w], 1e-15);
      EXPECT_NEAR(dot(walls[w].normal, x), expected[w], 1e-15);
    }
  }
  // Exactly below the line in which two planes meet.
  std::array<SurfaceView, 3> both;
  ASSERT_EQ(mesh->walls({0.0, 0.5, -0.01}, both), 3);
  EXPECT_EQ(both[0].normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(both[0].distance, -0.01);
  EXPECT_EQ(both[1].normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(both[1].distance, 0.0);
  // On the ridges the nearest feature is the only wall, and outside no face of another side is one.
  std::array<SurfaceView, 3> walls;
  for (const Vec3& x : {Vec3{1.2, -0.5, 0.5}, Vec3{-0.5, -0.5, 1.1}, Vec3{-0.02, 0.5, 1.03}})
    EXPECT_EQ(mesh->walls(x, walls), 1) << walls[1].distance << " from another";
}

/// A place next to the line in which the planes of groove_mesh() meet.
Vec3 groove_place(Random& random) {
  const Vec3 at = random.in_cube(1.0);
  return {20.0 * at.x, 1e-21 * at.y, 1e-21 * at.z};
}

/// However far away the corners of its faces are.
TEST(Shapes, AGrooveOfAMeshHasBothWallsAllAlong) {
  const ShapePointer mesh = make_closed_mesh(parse_obj(groove_mesh(), "groove.obj"));
  const double off = 1.0 / std::numbers::sqrt2;
  Random random(8);
  for (int k = 0; k < 3000; ++k) {
    const Vec3 x = groove_place(random);
    std::array<SurfaceView, 3> walls;
    ASSERT_EQ(mesh->walls(x, walls), 2) << x.x << " " << x.y << " " << x.z;
    EXPECT_NEAR(walls[0].normal.y * walls[1].normal.y, -off * off, 1e-15);
    for (const SurfaceView& wall : {walls[0], walls[1]}) EXPECT_LT(std::abs(wall.distance), 1e-20);
  }
}

/// Between two ridges, and between a floor and a ridge or a peak, a point sees both.
TEST(Shapes, RidgesAndPeaksAreWalls) {
  const ShapePointer roofs = make_closed_mesh(parse_obj(two_roofs_mesh(0.03), "roofs.obj"));
  EXPECT_TRUE(roofs->has_corners());
  std::array<SurfaceView, 3> walls;
  for (const double x : {0.0, 0.01, -0.02}) {
    const Vec3 at{x, 0.3, 0.04};
    ASSERT_EQ(roofs->walls(at, walls), 2) << x;
    std::vector<Vec3> offs{at - Vec3{-0.03, 0.3, 0}, at - Vec3{0.03, 0.3, 0}};
    if (x > 0.0) std::swap(offs[0], offs[1]);
    for (std::size_t w = 0; w < 2; ++w) {
      const double far = norm(offs[w]);
      // At x = 0 either comes first.
      const Vec3 off = x == 0.0 && walls[w].normal.x * offs[w].x < 0.0 ? offs[1 - w] : offs[w];
      EXPECT_NEAR(walls[w].distance, far, 1e-15);
      EXPECT_LT(norm(walls[w].normal - (1.0 / far) * off), 1e-12);
      EXPECT_LT(norm(walls[w].curvature * Vec3{0, 1, 0}), 1e-9);
      const Vec3 across = cross(walls[w].normal, Vec3{0, 1, 0});
      EXPECT_LT(norm(walls[w].curvature * across - (1.0 / far) * across), 1e-9);
    }
  }
  // Below a ridge's reach, in front of one of its faces, this face is the wall.
  ASSERT_EQ(roofs->walls({0.0, 0.3, -0.5}, walls), 2);
  for (const SurfaceView& wall : {walls[0], walls[1]}) {
    EXPECT_LT(std::abs(wall.normal.y), 1e-12);
    EXPECT_EQ(wall.curvature.rows, Mat3{}.rows);
  }
  // A peak that stands on a floor, seen from beside it.
  const ShapePointer peak = make_closed_mesh(parse_obj(peak_mesh(), "peak.obj"));
  const Vec3 beside{0.3, 0.0, 0.6};
  ASSERT_EQ(peak->walls(beside, walls), 2);
  EXPECT_NEAR(walls[0].distance, norm(beside - Vec3{0.0, 0.0, 0.5}), 1e-15);
  EXPECT_LT(norm(walls[0].normal - (1.0 / walls[0].distance) * (beside - Vec3{0.0, 0.0, 0.5})), 1e-12);
  EXPECT_NEAR(walls[1].distance, 0.6, 1e-15);
  EXPECT_EQ(walls[1].normal, (Vec3{0, 0, 1}));
}

TEST(Shapes, DrawnSolidsAreClosedAndInTheirShape) {
  for (const ShapeCase& c : {box_case(), cylinder_case(), capsule_case(), mesh_case()}) {
    SCOPED_TRACE(c.name);
    const ShapeDrawing drawing = c.shape->drawing(0.0);
    const ShapePointer drawn = make_closed_mesh(mesh_of(drawing));
    double deepest = 0.0;
    for (const Vec3& y : c.surface) deepest = std::max(deepest, drawn->view(y).distance);
    EXPECT_LE(deepest, 1e-3) << "the drawing misses a part";
    for (const Vec3& x : drawing.vertices) {
      EXPECT_LE(c.shape->view(x).distance, 1e-12);
      EXPECT_LE(norm(x), c.shape->reach() + 1e-12);
    }
    for (const Vec3& x : c.shape->drawing(0.02).vertices)
      EXPECT_LT(c.shape->view(x).distance, -0.01) << "drawn below the surface";
  }
  const ShapeCase trough = trough_case();
  const ShapeDrawing plate = trough.shape->drawing(0.0);
  const ShapePointer drawn = make_closed_mesh(mesh_of(plate));
  for (const Vec3& y : trough.surface) EXPECT_LE(std::abs(drawn->view(y).distance), 1e-3);
  for (const Vec3& x : plate.vertices)
    EXPECT_GE(norm(x - dot(slanted, x) * slanted), trough.radius_is - 1e-12) << "behind the wall";
  EXPECT_NEAR(*make_sphere(0.5)->drawing(0.02).ball, 0.48, 1e-15);
  EXPECT_NEAR(*make_sphere(0.5)->drawing(0.2).ball, 0.45, 1e-15) << "at most a tenth smaller";
  const ShapeDrawing inside = make_inside_out(make_sphere(0.5))->drawing(0.0);
  EXPECT_FALSE(inside.ball);
  EXPECT_TRUE(inside.faces.empty());
  EXPECT_FALSE(inside.lines.empty());
}

std::string refusal(const Mesh& mesh) {
  try {
    make_closed_mesh(mesh);
  } catch (const InputError& error) {
    return error.findings().at(0).message;
  }
  return "";
}

TEST(ClosedMesh, RefusesWhatEnclosesNoVolume) {
  const Mesh box = mesh_of(make_box({1, 1, 1}, Mat3::identity())->drawing(0.0));
  EXPECT_EQ(refusal(box), "");
  Mesh open = box;
  open.polygons = {};
  for (std::size_t p = 1; p < box.polygons.size(); ++p) open.polygons.add(box.polygons[p]);
  EXPECT_EQ(refusal(open), "the surface is open: the edge between vertices 0 and 4 has one triangle");
  Mesh turned = box;
  std::swap(turned.polygons.indices[0], turned.polygons.indices[1]);
  EXPECT_EQ(refusal(turned).substr(0, 45), "the surface's faces are not turned the same w");
  Mesh points_only;
  points_only.vertices = {{0, 0, 0}};
  EXPECT_EQ(refusal(points_only), "the mesh has no faces");
  Mesh twice = box;
  for (std::size_t p = 0; p < box.polygons.size(); ++p) twice.polygons.add(box.polygons[p]);
  EXPECT_EQ(refusal(twice), "the edge between vertices 0 and 1 has 4 triangles");
  Mesh flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (const Triangle& t : {Triangle{0, 1, 2}, Triangle{0, 2, 1}}) flat.polygons.add(t);
  EXPECT_EQ(refusal(flat), "the surface encloses no volume");
}

/// Cubes around the origin with sides of these lengths, and one beside them; with a negative length inside
/// out.
Mesh cubes(const std::vector<double>& sides, double beside = 0.0) {
  Mesh all;
  const auto add = [&](double side, double shift) {
    const Mesh cube = mesh_of(make_box(std::abs(side) * Vec3{1, 1, 1}, Mat3::identity())->drawing(0.0));
    const auto first = static_cast<Index>(all.vertices.size());
    for (const Vec3& x : cube.vertices) all.vertices.push_back(x + Vec3{shift, 0, 0});
    for (const Triangle& t : triangulated(cube.polygons)) {
      const Triangle own{first + t[0], first + (side < 0.0 ? t[2] : t[1]),
                         first + (side < 0.0 ? t[1] : t[2])};
      all.polygons.add(own);
    }
  };
  for (const double side : sides) add(side, 0.0);
  if (beside != 0.0) add(beside, 5.0);
  return all;
}

TEST(ClosedMesh, MayHaveHollowsButNoSolidsInItself) {
  EXPECT_EQ(refusal(cubes({2, 1})),
            "a closed surface lies inside another one and is turned as that one is: that of the triangle of "
            "vertices 8, 12 and 14");
  EXPECT_EQ(refusal(cubes({1, 2})).substr(0, 44), "a closed surface lies inside another one and");
  EXPECT_EQ(refusal(cubes({-2, -1})).substr(0, 44), "a closed surface lies inside another one and");
  EXPECT_EQ(
      refusal(cubes({2}, -1)),
      "a closed surface is turned the other way than the others: that of the triangle of vertices 8, 14 "
      "and 12");
  for (const auto& [mesh, centre, shell] :
       {std::tuple(cubes({2, -1}), 0.5, -0.25), std::tuple(cubes({-2, 1}), 0.5, -0.25),
        std::tuple(cubes({-1, 2}, 3), 0.5, -0.25), std::tuple(cubes({2, -1.5, 1}), -0.5, 0.1),
        std::tuple(cubes({1}, 2), -0.5, 0.25)}) {
    EXPECT_EQ(refusal(mesh), "");
    const ShapePointer shape = make_closed_mesh(mesh);
    EXPECT_NEAR(shape->view({0.0, 0.0, 0.0}).distance, centre, 1e-12);
    EXPECT_NEAR(shape->view({0.0, 0.0, shell == 0.1 ? 0.6 : 0.75}).distance, shell, 1e-12);
  }
}

TEST(ClosedMesh, JoinsVerticesAtOnePointAndTurnsFacesOutward) {
  const Mesh box = mesh_of(make_box({1, 1, 1}, Mat3::identity())->drawing(0.0));
  Mesh soup;
  for (const Triangle& t : triangulated(box.polygons)) {
    const auto first = static_cast<Index>(soup.vertices.size());
    for (const Index v : t) soup.vertices.push_back(box.vertices[static_cast<std::size_t>(v)]);
    const Triangle inward{first, first + 2, first + 1};
    soup.polygons.add(inward);
  }
  const ShapePointer a = make_closed_mesh(box), b = make_closed_mesh(soup);
  for (const Vec3& x : points) EXPECT_NEAR(a->view(x).distance, b->view(x).distance, 1e-15);
}

const Placement moved{{0.3, -0.2, 0.5}, {25.0, -40.0, 130.0}, {0.7, 0.1, -0.4}, {50.0, -30.0, 20.0}};

TEST(PlacedSurfaces, SeeWhatTheirShapeSees) {
  const RigidSurface surface{cylinder_case().shape, {0.2, 0.1, -0.3}};
  const PlacedSurface placed(surface, moved);
  const Mat3 turn = rotation(moved.rotation);
  for (const Vec3& x : points) {
    const SurfaceView own = view(surface, surface.origin + x);
    const SurfaceView seen = placed.view(surface.origin + moved.offset + turn * x);
    EXPECT_NEAR(seen.distance, own.distance, 1e-14);
    EXPECT_LE(norm(seen.normal - turn * own.normal), 1e-13);
    for (const Vec3& z : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      EXPECT_LE(norm(seen.curvature * (turn * z) - turn * (own.curvature * z)), 1e-10);
    EXPECT_EQ(PlacedSurface(surface, {}).view(x).distance, view(surface, x).distance) << "the same bits";
  }
}

TEST(PlacedSurfaces, MoveAsTheirVelocitySays) {
  const RigidSurface surface{box_case().shape, {0.2, 0.1, -0.3}};
  const PlacedSurface placed(surface, moved);
  const auto at = [&](const Vec3& own, double time) {
    const Mat3 turn = rotation(moved.rotation + time * moved.turning);
    return surface.origin + moved.offset + time * moved.velocity + turn * own;
  };
  for (const Vec3& own : {Vec3{0.3, -0.4, 0.2}, Vec3{-1, 2, 0.5}})
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(derivative([&](double t) { return at(own, t)[axis]; }, 1e-3),
                  placed.velocity(at(own, 0.0))[axis], 1e-10);
}

/// A number that depends on all that points see: through weights of φ, n and the velocity.
struct Probe {
  RigidSurface surface;
  VectorArray places = random_vectors(12, 5, 0.9);
  std::vector<double> by_distance = random_numbers(12, 6, -1.0, 1.0);
  VectorArray by_normal = random_vectors(12, 7), by_velocity = random_vectors(12, 8);

  [[nodiscard]] double value(const RigidSurface& of, const Placement& placement, const VectorArray& x) const {
    const PlacedSurface placed(of, placement);
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const SurfaceView seen = placed.view(x[i]);
      sum += by_distance[i] * seen.distance + dot(by_normal[i], seen.normal) +
             dot(by_velocity[i], placed.velocity(x[i]));
    }
    return sum;
  }
};

TEST(PlacedSurfaces, DerivativesOfWhatPointsSee) {
  const Probe probe{{capsule_case().shape, {0.2, 0.1, -0.3}}};
  const PlacedSurface placed(probe.surface, moved);
  SurfaceCotangent sums;
  VectorArray by_x;
  for (std::size_t i = 0; i < probe.places.size(); ++i)
    by_x.push_back(placed.add(probe.places[i], placed.view(probe.places[i]),
                              {probe.by_distance[i], probe.by_normal[i], probe.by_velocity[i]}, sums));
  for (std::size_t k = 0; k < 3 * by_x.size(); ++k) {
    const int axis = static_cast<int>(k % 3);
    const double expected = derivative(
        [&](double s) {
          VectorArray x = probe.places;
          x[k / 3][axis] += s;
          return probe.value(probe.surface, moved, x);
        },
        1e-4);
    EXPECT_NEAR(by_x[k / 3][axis], expected, 1e-8) << "coordinate " << k;
  }
  const Placement by = placed.by_placement(sums);
  const std::array members{&Placement::offset, &Placement::rotation, &Placement::velocity,
                           &Placement::turning};
  for (std::size_t m = 0; m < members.size(); ++m)
    for (int axis = 0; axis < 3; ++axis) {
      const double expected = derivative(
          [&](double s) {
            Placement changed = moved;
            (changed.*members[m])[axis] += s;
            return probe.value(probe.surface, changed, probe.places);
          },
          m % 2 == 1 ? 1e-2 : 1e-4);
      EXPECT_NEAR((by.*members[m])[axis], expected, 1e-8) << "member " << m << ", axis " << axis;
    }
  for (int axis = 0; axis < 3; ++axis) {
    const double expected = derivative(
        [&](double s) {
          RigidSurface shifted = probe.surface;
          shifted.origin[axis] += s;
          return probe.value(shifted, moved, probe.places);
        },
        1e-4);
    EXPECT_NEAR(placed.by_origin(sums)[axis], expected, 1e-8);
  }
  const double by_radius = derivative(
      [&](double s) {
        return probe.value({make_capsule(slanted, 0.4 + s, 1.0), probe.surface.origin}, moved, probe.places);
      },
      1e-4);
  EXPECT_NEAR(sums.by_radius, by_radius, 1e-8);
}

/// A point in a room may touch all its walls: those of a box are planes, and a cylinder's are its side and an
/// end.
TEST(Shapes, RoomsHaveWalls) {
  const Mat3 turn = rotation({20.0, -35.0, 50.0});
  const ShapePointer box = make_inside_out(make_box({0.8, 1.2, 0.5}, turn));
  const ShapePointer can = make_inside_out(make_cylinder(slanted, 0.4, 1.0));
  for (const auto& [room, count] : {std::pair(box, 3), std::pair(can, 2)})
    for (const Vec3& x : {Vec3{0.1, 0.05, -0.1}, Vec3{-0.1, 0.1, 0.1}, Vec3{0.02, -0.1, 0.1}}) {
      std::array<SurfaceView, 3> walls;
      ASSERT_EQ(room->walls(x, walls), count);
      const SurfaceView nearest = room->view(x);
      EXPECT_EQ(walls[0].distance, nearest.distance);
      EXPECT_EQ(walls[0].normal, nearest.normal);
      for (int k = 1; k < count; ++k) {
        const SurfaceView& wall = walls[static_cast<std::size_t>(k)];
        EXPECT_GE(wall.distance, walls[static_cast<std::size_t>(k - 1)].distance);
        // On the way to the wall it is the nearest one in the end, where the point meets it.
        EXPECT_NEAR(room->view(x - wall.distance * wall.normal).distance, 0.0, 1e-12);
        EXPECT_NEAR(norm(wall.normal), 1.0, 1e-12);
      }
    }
  std::array<SurfaceView, 3> walls;
  EXPECT_EQ(make_box({1, 1, 1}, Mat3::identity())->walls({2, 0, 0}, walls), 1);  // From outside.
}

}  // namespace
}  // namespace electret::test
