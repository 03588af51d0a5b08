#include <electret/core/errors.hpp>
#include <electret/force/drag.hpp>
#include <electret/force/gravity.hpp>
#include <electret/force/spring_damping.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

ForceCase gravity_case() {
  ForceCase c;
  c.name = "gravity";
  c.make = [](Index, Threads& threads, const Change& change) {
    Vec3 g{0.5, -1.0, -9.81};
    g[static_cast<int>(change.component)] += change.by;
    return make_gravity_force(g, threads);
  };
  return c;
}

ForceCase drag_case() {
  ForceCase c;
  c.name = "drag";
  c.make = [](Index, Threads& threads, const Change& change) {
    return make_drag_force(0.8 + change.by, threads);
  };
  c.objective = true;
  return c;
}

/// Two springs from every vertex, ends in either order.
std::vector<Edge> some_springs(Index n) {
  std::vector<Edge> springs;
  for (Index i = 0; i < n; ++i) {
    springs.push_back({i, (i + 1) % n});
    springs.push_back({(i * 2 + 3) % n, i});
  }
  std::erase_if(springs, [](const Edge& e) { return e[0] == e[1]; });
  return springs;
}

ForceCase spring_damping_case() {
  ForceCase c;
  c.name = "spring_damping";
  c.make = [](Index n, Threads& threads, const Change& change) {
    return make_spring_damping_force(1.7 + change.by, some_springs(n), n, threads);
  };
  c.internal = c.objective = true;
  return c;
}

INSTANTIATE_TEST_SUITE_P(GravityAndDamping, ForceConformance,
                         testing::Values(gravity_case(), drag_case(), spring_damping_case()),
                         force_case_name);

Place two_vertices() {
  Place place;
  place.positions = {{0, 0, 0}, {3, 4, 0}};
  place.velocities = {{1, 2, 3}, {-1, 1, 5}};
  place.masses = {2, 3};
  place.inputs.charges = {0, 0};
  return place;
}

TEST(Gravity, PullsByMass) {
  Threads threads(1);
  const auto force = make_gravity_force({0, 0, -10}, threads);
  VectorArray f(2);
  Place place = two_vertices();
  place.positions[1].z = 0.5;
  force->add_force(place.point(), f);
  EXPECT_EQ(f, (VectorArray{{0, 0, -20}, {0, 0, -30}}));
  EXPECT_EQ(force->potential_energy(place.point()), 15.0);
  EXPECT_EQ(force->column(), EnergyColumn::gravity);
}

TEST(Drag, SlowsByMass) {
  Threads threads(1);
  VectorArray f(2);
  make_drag_force(0.5, threads)->add_force(two_vertices().point(), f);
  EXPECT_EQ(f, (VectorArray{{-1, -2, -3}, {1.5, -1.5, -7.5}}));
}

TEST(SpringDamping, ActsAlongTheSpring) {
  Threads threads(1);
  VectorArray f(2);
  // β̂ = (-3, -4, 0)/5, w = (2, 1, -2), w·β̂ = -2: on 0 a force of 2c along β̂.
  make_spring_damping_force(5.0, {{0, 1}}, 2, threads)->add_force(two_vertices().point(), f);
  EXPECT_LE(norm(f[0] - Vec3{-6, -8, 0}), 1e-14);
  EXPECT_LE(norm(f[1] - Vec3{6, 8, 0}), 1e-14);
}

TEST(SpringDamping, DoesNothingAtZeroLength) {
  Threads threads(1);
  Place place = two_vertices();
  place.positions[1] = place.positions[0];
  const auto force = make_spring_damping_force(5.0, {{0, 1}}, 2, threads);
  const VectorArray z = random_vectors(2, 1);
  VectorArray out(2);
  std::vector<double> slope(1);
  force->add_force(place.point(), out);
  force->add_transposed_jacobian_x(place.point(), z, out);
  force->add_transposed_jacobian_v(place.point(), z, out);
  force->add_parameter_gradient(place.point(), 0, z, slope);
  EXPECT_EQ(out, VectorArray(2));
  EXPECT_EQ(slope[0], 0.0);
}

TEST(SpringDamping, RejectsBadSprings) {
  Threads threads(1);
  EXPECT_THROW(make_spring_damping_force(1.0, {{0, 2}}, 2, threads), InternalError);
  const auto force = make_spring_damping_force(1.0, {{0, 1}}, 2, threads);
  VectorArray wrong(3);
  EXPECT_THROW(force->add_force(two_vertices().point(), wrong), InternalError);
}

}  // namespace
}  // namespace electret::test
