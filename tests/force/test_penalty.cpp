#include <electret/force/penalty.hpp>
#include <electret/force/penalty_friction.hpp>
#include <electret/geometry/shapes/shapes.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

const RigidSurface tilted{make_plane({0.6, 0.0, 0.8}), {0.1, 0.2, 0.15}};
const RigidSurface ball{make_sphere(1.1), {0.1, -0.2, 0.3}};

/// The second of two obstacles, with the change of a parameter: the stiffness, or those of the surface, which
/// come after the `own` ones and the placements.
ForceObstacle obstacle(RigidSurface surface, double stiffness, double exponent, const Change& change,
                       std::size_t own) {
  if (change.parameter == own + 1) surface.origin[static_cast<int>(change.component)] += change.by;
  if (change.parameter == own + 2)
    surface.shape = surface.shape->of_radius(*surface.shape->radius() + change.by);
  if (change.parameter == 0) stiffness += change.by;
  return {{surface, stiffness, exponent}, 1, 2};
}

ForceCase penalty_case(const std::string& name, const RigidSurface& surface, double exponent) {
  ForceCase c;
  c.name = "penalty_" + name;
  c.obstacles = 2;
  c.make = [=](Index, Threads& threads, const Change& change) {
    return make_penalty_force(obstacle(surface, 3.0, exponent, change, 1), threads);
  };
  return c;
}

/// `damping` decides how many vertices creep.
ForceCase friction_case(const std::string& name, const RigidSurface& surface, double exponent,
                        double damping) {
  ForceCase c;
  c.name = "penalty_friction_" + name;
  c.obstacles = 2;
  c.make = [=](Index, Threads& threads, const Change& change) {
    const auto by = [&](std::size_t k) { return change.parameter == k ? change.by : 0.0; };
    return make_penalty_friction_force(obstacle(surface, 3.0, exponent, change, 3), 0.7 + by(1),
                                       damping + by(2), threads);
  };
  return c;
}

INSTANTIATE_TEST_SUITE_P(Penalty, ForceConformance,
                         testing::Values(penalty_case("plane", tilted, 3.0),
                                         penalty_case("sphere", ball, 3.0),
                                         penalty_case("sphere_of_exponent_2", ball, 2.0),
                                         penalty_case("plane_of_exponent_3_and_a_half", tilted, 3.5),
                                         friction_case("plane", tilted, 3.0, 0.8),
                                         friction_case("sphere", ball, 3.0, 0.5),
                                         friction_case("sphere_of_exponent_2", ball, 2.0, 1.0)),
                         force_case_name);

Place place_of(const Vec3& x, const Vec3& v) {
  Place place;
  place.positions = {x};
  place.velocities = {v};
  place.masses = {2.0};
  place.inputs.placements.resize(1);
  return place;
}

Vec3 force_at(ExplicitForce& force, const Vec3& x, const Vec3& v) {
  VectorArray f(1);
  force.add_force(place_of(x, v).point(), f);
  return f[0];
}

const RigidSurface floor_plane{make_plane({0, 0, 1}), {}};

TEST(Penalty, PushesWithAPowerOfTheDepth) {
  Threads threads(1);
  const auto cubic = make_penalty_force({{floor_plane, 100.0, 3.0}}, threads);
  EXPECT_EQ(force_at(*cubic, {1, 2, 0.5}, {}), Vec3{}) << "above";
  EXPECT_EQ(force_at(*cubic, {1, 2, 0.0}, {}), Vec3{}) << "on it";
  EXPECT_NEAR(force_at(*cubic, {1, 2, -0.5}, {}).z, 25.0, 1e-13);
  EXPECT_NEAR(cubic->potential_energy(place_of({1, 2, -0.5}, {}).point()), 100.0 / 3.0 * 0.125, 1e-13);
  const auto linear = make_penalty_force({{floor_plane, 100.0, 2.0}}, threads);
  EXPECT_NEAR(force_at(*linear, {1, 2, -0.5}, {}).z, 50.0, 1e-13);

  const auto sphere = make_penalty_force({{{make_sphere(2.0), {1, 0, 0}}, 100.0, 3.0}}, threads);
  EXPECT_EQ(force_at(*sphere, {1, 2, 0}, {}), Vec3{}) << "on it";
  EXPECT_LE(norm(force_at(*sphere, {1, 0, -1.5}, {}) - Vec3{0, 0, -25}), 1e-13);
  EXPECT_EQ(force_at(*sphere, {1, 0, 0}, {}), Vec3{}) << "no direction";
}

TEST(PenaltyFriction, SlidesAtSpeedAndCreepsAtRest) {
  Threads threads(1);
  // f_n = 25 N.
  const auto friction = make_penalty_friction_force({{floor_plane, 100.0, 3.0}}, 0.4, 5.0, threads);
  EXPECT_LE(norm(force_at(*friction, {0, 0, -0.5}, {3, -4, 7}) - Vec3{-6, 8, 0}), 1e-13);
  EXPECT_LE(norm(force_at(*friction, {0, 0, -0.5}, {0.3, -0.4, 7}) - Vec3{-1.5, 2, 0}), 1e-13);
  // Both laws agree at μ f_n/k_f = 2 m/s.
  EXPECT_LE(norm(force_at(*friction, {0, 0, -0.5}, {1.08, -1.44, 7}) - Vec3{-5.4, 7.2, 0}), 1e-13);
  EXPECT_LE(norm(force_at(*friction, {0, 0, -0.5}, {1.32, -1.76, 7}) - Vec3{-6, 8, 0}), 1e-13);
  EXPECT_EQ(force_at(*friction, {0, 0, -0.5}, {0, 0, 7}), Vec3{});
  EXPECT_EQ(force_at(*friction, {0, 0, 0.5}, {3, -4, 7}), Vec3{}) << "above";
  EXPECT_EQ(friction->potential_energy(place_of({0, 0, -0.5}, {1, 0, 0}).point()), 0.0);
}

}  // namespace
}  // namespace electret::test
