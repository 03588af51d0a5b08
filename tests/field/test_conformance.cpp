#include <algorithm>
#include <tuple>
#include <utility>

#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/allocation_counter.hpp>
#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

struct Result {
  VectorArray field;
  std::vector<double> potential;
  Count coincident = 0;
  friend bool operator==(const Result&, const Result&) = default;
};

class SolverConformance : public ::testing::TestWithParam<SolverCase> {
 protected:
  std::unique_ptr<FieldSolver> make(const FieldOptions& options = {}) {
    return GetParam().make(options, threads_);
  }
  static Result evaluate(FieldSolver& solver, ScalarView charges, std::size_t targets) {
    Result result{VectorArray(targets), std::vector<double>(targets), 0};
    solver.field(charges, result.field, result.potential);
    result.coincident = solver.coincident_pairs();
    return result;
  }
  Result own_field(const Cloud& cloud, const FieldOptions& options = {}) {
    const auto solver = make(options);
    solver->prepare(cloud.positions);
    return evaluate(*solver, cloud.charges, cloud.positions.size());
  }
  static Result reference_field(const Cloud& cloud, const FieldOptions& options = {}) {
    const auto solver = make_reference_field_solver(options);
    solver->prepare(cloud.positions);
    return evaluate(*solver, cloud.charges, cloud.positions.size());
  }
  void expect_near(const Result& result, const Result& expected, const std::string& what) {
    EXPECT_LE(relative_error(result.field, expected.field), GetParam().field_accuracy) << what;
    EXPECT_LE(relative_error(result.potential, expected.potential), GetParam().field_accuracy) << what;
    EXPECT_EQ(result.coincident, expected.coincident) << what;
  }

  Threads threads_{1};
};

/// The reference itself against formulas written out here: two charges, and three on a line.
TEST_P(SolverConformance, MeetsCoulombsLaw) {
  const double k = coulomb_constant;
  const Cloud two{"two", {{0, 0, 0}, {3, 4, 0}}, {2e-6, -5e-6}};
  const Result r = own_field(two);
  const double a = std::max(GetParam().field_accuracy, 1e-15);
  EXPECT_NEAR(r.field[0].x, k * 5e-6 * 0.6 / 25, k * 2e-7 * a);
  EXPECT_NEAR(r.field[0].y, k * 5e-6 * 0.8 / 25, k * 2e-7 * a);
  EXPECT_EQ(r.field[0].z, 0.0);
  EXPECT_NEAR(r.field[1].x, k * 2e-6 * 0.6 / 25, k * 2e-7 * a);
  EXPECT_NEAR(r.potential[0], -k * 5e-6 / 5, k * 1e-6 * a);
  EXPECT_NEAR(r.potential[1], k * 2e-6 / 5, k * 1e-6 * a);
  const Cloud three{"three", {{-1, 0, 0}, {0, 0, 0}, {2, 0, 0}}, {1e-6, 1e-6, 1e-6}};
  const Result s = own_field(three);
  EXPECT_NEAR(s.field[1].x, k * 1e-6 * 0.75, k * 1e-6 * a);
  EXPECT_NEAR(s.potential[2], k * 1e-6 * (1.0 / 2 + 1.0 / 3), k * 1e-6 * a);
}

TEST_P(SolverConformance, IsAsAccurateAsItSays) {
  for (const auto& kind : cloud_kinds())
    for (const bool mixed : {false, true})
      for (const int n : {1, 2, 3, 15, 16, 17, 63, 64, 65, 145, 500, 1100}) {
        const Cloud cloud = make_cloud(kind, n, mixed, static_cast<unsigned>(n));
        expect_near(own_field(cloud), reference_field(cloud), cloud.name);
      }
}

TEST_P(SolverConformance, HasTheSameFieldWithoutPotential) {
  const Cloud cloud = make_cloud("torus", 333, true);
  const auto solver = make();
  solver->prepare(cloud.positions);
  VectorArray field(333);
  solver->field(cloud.charges, field, {});
  EXPECT_EQ(field, evaluate(*solver, cloud.charges, 333).field);
}

TEST_P(SolverConformance, DoesNotDependOnUnits) {
  const Cloud cloud = make_cloud("clusters", 200, true);
  for (const auto& [length, charge] :
       {std::pair{1e-9, 1.6e-13}, std::pair{1e9, 1e6}, std::pair{1.0, 1e-13}, std::pair{1.0, 1e6}}) {
    Cloud scaled = cloud;
    for (auto& x : scaled.positions) x *= length;
    for (auto& q : scaled.charges) q *= charge;
    expect_near(own_field(scaled), reference_field(scaled), "lengths × " + std::to_string(length));
  }
  // Scaling by powers of two rounds nothing: the same digits come out.
  Cloud scaled = cloud;
  for (auto& x : scaled.positions) x *= 0x1p-30;
  for (auto& q : scaled.charges) q *= 0x1p-40;
  Result r = own_field(scaled);
  for (auto& e : r.field) e *= 0x1p-20;
  for (auto& p : r.potential) p *= 0x1p10;
  EXPECT_EQ(r, own_field(cloud));
}

