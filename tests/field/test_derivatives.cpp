/// Derivative products of every solver: against the reference, and against central differences of the
/// solver's own field.

#include <cmath>

#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

class SolverDerivatives : public ::testing::TestWithParam<SolverCase> {
 protected:
  std::unique_ptr<FieldSolver> make(const FieldOptions& options = {}) {
    return GetParam().make(options, threads_);
  }
  Threads threads_{2};
};

struct Products {
  VectorArray jacobian;
  std::vector<double> charge;
};

Products products(FieldSolver& solver, const Cloud& cloud, VectorView z) {
  Products p{VectorArray(z.size()), std::vector<double>(z.size())};
  solver.prepare(cloud.positions);
  solver.transposed_jacobian_product(cloud.charges, z, p.jacobian);
  solver.charge_gradient(cloud.charges, z, p.charge);
  return p;
}

/// Σ_i q_i z_i·E_i by the solver's field at (x, q).
double weighted(FieldSolver& solver, VectorView x, ScalarView q, VectorView z) {
  VectorArray field(x.size());
  solver.prepare(x);
  solver.field(q, field, {});
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += q[i] * dot(z[i], field[i]);
  return sum;
}

/// Points of a jittered grid: no close pairs, so that central differences are smooth on their step.
Cloud grid_cloud() {
  Cloud cloud = make_cloud("cube", 40, true);
  for (int i = 0; i < 40; ++i) {
    const Vec3 place{static_cast<double>(i % 4), static_cast<double>(i / 4 % 4), static_cast<double>(i / 16)};
    cloud.positions[static_cast<std::size_t>(i)] *= 0.15;
    cloud.positions[static_cast<std::size_t>(i)] += place;
  }
  return cloud;
}

/// Fourth-order central difference of f at 0.
template <class F>
double difference(F f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
}

TEST_P(SolverDerivatives, AgreeWithTheReference) {
  for (const auto& kind : cloud_kinds())
    for (const int n : {1, 2, 3, 17, 64, 145, 300}) {
      Cloud cloud = make_cloud(kind, n, true);
      if (n > 20) cloud.positions[19] = cloud.positions[4];
      const VectorArray z = random_vectors(n, 8);
      const Products p = products(*make(), cloud, z);
      const Products expected = products(*make_reference_field_solver({}), cloud, z);
      EXPECT_LE(relative_error(p.jacobian, expected.jacobian), GetParam().product_accuracy) << cloud.name;
      EXPECT_LE(relative_error(p.charge, expected.charge), GetParam().product_accuracy) << cloud.name;
    }
}

TEST_P(SolverDerivatives, SoftenedAgreeWithDifferencesOfTheField) {
  for (const double softening : {0.0, 0.4}) {
    FieldOptions options;
    options.softening = softening;
    const Cloud cloud = grid_cloud();
    const VectorArray z = random_vectors(40, 12);
    const auto solver = make(options);
    const Products p = products(*solver, cloud, z);
    if (GetParam().hold) GetParam().hold(*solver);
    VectorArray jacobian(40), x = cloud.positions;
    std::vector<double> charge(40), q = cloud.charges;
    for (std::size_t i = 0; i < 40; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const double at = x[i][axis];
        jacobian[i][axis] = difference(
            [&](double step) {
              x[i][axis] = at + step;
              return weighted(*solver, x, q, z);
            },
            GetParam().difference_step);
        x[i][axis] = at;
      }
      const double at = q[i];
      charge[i] = difference(
          [&](double step) {
            q[i] = at + 1e-6 * step;
            return weighted(*solver, x, q, z) / 1e-6;
          },
          0.1);
      q[i] = at;
    }
    EXPECT_LE(relative_error(p.jacobian, jacobian), GetParam().difference_accuracy) << softening;
    EXPECT_LE(relative_error(p.charge, charge), GetParam().difference_accuracy) << softening;
  }
}

struct Adjoint {
  VectorArray target, source;
  std::vector<double> charge;
};

Adjoint adjoint(FieldSolver& solver, const Cloud& cloud, VectorView targets, VectorView w) {
  Adjoint a{VectorArray(targets.size()), VectorArray(cloud.positions.size()),
            std::vector<double>(cloud.positions.size())};
  solver.prepare(cloud.positions, targets);
  solver.target_adjoint(cloud.charges, w, a.target, a.source, a.charge);
  return a;
}

TEST_P(SolverDerivatives, AtOtherTargetsAgreeWithTheReference) {
  const double accuracy = std::max(GetParam().product_accuracy, GetParam().adjoint_accuracy);
  for (const int t : {1, 3, 64, 150})
    for (const int n : {1, 70, 129}) {
      const Cloud cloud = make_cloud("torus", n, true);
      VectorArray targets = random_vectors(t, 21);
      if (t > 1) targets[1] = cloud.positions[0];
      const VectorArray w = random_vectors(t, 22);
      const Adjoint a = adjoint(*make(), cloud, targets, w);
      const Adjoint expected = adjoint(*make_reference_field_solver({}), cloud, targets, w);
      EXPECT_LE(relative_error(a.target, expected.target), accuracy);
      EXPECT_LE(relative_error(a.source, expected.source), accuracy);
      EXPECT_LE(relative_error(a.charge, expected.charge), accuracy);
    }
}

