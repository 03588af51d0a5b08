#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/transverse.hpp>
#include <electret/force/hydrodynamics.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/volume.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

/// Triangles and quadrilaterals over consecutive vertices; every third one has two sides.
std::vector<WetFace> mixed_faces(Index n, bool triangles, bool quads) {
  std::vector<WetFace> faces;
  for (Index i = 0; i + 3 < n; ++i) {
    const bool two_sides = i % 3 == 0;
    if (triangles) faces.push_back({{i, i + 1, i + 2, -1}, two_sides});
    if (quads) faces.push_back({{i, i + 2, i + 1, i + 3}, two_sides});
  }
  return faces;
}

ForceCase water_case(const char* name, bool triangles, bool quads, double max_force) {
  ForceCase c;
  c.name = name;
  c.tolerance = 1e-8;
  c.make = [=](Index n, Threads& threads, const Change& change) {
    Water water;
    water.velocity = {0.4, -0.3, 0.2};
    water.max_force = max_force;
    const auto by = [&](std::size_t parameter) { return change.parameter == parameter ? change.by : 0.0; };
    water.density += by(0);
    water.velocity[static_cast<int>(change.component % 3)] += by(1);
    water.drag[change.component % 4] += by(2);
    water.thrust[change.component % 4] += by(3);
    return make_hydrodynamic_force(water, mixed_faces(n, triangles, quads), n, threads);
  };
  return c;
}

const double unlimited = Water{}.max_force;

INSTANTIATE_TEST_SUITE_P(Hydrodynamics, ForceConformance,
                         testing::Values(water_case("triangles", true, false, unlimited),
                                         water_case("quadrilaterals", false, true, unlimited),
                                         water_case("at_most", true, true, 300.0)),
                         force_case_name);

/// The faces of a box of cubes, as quadrilaterals or cut into triangles.
std::vector<WetFace> faces_of(const Mesh& mesh, bool in_triangles = false) {
  std::vector<WetFace> faces;
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) {
    const auto q = mesh.polygons[p];
    if (!in_triangles) {
      faces.push_back({{q[0], q[1], q[2], q[3]}, false});
      continue;
    }
    faces.push_back({{q[0], q[1], q[2], -1}, false});
    faces.push_back({{q[0], q[2], q[3], -1}, false});
  }
  return faces;
}

VectorArray force_of(ExplicitForce& force, const VectorArray& x, const VectorArray& v) {
  const std::vector<double> masses(x.size(), 1.0);
  const Inputs inputs;
  VectorArray f(x.size());
  force.add_force({x, v, masses, inputs}, f);
  return f;
}

Vec3 total(const VectorArray& f) {
  Vec3 sum;
  for (const Vec3& each : f) sum += each;
  return sum;
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << axis;
}

/// The published force on a box of 20 × 2 × 2 cubes, to all digits that were printed.
TEST(Hydrodynamics, IsThePublishedForceOnABox) {
  Threads threads(1);
  const Mesh box = generate({"box", {{"cells", std::vector<double>{20, 2, 2}}, {"cell_size", 0.1}}});
  const auto n = static_cast<Index>(box.vertices.size());
  const VectorArray v(box.vertices.size(), Vec3{0.3, -0.2, 0.5});
  const Vec3 published{-62.93664714, 69.70520672, -193.49830414};
  const auto force = make_hydrodynamic_force({}, faces_of(box), n, threads);
  expect_near(total(force_of(*force, box.vertices, v)), published, 5e-9);
  // Flat faces in two triangles have the same area and the same velocity here.
  const auto triangles = make_hydrodynamic_force({}, faces_of(box, true), n, threads);
  expect_near(total(force_of(*triangles, box.vertices, v)), published, 5e-9);
  // Water that flows past a body at rest is the same as a body that moves through water at rest.
  Water flowing;
  flowing.velocity = -v[0];
  const auto river = make_hydrodynamic_force(flowing, faces_of(box), n, threads);
  expect_near(total(force_of(*river, box.vertices, VectorArray(v.size()))), published, 5e-9);
}

