/// Derivative products of ddef against central differences of its own field, box, tessellation and every
/// point's tetrahedron held.

#include <cmath>

#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/ddef.hpp>

namespace electret::test {
namespace {

struct Settings {
  Count grid_points;
  bool half_taylor;
  double softening;
};

const Settings all_settings[] = {{25, false, 0.0}, {25, false, 0.2}, {25, true, 0.0},
                                 {60, true, 0.2},  {60, false, 0.0}, {60, true, 0.0}};

std::unique_ptr<DdefFieldSolver> make(const Settings& settings, Threads& threads,
                                      direct::InstructionSet set = instruction_set()) {
  FieldOptions options;
  options.ddef_grid_points = settings.grid_points;
  options.ddef_half_taylor = settings.half_taylor;
  options.softening = settings.softening;
  return make_ddef_field_solver(options, threads, set, direct::Arithmetic::float64);
}

/// Random points no two of which are close, so that differences are smooth on their step.
Cloud spread_cloud(int n) {
  Cloud cloud = make_cloud("cube", 1, true);
  const Cloud candidates = make_cloud("cube", 40 * n, true, 5);
  for (std::size_t k = 0; static_cast<int>(cloud.positions.size()) < n; ++k) {
    bool free = true;
    for (const Vec3& x : cloud.positions) free &= norm(x - candidates.positions.at(k)) > 0.15;
    if (!free) continue;
    cloud.positions.push_back(candidates.positions[k]);
    cloud.charges.push_back(candidates.charges[k]);
  }
  return cloud;
}

/// Fourth-order central difference.
template <class F>
double difference(F f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
}

constexpr double step = 2e-4;

TEST(DdefDerivatives, OfTheForcesAreThoseOfItsOwnField) {
  constexpr int n = 70;
  Threads threads(2);
  for (const Settings& settings : all_settings) {
    Cloud cloud = spread_cloud(n);
    cloud.charges[5] = 0.0;
    const VectorArray z = random_vectors(n, 8);
    const auto solver = make(settings, threads);
    solver->prepare(cloud.positions);
    VectorArray product(n), expected(n), field(n);
    std::vector<double> gradient(n), expected_gradient(n);
    solver->transposed_jacobian_product(cloud.charges, z, product);
    solver->charge_gradient(cloud.charges, z, gradient);
    const DdefStatistics s = solver->statistics();
    ASSERT_GT(s.far_pairs + s.removed_pairs, 0);
    ASSERT_LT(s.near_pairs, n * (n - 1)) << "there is a far field";
    solver->hold(true);
    const auto value = [&] {
      solver->prepare(cloud.positions);
      solver->field(cloud.charges, field, {});
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += cloud.charges[i] * dot(z[i], field[i]);
      return sum;
    };
    for (std::size_t i = 0; i < n; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const double at = cloud.positions[i][axis];
        expected[i][axis] =
            difference([&](double h) { return cloud.positions[i][axis] = at + h, value(); }, step);
        cloud.positions[i][axis] = at;
      }
      const double at = cloud.charges[i];
      expected_gradient[i] =
          difference([&](double h) { return cloud.charges[i] = at + 1e-6 * h, value() / 1e-6; }, 0.1);
      cloud.charges[i] = at;
    }
    EXPECT_LE(relative_error(product, expected), 1e-8) << settings.grid_points << settings.half_taylor;
    EXPECT_LE(relative_error(gradient, expected_gradient), 1e-8);
    EXPECT_NEAR(gradient[5], expected_gradient[5], 1e-6 * std::abs(expected_gradient[5]));
    EXPECT_EQ(product[5], Vec3{});
  }
}

TEST(DdefDerivatives, AtOtherTargetsAreThoseOfItsOwnField) {
  constexpr int n = 60, t = 50;
  Threads threads(2);
  for (const Settings& settings : all_settings) {
    Cloud cloud = spread_cloud(n);
    VectorArray targets = spread_cloud(n + t).positions;
    targets.erase(targets.begin(), targets.begin() + n);  // none near a charge
    const VectorArray w = random_vectors(t, 9);
    const auto solver = make(settings, threads);
    solver->prepare(cloud.positions, targets);
    VectorArray target_gradient(t), source_gradient(n), expected_target(t), expected_source(n), field(t);
    std::vector<double> gradient(n), expected(n);
    solver->target_adjoint(cloud.charges, w, target_gradient, source_gradient, gradient);
    solver->hold(true);
    const auto value = [&] {
      solver->prepare(cloud.positions, targets);
      solver->field(cloud.charges, field, {});
      double sum = 0.0;
      for (std::size_t a = 0; a < t; ++a) sum += dot(w[a], field[a]);
      return sum;
    };
    const auto derivative = [&](Vec3& x, int axis) {
      const double at = x[axis];
      const double d = difference([&](double h) { return x[axis] = at + h, value(); }, step);
      x[axis] = at;
      return d;
    };
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t a = 0; a < t; ++a) expected_target[a][axis] = derivative(targets[a], axis);
      for (std::size_t i = 0; i < n; ++i) expected_source[i][axis] = derivative(cloud.positions[i], axis);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double at = cloud.charges[i];
      expected[i] =
          difference([&](double h) { return cloud.charges[i] = at + 1e-6 * h, value() / 1e-6; }, 0.1);
      cloud.charges[i] = at;
    }
    EXPECT_LE(relative_error(target_gradient, expected_target), 1e-8) << settings.half_taylor;
    EXPECT_LE(relative_error(source_gradient, expected_source), 1e-8) << settings.half_taylor;
    EXPECT_LE(relative_error(gradient, expected), 1e-8) << settings.half_taylor;
  }
}

