/// What a solver computed before leaves no trace.

#include <cmath>
#include <utility>

#include <field/solver_conformance.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

namespace electret::test {
namespace {

class SolverHistory : public ::testing::TestWithParam<SolverCase> {
 protected:
  std::unique_ptr<FieldSolver> make() { return GetParam().make({}, threads_); }
  Threads threads_{1};
};

/// What any evaluations of a place gave, in the order they were asked for.
struct Evaluations {
  std::vector<VectorArray> vectors;
  std::vector<std::vector<double>> scalars;
  std::vector<Count> coincident;
  friend bool operator==(const Evaluations&, const Evaluations&) = default;

  void field(FieldSolver& solver, ScalarView charges, std::size_t targets) {
    vectors.emplace_back(targets);
    scalars.emplace_back(targets);
    solver.field(charges, vectors.back(), scalars.back());
    coincident.push_back(solver.coincident_pairs());
  }
  void products(FieldSolver& solver, ScalarView charges) {
    const std::size_t n = charges.size();
    const VectorArray z = random_vectors(static_cast<int>(n), 8);
    for (int k = 0; k < 3; ++k) vectors.emplace_back(n);
    for (int k = 0; k < 3; ++k) scalars.emplace_back(n);
    VectorArray* v = &vectors.back() - 2;
    std::vector<double>* s = &scalars.back() - 2;
    solver.transposed_jacobian_product(charges, z, v[0]);
    solver.charge_gradient(charges, z, s[0]);
    solver.field_and_products(charges, z, v[1], s[1], v[2], s[2]);
  }
};

/// What is asked of a solver of `cloud` at itself and, where there are any, at `targets`.
Evaluations all_of(FieldSolver& solver, const Cloud& cloud, const VectorArray& targets) {
  Evaluations e;
  const std::size_t n = cloud.positions.size();
  solver.prepare(cloud.positions);
  e.field(solver, cloud.charges, n);
  e.products(solver, cloud.charges);
  if (targets.empty()) return e;
  solver.prepare(cloud.positions, targets);
  e.field(solver, cloud.charges, targets.size());
  e.vectors.emplace_back(targets.size()), e.vectors.emplace_back(n), e.scalars.emplace_back(n);
  solver.target_adjoint(cloud.charges, random_vectors(static_cast<int>(targets.size()), 4),
                        *(e.vectors.end() - 2), e.vectors.back(), e.scalars.back());
  return e;
}

/// A cloud with a pair at that distance (scaled to half the box about 1); 0: at one place.
Cloud with_pair(Cloud cloud, double distance) {
  cloud.positions[7] = cloud.positions[31] + Vec3{distance, 0, 0};
  cloud.name += " with a pair at " + std::to_string(distance);
  return cloud;
}

/// A solver is a function of what it is given last: what it computed before leaves no trace in the bits, or a
/// resumed run would have others. Pairs at distances that call for every arithmetic of the field, of the
/// products, and of one but not of the other; other sizes, charges and targets; products and fields.
TEST_P(SolverHistory, LeavesNoTrace) {
  std::vector<std::pair<Cloud, VectorArray>> places;
  places.emplace_back(make_cloud("cube", 300, true), VectorArray{});
  for (const double distance : {1.5e-3, 3e-4, 1e-9, 0.0}) {
    places.emplace_back(with_pair(make_cloud("cube", 300, true), distance), VectorArray{});
    places.emplace_back(make_cloud("cube", 300, true), VectorArray{});
  }
  Cloud uncharged = with_pair(make_cloud("torus", 300, true), 1e-5);
  for (std::size_t i = 0; i < 300; i += 5) uncharged.charges[i] = 0.0;
  places.emplace_back(uncharged, random_vectors(40, 2));
  places.emplace_back(make_cloud("torus", 300, false), random_vectors(70, 3));
  places.emplace_back(make_cloud("blob", 900, true), random_vectors(500, 5));
  places.emplace_back(make_cloud("clusters", 60, true), VectorArray{});
  places.emplace_back(make_cloud("cube", 300, true), VectorArray{});
  const auto kept = make();
  for (const auto& [cloud, targets] : places) {
    const auto fresh = make();
    EXPECT_TRUE(all_of(*kept, cloud, targets) == all_of(*fresh, cloud, targets)) << cloud.name;
  }
}

/// As above where the charges change and the positions stay.
TEST_P(SolverHistory, LeavesNoTraceOfCharges) {
  const Cloud cloud = with_pair(make_cloud("cube", 300, true), 3e-4);
  std::vector<double> some = cloud.charges, scaled = cloud.charges;
  for (std::size_t i = 0; i < 300; i += 3) some[i] = 0.0;
  for (auto& q : scaled) q *= -3e7;
  const auto kept = make();
  kept->prepare(cloud.positions);
  for (const auto& charges : {cloud.charges, some, scaled, cloud.charges}) {
    const auto fresh = make();
    fresh->prepare(cloud.positions);
    Evaluations of_kept, of_fresh;
    of_kept.field(*kept, charges, 300), of_fresh.field(*fresh, charges, 300);
    of_kept.products(*kept, charges), of_fresh.products(*fresh, charges);
    EXPECT_TRUE(of_kept == of_fresh);
  }
}

/// What a diverging simulation asks for before anybody has looked at its state: no crash, no endless loop,
/// and nothing of it stays.
TEST_P(SolverHistory, ReturnsFromWhatIsNotFinite) {
  const Cloud cloud = make_cloud("cube", 300, true);
  const auto kept = make();
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Cloud moved = cloud, charged = cloud;
    moved.positions[40].y = moved.positions[200].x = bad;
    charged.charges[40] = bad;
    all_of(*kept, moved, random_vectors(70, 2));
    all_of(*kept, charged, random_vectors(70, 2));
    all_of(*kept, cloud, {{0, 0, 0}, {bad, 1, 1}});
    const auto fresh = make();
    EXPECT_TRUE(all_of(*kept, cloud, {}) == all_of(*fresh, cloud, {})) << "after " << bad;
  }
  Cloud nowhere = cloud;
  nowhere.positions.assign(300, Vec3{HUGE_VAL, -HUGE_VAL, std::nan("")});
  all_of(*kept, nowhere, nowhere.positions);
}

INSTANTIATE_TEST_SUITE_P(Solvers, SolverHistory, ::testing::ValuesIn(solver_cases()),
                         [](const auto& solver) { return solver.param.name; });

}  // namespace
}  // namespace electret::test
