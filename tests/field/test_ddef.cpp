/// The solver ddef against its oracle, its published accuracy, and what it does with odd input.

#include <cmath>

#include <field/ddef_oracle.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/field.hpp>

namespace electret::test {
namespace {

using direct::Arithmetic;
using direct::InstructionSet;

struct Result {
  VectorArray field;
  std::vector<double> potential;
  friend bool operator==(const Result&, const Result&) = default;
};

Result evaluated(FieldSolver& solver, ScalarView charges, std::size_t targets) {
  Result result{VectorArray(targets), std::vector<double>(targets)};
  solver.field(charges, result.field, result.potential);
  return result;
}

/// Relative L2 of irregular clouds, where close pairs, which are summed exactly, weigh most.
constexpr double irregular_error = 0.1;

FieldOptions with_grid(Count grid_points, bool half_taylor = false, double softening = 0.0) {
  FieldOptions options;
  options.ddef_grid_points = grid_points;
  options.ddef_half_taylor = half_taylor;
  options.softening = softening;
  return options;
}

std::unique_ptr<DdefFieldSolver> make_float64(const FieldOptions& options, Threads& threads,
                                              InstructionSet set = instruction_set()) {
  return make_ddef_field_solver(options, threads, set, Arithmetic::float64);
}

Result own_field(const Cloud& cloud, const FieldOptions& options) {
  Threads threads(2);
  const auto solver = make_float64(options, threads);
  solver->prepare(cloud.positions);
  return evaluated(*solver, cloud.charges, cloud.positions.size());
}

TEST(Ddef, IsTheAlgorithm) {
  Threads threads(2);
  for (const auto& kind : cloud_kinds())
    for (const Count m : {20, 45})
      for (const bool half_taylor : {false, true})
        for (const double softening : {0.0, 0.3}) {
          const Cloud cloud = make_cloud(kind, 150, true, static_cast<unsigned>(m));
          const FieldOptions options = with_grid(m, half_taylor, softening);
          const OracleField expected = ddef_oracle(cloud.positions, cloud.charges, {}, m, options);
          for (const auto set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
            if (!is_supported(set)) continue;
            const auto solver = make_float64(options, threads, set);
            solver->prepare(cloud.positions);
            const Result r = evaluated(*solver, cloud.charges, 150);
            EXPECT_LE(relative_error(r.field, expected.field), 1e-12) << cloud.name << " m = " << m;
            EXPECT_LE(relative_error(r.potential, expected.potential), 1e-12) << cloud.name << " m = " << m;
            EXPECT_EQ(solver->statistics().near_pairs, expected.near_pairs);
          }
        }
}

TEST(Ddef, IsTheAlgorithmAtOtherTargets) {
  Threads threads(2);
  for (const bool half_taylor : {false, true}) {
    const Cloud cloud = make_cloud("torus", 120, true);
    VectorArray targets = random_vectors(90, 7);
    for (auto& y : targets) y *= 1.7;  // some outside the charges' box
    const FieldOptions options = with_grid(40, half_taylor);
    const OracleField expected = ddef_oracle(cloud.positions, cloud.charges, targets, 40, options);
    const auto solver = make_float64(options, threads);
    solver->prepare(cloud.positions, targets);
    const Result r = evaluated(*solver, cloud.charges, 90);
    EXPECT_LE(relative_error(r.field, expected.field), 1e-12);
    EXPECT_LE(relative_error(r.potential, expected.potential), 1e-12);
    EXPECT_EQ(solver->statistics().near_pairs, expected.near_pairs);
  }
}

TEST(Ddef, HasTheSameFieldInFloat32) {
  Threads threads(2);
  for (const auto& kind : cloud_kinds())
    for (const bool half_taylor : {false, true}) {
      const Cloud cloud = make_cloud(kind, 3000, true, 9);
      const FieldOptions options = with_grid(200, half_taylor);
      const Result expected = own_field(cloud, options);
      for (const auto set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
        if (!is_supported(set)) continue;
        const auto solver = make_ddef_field_solver(options, threads, set, Arithmetic::float32);
        solver->prepare(cloud.positions);
        const Result r = evaluated(*solver, cloud.charges, 3000);
        EXPECT_LE(relative_error(r.field, expected.field), 1e-4) << cloud.name;
        EXPECT_LE(relative_error(r.potential, expected.potential), 1e-4) << cloud.name;
      }
    }
}

double mean_error(const Cloud& cloud, const FieldOptions& options, VectorView reference) {
  const Result r = own_field(cloud, options);
  double mean = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i)
    mean += norm(r.field[i] - reference[i]) / norm(reference[i]) / static_cast<double>(reference.size());
  return mean;
}

/// The accuracy chooses the arithmetic, although it bounds nothing else: below 2e-4 float64's bits.
TEST(Ddef, TakesItsArithmeticFromTheAccuracy) {
  Threads threads(1);
  const Cloud cloud = make_cloud("torus", 400, true);
  const auto field_of = [&](FieldSolver& solver) {
    VectorArray field(400);
    solver.prepare(cloud.positions);
    solver.field(cloud.charges, field, {});
    return field;
  };
  const auto set = instruction_set();
  const VectorArray wide = field_of(*make_ddef_field_solver({}, threads, set, Arithmetic::float64));
  const VectorArray narrow = field_of(*make_ddef_field_solver({}, threads, set, Arithmetic::float32));
  ASSERT_NE(wide, narrow);
  FieldOptions options;
  EXPECT_EQ(field_of(*make_ddef_field_solver(options, threads)), narrow);
  for (const double accuracy : {1e-6, 1e-3, 1.9e-4, 2e-4}) {
    options.accuracy = accuracy;
    EXPECT_EQ(field_of(*make_ddef_field_solver(options, threads)), accuracy < 2e-4 ? wide : narrow)
        << accuracy;
  }
}

/// A charge of 0 on a charged one, at either end of the list: not a pair that a run may stop for.
TEST(Ddef, CountsNoPairsWithoutCharge) {
  Threads threads(1);
  for (const bool half_taylor : {false, true}) {
    Cloud cloud = make_cloud("cube", 300, true);
    for (const std::size_t pair : {0UL, 100UL, 298UL}) cloud.positions[pair + 1] = cloud.positions[pair];
    cloud.charges[0] = cloud.charges[101] = cloud.charges[298] = cloud.charges[299] = 0.0;
    FieldOptions options;
    options.ddef_half_taylor = half_taylor;
    for (const auto arithmetic : {Arithmetic::float64, Arithmetic::float32}) {
      const auto solver = make_ddef_field_solver(options, threads, instruction_set(), arithmetic);
      VectorArray field(300);
      solver->prepare(cloud.positions);
      solver->field(cloud.charges, field, {});
      EXPECT_EQ(solver->coincident_pairs(), 0);
      cloud.charges[0] = 1e-6;
      solver->field(cloud.charges, field, {});
      EXPECT_EQ(solver->coincident_pairs(), 2);
      cloud.charges[0] = 0.0;
    }
  }
}

/// [MSC 4.1.1]; the whole range of n is in bench/ddef_accuracy.cpp.
TEST(Ddef, HasThePublishedAccuracy) {
  Threads threads(2);
  for (const auto* kind : {"cube", "torus", "blob"}) {
    const Cloud cloud = make_cloud(kind, 10000, false);
    const auto direct = direct::make_direct_field_solver({}, threads, instruction_set(), Arithmetic::float64);
    direct->prepare(cloud.positions);
    const Result reference = evaluated(*direct, cloud.charges, 10000);
    for (const Count m : {1000, 2000})
      EXPECT_LE(mean_error(cloud, with_grid(m), reference.field), 0.05) << cloud.name << " m = " << m;
  }
}

TEST(Ddef, ErrsMoreOnARegularTorus) {
  // No pair is close, so that what is interpolated weighs more than in the clouds above.
  Threads threads(2);
  Cloud cloud;
  constexpr int around = 160, about = 64;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < about; ++j) {
      const double u = 2.0 * M_PI * i / around, v = 2.0 * M_PI * j / about, r = 1.0 + 0.4 * std::cos(v);
      cloud.positions.push_back({r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v)});
      cloud.charges.push_back(1e-6);
    }
  const Result r = own_field(cloud, {});
  const double error = verify_field(cloud.positions, cloud.charges, r.field, {}, 1000).relative;
  EXPECT_GT(error, irregular_error);
  EXPECT_LT(error, ddef_typical_error);
}