Adjoint adjoint_at_charges(FieldSolver& solver, const Cloud& cloud, VectorView w) {
  Adjoint a{VectorArray(w.size()), VectorArray(w.size()), std::vector<double>(w.size())};
  solver.prepare(cloud.positions);
  solver.target_adjoint(cloud.charges, w, a.target, a.source, a.charge);
  return a;
}

VectorArray sums(VectorView a, VectorView b) {
  VectorArray result(a.begin(), a.end());
  for (std::size_t i = 0; i < b.size(); ++i) result[i] += b[i];
  return result;
}

/// The targets being the charges, with weights that are none of the charges' own moves. A pair of a charge
/// with itself would add k q w/ε³ to one gradient and take it from the other.
TEST_P(SolverDerivatives, OfTheFieldAtTheChargesAgreeWithTheReference) {
  for (const double softening : {0.0, 0.1, 1e-3, 1e-6})
    for (const int n : {1, 70, 129, 300}) {
      FieldOptions options;
      options.softening = softening;
      const Cloud cloud = make_cloud("torus", n, true);
      const VectorArray w = random_vectors(n, 23);
      const Adjoint a = adjoint_at_charges(*make(options), cloud, w);
      const Adjoint expected = adjoint_at_charges(*make_reference_field_solver(options), cloud, w);
      const std::string where = std::to_string(n) + " charges, softening " + std::to_string(softening);
      EXPECT_LE(relative_error(a.target, expected.target), GetParam().product_accuracy) << where;
      EXPECT_LE(relative_error(a.source, expected.source), GetParam().product_accuracy) << where;
      EXPECT_LE(relative_error(a.charge, expected.charge), GetParam().product_accuracy) << where;
      EXPECT_LE(relative_error(sums(a.target, a.source), sums(expected.target, expected.source)),
                3 * GetParam().product_accuracy)
          << where;
    }
}

TEST_P(SolverDerivatives, OfTheFieldAtTheChargesAgreeWithDifferencesOfTheField) {
  FieldOptions options;
  options.softening = 0.05;
  const Cloud cloud = grid_cloud();
  const VectorArray w = random_vectors(40, 33);
  const auto solver = make(options);
  const Adjoint a = adjoint_at_charges(*solver, cloud, w);
  if (GetParam().hold) GetParam().hold(*solver);
  VectorArray by_position(40), x = cloud.positions;
  std::vector<double> by_charge(40), q = cloud.charges;
  const auto value = [&] {
    VectorArray field(40);
    solver->prepare(x);
    solver->field(q, field, {});
    double sum = 0.0;
    for (std::size_t i = 0; i < 40; ++i) sum += dot(w[i], field[i]);
    return sum;
  };
  for (std::size_t i = 0; i < 40; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double at = x[i][axis];
      by_position[i][axis] =
          difference([&](double s) { return x[i][axis] = at + s, value(); }, GetParam().difference_step);
      x[i][axis] = at;
    }
    const double at = q[i];
    by_charge[i] = difference([&](double s) { return q[i] = at + 1e-6 * s, value() / 1e-6; }, 0.1);
    q[i] = at;
  }
  EXPECT_LE(relative_error(sums(a.target, a.source), by_position), GetParam().difference_accuracy);
  EXPECT_LE(relative_error(a.charge, by_charge), GetParam().difference_accuracy);
}

TEST_P(SolverDerivatives, AtOtherTargetsAgreeWithDifferencesOfTheField) {
  Cloud cloud = grid_cloud();
  VectorArray targets = {{0.5, 0.5, 0.5}, {1.5, 2.5, 0.4}, {-1, 0.2, 3}};
  const VectorArray w = random_vectors(3, 33);
  const auto solver = make();
  const Adjoint a = adjoint(*solver, cloud, targets, w);
  if (GetParam().hold) GetParam().hold(*solver);
  const auto value = [&] {
    VectorArray field(3);
    solver->prepare(cloud.positions, targets);
    solver->field(cloud.charges, field, {});
    return dot(w[0], field[0]) + dot(w[1], field[1]) + dot(w[2], field[2]);
  };
  const auto gradient = [&](double& variable, double step, double unit) {
    const double at = variable;
    const double d = difference([&](double s) { return variable = at + unit * s, value() / unit; }, step);
    variable = at;
    return d;
  };
  const auto components = [](Vec3& v) { return std::array<double*, 3>{&v.x, &v.y, &v.z}; };
  Adjoint d{VectorArray(3), VectorArray(40), std::vector<double>(40)};
  for (std::size_t i = 0; i < 3; ++i)
    for (int axis = 0; axis < 3; ++axis)
      d.target[i][axis] =
          gradient(*components(targets[i])[static_cast<std::size_t>(axis)], GetParam().difference_step, 1.0);
  for (std::size_t j = 0; j < 40; ++j) {
    for (int axis = 0; axis < 3; ++axis)
      d.source[j][axis] = gradient(*components(cloud.positions[j])[static_cast<std::size_t>(axis)],
                                   GetParam().difference_step, 1.0);
    d.charge[j] = gradient(cloud.charges[j], 0.1, 1e-6);
  }
  EXPECT_LE(relative_error(a.target, d.target), GetParam().difference_accuracy);
  EXPECT_LE(relative_error(a.source, d.source), GetParam().difference_accuracy);
  EXPECT_LE(relative_error(a.charge, d.charge), GetParam().difference_accuracy);
}

INSTANTIATE_TEST_SUITE_P(Solvers, SolverDerivatives, ::testing::ValuesIn(solver_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
