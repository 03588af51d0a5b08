/// The fast multipole method with softening, where expansions are those of 1/r and near pairs those of 1/ρ:
/// every sum, at several accuracies, with lengths ε below, about and above those of cells and body.

#include <tuple>

#include <field/point_clouds.hpp>
#include <gtest/gtest.h>

#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>

namespace electret::test {
namespace {

constexpr int n = 2500, t = 700;

struct Setting {
  double accuracy, softening;
};

class FmmSoftening : public ::testing::TestWithParam<Setting> {
 protected:
  FmmSoftening() {
    options_.softening = GetParam().softening;
    options_.accuracy = GetParam().accuracy;
    fmm_ = fmm::make_fmm_field_solver(options_, threads_, direct::best_instruction_set());
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
  const auto sums = [&](FieldSolver& solver) {
    VectorArray field(n);
    std::vector<double> potential(n);
    solver.prepare(cloud_.positions);
    solver.field(cloud_.charges, field, potential);
    return std::pair(field, potential);
  };
  const auto [field, potential] = sums(*fmm_);
  const auto [exact_field, exact_potential] = sums(*exact_);
  expect_near(field, exact_field, "field");
  expect_near(potential, exact_potential, "potential");
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

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const double accuracy : {1e-2, 1e-3, 1e-6})
    for (const double softening : {1e-4, 1e-2, 0.3, 10.0}) all.push_back({accuracy, softening});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Settings, FmmSoftening, ::testing::ValuesIn(settings()));

}  // namespace
}  // namespace electret::test