TEST(Ddef, KeepsItsAccuracyAtIrregularChargesWithItsOwnNumberOfGridPoints) {
  Threads threads(2);
  for (const auto* kind : {"cube", "torus", "blob", "clusters"})
    for (const bool mixed : {false, true})
      for (const int n : {300, 1000, 3000, 10000}) {
        const Cloud cloud = make_cloud(kind, n, mixed);
        const auto solver = make_ddef_field_solver({}, threads);
        solver->prepare(cloud.positions);
        const Result r = evaluated(*solver, cloud.charges, cloud.positions.size());
        EXPECT_LT(verify_field(cloud.positions, cloud.charges, r.field, {}, 300).relative, irregular_error)
            << cloud.name;
      }
}

TEST(Ddef, HalfTaylorHalvesTheError) {
  Threads threads(2);
  const Cloud cloud = make_cloud("blob", 10000, false);
  const auto direct = direct::make_direct_field_solver({}, threads, instruction_set(), Arithmetic::float64);
  direct->prepare(cloud.positions);
  const Result reference = evaluated(*direct, cloud.charges, 10000);
  EXPECT_LT(mean_error(cloud, with_grid(1000, true), reference.field),
            0.6 * mean_error(cloud, with_grid(1000, false), reference.field));
}

TEST(Ddef, DoesNotDependOnWhatWasPreparedBefore) {
  Threads threads(2);
  const Cloud cloud = make_cloud("torus", 2000, true), flat = make_cloud("plane", 1500, true);
  for (const bool half_taylor : {false, true}) {
    const auto fresh = own_field(cloud, with_grid(60, half_taylor));
    const auto solver = make_float64(with_grid(60, half_taylor), threads);
    solver->prepare(flat.positions);
    evaluated(*solver, flat.charges, 1500);
    solver->prepare(flat.positions, cloud.positions);
    evaluated(*solver, flat.charges, 2000);
    for (const double stretch : {0.9, 0.5, 1.3}) {
      VectorArray stretched = cloud.positions;
      for (auto& x : stretched) x.z *= stretch;
      solver->prepare(stretched);
      evaluated(*solver, cloud.charges, 2000);
    }
    solver->prepare(cloud.positions);
    EXPECT_EQ(evaluated(*solver, cloud.charges, 2000), fresh);
    EXPECT_EQ(evaluated(*solver, cloud.charges, 2000), fresh) << "again";
  }
}

