#include <gtest/gtest.h>

#include <electret/dynamics/stage/stall.hpp>

namespace electret::test {
namespace {

TEST(StallWatch, WaitsForFiveIdleIterationsWithinTheRounding) {
  StallWatch watch(1.0);
  EXPECT_FALSE(watch.stalled(0.9));
  for (int idle = 1; idle < 5; ++idle) EXPECT_FALSE(watch.stalled(0.85)) << idle;
  EXPECT_TRUE(watch.stalled(0.85));
}

TEST(StallWatch, CountsAnewAfterAGainOfATenth) {
  StallWatch watch(1.0);
  EXPECT_FALSE(watch.stalled(0.9));
  for (int idle = 1; idle < 5; ++idle) EXPECT_FALSE(watch.stalled(0.85));
  EXPECT_FALSE(watch.stalled(0.8));  // less than 0.9 · 0.9
  for (int idle = 1; idle < 5; ++idle) EXPECT_FALSE(watch.stalled(0.8)) << idle;
  EXPECT_TRUE(watch.stalled(0.8));
}

TEST(StallWatch, NeverGivesUpAboveTheRounding) {
  StallWatch watch(1.0);
  for (int iteration = 0; iteration < 100; ++iteration) EXPECT_FALSE(watch.stalled(1.1));
}

}  // namespace
}  // namespace electret::test