TEST_P(SolverConformance, KeepsItsAccuracyFarFromTheOrigin) {
  Cloud cloud = make_cloud("clusters", 200, true);
  for (auto& x : cloud.positions) x += Vec3{1e6, -1e6, 1e6};
  expect_near(own_field(cloud), reference_field(cloud), cloud.name);
}

TEST_P(SolverConformance, KeepsTheAccuracyOfClosePairs) {
  // A pair that dominates the field, ever closer, in a large scene.
  for (const double distance : {1e-2, 1e-4, 1e-6, 1e-9, 1e-13}) {
    Cloud cloud = make_cloud("cube", 100, true);
    cloud.positions[7] = {0.1, 0.2, 0.0};
    cloud.positions[8] = {0.1, 0.2, distance};
    expect_near(own_field(cloud), reference_field(cloud), "distance " + std::to_string(std::log10(distance)));
  }
  const Cloud tiny{"beyond float32's range", {{0, 0, 0}, {3e-25, 0, 4e-25}, {1, 0, 0}}, {1e-6, 2e-6, 1e-6}};
  expect_near(own_field(tiny), reference_field(tiny), tiny.name);
}

TEST_P(SolverConformance, AcceptsNothing) {
  const auto solver = make();
  solver->prepare(VectorView{});
  solver->field({}, {}, {});
  EXPECT_EQ(solver->coincident_pairs(), 0);
  solver->transposed_jacobian_product({}, {}, {});
  solver->charge_gradient({}, {}, {});
  solver->products({}, {}, {}, {});
  solver->field_and_products({}, {}, {}, {}, {}, {});
  solver->prepare(VectorView{}, VectorView{});
  solver->target_adjoint({}, {}, {}, {}, {});
  VectorArray points = random_vectors(3, 1), field(3, {1, 1, 1});
  std::vector<double> potential(3, 1.0);
  solver->prepare({}, points);
  solver->field({}, field, potential);
  EXPECT_EQ(field, VectorArray(3));
  EXPECT_EQ(potential, std::vector<double>(3));
  const Result one = own_field({"one", {{1, 2, 3}}, {1e-6}});
  EXPECT_EQ(one, (Result{VectorArray(1), {0.0}, 0}));
}

TEST_P(SolverConformance, GivesZeroForZeroCharges) {
  Cloud cloud = make_cloud("cube", 150, true);
  cloud.charges.assign(150, 0.0);
  cloud.positions[3] = cloud.positions[77];
  EXPECT_EQ(own_field(cloud), (Result{VectorArray(150), std::vector<double>(150), 0}));
}

TEST_P(SolverConformance, TakesSubnormalCharges) {
  Cloud cloud = make_cloud("cube", 150, true);
  const Result usual = own_field(cloud);
  for (auto& q : cloud.charges) q *= 0x1p-1020;  // about 1e-313 C: thirty bits are left of each
  const Result r = own_field(cloud);
  VectorArray field = r.field;
  for (auto& e : field) e = 0x1p510 * (0x1p510 * e);
  EXPECT_LE(relative_error(VectorView(field), VectorView(usual.field)), 1e-6);
}

TEST_P(SolverConformance, TakesChargesNextToNothing) {
  for (const double small : {0.0, 1e-30, 1e-9}) {
    Cloud cloud = make_cloud("torus", 300, true);
    for (std::size_t i = 0; i < 300; i += 7) cloud.charges[i] *= small;
    const Result r = own_field(cloud), expected = reference_field(cloud);
    expect_near(r, expected, "charges × " + std::to_string(small));
    VectorArray at_small, expected_at_small;
    for (std::size_t i = 0; i < 300; i += 7) {
      at_small.push_back(r.field[i]);
      expected_at_small.push_back(expected.field[i]);
    }
    EXPECT_LE(relative_error(at_small, expected_at_small), GetParam().field_accuracy) << small;
  }
}

TEST_P(SolverConformance, IsBitwiseEqualForAnyNumberOfThreads) {
  for (const int variant : {0, 1, 2}) {
    Cloud cloud = make_cloud("blob", 1500, true);
    if (variant == 1) cloud.positions[1400] = cloud.positions[20];
    if (variant == 2) cloud.charges[700] = 0.0;
    const VectorArray z = random_vectors(1500, 4);
    const auto products = [&](int count) {
      Threads team(count);
      const auto solver = GetParam().make({}, team);
      solver->prepare(cloud.positions);
      VectorArray field(1500), product(1500), product_with_field(1500);
      std::vector<double> potential(1500), gradient(1500), gradient_with_field(1500);
      solver->transposed_jacobian_product(cloud.charges, z, product);
      solver->charge_gradient(cloud.charges, z, gradient);
      solver->field_and_products(cloud.charges, z, field, potential, product_with_field, gradient_with_field);
      return std::tuple(evaluate(*solver, cloud.charges, 1500), product, gradient, field, potential,
                        product_with_field, gradient_with_field);
    };
    const auto one = products(1);
    EXPECT_EQ(one, products(2));
    EXPECT_EQ(one, products(7));
  }
}

