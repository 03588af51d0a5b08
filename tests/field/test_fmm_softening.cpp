/// The fast multipole method with softening, where cells close by have Taylor series of 1/ρ and others
/// harmonic ones of 1/r: every sum, at several accuracies, with lengths ε below, about and above those of
/// cells and body.

#include <tuple>

#include <field/own_sums.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>

namespace electret::test {
namespace {

constexpr int n = 2500, t = 700;

struct Setting {
  double accuracy, softening;
};

OwnSums reference_of(const Cloud& cloud, const FieldOptions& options) {
  return own_sums(*make_reference_field_solver(options), cloud);
}
OwnSums sums_of(const Cloud& cloud, const FieldOptions& options, Threads& threads) {
  return own_sums(*fmm::make_fmm_field_solver(options, threads, instruction_set()), cloud);
}
double field_error(const OwnSums& sums, const OwnSums& exact) {
  return relative_error(VectorView(sums.field), VectorView(exact.field));
}

class FmmSoftening : public ::testing::TestWithParam<Setting> {
 protected:
  FmmSoftening() {
    options_.softening = GetParam().softening;
    options_.accuracy = GetParam().accuracy;
    fmm_ = fmm::make_fmm_field_solver(options_, threads_, instruction_set());
    exact_ = make_reference_field_solver(options_);
  }
  void expect_near(const VectorArray& a, const VectorArray& b, const char* what) const {
    EXPECT_LE(relative_error(VectorView(a), VectorView(b)), GetParam().accuracy) << what;
  }
  void expect_near(const std::vector<double>& a, const std::vector<double>& b, const char* what) const {
    EXPECT_LE(relative_error(ScalarView(a), ScalarView(b)), GetParam().accuracy) << what;
  }

