/// Ranges of runs as texts, from single runs, and in blocks.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/sweep/run_ranges.hpp>

namespace electret::test {
namespace {

using ::testing::ElementsAre;

TEST(RunRanges, AreReadAsTheyAreWritten) {
  for (const std::string text : {"0", "17", "3-9", "0-1,4,6-19", "19", "5,2,5"}) {
    const auto ranges = parse_run_ranges(text, 20);
    ASSERT_TRUE(ranges.has_value()) << text;
    EXPECT_EQ(text_of(*ranges), text);
  }
  EXPECT_EQ(text_of(parse_run_ranges("0-1,4", 20).value(), ", "), "0-1, 4");
}

TEST(RunRanges, OfNoSuchSweepAreRefused) {
  for (const std::string text : {"", ",", "1,", "a", "1-", "-1", "1-2-3", "9-3", "20", "0-20", "1 ", "1;2",
                                 "1e1", "0x1", "99999999999999999999"})
    EXPECT_FALSE(parse_run_ranges(text, 20).has_value()) << text;
}

TEST(RunRanges, AreAsFewAsCanBe) {
  EXPECT_EQ(text_of(run_ranges({})), "");
  EXPECT_EQ(text_of(run_ranges({4})), "4");
  EXPECT_EQ(text_of(run_ranges({0, 1, 2, 5, 7, 8})), "0-2,5,7-8");
}

TEST(RunRanges, AreCutIntoBlocks) {
  std::vector<std::string> texts;
  for (const auto& ranges : blocks_of_runs({0, 1, 2, 5, 7, 8, 9}, 3)) texts.push_back(text_of(ranges));
  EXPECT_THAT(texts, ElementsAre("0-2", "5,7-8", "9"));
  EXPECT_TRUE(blocks_of_runs({}, 3).empty());
}

}  // namespace
}  // namespace electret::test