TEST_P(SolverConformance, GivesBothProductsInOnePassWithTheSameBits) {
  const Cloud cloud = make_cloud("blob", 1500, true);
  const VectorArray z = random_vectors(1500, 4);
  const auto solver = make();
  solver->prepare(cloud.positions);
  VectorArray alone(1500), product(1500);
  std::vector<double> gradient_alone(1500), gradient(1500);
  solver->products(cloud.charges, z, product, gradient);
  solver->transposed_jacobian_product(cloud.charges, z, alone);
  solver->charge_gradient(cloud.charges, z, gradient_alone);
  EXPECT_EQ(product, alone);
  EXPECT_EQ(gradient, gradient_alone);
  EXPECT_THROW(solver->products(cloud.charges, z, VectorSpan(product).first(7), gradient),
               std::invalid_argument);
  EXPECT_THROW(solver->products(cloud.charges, z, product, ScalarSpan(gradient).first(7)),
               std::invalid_argument);
}

TEST_P(SolverConformance, IsBitwiseEqualForAnyNumberOfThreadsAtOtherTargets) {
  const Cloud cloud = make_cloud("blob", 1500, true);
  VectorArray targets = make_cloud("torus", 900, true).positions;
  targets[800] = cloud.positions[20];
  const VectorArray w = random_vectors(900, 6);
  const auto all = [&](int count) {
    Threads team(count);
    const auto solver = GetParam().make({}, team);
    solver->prepare(cloud.positions, targets);
    VectorArray at_targets(900), at_sources(1500);
    std::vector<double> gradient(1500);
    solver->target_adjoint(cloud.charges, w, at_targets, at_sources, gradient);
    return std::tuple(evaluate(*solver, cloud.charges, 900), at_targets, at_sources, gradient);
  };
  const auto one = all(1);
  EXPECT_EQ(one, all(2));
  EXPECT_EQ(one, all(7));
}

TEST_P(SolverConformance, ConservesMomentum) {
  for (const auto& kind : cloud_kinds())
    for (const bool mixed : {false, true}) {
      const Cloud cloud = make_cloud(kind, 400, mixed);
      const Result r = own_field(cloud);
      Vec3 total;
      double magnitude = 0.0;
      for (std::size_t i = 0; i < 400; ++i) {
        total += cloud.charges[i] * r.field[i];
        magnitude += norm(cloud.charges[i] * r.field[i]);
      }
      EXPECT_LE(norm(total), GetParam().momentum * magnitude) << cloud.name;
    }
}

TEST_P(SolverConformance, SumsAtOtherTargets) {
  for (const int t : {1, 5, 64, 130}) {
    const Cloud cloud = make_cloud("torus", 97, true);
    VectorArray targets = random_vectors(t, 9);
    if (t > 1) targets[1] = cloud.positions[50];  // a source exactly at a point: left out, counted
    const auto solver = make(), reference = make_reference_field_solver({});
    solver->prepare(cloud.positions, targets);
    reference->prepare(cloud.positions, targets);
    const Result expected = evaluate(*reference, cloud.charges, targets.size());
    EXPECT_EQ(expected.coincident, t > 1 ? 1 : 0);
    expect_near(evaluate(*solver, cloud.charges, targets.size()), expected, std::to_string(t) + " targets");
  }
}

TEST_P(SolverConformance, LeavesOutAndCountsCoincidentPairs) {
  Cloud cloud = make_cloud("cube", 300, true);
  cloud.positions[200] = cloud.positions[3];                           // an ordered pair each way
  cloud.positions[120] = cloud.positions[121] = cloud.positions[122];  // six
  cloud.positions[40] = cloud.positions[41], cloud.charges[40] = 0.0;  // a zero charge: not counted
  const Result r = own_field(cloud);
  EXPECT_EQ(r.coincident, 8);
  expect_near(r, reference_field(cloud), cloud.name);
  // What remains is the field without the partner.
  Cloud without = cloud;
  without.charges[200] = 0.0;
  EXPECT_LE(norm(r.field[3] - reference_field(without).field[3]),
            GetParam().field_accuracy * 100 * norm(r.field[3]));
  const auto solver = make();
  VectorArray field(300);
  solver->prepare(cloud.positions);
  solver->field(cloud.charges, field, {});
  EXPECT_EQ(solver->coincident_pairs(), 8) << "without potential";
  solver->prepare(random_vectors(300, 5));
  solver->field(cloud.charges, field, {});
  EXPECT_EQ(solver->coincident_pairs(), 0) << "the count is the last field's";
}

