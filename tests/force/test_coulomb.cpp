#include <electret/core/errors.hpp>
#include <electret/force/coulomb.hpp>
#include <electret/force/detail/coincident.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

FieldOptions options(double constant, double softening) {
  FieldOptions result;
  result.constant = constant;
  result.softening = softening;
  return result;
}

ForceCase coulomb_case(std::string name, const FieldOptions& field) {
  ForceCase c;
  c.name = std::move(name);
  c.make = [field](Index n, Threads& threads, const Change&) {
    return make_coulomb_force(field, n, threads);
  };
  c.internal = c.objective = true;
  return c;
}

ForceCase reference_case() {
  ForceCase c = coulomb_case("reference", {});
  c.make = [](Index n, Threads& threads, const Change&) {
    return make_coulomb_force(make_reference_field_solver({}), n, threads);
  };
  return c;
}

INSTANTIATE_TEST_SUITE_P(Coulomb, ForceConformance,
                         testing::Values(coulomb_case("direct", {}),
                                         coulomb_case("softened", options(coulomb_constant, 0.3)),
                                         reference_case()),
                         force_case_name);

/// Two charges a distance 2 apart on the x axis.
Place two_charges() {
  Place place;
  place.positions = {{-1, 0, 0}, {1, 0, 0}};
  place.velocities = VectorArray(2);
  place.masses = {1, 1};
  place.inputs.charges = {3e-6, -2e-6};
  return place;
}

TEST(Coulomb, TwoCharges) {
  Threads threads(1);
  for (const double softening : {0.0, 1.5}) {
    const auto force = make_coulomb_force(options(9e9, softening), 2, threads);
    const Place place = two_charges();
    VectorArray f(2);
    force->add_force(place.point(), f);
    const double rho = softening == 0.0 ? 2.0 : 2.5;
    const double expected = 9e9 * 6e-12 * 2.0 / (rho * rho * rho);
    EXPECT_NEAR(f[0].x, expected, 1e-15);
    EXPECT_NEAR(f[1].x, -expected, 1e-15);
    EXPECT_NEAR(force->potential_energy(place.point()), -9e9 * 6e-12 / rho, 1e-15);
    EXPECT_EQ(force->column(), EnergyColumn::coulomb);
  }
}

TEST(Coulomb, EvaluatesOnceAPlace) {
  Threads threads(1);
  Place place = random_place(20, 0);
  const auto force = make_coulomb_force(FieldOptions{}, 20, threads);
  VectorArray f(20), again(20), z = random_vectors(20, 1), out(20);
  force->add_force(place.point(), f);
  EXPECT_EQ(force->field_evaluations(), 1);
  const double potential = force->potential_energy(place.point());
  force->add_potential_gradient(place.point(), out);
  force->add_transposed_jacobian_x(place.point(), z, out);
  force->add_force(place.point(), again);
  EXPECT_EQ(force->field_evaluations(), 1);
  EXPECT_EQ(f, again);
  place.velocities[3].x += 1.0;
  force->add_force(place.point(), again);
  EXPECT_EQ(force->field_evaluations(), 1) << "velocities do not matter";
  place.positions[7].z = std::nextafter(place.positions[7].z, 10.0);
  force->add_force(place.point(), again);
  EXPECT_EQ(force->field_evaluations(), 2);
  place.inputs.charges[19] = 0.0;
  EXPECT_NE(force->potential_energy(place.point()), potential);
  EXPECT_EQ(force->field_evaluations(), 3);
}

TEST(Coulomb, SavesThePotentialWhereItIsSeldomAskedFor) {
  Threads threads(1);
  Place place = random_place(20, 0);
  const auto force = make_coulomb_force(FieldOptions{}, 20, threads);
  VectorArray f(20);
  for (int step = 0; step < 3; ++step) {
    place.positions[step].x += 0.1;
    force->add_force(place.point(), f);
  }
  EXPECT_EQ(force->field_evaluations(), 3);
  const auto fresh = make_coulomb_force(FieldOptions{}, 20, threads);
  EXPECT_EQ(force->potential_energy(place.point()), fresh->potential_energy(place.point()));
  EXPECT_EQ(force->field_evaluations(), 4) << "the potential had been left out";
  place.positions[5].y += 0.1;
  force->add_force(place.point(), f);
  force->potential_energy(place.point());
  EXPECT_EQ(force->field_evaluations(), 5) << "it was asked for before, so it comes along";
}