  Threads threads_{1};
  FieldOptions options_;
  std::unique_ptr<FieldSolver> fmm_, exact_;
  Cloud cloud_ = make_cloud("torus", n, true);
  VectorArray targets_ = make_cloud("blob", t, true, 5).positions;
};

TEST_P(FmmSoftening, KeepsTheAccuracyOfFieldAndPotential) {
  const OwnSums sums = own_sums(*fmm_, cloud_), exact = own_sums(*exact_, cloud_);
  expect_near(sums.field, exact.field, "field");
  expect_near(sums.potential, exact.potential, "potential");
}

TEST_P(FmmSoftening, KeepsTheAccuracyOfProducts) {
  const VectorArray z = random_vectors(n, 8);
  const auto sums = [&](FieldSolver& solver) {
    VectorArray product(n);
    std::vector<double> gradient(n);
    solver.prepare(cloud_.positions);
    solver.transposed_jacobian_product(cloud_.charges, z, product);
    solver.charge_gradient(cloud_.charges, z, gradient);
    return std::pair(product, gradient);
  };
  const auto [product, gradient] = sums(*fmm_);
  const auto [exact_product, exact_gradient] = sums(*exact_);
  expect_near(product, exact_product, "Jacobian product");
  expect_near(gradient, exact_gradient, "charge gradient");
}

TEST_P(FmmSoftening, KeepsTheAccuracyAtOtherTargets) {
  const VectorArray w = random_vectors(t, 9);
  const auto sums = [&](FieldSolver& solver) {
    VectorArray field(t), at_targets(t), at_sources(n);
    std::vector<double> potential(t), gradient(n);
    solver.prepare(cloud_.positions, targets_);
    solver.field(cloud_.charges, field, potential);
    solver.target_adjoint(cloud_.charges, w, at_targets, at_sources, gradient);
    return std::tuple(field, potential, at_targets, at_sources, gradient);
  };
  const auto [field, potential, at_targets, at_sources, gradient] = sums(*fmm_);
  const auto [exact_field, exact_potential, exact_at_targets, exact_at_sources, exact_gradient] =
      sums(*exact_);
  expect_near(field, exact_field, "field");
  expect_near(potential, exact_potential, "potential");
  expect_near(at_targets, exact_at_targets, "adjoint at the targets");
  expect_near(at_sources, exact_at_sources, "adjoint at the sources");
  expect_near(gradient, exact_gradient, "adjoint of the charges");
}

/// Where every pair is closer than harmonic expansions may be, without Taylor series the sums would be direct
/// ones: exact but for rounding.
TEST(FmmSoftenedCells, HaveExpansionsHoweverLongTheSoftening) {
  Threads threads(1);
  const Cloud cloud = make_cloud("torus", n, true);
  for (const double accuracy : {1e-1, 1e-2, 1e-3})
    for (const double softening : {0.5, 10.0}) {
      FieldOptions options;
      options.softening = softening;
      options.accuracy = accuracy;
      EXPECT_GE(field_error(sums_of(cloud, options, threads), reference_of(cloud, options)), 1e-4 * accuracy);
    }
}

/// Centres of cells may lie outside the ball about all, farther apart than it is wide: those of charges on
/// two opposite caps of a sphere. Harmonic expansions end there or a little before.
TEST(FmmSoftenedCells, AreFoundWhereverTheirCentresAre) {
  Threads threads(1);
  Cloud caps{"caps", {}, std::vector<double>(240, 1e-6)};
  const VectorArray moves = random_vectors(240, 1);
  const Vec3 diagonal = (1.0 / norm(Vec3{1, 1, 1})) * Vec3{1, 1, 1};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Vec3 place = 0.1 * moves[i] + (i % 2 ? 1.0 : -1.0) * diagonal;
    caps.positions.push_back((1.0 / norm(place)) * place);
  }
  FieldOptions options;
  options.accuracy = 1e-2;
  for (int k = 0; k < 40; ++k) {
    options.softening = 0.050 + 1e-4 * k;
    EXPECT_LE(field_error(sums_of(caps, options, threads), reference_of(caps, options)), 1e-2)
        << options.softening;
  }
}

/// Two piles exactly as far apart as harmonic expansions begin, after another body in the same solver.
TEST(FmmSoftenedCells, AreFoundAtTheBound) {
  Threads threads(1);
  const Cloud other = make_cloud("cube", 3000, true);
  Cloud piles{"piles", VectorArray(3000), std::vector<double>(3000, 1e-6)};
  for (std::size_t i = 1500; i < 3000; ++i) piles.positions[i].x = 10.0;
  FieldOptions options;
  options.softening = 1.0;
  const OwnSums exact = reference_of(piles, options);
  for (const double accuracy : {0.15 - 1e-15, 0.15, 0.15 + 1e-15}) {
    options.accuracy = accuracy;
    const auto solver = fmm::make_fmm_field_solver(options, threads, instruction_set());
    own_sums(*solver, other);
    EXPECT_LE(field_error(own_sums(*solver, piles), exact), 0.11 * accuracy);
  }
}

/// Where Taylor series do not pay, cells as close meet point by point, not by expansions of 1/r.
TEST(FmmSoftenedCells, MeetPointByPointWhereSeriesDoNotPay) {
  Threads threads(1);
  const Cloud cloud = make_cloud("clusters", 3000, true);
  FieldOptions options;
  options.softening = 0.01;
  options.accuracy = 0.1;
  EXPECT_LE(field_error(sums_of(cloud, options, threads), reference_of(cloud, options)), 0.1);
}

/// Beyond R = ε √(15/accuracy) 1/r stands for 1/ρ: 3/2 (ε/R)² off, a tenth of the accuracy. Nearer it does
/// not.
TEST(FmmSoftenedCells, HaveHarmonicExpansionsWhereTheSofteningCountsForLittle) {
  Threads threads(1);
  FieldOptions options;
  options.softening = 1.0;
  const VectorArray sources = random_vectors(300, 1);
  const std::vector<double> charges(300, 1e-6);
  const auto error_at = [&](double distance) {
    VectorArray targets = random_vectors(300, 2), field(300), expected(300);
    for (Vec3& x : targets) x = 0.1 * x + Vec3{distance, 0, 0};
    options.accuracy = 1e-2;
    const auto exact = make_reference_field_solver(options);
    exact->prepare(sources, targets);
    exact->field(charges, expected, {});
    const auto solver = fmm::make_fmm_field_solver(options, threads, instruction_set());
    solver->prepare(sources, targets);
    solver->field(charges, field, {});
    return relative_error(VectorView(field), VectorView(expected));
  };
  const double bound = std::sqrt(15.0 / 1e-2);
  EXPECT_LE(error_at(1.06 * bound), 1e-3);
  EXPECT_GE(error_at(1.06 * bound), 5e-4) << "or harmonic expansions begin farther away";
  EXPECT_LE(error_at(0.94 * bound), 1e-4) << "or they begin nearer";
}

/// A pile of charges on the surface of the ball about its parent: rounding must not make it far from that,
/// however small (r_A + r_B)/√(R² + ε²) is.
TEST(FmmSoftenedCells, DoNotActOnThemselves) {
  Threads threads(1);
  for (const double softening : {0.1, 3.0})
    for (unsigned seed = 1; seed <= 8; ++seed) {
      Cloud cloud = make_cloud("cube", 300, true, seed);
      const Vec3 place = random_vectors(1, seed)[0];
      cloud.positions.insert(cloud.positions.end(), 1500, place);
      cloud.charges.insert(cloud.charges.end(), 1500, 1e-6);
      FieldOptions options;
      options.softening = softening;
      options.accuracy = 1e-3;
      const OwnSums sums = sums_of(cloud, options, threads), exact = reference_of(cloud, options);
      EXPECT_LE(relative_error(ScalarView(sums.potential), ScalarView(exact.potential)), 1e-4) << seed;
      EXPECT_LE(field_error(sums, exact), 1e-3) << seed;
    }
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const double accuracy : {1e-2, 1e-3, 1e-6})
    for (const double softening : {1e-4, 1e-2, 0.3, 10.0}) all.push_back({accuracy, softening});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Settings, FmmSoftening, ::testing::ValuesIn(settings()));

}  // namespace
}  // namespace electret::test
