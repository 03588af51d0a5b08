// The suite of force_conformance.hpp. Derivatives are compared with five-point differences.

#include "force/force_conformance.hpp"

#include <electret/core/errors.hpp>

#include "support/allocation_counter.hpp"

namespace electret::test {

Place random_place(Index vertices, std::size_t external, std::size_t obstacles) {
  const auto n = static_cast<std::size_t>(vertices);
  Place place;
  // In a cube of about one vertex a unit volume, so that no pair is too close for differences.
  place.positions = random_vectors(n, 1, 0.6 * std::cbrt(static_cast<double>(n)));
  place.velocities = random_vectors(n, 2);
  place.masses = random_numbers(n, 3, 0.5, 3.0);
  place.inputs.time = 0.7;
  place.inputs.charges = random_numbers(n, 4, -2e-6, 3e-6);
  place.inputs.loads = random_vectors(n, 7);
  const VectorArray places = random_vectors(external, 5, 0.7 * std::cbrt(static_cast<double>(n)));
  const std::vector<double> charges = random_numbers(external, 6, -3e-6, 3e-6);
  for (std::size_t c = 0; c < external; ++c)
    place.inputs.external_charges.push_back(
        {places[c], charges[c], c % 2 == 0 ? 0.0 : 0.3 + 0.2 * static_cast<double>(c)});
  const VectorArray targets = random_vectors(2, 9, 2.0);
  place.inputs.grabs = {{targets[0], 3.0, 1.5, {5, 1, 2}, {0.5, 0.3, 0.2}},
                        {targets[1], 7.0, 0.4, {2, vertices - 1}, {0.75, 0.25}}};
  const VectorArray moves = random_vectors(4 * obstacles, 8, 0.2);
  for (std::size_t o = 0; o < obstacles; ++o)
    place.inputs.placements.push_back(
        {moves[4 * o], 200.0 * moves[4 * o + 1], moves[4 * o + 2], 100.0 * moves[4 * o + 3]});
  return place;
}

namespace {

constexpr double step = 1e-3;

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ForceConformance);

/// Difference of z·f for coordinate k of `array` in the place.
template <class Evaluate>
double coordinate_derivative(const Place& place, VectorArray Place::*array, std::size_t k,
                             Evaluate&& evaluate) {
  return derivative(
      [&](double s) {
        Place moved = place;
        (moved.*array)[k / 3][static_cast<int>(k % 3)] += s;
        return evaluate(moved);
      },
      step);
}

TEST_P(ForceConformance, GivesAFiniteForce) {
  const VectorArray f = force(place_);
  for (const Vec3& v : f) EXPECT_TRUE(is_finite(v));
  EXPECT_GT(norm(f), 0.0);
  EXPECT_FALSE(force_->name().empty());
}

TEST_P(ForceConformance, PotentialsGradientIsMinusTheForce) {
  if (force_->column() == EnergyColumn::none) {
    EXPECT_EQ(force_->potential_energy(place_.point()), 0.0);
    return;
  }
  const VectorArray f = force(place_);
  VectorArray gradient(f.size());
  force_->add_potential_gradient(place_.point(), gradient);
  for (std::size_t k = 0; k < 3 * f.size(); ++k) {
    const double expected = coordinate_derivative(
        place_, &Place::positions, k, [&](const Place& p) { return force_->potential_energy(p.point()); });
    const int axis = static_cast<int>(k % 3);
    EXPECT_NEAR(gradient[k / 3][axis], expected, GetParam().tolerance * norm(f)) << "coordinate " << k;
    EXPECT_NEAR(f[k / 3][axis], -expected, GetParam().tolerance * norm(f)) << "coordinate " << k;
  }
}

TEST_P(ForceConformance, JacobiansOfPositionsAndVelocities) {
  const VectorArray z = random_vectors(place_.positions.size(), 10);
  VectorArray by_x(z.size()), by_v(z.size());
  force_->add_transposed_jacobian_x(place_.point(), z, by_x);
  force_->add_transposed_jacobian_v(place_.point(), z, by_v);
  const auto z_f = [&](const Place& p) { return dot(z, force(p)); };
  const double size = norm(force(place_)) * norm(z);
  for (std::size_t k = 0; k < 3 * z.size(); ++k) {
    const int axis = static_cast<int>(k % 3);
    EXPECT_NEAR(by_x[k / 3][axis], coordinate_derivative(place_, &Place::positions, k, z_f),
                GetParam().tolerance * (norm(by_x) + 1e-3 * size))
        << "position " << k;
    EXPECT_NEAR(by_v[k / 3][axis], coordinate_derivative(place_, &Place::velocities, k, z_f),
                GetParam().tolerance * (norm(by_v) + 1e-3 * size))
        << "velocity " << k;
  }
}

TEST_P(ForceConformance, MassGradients) {
  const VectorArray z = random_vectors(place_.positions.size(), 11);
  std::vector<double> of_force(z.size()), of_potential(z.size());
  force_->add_mass_gradient(place_.point(), z, of_force);
  force_->add_potential_mass_gradient(place_.point(), of_potential);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto by_mass = [&](auto&& function) {
      return derivative(
          [&](double s) {
            Place changed = place_;
            changed.masses[i] += s;
            return function(changed);
          },
          step);
    };
    EXPECT_NEAR(of_force[i], by_mass([&](const Place& p) { return dot(z, force(p)); }),
                GetParam().tolerance * norm(z) * norm(force(place_)));
    const double potential = std::abs(force_->potential_energy(place_.point()));
    EXPECT_NEAR(of_potential[i], by_mass([&](const Place& p) { return force_->potential_energy(p.point()); }),
                GetParam().tolerance * (potential + norm(place_.positions)));
  }
}