TEST_P(SolverConformance, Softens) {
  for (const double softening : {1e-3, 0.3, 50.0}) {
    FieldOptions options;
    options.softening = softening;
    Cloud cloud = make_cloud("cube", 130, true);
    cloud.positions[9] = cloud.positions[100];  // contributes q/ε to the potential, not counted
    const Result r = own_field(cloud, options), expected = reference_field(cloud, options);
    EXPECT_EQ(r.coincident, 0);
    expect_near(r, expected, "softening " + std::to_string(softening));
  }
  FieldOptions options;
  options.softening = 2.0;
  const Result r = own_field({"two", {{0, 0, 0}, {1.5, 0, 0}}, {1e-6, 1e-6}}, options);
  EXPECT_NEAR(r.potential[0], options.constant * 1e-6 / 2.5,
              1e4 * std::max(1e-15, GetParam().field_accuracy));
  EXPECT_NEAR(r.field[1].x, options.constant * 1e-6 * 1.5 / (2.5 * 2.5 * 2.5),
              1e4 * std::max(1e-15, GetParam().field_accuracy));
}

TEST_P(SolverConformance, UsesTheConstant) {
  FieldOptions options;
  options.constant = 2.5;
  const Cloud cloud = make_cloud("cube", 20, true);
  expect_near(own_field(cloud, options), reference_field(cloud, options), "constant 2.5");
}

TEST_P(SolverConformance, AllocatesNothingOnceWarm) {
  if (GetParam().driver_allocates) GTEST_SKIP() << "the driver allocates";
  const Cloud cloud = make_cloud("torus", 700, true);
  const VectorArray z = random_vectors(700, 2), w = random_vectors(300, 3);
  VectorArray field(700), product(700), at_targets(300);
  std::vector<double> potential(700), gradient(700), potential_at_targets(300);
  const auto solver = make();
  // Grown by a power of two: what is scaled keeps its digits, and lists their lengths.
  const auto all = [&](double scale) {
    VectorArray positions = cloud.positions, targets = random_vectors(300, 5);
    for (auto& x : positions) x *= scale;
    for (auto& y : targets) y *= scale;
    const AllocationCounter counter;
    solver->prepare(positions);
    solver->field(cloud.charges, field, potential);
    solver->transposed_jacobian_product(cloud.charges, z, product);
    solver->charge_gradient(cloud.charges, z, gradient);
    solver->field_and_products(cloud.charges, z, field, potential, product, gradient);
    solver->prepare(positions, targets);
    solver->field(cloud.charges, at_targets, potential_at_targets);
    solver->target_adjoint(cloud.charges, w, at_targets, product, gradient);
    return counter.count();
  };
  all(1.0);
  EXPECT_EQ(all(2.0), 0);
}

TEST_P(SolverConformance, RejectsArraysOfOtherSizes) {
  const Cloud cloud = make_cloud("cube", 10, true);
  const auto solver = make();
  solver->prepare(cloud.positions);
  VectorArray ten(10), nine(9);
  std::vector<double> scalars(10);
  EXPECT_THROW(solver->field(ScalarView(scalars).first(9), ten, {}), std::invalid_argument);
  EXPECT_THROW(solver->field(cloud.charges, nine, {}), std::invalid_argument);
  EXPECT_THROW(solver->field(cloud.charges, ten, ScalarSpan(scalars).first(9)), std::invalid_argument);
  EXPECT_THROW(solver->transposed_jacobian_product(cloud.charges, nine, ten), std::invalid_argument);
  EXPECT_THROW(solver->charge_gradient(cloud.charges, nine, scalars), std::invalid_argument);
  solver->prepare(cloud.positions, nine);
  EXPECT_THROW(solver->transposed_jacobian_product(cloud.charges, ten, ten), std::invalid_argument);
  EXPECT_THROW(solver->target_adjoint(cloud.charges, ten, ten, ten, scalars), std::invalid_argument);
}

std::string message_before_prepare(FieldSolver& solver) {
  VectorArray field(3);
  try {
    solver.field(std::vector<double>(3, 1e-6), field, {});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST_P(SolverConformance, SaysThatPrepareComesFirst) {
  EXPECT_NE(message_before_prepare(*make()).find("prepare"), std::string::npos)
      << message_before_prepare(*make());
}

TEST_P(SolverConformance, SaysItsName) {
  EXPECT_EQ(make()->name(), GetParam().solver_name);
}

INSTANTIATE_TEST_SUITE_P(Solvers, SolverConformance, ::testing::ValuesIn(solver_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
