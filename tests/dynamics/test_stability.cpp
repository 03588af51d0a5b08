#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <electret/dynamics/stability.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"

namespace electret::test {
namespace {

ChargePair slow_search(const System& system, VectorView x, ScalarView q) {
  ChargePair best;
  const auto& options = *system.assembly.scene.coulomb;
  std::vector<double> mobility;
  for (const double m : system.masses()) mobility.push_back(1.0 / m);
  for (const Index pin : system.pins) mobility[static_cast<std::size_t>(pin)] = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double r = norm(x[i] - x[j]), rho = std::hypot(r, options.softening);
      const double omega = std::sqrt(2.0 * options.constant * std::abs(q[i] * q[j]) *
                                     (mobility[i] + mobility[j]) / (rho * rho * rho));
      if (omega > best.frequency) best = {static_cast<Index>(i), static_cast<Index>(j), r, omega};
    }
  return best;
}

TEST(Stability, FindsTheFastestPairOfCharges) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const double softening : {0.0, 0.5}) {
      NetworkOptions options;
      options.seed = seed;
      options.side = 6;
      options.pins = true;
      Assembly assembly = random_network(options);
      assembly.scene.coulomb->softening = softening;
      assembly.charges[seed % 2 == 0 ? 0 : 100] = 3e-4;  // far stronger than the others, pinned or free
      assembly.masses[seed % 3 == 0 ? 4 : 50] = 0.01;    // far lighter, pinned or free
      assembly.charges[3] = 0.0;
      const auto system = compile(assembly, 1);
      const ChargePair expected = slow_search(*system, assembly.initial_positions, assembly.charges);
      const ChargePair found = fastest_charge_pair(*system, assembly.initial_positions, assembly.charges);
      EXPECT_EQ(found.i, expected.i) << seed;
      EXPECT_EQ(found.j, expected.j) << seed;
      EXPECT_NEAR(found.frequency, expected.frequency, 1e-12 * expected.frequency);
      EXPECT_NEAR(found.distance, expected.distance, 1e-15);
      EXPECT_GE(charge_frequency_bound(*system, assembly.charges, found.distance),
                0.999999 * found.frequency);
    }
  }
}

TEST(Stability, ArraysOfAnotherSizeAreACallersMistake) {
  const Assembly assembly = random_network({});
  const auto system = compile(assembly, 1);
  const std::vector<double> few(3);
  EXPECT_THROW(fastest_charge_pair(*system, assembly.initial_positions, few), std::invalid_argument);
  EXPECT_THROW(fastest_charge_pair(*system, VectorArray(3), assembly.charges), std::invalid_argument);
  EXPECT_THROW(charge_frequency_bound(*system, few, 1.0), std::invalid_argument);
  EXPECT_THROW(spring_frequency(*system, VectorArray(3)), std::invalid_argument);
}

TEST(Stability, BoundsTheFrequencyOfEqualPairsSharply) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {0.5, 0, 0}, {9, 0, 0}}, 0.1, "imex");
  assembly.charges = {1e-5, -1e-5, 0.0};
  assembly.masses = {2.0, 2.0, 1e-9};  // what bears no charge does not matter
  assembly.scene.coulomb = FieldOptions{};
  const auto system = compile(assembly, 1);
  const ChargePair pair = fastest_charge_pair(*system, assembly.initial_positions, assembly.charges);
  EXPECT_NEAR(charge_frequency_bound(*system, assembly.charges, 0.5), pair.frequency, 1e-12 * pair.frequency);
  EXPECT_EQ(charge_frequency_bound(*system, assembly.charges, std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_EQ(charge_frequency_bound(*system, std::vector<double>(3), 0.5), 0.0);
}

TEST(Stability, HasNoPairWithoutTwoMovingCharges) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 0.1, "verlet");
  const auto bare = compile(assembly, 1);
  EXPECT_EQ(fastest_charge_pair(*bare, assembly.initial_positions, assembly.charges).i, -1);
  assembly.scene.coulomb = FieldOptions{};
  assembly.charges = {1.0, 0.0};
  const auto one = compile(assembly, 1);
  EXPECT_EQ(fastest_charge_pair(*one, assembly.initial_positions, assembly.charges).i, -1);
  EXPECT_EQ(suggested_step(*one), std::numeric_limits<double>::infinity());
}

