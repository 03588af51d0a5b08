#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include <electret/studio/session/kept_steps.hpp>
#include <electret/studio/session/pacer.hpp>

namespace electret::studio {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(StudioPast, KeepsEveryStepWhileThereIsRoom) {
  KeptSteps<int> kept(1000);
  for (Count step = 0; step < 10; ++step) kept.keep(step, static_cast<int>(step), 100);
  EXPECT_EQ(kept.size(), 10U);
  EXPECT_EQ(kept.bytes(), 1000U);
  for (Count step = 0; step < 10; ++step) EXPECT_EQ(kept.nearest(step).value, step);
}

TEST(StudioPast, ThinsEvenlyWhenFullAndKeepsTheFirst) {
  for (const Count first : {Count{0}, Count{7}}) {
    KeptSteps<Count> kept(1000);
    for (Count step = first; step < 1000; ++step) {
      kept.keep(step, step, 100);
      ASSERT_LE(kept.bytes(), 1000U);
      ASSERT_EQ(kept.at_or_before(first).step, first);
      const auto found = kept.at_or_before(step);
      ASSERT_LE(found.step, step);
      ASSERT_EQ(found.value, found.step);
      ASSERT_LT(step - found.step, std::max<Count>(kept.stride(), 1) + (first > 0 ? kept.stride() : 0));
    }
    EXPECT_EQ(kept.stride(), 128);
    EXPECT_GE(kept.size(), 5U);
  }
}

TEST(StudioPast, TakesNoStepTwiceAndForgetsFromTheEnd) {
  KeptSteps<int> kept(10000);
  for (int step = 0; step <= 5; ++step) kept.keep(step, step, 10);
  kept.keep(3, -1, 10);
  EXPECT_EQ(kept.nearest(3).value, 3);
  kept.forget(4);
  EXPECT_EQ(kept.size(), 4U);
  EXPECT_EQ(kept.bytes(), 40U);
  EXPECT_TRUE(kept.wants(4));
  EXPECT_FALSE(kept.wants(3));
  kept.clear();
  EXPECT_TRUE(kept.empty());
}

TEST(StudioPast, FindsTheNearestOfWhatIsLeft) {
  KeptSteps<Count> kept(300);
  for (Count step = 0; step < 9; ++step) kept.keep(step, step, 100);  // 0, 4, 8.
  EXPECT_EQ(kept.nearest(1).step, 0);
  EXPECT_EQ(kept.nearest(2).step, 0);
  EXPECT_EQ(kept.nearest(3).step, 4);
  EXPECT_EQ(kept.nearest(100).step, 8);
  EXPECT_EQ(kept.at_or_before(7).step, 4);
}

TEST(StudioPast, WhatStaysIsNotThinnedOut) {
  KeptSteps<Count> kept(300);
  kept.keep(0, 0, 100);
  kept.keep(7, 7, 100, true);
  for (Count step = 8; step < 100; ++step) kept.keep(step, step, 100);
  EXPECT_EQ(kept.nearest(8).step, 7);
  EXPECT_LE(kept.bytes(), 300U);
  kept.forget(7);
  EXPECT_EQ(kept.size(), 1U);
  // Where they alone are more than there is room for, they stay as well.
  KeptSteps<Count> small(300);
  small.keep(0, 0, 100);
  small.keep(9, 9, 1000, true);
  EXPECT_EQ(small.nearest(9).step, 9);
}

TEST(StudioPast, AStepLargerThanTheRoomIsStillKept) {
  KeptSteps<int> kept(10);
  kept.keep(0, 1, 100);
  kept.keep(1, 2, 100);
  EXPECT_EQ(kept.nearest(1).step, 0);
}

class StudioPacer : public ::testing::Test {
 protected:
  const Pacer::Time zero{};
};

TEST_F(StudioPacer, AStepIsDueWhenItsTimeHasCome) {
  Pacer pacer;
  pacer.start(zero, 2.0, 0.5);
  EXPECT_FALSE(pacer.wants(2.01, zero));
  EXPECT_FALSE(pacer.wants(2.01, zero + milliseconds(19)));
  EXPECT_TRUE(pacer.wants(2.01, zero + milliseconds(20)));
  EXPECT_FALSE(pacer.wants(2.02, zero + milliseconds(20)));
}

TEST_F(StudioPacer, WithoutARateEveryStepIsDue) {
  Pacer pacer;
  pacer.start(zero, 0.0, std::nullopt);
  EXPECT_TRUE(pacer.wants(1e9, zero));
}

TEST_F(StudioPacer, ADelayIsNotCaughtUp) {
  Pacer pacer;
  pacer.start(zero, 0.0, 1.0);
  // A step of 10 ms simulated time took a second: the next is due now, and the one after 10 ms later.
  const Pacer::Time late = zero + milliseconds(1000);
  pacer.end_slice(late, 0.01, 0.02);
  EXPECT_TRUE(pacer.wants(0.02, late));
  EXPECT_FALSE(pacer.wants(0.03, late + milliseconds(9)));
  EXPECT_TRUE(pacer.wants(0.03, late + milliseconds(10)));
}

TEST_F(StudioPacer, WhatIsInTimeStaysInTime) {
  Pacer pacer;
  pacer.start(zero, 0.0, 1.0);
  // Slices end a little after each step; this loses nothing over many steps.
  for (int n = 1; n <= 1000; ++n)
    pacer.end_slice(zero + microseconds(10000 * n + 3000), 0.01 * n, 0.01 * (n + 1));
  EXPECT_TRUE(pacer.wants(10.01, zero + microseconds(10010001)));
  EXPECT_FALSE(pacer.wants(10.01, zero + microseconds(10009990)));
}

TEST_F(StudioPacer, SaysWhatWasReachedInTheLastSecond) {
  Pacer pacer;
  pacer.start(zero, 0.0, 1.0);
  EXPECT_FALSE(pacer.reached());
  for (int n = 1; n <= 100; ++n) pacer.end_slice(zero + milliseconds(20 * n), 0.01 * n, 0.01 * (n + 1));
  ASSERT_TRUE(pacer.reached());
  EXPECT_NEAR(*pacer.reached(), 0.5, 1e-12);
  for (int n = 1; n <= 100; ++n)
    pacer.end_slice(zero + milliseconds(2000 + 20 * n), 1.0 + 0.02 * n, 1.0 + 0.02 * (n + 1));
  EXPECT_NEAR(*pacer.reached(), 1.0, 1e-12);
}

TEST_F(StudioPacer, ALongWayToTheNextStepIsNoOverflow) {
  Pacer pacer;
  pacer.start(zero, 0.0, 1e-9);
  EXPECT_FALSE(pacer.wants(1e9, zero + std::chrono::hours(1)));
}

}  // namespace
}  // namespace electret::studio