/// The released script's starfish: two bars of 22 × 2 × 2 cubes of 0.1 m that cross in the origin.
Mesh crossed_bars() {
  std::map<std::array<int, 3>, Index> vertices;
  Mesh mesh;
  const auto vertex = [&](int x, int y, int z) {
    const auto [at, is_new] = vertices.try_emplace({x, y, z}, static_cast<Index>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back({0.1 * x, 0.1 * y, 0.1 * z});
    return at->second;
  };
  for (int x = -11; x < 11; ++x)
    for (int y = -11; y < 11; ++y)
      for (int z = -1; z < 1; ++z) {
        if (std::abs(2 * x + 1) > 2 && std::abs(2 * y + 1) > 2) continue;
        Hexahedron cube{};
        std::size_t corner = 0;
        for (const int up : {0, 1})
          for (const auto& [right, back] :
               {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)})
            cube[corner++] = vertex(x + right, y + back, z + up);
        mesh.hexahedra.push_back(cube);
      }
  mesh.polygons = boundary_of_elements(mesh);
  return mesh;
}

/// The published force on the script's starfish that moves, and the torque on it while it turns about z by
/// 1 rad/s, to all digits that were printed.
TEST(Hydrodynamics, IsThePublishedForceAndTorqueOnTheStarfish) {
  Threads threads(1);
  const Mesh mesh = crossed_bars();
  EXPECT_EQ(mesh.hexahedra.size(), 168U);
  EXPECT_EQ(mesh.vertices.size(), 387U);
  const auto n = static_cast<Index>(mesh.vertices.size());
  const auto force = make_hydrodynamic_force({}, faces_of(mesh), n, threads);
  const VectorArray v(mesh.vertices.size(), Vec3{0.3, -0.2, 0.5});
  expect_near(total(force_of(*force, mesh.vertices, v)), {-181.3589040, 120.1017763, -417.9278425}, 5e-8);
  VectorArray turning;
  for (const Vec3& x : mesh.vertices) turning.push_back(cross({0, 0, 1}, x));
  const VectorArray f = force_of(*force, mesh.vertices, turning);
  expect_near(total(f), {}, 1e-11);
  Vec3 torque;
  for (std::size_t i = 0; i < f.size(); ++i) torque += cross(mesh.vertices[i], f[i]);
  expect_near(torque, {0, 0, -628.7516997}, 5e-8);
}

/// A plate of 1 m² that meets the water at φ has the coefficients of the published curves.
TEST(Hydrodynamics, HasThePublishedCurves) {
  Threads threads(1);
  const VectorArray x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto force = make_hydrodynamic_force({}, {{{0, 1, 2, 3}, false}}, 4, threads);
  const double drag[] = {0.05, 0.334375, 0.975, 1.653125, 2.05};
  const double thrust[] = {0.0625, 0.4802734375, 1.0140625, 1.6814453125, 2.5};
  for (int k = 0; k < 5; ++k) {
    const double phi = (k == 0 ? 1e-9 : k * 0.125) * std::numbers::pi;
    // The flow comes from above, at φ to the plate.
    const Vec3 d{std::cos(phi), 0, -std::sin(phi)};
    const Vec3 f = total(force_of(*force, x, VectorArray(4, -d)));
    expect_near(f, 500.0 * (drag[k] * d - thrust[k] * Vec3{0, 0, 1}), 1e-5);
  }
}