TEST_P(ForceConformance, ParameterGradients) {
  const VectorArray z = random_vectors(place_.positions.size(), 12);
  ASSERT_FALSE(force_->parameters().empty());
  VectorArray whole(z.size());
  force_->add_force(place_.point(), whole);
  for (std::size_t p = 0; p < force_->parameters().size(); ++p) {
    const ForceParameter parameter = force_->parameters()[p];
    SCOPED_TRACE(std::string(parameter.name));
    const std::size_t size = size_of(parameter, place_.inputs);
    std::vector<double> of_force(size), of_potential(size);
    force_->add_parameter_gradient(place_.point(), p, z, of_force);
    force_->add_potential_parameter_gradient(place_.point(), p, of_potential);
    double largest = 0.0, largest_of_potential = 0.0;
    for (const double value : of_force) largest = std::max(largest, std::abs(value));
    for (const double value : of_potential)
      largest_of_potential = std::max(largest_of_potential, std::abs(value));
    EXPECT_GT(largest, 0.0);
    for (std::size_t c = 0; c < size; ++c) {
      const auto slope = [&](auto&& function) {
        return derivative([&](double s) { return with_change(p, c, s, function); }, parameter_step(p));
      };
      const auto along_z = [&](ExplicitForce& force, const Place& place) {
        VectorArray out(place.positions.size());
        force.add_force(place.point(), out);
        return dot(z, out);
      };
      // Terms that cancel in z·f leave their rounding in the difference.
      const double rounding = 1e-15 * norm(z) * norm(whole) / parameter_step(p);
      EXPECT_NEAR(of_force[c], slope(along_z), GetParam().tolerance * largest + rounding);
      EXPECT_NEAR(of_potential[c], slope([&](ExplicitForce& f, const Place& place) {
                    return f.potential_energy(place.point());
                  }),
                  GetParam().tolerance * largest_of_potential);
    }
  }
}

