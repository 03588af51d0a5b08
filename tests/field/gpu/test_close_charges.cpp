/// Charges closer than float32's range: every solver on a device against what float64 says.

#include <random>

#include <field/gpu/device_for_tests.hpp>
#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>

namespace electret::test {
namespace {

class CloseCharges : public testing::TestWithParam<SolverCase> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CloseCharges);

/// Corners of a box of 1 m, and two charges at one place. The square of ε is 0 in float32.
TEST_P(CloseCharges, AtOnePlaceAreSoftenedHoweverLittle) {
  Threads threads(1);
  const VectorArray positions = {{0, 0, 0}, {1, 1, 1}, {0.3, 0.4, 0.6}, {0.3, 0.4, 0.6}};
  const std::vector<double> charges = {1e-6, -1e-6, 2e-6, 3e-6};
  for (const double softening : {1e-25, 1e-45, 1e-100}) {
    FieldOptions options;
    options.softening = softening;
    const auto solver = GetParam().make(options, threads);
    VectorArray field(4);
    std::vector<double> potential(4);
    solver->prepare(positions);
    solver->field(charges, field, potential);
    EXPECT_NEAR(potential[2] / (options.constant * charges[3] / softening), 1.0, 1e-6) << softening;
    EXPECT_NEAR(potential[3] / (options.constant * charges[2] / softening), 1.0, 1e-6) << softening;
    EXPECT_EQ(solver->coincident_pairs(), 0) << softening;
  }
}

/// A hundred charges on one side of another, at distances that integers of 2^-61 just resolve.
TEST_P(CloseCharges, HaveFiniteProducts) {
  if (GetParam().name == "gpuDirectFloat64") GTEST_SKIP() << "float64 has the range";
  Threads threads(1);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto vector = [&] {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vec3{x, y, z};
  };
  for (const double distance : {0x1.4p-41, 0x1p-40, 0x1p-38, 0x1.2p-37}) {
    VectorArray positions = {{0, 0, 0}, {1, 1, 1}, {-0.9, -0.9, -0.9}};
    for (int k = 0; k < 100; ++k) positions.push_back(distance * (Vec3{1, 0, 0} + 0.02 * vector()));
    const std::size_t n = positions.size();
    const std::vector<double> charges(n, 1e-6);
    VectorArray z(n, Vec3{-1.0, -0.3, -0.2});
    z[0] = {1.0, 0.3, 0.2};
    struct Results {
      VectorArray field, product;
      std::vector<double> potential, gradient;
    };
    const auto of = [&](FieldSolver& solver) {
      Results r{VectorArray(n), VectorArray(n), std::vector<double>(n), std::vector<double>(n)};
      solver.prepare(positions);
      solver.field_and_products(charges, z, r.field, r.potential, r.product, r.gradient);
      return r;
    };
    const Results found = of(*GetParam().make({}, threads));
    const Results exact =
        of(*direct::make_direct_field_solver({}, threads, instruction_set(), direct::Arithmetic::float64));
    const double allowed = 1e-4;
    EXPECT_LE(norm(found.product[0] - exact.product[0]), allowed * norm(exact.product[0])) << distance;
    EXPECT_NEAR(found.gradient[0] / exact.gradient[0], 1.0, allowed) << distance;
    EXPECT_LE(norm(found.field[0] - exact.field[0]), allowed * norm(exact.field[0])) << distance;
    EXPECT_LE(relative_error(found.product, exact.product), allowed) << distance;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, CloseCharges, ::testing::ValuesIn(solver_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