/// ω² against a dense eigenvalue solver on the same clamped Hessian, built column by column.
void expect_near_estimate(const Assembly& assembly) {
  const auto system = compile(assembly, 1);
  const auto n = static_cast<std::size_t>(system->vertex_count());
  const auto& x = system->assembly.initial_positions;
  std::vector<double> scale;
  for (const double m : system->masses()) scale.push_back(1.0 / std::sqrt(m));
  for (const Index pin : system->pins) scale[static_cast<std::size_t>(pin)] = 0.0;
  const auto size = static_cast<Eigen::Index>(3 * n);
  Eigen::MatrixXd matrix(size, size);
  VectorArray gradient(n);
  for (auto& energy : system->elastic) energy->linearise(x, HessianKind::clamped, gradient);
  for (std::size_t j = 0; j < 3 * n; ++j) {
    VectorArray unit(n), column(n);
    unit[j / 3][static_cast<int>(j % 3)] = scale[j / 3];
    for (auto& energy : system->elastic) energy->add_hessian_product(unit, column);
    for (std::size_t i = 0; i < 3 * n; ++i)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          scale[i / 3] * column[i / 3][static_cast<int>(i % 3)];
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  const double exact = std::sqrt(solver.eigenvalues().maxCoeff());
  const double estimate = spring_frequency(*system, x);
  EXPECT_LE(estimate, exact * (1.0 + 1e-12));
  EXPECT_GE(estimate, 0.98 * exact);
}

TEST(Stability, EstimatesTheFrequencyOfSprings) {
  NetworkOptions options;
  options.pins = true;
  expect_near_estimate(random_network(options));
}

TEST(Stability, EstimatesTheFrequencyOfSolids) {
  for (const char* element : {"hex", "tet"}) expect_near_estimate(muscular({.element = element, .cells = 3}));
}

/// Two charges 1 m apart on a spring of `stiffness`; ω of the charges at half of that is √(32 k_c q²).
Assembly sprung_pair(double charge, double stiffness) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 0.1, "verlet");
  assembly.charges = {charge, -charge};
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.time.steps = 100;  // 10 s
  if (stiffness > 0.0) assembly.springs = {{0, 1, stiffness, 1.0}};
  return assembly;
}

TEST(Stability, SuggestsAStepWithRoomForCloserCharges) {
  const double omega = std::sqrt(32.0 * coulomb_constant) * 1e-5;
  EXPECT_NEAR(suggested_step(*compile(sprung_pair(1e-5, 0.0), 1)), 0.2 / omega, 1e-12);
  EXPECT_EQ(suggested_step(*compile(sprung_pair(1e-5, 1e300), 1)), 0.0) << "beyond float64";
  // Springs as fast as the charges: ω_s² = 2k/m.
  EXPECT_NEAR(suggested_step(*compile(sprung_pair(1e-5, 0.5 * omega * omega), 1)),
              0.2 / (std::sqrt(2.0) * omega), 1e-9);
  Assembly softened = sprung_pair(1e-5, 0.0);
  softened.scene.coulomb->softening = 0.5;
  EXPECT_NEAR(suggested_step(*compile(softened, 1)), 0.2 / omega * std::pow(2.0, 0.75), 1e-12);
}

TEST(Stability, SuggestsAStepForTheLargestChargesOfTheRun) {
  const double omega = std::sqrt(32.0 * coulomb_constant) * 1e-5;
  Assembly assembly = sprung_pair(0.0, 0.0);
  const auto suggested = [&](KeyFrames<double> keys) {
    assembly.charge_tracks = {{{0, 1}, std::move(keys), true, "q"}};
    return suggested_step(*compile(assembly, 1));
  };
  EXPECT_NEAR(suggested({{0.0, 5.0, 8.0}, {0.0, -1e-5, 0.0}, Interpolation::linear}), 0.2 / omega, 1e-12);
  EXPECT_NEAR(suggested({{0.0, 20.0}, {0.0, 2e-5}, Interpolation::linear}), 0.2 / omega, 1e-12)
      << "the second key is beyond the run";
  EXPECT_LT(suggested({{0.0, 3.0, 6.0, 9.0}, {0.0, 1e-5, 1e-5, 0.0}, Interpolation::cubic}), 0.19 / omega)
      << "a cubic overshoots its keys";
  // A later track that is constant wins over an earlier one.
  assembly.charge_tracks.push_back({{0, 1}, KeyFrames<double>::constant(1e-6), false, "r"});
  EXPECT_NEAR(suggested_step(*compile(assembly, 1)), 2.0 / omega, 1e-11);
}

TEST(Stability, SuggestsAStepThatVerletRunsWell) {
  Assembly assembly = random_network({});
  const auto system = compile(assembly, 1);
  assembly.scene.time.step = suggested_step(*system);
  Simulator run = simulator(assembly);
  const Energies first = run.energies();
  run.run(std::lround(0.32 / assembly.scene.time.step));
  const double error = std::abs(run.energies().total() - first.total()) / first.magnitude();
  EXPECT_LT(error, 0.01);
}

}  // namespace
}  // namespace electret::test
