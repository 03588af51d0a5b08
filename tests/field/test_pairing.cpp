#include <map>
#include <set>

#include <gtest/gtest.h>

#include <electret/field/direct/pairing.hpp>

namespace electret::test {
namespace {

using direct::Tournament;

const Count sizes[] = {0, 1, 2, 15, 16, 17, 127, 128, 129, 145, 256, 257, 300, 385, 1000, 1100, 5000, 12345};

TEST(Tournament, BlocksHoldEveryChargeOnce) {
  for (const Count n : sizes) {
    const Tournament t(n);
    Count next = 0;
    for (Count b = 0; b < t.blocks(); ++b) {
      EXPECT_EQ(t.first(b), next);
      EXPECT_EQ(t.first(b) % 16, 0);
      EXPECT_GT(t.count(b), 0);
      EXPECT_LE(t.count(b), direct::pair_block_size);
      if (b + 1 < t.blocks()) {
        EXPECT_EQ(t.count(b) % 16, 0);
      }
      next += t.count(b);
    }
    EXPECT_EQ(next, n);
  }
}

TEST(Tournament, EveryTwoBlocksMeetOnceAndNobodyTwiceInARound) {
  for (const Count n : sizes) {
    const Tournament t(n);
    std::map<std::pair<Count, Count>, int> met;
    for (Count round = 0; round < t.rounds(); ++round) {
      std::set<Count> busy;
      for (Count m = 0; m < t.matches(); ++m) {
        const auto [a, b] = t.match(round, m);
        EXPECT_TRUE(busy.insert(a).second) << n;
        if (a == b) continue;
        EXPECT_LT(a, b);
        EXPECT_TRUE(busy.insert(b).second) << n;
        ++met[{a, b}];
      }
    }
    EXPECT_EQ(static_cast<Count>(met.size()), t.blocks() * (t.blocks() - 1) / 2);
    for (const auto& [blocks, times] : met) {
      EXPECT_EQ(times, 1);
      EXPECT_LT(blocks.second, t.blocks());
    }
  }
}

}  // namespace
}  // namespace electret::test