TEST(Ddef, IsBitwiseEqualForAnyNumberOfThreads) {
  const int n = 30000;
  const Cloud cloud = make_cloud("clusters", n, true);
  const VectorArray z = random_vectors(n, 3);
  std::vector<std::tuple<Result, VectorArray, std::vector<double>>> results;
  for (const int count : {1, 2, 5}) {
    Threads threads(count);
    const auto solver = make_ddef_field_solver(with_grid(150, true), threads);
    solver->prepare(cloud.positions);
    VectorArray product(cloud.positions.size()), field(cloud.positions.size());
    std::vector<double> gradient(cloud.positions.size());
    const Result r = evaluated(*solver, cloud.charges, cloud.positions.size());
    solver->field_and_products(cloud.charges, z, field, {}, product, gradient);
    EXPECT_EQ(field, r.field);
    results.emplace_back(r, product, gradient);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

/// All points on a line, a plane or in one place, few points, any scale, far from the origin: finite,
/// counted, and no worse than the floor.
TEST(Ddef, TakesDegeneratePositions) {
  Threads threads(2);
  const auto check = [&](const Cloud& cloud, double floor) {
    const auto solver = make_ddef_field_solver({}, threads);
    solver->prepare(cloud.positions);
    const Result r = evaluated(*solver, cloud.charges, cloud.positions.size());
    const auto oracle = make_reference_field_solver({});
    oracle->prepare(cloud.positions);
    const Result expected = evaluated(*oracle, cloud.charges, cloud.positions.size());
    EXPECT_LE(relative_error(r.field, expected.field), floor) << cloud.name;
    EXPECT_EQ(solver->coincident_pairs(), oracle->coincident_pairs()) << cloud.name;
    for (const double phi : r.potential) EXPECT_TRUE(std::isfinite(phi)) << cloud.name;
  };
  check({"none", {}, {}}, 0.0);
  for (const double length : {1e-9, 1.0, 1e9})
    for (const double origin : {0.0, 1e6}) {
      const Vec3 shift{origin, -origin, origin};
      for (const int n : {1, 2, 3, 1200}) {
        for (const auto* kind : {"line", "plane", "cube"}) {
          Cloud cloud = make_cloud(kind, n, true);
          cloud.name += " × " + std::to_string(length) + " at " + std::to_string(origin);
          for (auto& x : cloud.positions) x = length * x + shift;
          if (length * 1e6 < origin * 1e-3) continue;  // distances are gone in the rounding of coordinates
          check(cloud, irregular_error);
        }
        Cloud axis = make_cloud("cube", n, true), place = axis;
        for (auto& x : axis.positions) x = Vec3{length * x.x, 0, 0} + shift;
        if (length * 1e6 >= origin * 1e-3) check(axis, irregular_error);
        place.name = "in one place, n = " + std::to_string(n);
        for (auto& x : place.positions) x = shift;
        check(place, 0.0);
      }
    }
}

TEST(Ddef, MovesAndScalesWithItsInput) {
  const Cloud cloud = make_cloud("clusters", 1800, true);
  const Result r = own_field(cloud, {});
  Cloud scaled = cloud;
  for (auto& x : scaled.positions) x *= 0x1p30;
  for (auto& q : scaled.charges) q *= 0x1p-9;
  Result back = own_field(scaled, {});
  for (auto& e : back.field) e *= 0x1p69;
  for (auto& phi : back.potential) phi *= 0x1p39;
  EXPECT_EQ(back, r);
}

TEST(Ddef, SurvivesWhatIsNotANumber) {
  Threads threads(2);
  Cloud cloud = make_cloud("cube", 1300, true);
  cloud.positions[7].y = std::nan("");
  cloud.positions[9].x = std::numeric_limits<double>::infinity();
  const auto solver = make_ddef_field_solver({}, threads);
  solver->prepare(cloud.positions);
  const Result r = evaluated(*solver, cloud.charges, 1300);
  EXPECT_FALSE(is_finite(r.field[7]));
}

TEST(Ddef, RejectsAGridWithoutPoints) {
  Threads threads(1);
  for (const Count m : {Count{0}, Count{-3}, most_ddef_grid_points + 1})
    EXPECT_THROW(make_ddef_field_solver(with_grid(m), threads), InputError);
  FieldOptions options;
  options.softening = -1.0;
  EXPECT_THROW(make_ddef_field_solver(options, threads), InputError);
}

TEST(Ddef, ReportsItsPairs) {
  Threads threads(1);
  const int n = 5000;
  const Cloud cloud = make_cloud("cube", n, true);
  const auto solver = make_ddef_field_solver(with_grid(300), threads);
  solver->prepare(cloud.positions);
  const DdefStatistics s = solver->statistics();
  EXPECT_EQ(s.grid_points, 300);
  EXPECT_GT(s.tetrahedra, 1200);
  EXPECT_LE(s.occupied, s.tetrahedra);
  EXPECT_GT(s.far_pairs, Count{290} * n);
  EXPECT_LT(s.far_pairs, Count{304} * n + 1);
  EXPECT_DOUBLE_EQ(s.near_pairs_a_target, static_cast<double>(s.near_pairs) / n);
  EXPECT_LT(s.near_pairs_a_target, 0.2 * n);
}

TEST(Ddef, IsAvailable) {
  EXPECT_TRUE(ddef_available());
}

}  // namespace
}  // namespace electret::test
