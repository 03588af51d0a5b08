/// Sums of near pairs for both charges: the tasks' sums, and the field against the one that is summed
/// one-sidedly.

#include <algorithm>
#include <cmath>
#include <random>

#include <field/point_clouds.hpp>
#include <gtest/gtest.h>

#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/mutual_sums.hpp>

namespace electret::fmm {
namespace {

using test::Cloud;

double unit_of(unsigned seed) {
  std::mt19937 random(seed);
  return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
}

/// Every task gives something to its own points and to some leaves of later tasks, several times, in float64
/// to some points besides. All that arrives is what was given.
TEST(FmmMutualSums, HandOverWhatEachTaskHas) {
  for (const bool potential : {false, true})
    for (const int n : {1, 40, 3000}) {
      const Cloud cloud = test::make_cloud("clusters", n, false);
      Threads threads(1);
      Tree tree;
      tree.build(cloud.positions, 1.0, bounds(cloud.positions, threads), 12, threads);
      const auto& kernels = fmm::kernels(direct::InstructionSet::portable).float32.mutual;
      std::vector<double> expected(4 * static_cast<std::size_t>(n));
      const auto number = [](Index point, int k) { return static_cast<std::size_t>(4 * point + k); };
      MutualSums<float> sums;
      sums.start(tree);
      unsigned seed = 0;
      const auto give = [&](const LeafSums<float>& to, const Cell& leaf) {
        for (int i = 0; i < leaf.count(); ++i)
          for (int k = 0; k < (potential ? 4 : 3); ++k) {
            const auto value = static_cast<float>(unit_of(++seed));
            (k < 3 ? to.field[k] : to.potential)[i] += value;
            expected[number(leaf.begin + i, k)] += static_cast<double>(value);
          }
      };
      const auto tasks = static_cast<Index>(tree.subtrees().size());
      for (Index t = 0; t < tasks; ++t) {
        const Subtree& subtree = tree.subtrees()[static_cast<std::size_t>(t)];
        TaskSums<float>& task = sums.of_task(t);
        task.start(subtree.begin, subtree.end, potential);
        std::vector<std::pair<const Cell*, std::size_t>> later;
        for (Index c = 0; c < static_cast<Index>(tree.cells().size()); ++c) {
          const Cell& cell = tree.cell(c);
          if (!cell.is_leaf() || cell.begin < subtree.begin) continue;
          ASSERT_EQ(task.owns(cell.begin), cell.begin < subtree.end);
          if (task.owns(cell.begin))
            give(task.of_own(cell.begin), cell);
          else if ((c + t) % 3 == 0)
            later.emplace_back(&cell, task.add_later(c, cell.count()));
        }
        for (int round = 0; round < 2; ++round)
          for (const auto& [cell, at] : later) give(task.of_later(at), *cell);
        for (Index point = subtree.begin; point < n; point += 7) {
          PointSums exact;
          exact.field = {unit_of(++seed), unit_of(++seed), unit_of(++seed)};
          exact.potential = unit_of(++seed);
          task.add_exactly(point, exact);
          for (int axis = 0; axis < 3; ++axis) expected[number(point, axis)] += exact.field[axis];
          expected[number(point, 3)] += exact.potential;
        }
      }
      sums.connect(tree);
      std::vector<PointSums> stored(static_cast<std::size_t>(n));
      std::vector<int> times(static_cast<std::size_t>(n));
      struct Context {
        std::vector<PointSums>& stored;
        std::vector<int>& times;
      } context{stored, times};
      const Store store{[](void*, Store::Numbers) {},
                        [](void* c, Store::Numbers numbers, const PointSums* from) {
                          for (const Index i : numbers) {
                            static_cast<Context*>(c)->stored[static_cast<std::size_t>(i)] = *from++;
                            ++static_cast<Context*>(c)->times[static_cast<std::size_t>(i)];
                          }
                        },
                        &context};
      Workspace<float> work;
      for (Index t = 0; t < tasks; ++t) sums.store(t, tree, kernels, work, store);
      for (Index p = 0; p < n; ++p) {
        const auto i = static_cast<std::size_t>(tree.order()[static_cast<std::size_t>(p)]);
        EXPECT_EQ(times[i], 1);
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_NEAR(stored[i].field[axis], expected[number(p, axis)], 3e-5);
        EXPECT_NEAR(stored[i].potential, expected[number(p, 3)], 3e-5);
      }
    }
}

/// The pass that sums products as well is one-sided: two ways to the same numbers, through all arithmetics.
TEST(FmmMutualSums, AreTheOneSidedOnes) {
  Threads threads(1);
  for (const auto& kind : test::cloud_kinds())
    for (const double accuracy : {1e-1, 1e-3, 1e-6, 1e-9})
      for (const int n : {60, 700, 5000}) {
        const Cloud cloud = test::make_cloud(kind, n, true, 5);
        FieldOptions options;
        options.accuracy = accuracy;
        Plan plan = plan_for(accuracy);
        plan.leaf_size = 20;
        const auto solver = make_fmm_field_solver(options, threads, direct::best_instruction_set(), plan);
        const auto size = static_cast<std::size_t>(n);
        const VectorArray z = test::random_vectors(n, 3);
        VectorArray field(size), one_sided(size), product(size);
        std::vector<double> potential(size), one_sided_potential(size), gradient(size);
        solver->prepare(cloud.positions);
        solver->field(cloud.charges, field, potential);
        solver->field_and_products(cloud.charges, z, one_sided, one_sided_potential, product, gradient);
        // Estimates of 1/ρ, differences rounded once, compensated ones, float64.
        const double allowed = accuracy > 1e-2   ? 3e-4
                               : accuracy > 1e-4 ? 1e-5
                               : accuracy > 1e-8 ? 5e-7
                                                 : 1e-14;
        EXPECT_LE(test::relative_error(VectorView(field), VectorView(one_sided)), allowed)
            << cloud.name << ", " << accuracy;
        EXPECT_LE(test::relative_error(ScalarView(potential), ScalarView(one_sided_potential)), allowed)
            << cloud.name << ", " << accuracy;
      }
}

}  // namespace
}  // namespace electret::fmm
