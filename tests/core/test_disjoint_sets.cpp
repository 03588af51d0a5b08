#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <electret/core/disjoint_sets.hpp>

namespace electret::test {
namespace {

/// Against labels that are rewritten at every join.
TEST(DisjointSets, AreKnownByTheirSmallestNumber) {
  constexpr Index n = 200;
  std::mt19937 random(5);
  std::uniform_int_distribution<Index> number(0, n - 1);
  DisjointSets sets(n);
  std::vector<Index> labels(n);
  std::iota(labels.begin(), labels.end(), 0);
  for (int k = 0; k < 190; ++k) {
    const Index a = number(random), b = number(random);
    sets.join(a, b);
    const Index first = labels[static_cast<std::size_t>(a)], second = labels[static_cast<std::size_t>(b)];
    for (Index& label : labels)
      if (label == first || label == second) label = std::min(first, second);
    for (Index i = 0; i < n; ++i) ASSERT_EQ(sets.of(i), labels[static_cast<std::size_t>(i)]) << k;
  }
}

TEST(DisjointSets, MayBeJoinedToThemselves) {
  DisjointSets sets(3);
  sets.join(2, 2);
  sets.join(2, 1);
  sets.join(1, 2);
  EXPECT_EQ(sets.of(0), 0);
  EXPECT_EQ(sets.of(2), 1);
}

}  // namespace
}  // namespace electret::test