TEST(Hydrodynamics, IsFiniteWhereItsAnglesAreNot) {
  Threads threads(1);
  const std::vector<double> masses(4, 1.0);
  const Inputs inputs;
  const VectorArray square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, flat(4, Vec3{1, 2, 3}),
      line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  const VectorArray z = random_vectors(4, 3);
  const auto force = make_hydrodynamic_force({}, {{{0, 1, 2, 3}, true}, {{0, 1, 2, -1}, false}}, 4, threads);
  for (const auto& x : {square, flat, line})
    for (const Vec3& v : {Vec3{}, Vec3{0, 0, 2}, Vec3{0, 0, -2}, Vec3{1, 0, 0}, Vec3{0.1, 0.7, 0.3}}) {
      const VectorArray velocities(4, v);
      const ForcePoint at{x, velocities, masses, inputs};
      VectorArray f(4), by_x(4), by_v(4);
      std::vector<double> density(1), velocity(3), drag(4), thrust(4);
      const std::vector<ScalarSpan> spans{density, velocity, drag, thrust};
      force->add_force(at, f);
      force->add_products(at, z, {by_x, by_v, {}, spans});
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(is_finite(f[i]) && is_finite(by_x[i]) && is_finite(by_v[i])) << v.x << v.y << v.z;
      for (const auto& span : spans)
        for (const double number : span) EXPECT_TRUE(std::isfinite(number));
    }
}

/// Head-on, the force along the flow is smooth although its direction has a cone point.
TEST(Hydrodynamics, HasTheDerivativeOfHeadOnFlowAlongIt) {
  Threads threads(1);
  const VectorArray x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, z(4, Vec3{0, 0, 1});
  const std::vector<double> masses(4, 1.0);
  const Inputs inputs;
  const auto force = make_hydrodynamic_force({}, {{{0, 1, 2, 3}, false}}, 4, threads);
  const VectorArray v(4, Vec3{0, 0, 2});
  EXPECT_NEAR(total(force_of(*force, x, v)).z, -500.0 * 4.55 * 4.0, 1e-9);
  VectorArray by_v(4);
  force->add_transposed_jacobian_v({x, v, masses, inputs}, z, by_v);
  EXPECT_NEAR(total(by_v).z, -500.0 * 4.55 * 2.0 * 2.0, 1e-9);
}

/// A plate that moves straight along its normal, turned every way: rounding turns the flow by 1e-16 only.
TEST(Hydrodynamics, OfHeadOnFlowHasAllDigits) {
  Threads threads(1);
  const VectorArray square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto force = make_hydrodynamic_force({}, {{{0, 1, 2, 3}, false}}, 4, threads);
  const VectorArray axes = random_vectors(400, 11);
  for (std::size_t k = 0; k < 200; ++k) {
    const Vec3 a = (1.0 / norm(axes[2 * k])) * axes[2 * k];
    const Vec3 across = transverse(a, axes[2 * k + 1]), b = (1.0 / norm(across)) * across, n = cross(a, b);
    VectorArray x;
    for (const Vec3& p : square) x.push_back(p.x * a + p.y * b);
    expect_near(total(force_of(*force, x, VectorArray(4, n))), (-500.0 * 4.55) * n, 500.0 * 4.55 * 2e-15);
  }
}

/// The curve of these ordinates at s, and its slope.
std::array<double, 2> curve_and_slope(const std::array<double, 4>& b, double s) {
  const double r = 1.0 - s;
  return {r * r * r * b[0] + 3.0 * r * r * s * b[1] + 3.0 * r * s * s * b[2] + s * s * s * b[3],
          3.0 * (r * r * (b[1] - b[0]) + 2.0 * r * s * (b[2] - b[1]) + s * s * (b[3] - b[2]))};
}

