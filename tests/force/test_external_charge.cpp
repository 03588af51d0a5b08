#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numbers>

#include <electret/core/errors.hpp>
#include <electret/force/detail/point_charge.hpp>
#include <electret/force/external_charge.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

ForceCase external_case() {
  ForceCase c;
  c.name = "external_charge";
  c.external = 5;
  c.make = [](Index n, Threads& threads, const Change&) {
    return make_external_charge_force(9e9, n, 5, threads);
  };
  c.objective = true;
  return c;
}

INSTANTIATE_TEST_SUITE_P(ExternalCharge, ForceConformance, testing::Values(external_case()), force_case_name);

/// One vertex of charge 2 µC at (0.3, 0, 0.4) and one external charge of 5 µC at the origin.
Place one_vertex(double width) {
  Place place;
  place.positions = {{0.3, 0, 0.4}};
  place.velocities = VectorArray(1);
  place.masses = {1};
  place.inputs.charges = {2e-6};
  place.inputs.external_charges = {{{}, 5e-6, width}};
  return place;
}

TEST(ExternalCharge, APointPushesByCoulombsLaw) {
  Threads threads(1);
  const auto force = make_external_charge_force(9e9, 1, 1, threads);
  const Place place = one_vertex(0.0);
  VectorArray f(1);
  force->add_force(place.point(), f);
  EXPECT_NEAR(f[0].x, 9e9 * 1e-11 / 0.25 * 0.6, 1e-14);
  EXPECT_EQ(f[0].y, 0.0);
  EXPECT_NEAR(f[0].z, 9e9 * 1e-11 / 0.25 * 0.8, 1e-14);
  EXPECT_NEAR(force->potential_energy(place.point()), 9e9 * 1e-11 / 0.5, 1e-14);
  EXPECT_EQ(force->column(), EnergyColumn::external);
}

TEST(ExternalCharge, AFarBallIsAPoint) {
  Threads threads(1);
  const auto force = make_external_charge_force(9e9, 1, 1, threads);
  VectorArray point(1), ball(1);
  force->add_force(one_vertex(0.0).point(), point);
  force->add_force(one_vertex(0.04).point(), ball);
  EXPECT_LE(norm(point[0] - ball[0]), 1e-14 * norm(point[0]));
}

/// The field of a ball by the charge inside the radius, integrated by Simpson's rule (Gauss's law), and the
/// potential by the shells outside it.
TEST(ExternalCharge, ABallFollowsGausssLaw) {
  const auto density = [](double s) {  // Of unit charge and width, times 4π s².
    return std::sqrt(2.0 / std::numbers::pi) * s * s * std::exp(-0.5 * s * s);
  };
  const auto integral = [](auto&& f, double from, double to) {
    constexpr int n = 4000;
    double sum = f(from) + f(to);
    for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4.0 : 2.0) * f(from + k * (to - from) / n);
    return sum * (to - from) / (3.0 * n);
  };
  for (const double u : {0.05, 0.3, 0.7, 0.95, 0.999, 1.0, 1.001, 1.3, 2.0, 4.0, 7.0}) {
    const double inside = integral(density, 0.0, u);
    const double outside = integral([&](double s) { return s == 0.0 ? 0.0 : density(s) / s; }, u, 12.0);
    const detail::GaussianShape shape = detail::gaussian_shape(u);
    EXPECT_NEAR(shape.g, inside / (u * u * u), 2e-12 * shape.g) << u;
    EXPECT_NEAR(shape.potential, inside / u + outside, 2e-12 * shape.potential) << u;
    // (u³ g)' = density: 3u²g + u³g' = density.
    EXPECT_NEAR(shape.slope, (density(u) / (u * u) - 3.0 * shape.g) / (u * u), 1e-9 * std::abs(shape.slope))
        << u;
  }
}

TEST(ExternalCharge, TheSeriesMeetsTheClosedForm) {
  const detail::GaussianShape below = detail::gaussian_shape(std::nextafter(1.0, 0.0));
  const detail::GaussianShape above = detail::gaussian_shape(1.0);
  EXPECT_NEAR(below.g, above.g, 2e-15);
  EXPECT_NEAR(below.potential, above.potential, 2e-15);
  EXPECT_NEAR(below.slope, above.slope, 1e-14);
}

