/// Charges that are much closer to each other than the softening. Their field is small, but may be all that
/// there is. Sums in long double are the measure.

#include <cmath>

#include <field/own_sums.hpp>
#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

/// Two droplets of that size, 1 m apart, each with `count` charges of one sign.
Cloud droplets(int count, double size) {
  Cloud cloud{
      "two droplets of " + std::to_string(count) + " charges and " + std::to_string(1e9 * size) + " nm",
      random_vectors(2 * count, 5), std::vector<double>(static_cast<std::size_t>(2 * count), 1e-9)};
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    cloud.positions[i] *= size;
    if (i % 2 == 1) cloud.positions[i].x += 1.0;
  }
  return cloud;
}

struct Sums {
  VectorArray field;
  std::vector<double> potential, charge_gradient;
  VectorArray product;
};

struct LongVector {
  long double x = 0, y = 0, z = 0;
  LongVector& add(long double factor, const LongVector& v) {
    x += factor * v.x, y += factor * v.y, z += factor * v.z;
    return *this;
  }
  [[nodiscard]] long double dot(const LongVector& v) const { return x * v.x + y * v.y + z * v.z; }
  [[nodiscard]] Vec3 rounded() const {
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  }
};

LongVector difference(const Vec3& a, const Vec3& b) {
  const auto minus = [](double p, double q) {
    return static_cast<long double>(p) - static_cast<long double>(q);
  };
  return {minus(a.x, b.x), minus(a.y, b.y), minus(a.z, b.z)};
}

Sums exact_sums(const Cloud& cloud, VectorView z, double softening) {
  const std::size_t n = cloud.positions.size();
  const FieldOptions usual;
  const auto k = static_cast<long double>(usual.constant), eps = static_cast<long double>(softening);
  Sums sums{VectorArray(n), std::vector<double>(n), std::vector<double>(n), VectorArray(n)};
  for (std::size_t i = 0; i < n; ++i) {
    LongVector field, product;
    long double potential = 0, gradient = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const LongVector r = difference(cloud.positions[i], cloud.positions[j]), w = difference(z[i], z[j]);
      const long double rho2 = r.dot(r) + eps * eps, q = static_cast<long double>(cloud.charges[j]);
      const long double cube = k * q / (rho2 * std::sqrt(rho2)), along = r.dot(w);
      field.add(cube, r);
      product.add(cube, w).add(-3 * cube * along / rho2, r);
      potential += cube * rho2;
      gradient += cube * along;
    }
    sums.field[i] = field.rounded();
    sums.potential[i] = static_cast<double>(potential);
    sums.product[i] = cloud.charges[i] * product.rounded();
    sums.charge_gradient[i] = static_cast<double>(gradient);
  }
  return sums;
}

class SoftenedCrowds : public ::testing::TestWithParam<SolverCase> {
 protected:
  Threads threads_{1};
};

/// Only `direct` resolves droplets of a billionth of their distance and less.
TEST_P(SoftenedCrowds, HaveTheFieldThatWasAskedFor) {
  const SolverCase& c = GetParam();
  for (const int count : {1, 4, 40, 150})
    for (const double size : {1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
      for (const double softening : {1e-4, 1e-3, 1e-2, 0.2}) {
        if (size < 1e-8 && c.solver_name != "direct") continue;
        const Cloud cloud = droplets(count, size);
        const std::size_t n = cloud.positions.size();
        const VectorArray z = random_vectors(static_cast<int>(n), 7);
        FieldOptions options;
        options.softening = softening;
        const auto solver = c.make(options, threads_);
        const OwnSums sums = own_sums(*solver, cloud);
        const Sums exact = exact_sums(cloud, z, softening);
        const std::string where = cloud.name + ", softening " + std::to_string(softening);
        EXPECT_LE(relative_error(VectorView(sums.field), VectorView(exact.field)), c.field_accuracy) << where;
        EXPECT_LE(relative_error(ScalarView(sums.potential), ScalarView(exact.potential)), c.field_accuracy)
            << where;
        Sums products = exact;
        solver->products(cloud.charges, z, products.product, products.charge_gradient);
        EXPECT_LE(relative_error(VectorView(products.product), VectorView(exact.product)), c.product_accuracy)
            << where;
        EXPECT_LE(relative_error(ScalarView(products.charge_gradient), ScalarView(exact.charge_gradient)),
                  c.product_accuracy)
            << where;
      }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SoftenedCrowds, ::testing::ValuesIn(solver_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