TEST_P(ForceConformance, AddsAllProductsThatAreAskedForAtOnce) {
  const std::size_t n = place_.positions.size(), count = force_->parameters().size();
  const VectorArray z = random_vectors(n, 15);
  VectorArray by_x(n, Vec3{1, 2, 3}), by_v(n, Vec3{1, 2, 3}), by_x_alone = by_x, by_v_alone = by_v;
  std::vector<double> by_mass(n, 0.5), by_mass_alone = by_mass;
  std::vector<std::vector<double>> by_parameter, by_parameter_alone;
  force_->add_transposed_jacobian_x(place_.point(), z, by_x_alone);
  force_->add_transposed_jacobian_v(place_.point(), z, by_v_alone);
  force_->add_mass_gradient(place_.point(), z, by_mass_alone);
  for (std::size_t p = 0; p < count; ++p) {
    by_parameter.emplace_back(size_of(force_->parameters()[p], place_.inputs), 0.25);
    by_parameter_alone.push_back(by_parameter.back());
    force_->add_parameter_gradient(place_.point(), p, z, by_parameter_alone.back());
  }
  const std::vector<ScalarSpan> spans(by_parameter.begin(), by_parameter.end());
  force_->add_products(place_.point(), z, {by_x, by_v, by_mass, spans});
  EXPECT_EQ(by_x, by_x_alone);
  EXPECT_EQ(by_v, by_v_alone);
  EXPECT_EQ(by_mass, by_mass_alone);
  EXPECT_EQ(by_parameter, by_parameter_alone);

  // What is absent is not asked for.
  force_->add_transposed_jacobian_x(place_.point(), z, by_x_alone);
  force_->add_products(place_.point(), z, {by_x, {}, {}, {}});
  EXPECT_EQ(by_x, by_x_alone);
  std::vector<ScalarSpan> last_only(count);
  last_only.back() = by_parameter.back();
  force_->add_parameter_gradient(place_.point(), count - 1, z, by_parameter_alone.back());
  force_->add_products(place_.point(), z, {{}, {}, {}, last_only});
  EXPECT_EQ(by_parameter, by_parameter_alone);
  EXPECT_EQ(by_v, by_v_alone);
  const std::vector<ScalarSpan> too_many(count + 1);
  EXPECT_THROW(force_->add_products(place_.point(), z, {{}, {}, {}, too_many}), InternalError);
}

TEST_P(ForceConformance, BalancesMomentum) {
  if (!GetParam().internal) GTEST_SKIP() << "not internal to the bodies";
  const VectorArray f = force(place_);
  Vec3 sum, torque;
  for (std::size_t i = 0; i < f.size(); ++i) {
    sum += f[i];
    torque += cross(place_.positions[i], f[i]);
  }
  EXPECT_LE(norm(sum), 1e-14 * norm(f));
  EXPECT_LE(norm(torque), 1e-14 * norm(f) * norm(place_.positions));
}

TEST_P(ForceConformance, IsObjective) {
  if (!GetParam().objective) GTEST_SKIP() << "has directions of its own";
  Place turned = place_;
  turned.positions = rotated(turned.positions);
  turned.velocities = rotated(turned.velocities);
  for (PlacedCharge& c : turned.inputs.external_charges) c.position = rotated(c.position);
  for (PlacedGrab& grab : turned.inputs.grabs) grab.target = rotated(grab.target);
  const VectorArray f = force(place_);
  EXPECT_LE(distance(force(turned), rotated(f)), 1e-13 * norm(f));
  EXPECT_NEAR(force_->potential_energy(turned.point()), force_->potential_energy(place_.point()),
              1e-13 * norm(f) * norm(place_.positions));
}

TEST_P(ForceConformance, DependsOnVelocitiesOnlyAsItSays) {
  Place faster = place_;
  for (Vec3& v : faster.velocities) v *= -1.5;  // Some forces read directions alone.
  EXPECT_EQ(force(faster) == force(place_), force_->dependence() == Dependence::position);
}

TEST_P(ForceConformance, DissipatesOnlyAsItSays) {
  if (!force_->dissipates()) GTEST_SKIP();
  EXPECT_LT(dot(place_.velocities, force(place_)) - force_->driving_power(place_.point()), 0.0);
  EXPECT_EQ(force_->column(), EnergyColumn::none);
}

