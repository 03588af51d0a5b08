/// Sums of near pairs for both charges: the tasks' sums, and the field against the one that is summed
/// one-sidedly.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>

#include <field/own_sums.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/passes/mutual_sums.hpp>

namespace electret::fmm {
namespace {

using test::Cloud;

double unit_of(unsigned seed) {
  std::mt19937 random(seed);
  return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
}

std::array<double, 8> numbers_of(const PointSums& s) {
  return {s.field.x,   s.field.y,   s.field.z,   s.potential,
          s.product.x, s.product.y, s.product.z, s.charge_product};
}

/// Every task gives something to its own points and to some leaves of later tasks, several times, in float64
/// to some points besides. All that arrives is what was given.
TEST(FmmMutualSums, HandOverWhatEachTaskHas) {
  for (const auto& parts : {std::pair(false, false), {true, false}, {false, true}, {true, true}})
    for (const int n : {1, 40, 3000}) {
      const bool potential = parts.first, products = parts.second;
      const Cloud cloud = test::make_cloud("clusters", n, false);
      Threads threads(1);
      Tree tree;
      tree.build(cloud.positions, 1.0, bounds(cloud.positions, threads), 12, threads);
      const auto& kernels = fmm::kernels(direct::InstructionSet::portable).float32.mutual;
      std::vector<std::array<double, 8>> expected(static_cast<std::size_t>(n));
      MutualSums<float> sums;
      sums.start(tree);
      unsigned seed = 0;
      const auto give = [&](const LeafSums<float>& to, const Cell& leaf) {
        float* const numbers[] = {to.field[0],   to.field[1],   to.field[2],   to.potential,
                                  to.product[0], to.product[1], to.product[2], to.charge_product};
        for (int i = 0; i < leaf.count(); ++i)
          for (std::size_t k = 0; k < 8; ++k) {
            ASSERT_EQ(numbers[k] != nullptr, k < 3 || (k == 3 ? potential : products));
            if (!numbers[k]) continue;
            const auto value = static_cast<float>(unit_of(++seed));
            numbers[k][i] += value;
            expected[static_cast<std::size_t>(leaf.begin + i)][k] += static_cast<double>(value);
          }
      };
      const auto tasks = static_cast<Index>(tree.subtrees().size());
      for (Index t = 0; t < tasks; ++t) {
        const Subtree& subtree = tree.subtrees()[static_cast<std::size_t>(t)];
        TaskSums<float>& task = sums.of_task(t);
        task.start(subtree.begin, subtree.end, potential, products);
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
          for (const auto& [cell, number] : later) give(task.of_later(number), *cell);
        const auto give_exactly = [&](PointSums* to, const Cell& leaf) {
          for (Index point = leaf.begin; point < leaf.end; ++point) {
            PointSums exact;
            exact.field = {unit_of(++seed), unit_of(++seed), unit_of(++seed)};
            exact.potential = unit_of(++seed);
            exact.product = {unit_of(++seed), unit_of(++seed), unit_of(++seed)};
            exact.charge_product = unit_of(++seed);
            *to++ += exact;
            const auto values = numbers_of(exact);
            for (std::size_t k = 0; k < 8; ++k) expected[static_cast<std::size_t>(point)][k] += values[k];
          }
        };
        if (t % 2 == 1) continue;
        for (const Cell& cell : tree.cells())
          if (cell.is_leaf() && cell.begin >= subtree.begin && task.owns(cell.begin) && cell.begin % 5 == 0)
            give_exactly(task.exact_of_own(cell.begin), cell);
        for (int round = 0; round < 2; ++round)
          for (std::size_t k = 0; k < later.size(); k += 2)
            give_exactly(task.exact_of_later(later[k].second), *later[k].first);
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
        const auto values = numbers_of(stored[i]);
        for (std::size_t k = 0; k < 8; ++k)
          EXPECT_NEAR(values[k], expected[static_cast<std::size_t>(p)][k], 3e-5);
      }
    }
}

/// With a tolerance that no expansion meets all pairs are near: the sums, products included, are direct ones
/// in each of the arithmetics, whatever the leaves and tasks.
TEST(FmmMutualSums, AreDirectOnesWhereNothingIsFar) {
  Threads threads(1);
  struct Arithmetic {
    double accuracy, field, products;
    bool float64;
  };
  // Estimates of 1/ρ, differences rounded once, compensated ones, float64.
  const double estimates = 2e-5 + fmm::kernels(instruction_set()).float32.mutual.estimate_error;
  for (const Arithmetic& a : {Arithmetic{1e-1, estimates, 2e-6, false}, Arithmetic{1e-3, 1e-5, 2e-6, false},
                              Arithmetic{1e-6, 1e-6, 2e-6, false}, Arithmetic{1e-9, 1e-13, 1e-13, true}})
    for (const auto& kind : test::cloud_kinds())
      for (const int n : {60, 700, 4000}) {
        const Cloud cloud = test::make_cloud(kind, n, true, 5);
        const auto size = static_cast<std::size_t>(n);
        const VectorArray z = test::random_vectors(n, 3);
        struct Result {
          VectorArray field, field_with_products, product;
          std::vector<double> potential, potential_with_products, gradient;
          explicit Result(std::size_t m)
              : field(m),
                field_with_products(m),
                product(m),
                potential(m),
                potential_with_products(m),
                gradient(m) {}
        };
        const auto evaluate = [&](FieldSolver& solver) {
          Result r(size);
          solver.prepare(cloud.positions);
          solver.field(cloud.charges, r.field, r.potential);
          solver.field_and_products(cloud.charges, z, r.field_with_products, r.potential_with_products,
                                    r.product, r.gradient);
          return r;
        };
        FieldOptions options;
        options.accuracy = a.accuracy;
        const auto solver =
            make_fmm_field_solver(options, threads, instruction_set(), Plan{1e-300, 4, 20, a.float64});
        const auto exact =
            direct::make_direct_field_solver({}, threads, instruction_set(), direct::Arithmetic::float64);
        const Result found = evaluate(*solver), expected = evaluate(*exact);
        SCOPED_TRACE(testing::Message() << cloud.name << ", " << a.accuracy);
        const auto meets = [](const auto& numbers, const auto& right, double allowed) {
          EXPECT_LE(test::relative_error(std::span(numbers), std::span(right)), allowed);
        };
        meets(found.field, expected.field, a.field);
        meets(found.potential, expected.potential, a.field);
        meets(found.field_with_products, expected.field, a.products);
        meets(found.potential_with_products, expected.potential, a.products);
        meets(found.product, expected.product, a.products);
        meets(found.gradient, expected.gradient, a.products);
      }
}

/// 300 charges and `count` at one place.
Cloud with_pile(std::size_t count) {
  Cloud cloud = test::make_cloud("cube", 300, true);
  cloud.positions.insert(cloud.positions.end(), count, {0.3, 0.2, 0.1});
  cloud.charges.insert(cloud.charges.end(), count, 1e-6);
  return cloud;
}

/// Checks the solver of each instruction set with a pile of `count` charges.
void check_pile(int count, double softening, double accuracy) {
  Threads threads(1);
  const Cloud cloud = with_pile(static_cast<std::size_t>(count));
  FieldOptions options;
  options.softening = softening;
  const auto exact =
      direct::make_direct_field_solver(options, threads, instruction_set(), direct::Arithmetic::float64);
  const auto [expected, expected_potential] = test::own_sums(*exact, cloud);
  options.accuracy = accuracy;
  // Locals of float32 at the place, whose own field is left out: the accuracy of what is there is less.
  const double allowed = softening > 0.0 ? accuracy : 15 * accuracy;
  for (const InstructionSet set : instruction_sets) {
    if (!is_supported(set)) continue;
    SCOPED_TRACE(testing::Message() << name_of(set) << ", softening " << softening << ", accuracy "
                                    << accuracy);
    const auto solver = make_fmm_field_solver(options, threads, set);
    const auto [field, potential] = test::own_sums(*solver, cloud);
    EXPECT_EQ(solver->coincident_pairs(), softening > 0.0 ? 0 : Count{count} * (count - 1));
    EXPECT_LE(test::relative_error(VectorView(field), VectorView(expected)), allowed);
    EXPECT_LE(test::relative_error(ScalarView(potential), ScalarView(expected_potential)), allowed);
    Vec3 momentum;
    double size = 0.0;
    for (std::size_t i = 0; i < field.size(); ++i)
      momentum += cloud.charges[i] * field[i], size += norm(cloud.charges[i] * field[i]);
    EXPECT_LE(norm(momentum), 5e-7 * size);
  }
}

/// Charges at one place share a leaf, however many: what they do to another one is added up in float32, one
/// after the other, and must neither be lost nor bring momentum.
TEST(FmmMutualSums, AddUpManyChargesAtOnePlace) {
  for (const double softening : {0.0, 0.3})
    for (const double accuracy : {1e-3, 1e-6}) check_pile(3000, softening, accuracy);
}

/// Their terms are equal, so that rounding errors of a long sum all have the same sign.
TEST(FmmMutualSums, AddUpEqualTermsWithoutDrift) {
  for (const double softening : {0.3, 0.003})
    for (const int count : {1000, 7000}) check_pile(count, softening, 1e-6);
}

/// Closer than float32 can tell with a softening that is smaller still, and so close that ρ² is 0 though the
/// points are apart, in leaves of their own.
TEST(FmmMutualSums, TakeTheClosestPairsExactly) {
  Threads threads(1);
  const auto best = instruction_set();
  for (const double accuracy : {1e-1, 1e-3, 1e-6, 1e-9})
    for (const double softening : {0.0, 1e-9}) {
      Cloud cloud = test::make_cloud("cube", 200, true);
      const VectorArray away = test::random_vectors(200, 9);
      for (std::size_t i = 0; i < 200; ++i) {
        cloud.positions.push_back(cloud.positions[i] + 3e-10 * away[i]);
        cloud.charges.push_back(2e-6);
      }
      for (int i = 0; i < 100; ++i) {
        cloud.positions.push_back(1e-170 * away[static_cast<std::size_t>(i)]);
        cloud.charges.push_back(i % 3 == 0 ? -1e-6 : 1e-6);
      }
      FieldOptions options;
      options.softening = softening;
      const auto exact = make_reference_field_solver(options);
      options.accuracy = accuracy;
      Plan plan = plan_for(accuracy);
      plan.leaf_size = 8;
      const auto solver = make_fmm_field_solver(options, threads, best, plan);
      const auto [field, potential] = test::own_sums(*solver, cloud);
      const auto [expected, expected_potential] = test::own_sums(*exact, cloud);
      EXPECT_LE(test::relative_error(VectorView(field), VectorView(expected)), accuracy);
      EXPECT_LE(test::relative_error(ScalarView(potential), ScalarView(expected_potential)), accuracy);
      EXPECT_EQ(solver->coincident_pairs(), exact->coincident_pairs());
    }
}

TEST(FmmMutualSums, KnowWherePlainDifferencesServe) {
  SumSettings settings;
  EXPECT_EQ(least_for_plain(settings, 0.1), std::numeric_limits<double>::infinity());
  settings.closest_plain = 1e-4;
  EXPECT_NEAR(least_for_plain(settings, 0.1), 1e-10, 1e-16);
  EXPECT_EQ(least_for_plain(settings, 2e4), std::numeric_limits<double>::infinity());
  // All coordinates are rounded by 2⁻⁵⁰, whatever the reach, and ρ⁻³ must stay in float32's range.
  settings.closest_plain = 1e-3;
  EXPECT_NEAR(least_for_plain(settings, 1e-9), std::pow(1e-3 * 0x1p-25, 2), 1e-29);
  settings.closest_plain = 1e-8;
  EXPECT_GE(least_for_plain(settings, 1e-9), 1e-24);

  settings.apart_plain = 0.125;
  Workspace<float> work;
  for (const float gap : {0.01F, 0.02F, 1e-8F, 0.0F, 0.0126F, 0.0124F}) {
    NearRange range;
    range.gap = gap;
    work.ranges.push_back(range);
  }
  NearList list;
  list.last = work.ranges.size();
  const auto apart = [&](double reach) {
    const std::size_t first = put_apart_first(list, reach, settings, work);
    for (std::size_t r = 0; r < work.ranges.size(); ++r)
      EXPECT_EQ(work.ranges[r].gap >= std::max(0.125 * reach, 6e-9), r < first);
    return first;
  };
  EXPECT_EQ(apart(0.1), 2U);
  EXPECT_EQ(apart(1e-12), 5U);
}

}  // namespace
}  // namespace electret::fmm
