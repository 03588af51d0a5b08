/// The fast multipole method at a size where its tree is cut into many tasks: the same bits for any number of
/// threads, of every sum.

#include <tuple>

#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/tree/tree.hpp>

namespace electret::test {
namespace {

constexpr int n = 50000, t = 12000;

std::unique_ptr<FieldSolver> make(Threads& threads, double accuracy, double softening = 0.0) {
  FieldOptions options;
  options.accuracy = accuracy;
  options.softening = softening;
  return fmm::make_fmm_field_solver(options, threads, instruction_set());
}

std::size_t tasks(VectorView points) {
  Threads threads(1);
  fmm::Tree tree;
  tree.build(points, 1.0, fmm::bounds(points, threads), 64, threads);
  return tree.subtrees().size();
}

TEST(FmmThreads, GiveTheSameBitsAtTheCharges) {
  const Cloud cloud = make_cloud("torus", n, true);
  ASSERT_GE(tasks(cloud.positions), 16U);
  const VectorArray z = random_vectors(n, 4);
  const auto all = [&](int count, double softening) {
    Threads threads(count);
    const auto solver = make(threads, 1e-2, softening);
    VectorArray field(n), field_again(n), product(n);
    std::vector<double> potential(n), potential_again(n), gradient(n);
    solver->prepare(cloud.positions);
    solver->field(cloud.charges, field, potential);
    solver->field_and_products(cloud.charges, z, field_again, potential_again, product, gradient);
    return std::tuple(field, potential, field_again, potential_again, product, gradient);
  };
  // Softened cells close by have Taylor series, the others harmonic ones.
  for (const double softening : {0.0, 0.01}) {
    const auto one = all(1, softening);
    EXPECT_TRUE(one == all(2, softening)) << softening;
    EXPECT_TRUE(one == all(5, softening)) << softening;
  }
}

TEST(FmmThreads, GiveTheSameBitsAtOtherTargets) {
  const Cloud cloud = make_cloud("torus", n, true);
  const VectorArray targets = make_cloud("blob", t, true, 2).positions, w = random_vectors(t, 5);
  ASSERT_GE(tasks(targets), 16U);
  const auto all = [&](int count) {
    Threads threads(count);
    const auto solver = make(threads, 1e-1);
    VectorArray field(t), at_targets(t), at_sources(n);
    std::vector<double> potential(t), gradient(n);
    solver->prepare(cloud.positions, targets);
    solver->field(cloud.charges, field, potential);
    solver->target_adjoint(cloud.charges, w, at_targets, at_sources, gradient);
    return std::tuple(field, potential, at_targets, at_sources, gradient);
  };
  const auto one = all(1);
  EXPECT_TRUE(one == all(5));
}

}  // namespace
}  // namespace electret::test