/// Every operation, into arrays that already hold something.
struct Everything {
  double potential = 0.0;
  std::vector<VectorArray> vectors;
  std::vector<std::vector<double>> scalars;
  friend bool operator==(const Everything&, const Everything&) = default;

  Everything(ExplicitForce& force, const Place& place, double start)
      : vectors(4, VectorArray(place.positions.size(), Vec3{start, start, start})),
        scalars(2, std::vector<double>(place.positions.size(), start)) {
    const VectorArray z = random_vectors(place.positions.size(), 13);
    const ForcePoint at = place.point();
    force.add_force(at, vectors[0]);
    force.add_transposed_jacobian_x(at, z, vectors[1]);
    force.add_transposed_jacobian_v(at, z, vectors[2]);
    force.add_potential_gradient(at, vectors[3]);
    force.add_mass_gradient(at, z, scalars[0]);
    force.add_potential_mass_gradient(at, scalars[1]);
    for (std::size_t p = 0; p < force.parameters().size(); ++p) {
      scalars.emplace_back(size_of(force.parameters()[p], place.inputs), start);
      force.add_parameter_gradient(at, p, z, scalars.back());
      scalars.emplace_back(size_of(force.parameters()[p], place.inputs), start);
      force.add_potential_parameter_gradient(at, p, scalars.back());
    }
    potential = force.potential_energy(at);
  }
};

TEST_P(ForceConformance, AddsToWhatIsThere) {
  const Everything from_zero(*force_, place_, 0.0), from_two(*force_, place_, 2.0);
  for (std::size_t k = 0; k < from_zero.vectors.size(); ++k)
    for (std::size_t i = 0; i < from_zero.vectors[k].size(); ++i) {
      const Vec3 expected = from_zero.vectors[k][i] + Vec3{2, 2, 2};
      EXPECT_LE(norm(from_two.vectors[k][i] - expected), 1e-14 * (4.0 + norm(expected))) << k;
    }
  for (std::size_t k = 0; k < from_zero.scalars.size(); ++k)
    for (std::size_t i = 0; i < from_zero.scalars[k].size(); ++i) {
      const double expected = from_zero.scalars[k][i] + 2.0;
      EXPECT_NEAR(from_two.scalars[k][i], expected, 1e-14 * (4.0 + std::abs(expected))) << k;
    }
}

TEST_P(ForceConformance, IsBitwiseTheSameForAnyNumberOfThreads) {
  const Place place = random_place(many, GetParam().external, GetParam().obstacles);
  const auto alone = GetParam().make(many, threads_, {});
  const Everything expected(*alone, place, 0.5);
  for (const int count : {2, 3, 7}) {
    Threads threads(count);
    const auto force = GetParam().make(many, threads, {});
    EXPECT_TRUE(Everything(*force, place, 0.5) == expected) << count << " threads";
    EXPECT_TRUE(Everything(*force, place, 0.5) == expected) << count << " threads, again";
  }
}

TEST_P(ForceConformance, AllocatesNothingAfterTheFirstCall) {
  Place place = random_place(many, GetParam().external, GetParam().obstacles);
  const auto force = GetParam().make(many, threads_, {});
  const VectorArray z = random_vectors(place.positions.size(), 14);
  VectorArray out(place.positions.size());
  std::vector<double> slopes(3 * (place.positions.size() + GetParam().external) + 12 * GetParam().obstacles);
  std::vector<ScalarSpan> asked;
  for (const ForceParameter& parameter : force->parameters())
    asked.push_back(ScalarSpan(slopes).first(size_of(parameter, place.inputs)));
  const auto call = [&] {
    place.positions[0].x += 1e-3;
    force->add_force(place.point(), out);
    force->add_transposed_jacobian_x(place.point(), z, out);
    force->add_transposed_jacobian_v(place.point(), z, out);
    for (std::size_t p = 0; p < force->parameters().size(); ++p)
      force->add_parameter_gradient(place.point(), p, z, asked[p]);
    force->add_products(place.point(), z, {out, out, {}, asked});
    return force->potential_energy(place.point());
  };
  call();
  const AllocationCounter counter;
  call();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace electret::test
