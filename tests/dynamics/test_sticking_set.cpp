/// The published choice of the vertices that stick.

#include <gtest/gtest.h>

#include <electret/dynamics/stage/sticking_set.hpp>

namespace electret::test {
namespace {

using Set = std::vector<char>;

Set now_of(const StickingSet& set) {
  return {set.now().begin(), set.now().end()};
}

TEST(StickingSet, EndsWhereASetWantsItself) {
  StickingSet set(3);
  set.begin(Set{1, 0, 0});
  EXPECT_EQ(now_of(set), (Set{1, 0, 0}));
  EXPECT_TRUE(set.propose(Set{0, 1, 1}));
  EXPECT_EQ(now_of(set), (Set{0, 1, 1}));
  EXPECT_FALSE(set.propose(Set{0, 1, 1}));
  EXPECT_EQ(now_of(set), (Set{0, 1, 1}));
}

/// A and B want each other: what both have, and the lower half of what each alone has.
TEST(StickingSet, MixesSetsThatComeBack) {
  StickingSet set(8);
  const Set a{1, 1, 1, 1, 1, 0, 0, 0}, b{1, 0, 0, 0, 0, 1, 1, 1};
  set.begin(a);
  EXPECT_TRUE(set.propose(b));
  EXPECT_TRUE(set.propose(a));
  // Tested: B, wanted: A. Of B alone, 5 of {5, 6, 7}; of A alone, 1 and 2 of {1, 2, 3, 4}.
  EXPECT_EQ(now_of(set), (Set{1, 1, 1, 0, 0, 1, 0, 0}));
}

TEST(StickingSet, StaysWhereSetsThatComeBackDifferByAVertex) {
  StickingSet set(3);
  const Set a{1, 0, 1}, b{1, 1, 0};
  set.begin(a);
  EXPECT_TRUE(set.propose(b));
  EXPECT_FALSE(set.propose(a));
  EXPECT_EQ(now_of(set), b);
}

TEST(StickingSet, ForgetsWhatItTriedInAnotherStep) {
  StickingSet set(2);
  set.begin(Set{0, 0});
  EXPECT_TRUE(set.propose(Set{1, 1}));
  set.begin(Set{1, 1});
  EXPECT_TRUE(set.propose(Set{0, 0}));
  EXPECT_EQ(now_of(set), (Set{0, 0}));
}

}  // namespace
}  // namespace electret::test