TEST(Coulomb, GivesTheSameBitsWhicheverIsAskedFirst) {
  Threads threads(1);
  const Place place = random_place(50, 0);
  const auto first = make_coulomb_force(FieldOptions{}, 50, threads);
  const auto second = make_coulomb_force(FieldOptions{}, 50, threads);
  VectorArray f(50), g(50), out(50);
  first->add_force(place.point(), f);
  const double after = first->potential_energy(place.point());
  second->add_transposed_jacobian_x(place.point(), random_vectors(50, 1), out);
  const double before = second->potential_energy(place.point());
  second->add_force(place.point(), g);
  EXPECT_EQ(f, g);
  EXPECT_EQ(after, before);
}

TEST(Coulomb, NamesCoincidentCharges) {
  Threads threads(1);
  Place place = random_place(30, 0);
  place.positions[21] = place.positions[8];
  place.positions[25] = place.positions[8];
  const auto force = make_coulomb_force(FieldOptions{}, 30, threads);
  VectorArray f(30);
  for (int again = 0; again < 2; ++again) {
    try {
      force->add_force(place.point(), f);
      FAIL() << "no error";
    } catch (const DivergenceError& error) {
      EXPECT_EQ(error.vertex(), 8);
      EXPECT_NE(error.cause().find("8 and 21"), std::string::npos) << error.cause();
      EXPECT_NE(error.advice().find("softening"), std::string::npos);
    }
  }
  EXPECT_EQ(f, VectorArray(30)) << "nothing is added where there is an error";
  EXPECT_THROW(force->potential_energy(place.point()), DivergenceError);
  place.inputs.charges[8] = 0.0;
  place.inputs.charges[25] = 0.0;
  EXPECT_NO_THROW(force->add_force(place.point(), f)) << "one charge of the three";
  place.inputs.charges[8] = 1e-6;
  EXPECT_NO_THROW(
      make_coulomb_force(options(coulomb_constant, 0.1), 30, threads)->add_force(place.point(), f));
}

TEST(Coulomb, FindsTheSmallestCoincidentPair) {
  const VectorArray x{{1, 0, 0}, {0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {-0.0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(detail::coincident_charges(x, std::vector<double>{1, 1, 1, 1, 1, 1}), (Edge{0, 3}));
  EXPECT_EQ(detail::coincident_charges(x, std::vector<double>{0, 1, 1, 1, 1, 1}), (Edge{1, 4}));
  EXPECT_EQ(detail::coincident_charges(x, std::vector<double>{0, 0, 1, 1, 1, 1}), (Edge{3, 5}));
  EXPECT_FALSE(detail::coincident_charges(x, std::vector<double>{0, 0, 1, 0, 1, 1}));
  // So close that the squared distance is 0 in float64.
  const VectorArray close{{1, 0, 0}, {0, 0, 0}, {5, 5, 5}, {0, 1e-170, 0}, {0, 0, 1e-150}};
  EXPECT_EQ(detail::coincident_charges(close, std::vector<double>(5, 1.0)), (Edge{1, 3}));
  EXPECT_FALSE(detail::coincident_charges(close, std::vector<double>{1, 0, 1, 1, 1}));
}

TEST(Coulomb, RejectsArraysOfAnotherSize) {
  Threads threads(1);
  const auto force = make_coulomb_force(FieldOptions{}, 3, threads);
  VectorArray f(2);
  const Place place = two_charges();
  EXPECT_THROW(force->add_force(place.point(), f), InternalError);
}

}  // namespace
}  // namespace electret::test