TEST(DdefDerivatives, AreTheSameForEveryInstructionSetAndInOnePass) {
  constexpr std::size_t n = 900;
  Threads threads(2);
  const Cloud cloud = make_cloud("torus", n, true);
  const VectorArray z = random_vectors(n, 4);
  for (const Settings& settings : all_settings) {
    const auto portable = make(settings, threads, direct::InstructionSet::portable);
    VectorArray expected(n), product(n), field(n), expected_field(n);
    std::vector<double> expected_gradient(n), gradient(n), potential(n), expected_potential(n);
    portable->prepare(cloud.positions);
    portable->transposed_jacobian_product(cloud.charges, z, expected);
    portable->charge_gradient(cloud.charges, z, expected_gradient);
    portable->field(cloud.charges, expected_field, expected_potential);
    for (const auto set :
         {direct::InstructionSet::portable, direct::InstructionSet::avx2, direct::InstructionSet::avx512}) {
      if (!is_supported(set)) continue;
      const auto solver = make(settings, threads, set);
      solver->prepare(cloud.positions);
      solver->field_and_products(cloud.charges, z, field, potential, product, gradient);
      EXPECT_LE(relative_error(product, expected), 1e-12);
      EXPECT_LE(relative_error(gradient, expected_gradient), 1e-12);
      EXPECT_LE(relative_error(field, expected_field), 1e-12);
      EXPECT_LE(relative_error(potential, expected_potential), 1e-12);
    }
  }
}

TEST(DdefDerivatives, NeedTheSizesTheyAreHeldAt) {
  Threads threads(1);
  const auto solver = make(all_settings[0], threads);
  const VectorArray ten = random_vectors(10, 1), nine = random_vectors(9, 2);
  solver->hold(true);
  EXPECT_THROW(solver->prepare(ten), std::invalid_argument);
  solver->hold(false);
  solver->prepare(ten);
  solver->hold(true);
  EXPECT_NO_THROW(solver->prepare(ten));
  EXPECT_THROW(solver->prepare(nine), std::invalid_argument);
  EXPECT_THROW(solver->prepare(ten, nine), std::invalid_argument);
}

}  // namespace
}  // namespace electret::test