TEST(ExternalCharge, ABallsCentreIsSmooth) {
  Threads threads(1);
  const auto force = make_external_charge_force(9e9, 1, 1, threads);
  Place place = one_vertex(0.2);
  place.positions[0] = {};
  VectorArray f(1), product(1);
  force->add_force(place.point(), f);
  EXPECT_EQ(f[0], Vec3{});
  force->add_transposed_jacobian_x(place.point(), VectorArray{{1, 0, 0}}, product);
  const double stiffness = 9e9 * 1e-11 / 0.008 * std::sqrt(2.0 / std::numbers::pi) / 3.0;
  EXPECT_NEAR(product[0].x, stiffness, 1e-14 * stiffness);
  EXPECT_NEAR(force->potential_energy(place.point()), 9e9 * 1e-11 / 0.2 * std::sqrt(2.0 / std::numbers::pi),
              1e-14);
}

TEST(ExternalCharge, RejectsAVertexOnAPoint) {
  Threads threads(1);
  const auto force = make_external_charge_force(9e9, 1, 1, threads);
  Place place = one_vertex(0.0);
  place.positions[0] = {};
  VectorArray f(1);
  try {
    force->add_force(place.point(), f);
    FAIL() << "no error";
  } catch (const DivergenceError& error) {
    EXPECT_EQ(error.vertex(), 0);
    EXPECT_NE(error.cause().find("external charge 0"), std::string::npos) << error.cause();
  }
  EXPECT_THROW(force->potential_energy(place.point()), DivergenceError);
  place.inputs.charges[0] = 0.0;
  force->add_force(place.point(), f);
  EXPECT_EQ(f[0], Vec3{}) << "without charge there is no force";
  place.inputs.charges[0] = 2e-6;
  place.inputs.external_charges[0].charge = 0.0;  // as a key-frame may have it at that time
  force->add_force(place.point(), f);
  EXPECT_EQ(f[0], Vec3{}) << "nor by an external charge of 0 C";
  EXPECT_EQ(force->potential_energy(place.point()), 0.0);
}

TEST(ExternalCharge, NamesTheChargeThatIsTouched) {
  Threads threads(1);
  const auto force = make_external_charge_force(9e9, 1, 3, threads);
  Place place = one_vertex(0.0);
  place.positions[0] = {7, 0, 0};
  place.inputs.external_charges = {
      {{1, 0, 0}, 1e-6, 0.0}, {{7, 0, 0}, 1e-6, 0.5}, {{7, 0, 0}, 1e-6, 0.0}};  // The second is a ball.
  VectorArray f(1);
  try {
    force->add_force(place.point(), f);
    FAIL() << "no error";
  } catch (const DivergenceError& error) {
    EXPECT_NE(error.cause().find("external charge 2"), std::string::npos) << error.cause();
  }
}

/// `random_place` without and with external charges of 0 between the others, and what the force gives there.
class ExternalChargesOfZero : public testing::Test {
 protected:
  static constexpr Index few = 7;
  ExternalChargesOfZero() {
    const double nowhere = std::numeric_limits<double>::quiet_NaN();  // So is whatever is computed of it.
    for (const PlacedCharge& charge : without_.inputs.external_charges) {
      with_.inputs.external_charges.push_back({{nowhere, 0.0, 0.0}, 0.0, charge.width});
      with_.inputs.external_charges.push_back(charge);
    }
    with_.inputs.external_charges.push_back({{0.0, nowhere, 0.0}, -0.0, 0.0});
  }

  Threads threads_{1};
  Place without_ = random_place(few, 5), with_ = [] {
    Place place = random_place(few, 5);
    place.inputs.external_charges.clear();
    return place;
  }();
  std::unique_ptr<ExplicitForce> force_without_ = make_external_charge_force(9e9, few, 5, threads_),
                                 force_with_ = make_external_charge_force(9e9, few, 11, threads_);
  /// Sums to which forces are added may hold -0, which stays only if nothing but 0 of its sign is added.
  VectorArray start_ = VectorArray(few, Vec3{-0.0, -0.0, -0.0});
};