/// A square of 1 m² in the plane z = 0 moves with (θ cos α, θ sin α, 1) m/s. Its force in closed form, as a
/// function of a = θ, is ½ρ (C_d ℓ u - C_t ℓ² ẑ) with u = -v, ℓ² = 1 + a² and φ = π/2 - arctan a. So are its
/// derivatives by a, and by a turn of the plate about the horizontal axis across the flow, which adds to φ.
TEST(Hydrodynamics, HasTheDerivativesOfNearlyHeadOnFlow) {
  Threads threads(1);
  const VectorArray x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<double> masses(4, 1.0);
  const Inputs inputs;
  const Water water;
  const auto force = make_hydrodynamic_force({}, {{{0, 1, 2, 3}, false}}, 4, threads);
  constexpr double pi = std::numbers::pi;
  for (const double a : {2e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.1, 1.0})
    for (const double turn : {0.0, 0.7, 2.5}) {
      const Vec3 along{std::cos(turn), std::sin(turn), 0}, up{0, 0, 1}, v = a * along + up;
      const double length = std::sqrt(1.0 + a * a), phi = 0.5 * pi - std::atan(a);
      const auto [drag, drag_slope] = curve_and_slope(water.drag, 2.0 * phi / pi);
      const auto [thrust, thrust_slope] = curve_and_slope(water.thrust, phi / pi + 0.5);
      const double by_phi = -1.0 / (1.0 + a * a);
      const Vec3 by_a = -500.0 * ((2.0 / pi * drag_slope * by_phi * length + drag * a / length) * v +
                                  (drag * length) * along +
                                  (thrust_slope / pi * by_phi * length * length + 2.0 * thrust * a) * up);
      const Vec3 by_turn = -500.0 * ((2.0 / pi * drag_slope * length) * v +
                                     (length * length) * (thrust_slope / pi * up + thrust * along));
      const VectorArray velocities(4, v);
      const ForcePoint at{x, velocities, masses, inputs};
      for (const Vec3& z : {along, up}) {
        const VectorArray rows(4, z);
        VectorArray by_x(4), by_v(4);
        force->add_products(at, rows, {by_x, by_v, {}, {}});
        double turned = 0.0;
        for (std::size_t k = 0; k < 4; ++k) turned += dot(by_x[k], cross(cross(up, along), x[k]));
        const double tolerance = 500.0 * 1e-15 * std::max(1.0, 1.0 / a);
        EXPECT_NEAR(dot(total(by_v), along), dot(by_a, z), 20.0 * tolerance) << a << " " << turn;
        EXPECT_NEAR(turned, dot(by_turn, z), 20.0 * tolerance) << a << " " << turn;
      }
    }
}

TEST(Hydrodynamics, ActsBehindOpenFacesOnly) {
  Threads threads(1);
  const VectorArray x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, up(3, Vec3{0.2, 0, 1}), down(3, Vec3{0.2, 0, -1});
  const auto closed = make_hydrodynamic_force({}, {{{0, 1, 2, -1}, false}}, 3, threads);
  const auto open = make_hydrodynamic_force({}, {{{0, 1, 2, -1}, true}}, 3, threads);
  EXPECT_EQ(force_of(*closed, x, down), VectorArray(3));
  EXPECT_EQ(force_of(*open, x, up), force_of(*closed, x, up));
  const Vec3 from_above = total(force_of(*open, x, up)), from_below = total(force_of(*open, x, down));
  EXPECT_DOUBLE_EQ(from_above.x, from_below.x);
  EXPECT_DOUBLE_EQ(from_above.z, -from_below.z);
  EXPECT_LT(from_above.z, 0.0);
}

TEST(Hydrodynamics, IsBoundedByVertex) {
  Threads threads(1);
  const VectorArray x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, v(4, Vec3{0.3, 0, 1});
  Water water;
  water.max_force = 100.0;
  const auto force = make_hydrodynamic_force(water, {{{0, 1, 2, 3}, false}}, 4, threads);
  const auto unbounded = make_hydrodynamic_force({}, {{{0, 1, 2, 3}, false}}, 4, threads);
  const Vec3 f = force_of(*force, x, v)[2], whole = force_of(*unbounded, x, v)[2];
  EXPECT_EQ(f.z, -100.0);
  EXPECT_LT(whole.z, -100.0);
  EXPECT_EQ(f.x, whole.x);
  EXPECT_LT(std::abs(f.x), 100.0);
}

TEST(Hydrodynamics, RefusesArraysOfAnotherSizeAndUnknownCorners) {
  Threads threads(1);
  EXPECT_THROW(make_hydrodynamic_force({}, {{{0, 1, 3, -1}, false}}, 3, threads), InternalError);
  const auto force = make_hydrodynamic_force({}, {{{0, 1, 2, -1}, false}}, 3, threads);
  EXPECT_THROW(force_of(*force, VectorArray(4), VectorArray(4)), InternalError);
}

}  // namespace
}  // namespace electret::test
