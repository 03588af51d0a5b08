#include <cmath>

#include <electret/force/grab.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

ForceCase spring_case() {
  ForceCase c;
  c.name = "grab";
  c.make = [](Index, Threads&, const Change&) { return make_grab_force(); };
  c.objective = true;
  return c;
}

ForceCase damper_case() {
  ForceCase c;
  c.name = "grab_damping";
  c.make = [](Index, Threads&, const Change&) { return make_grab_damping_force(); };
  c.objective = true;
  return c;
}
INSTANTIATE_TEST_SUITE_P(Grab, ForceConformance, testing::Values(spring_case(), damper_case()),
                         force_case_name);

/// Two vertices, 3 and 1 m from the plane x = 0, of which the first counts three times as much.
Place two_vertices() {
  Place place;
  place.positions = {{3, 0, 0}, {-1, 0, 0}};
  place.velocities = {{0, 4, 0}, {0, -4, 8}};
  place.masses = {1, 1};
  place.inputs.grabs = {{{2, 1, 0}, 10.0, 0.5, {0, 1}, {0.75, 0.25}}};
  return place;
}

TEST(Grab, PullsTheWeightedMeanToItsTarget) {
  const Place place = two_vertices();
  VectorArray f(2);
  make_grab_force()->add_force(place.point(), f);
  // The mean is at (2, 0, 0), 1 m from the target.
  EXPECT_EQ(f[0], (Vec3{0, 7.5, 0}));
  EXPECT_EQ(f[1], (Vec3{0, 2.5, 0}));
  EXPECT_EQ(make_grab_force()->potential_energy(place.point()), 5.0);
}

TEST(Grab, DampsTheMeanOfTheVelocities) {
  const Place place = two_vertices();
  VectorArray f(2);
  make_grab_damping_force()->add_force(place.point(), f);
  // Its mean is (0, 2, 2) m/s.
  EXPECT_EQ(f[0], (Vec3{0, -0.75, -0.75}));
  EXPECT_EQ(f[1], (Vec3{0, -0.25, -0.25}));
  EXPECT_TRUE(make_grab_damping_force()->dissipates());
}

TEST(Grab, DoesNothingWithoutStiffnessAndDamping) {
  Place place = two_vertices();
  const auto spring = make_grab_force(), damper = make_grab_damping_force();
  EXPECT_TRUE(spring->acts(place.inputs) && damper->acts(place.inputs));
  PlacedGrab& grab = place.inputs.grabs[0];
  grab.stiffness = 0.0;
  EXPECT_FALSE(spring->acts(place.inputs));
  EXPECT_TRUE(damper->acts(place.inputs));
  grab.damping = 0.0;
  EXPECT_FALSE(damper->acts(place.inputs));
  VectorArray f(2, Vec3{-0.0, 1, 2});
  const VectorArray before = f;
  spring->add_force(place.point(), f);
  damper->add_force(place.point(), f);
  EXPECT_EQ(std::signbit(f[0].x), std::signbit(before[0].x));
  EXPECT_EQ(f, before);
  place.inputs.grabs.clear();
  EXPECT_FALSE(spring->acts(place.inputs) || damper->acts(place.inputs));
}

/// Weights of seven digits sum to 1 up to 1e-7: times the distance from the origin that would be 0.1 m.
TEST(Grab, PullsFarFromTheOriginAsNearIt) {
  Place near = two_vertices();
  near.inputs.grabs[0].weights = {0.75, 0.2499999};
  Place far = near;
  const Vec3 away{1048576, -2097152, 524288};
  for (Vec3& x : far.positions) x += away;
  far.inputs.grabs[0].target += away;
  VectorArray f(2), g(2);
  make_grab_force()->add_force(near.point(), f);
  make_grab_force()->add_force(far.point(), g);
  EXPECT_EQ(f, g);
}

}  // namespace
}  // namespace electret::test