TEST_F(ExternalChargesOfZero, AreNotComputed) {
  const VectorArray z = random_vectors(few, 21);
  const auto vectors = [&](auto&& add) {
    VectorArray a = start_, b = start_;
    add(*force_without_, without_.point(), a), add(*force_with_, with_.point(), b);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), few * sizeof(Vec3)), 0);
  };
  vectors([](ExplicitForce& f, const ForcePoint& at, VectorSpan out) { f.add_force(at, out); });
  vectors([](ExplicitForce& f, const ForcePoint& at, VectorSpan out) { f.add_potential_gradient(at, out); });
  vectors([&](ExplicitForce& f, const ForcePoint& at, VectorSpan out) {
    f.add_transposed_jacobian_x(at, z, out);
  });
  EXPECT_EQ(force_with_->potential_energy(with_.point()), force_without_->potential_energy(without_.point()));
  const auto by_charges = [&](auto&& add) {
    std::vector<double> a(few), b(few);
    add(*force_without_, without_.point(), a), add(*force_with_, with_.point(), b);
    EXPECT_EQ(a, b);
  };
  by_charges([&](ExplicitForce& f, const ForcePoint& at, ScalarSpan out) {
    f.add_parameter_gradient(at, 0, z, out);
  });
  by_charges([](ExplicitForce& f, const ForcePoint& at, ScalarSpan out) {
    f.add_potential_parameter_gradient(at, 0, out);
  });
}

/// What skipping must not change: the row of a vertex is written even if all external charges are 0.
TEST_F(ExternalChargesOfZero, AloneAddZeroToEachForce) {
  for (PlacedCharge& charge : with_.inputs.external_charges) charge.charge = 0.0;
  VectorArray f = start_;
  force_with_->add_force(with_.point(), f);
  for (std::size_t i = 0; i < f.size(); ++i)
    EXPECT_EQ(std::signbit(f[i].x), std::signbit(-0.0 + with_.inputs.charges[i] * 0.0)) << i;
  EXPECT_EQ(force_with_->potential_energy(with_.point()), 0.0);
}

TEST_F(ExternalChargesOfZero, HaveDerivatives) {
  const VectorArray z = random_vectors(few, 22);
  Place place = without_;
  place.inputs.external_charges[1].charge = place.inputs.external_charges[2].charge = 0.0;
  std::vector<double> of_force(5), of_potential(5), by_position(15), potential_by_position(15);
  force_without_->add_parameter_gradient(place.point(), 1, z, of_force);
  force_without_->add_potential_parameter_gradient(place.point(), 1, of_potential);
  force_without_->add_parameter_gradient(place.point(), 2, z, by_position);
  force_without_->add_potential_parameter_gradient(place.point(), 2, potential_by_position);
  for (const std::size_t c : {1U, 2U}) {
    const auto slope = [&](auto&& value) {  // Exact but for rounding: all is linear in the charge.
      Place above = place, below = place;
      above.inputs.external_charges[c].charge = 1e-6, below.inputs.external_charges[c].charge = -1e-6;
      return (value(above) - value(below)) / 2e-6;
    };
    const double force_slope = slope([&](const Place& at) {
      VectorArray f(few);
      force_without_->add_force(at.point(), f);
      return dot(z, f);
    });
    const double potential_slope =
        slope([&](const Place& at) { return force_without_->potential_energy(at.point()); });
    EXPECT_GT(std::abs(force_slope), 1.0) << "a charge of 0 still has an effect if it changes";
    EXPECT_NEAR(of_force[c], force_slope, 1e-9 * std::abs(force_slope));
    EXPECT_NEAR(of_potential[c], potential_slope, 1e-9 * std::abs(potential_slope));
    for (std::size_t k = 3 * c; k < 3 * c + 3; ++k) {
      EXPECT_EQ(by_position[k], 0.0) << "where it is does not matter";
      EXPECT_EQ(potential_by_position[k], 0.0);
    }
  }
}

TEST(ExternalCharge, RejectsArraysOfAnotherSize) {
  Threads threads(1);
  const auto force = make_external_charge_force(9e9, 1, 2, threads);
  VectorArray f(1);
  EXPECT_THROW(force->add_force(one_vertex(0.0).point(), f), InternalError);
}

}  // namespace
}  // namespace electret::test
