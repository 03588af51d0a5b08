#include <gtest/gtest.h>

#include <electret/scene/words.hpp>

namespace electret {
namespace {

const std::vector<std::string> keys{"step", "steps", "duration", "velocity", "neighbours"};

TEST(Words, DistanceCountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("stpe", "step"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Words, SuggestsTheNearestName) {
  EXPECT_EQ(closest_name("stpe", keys), "step");
  EXPECT_EQ(closest_name("neighbors", keys), "neighbours");
  EXPECT_EQ(closest_name("vel", keys), "velocity");
  EXPECT_EQ(closest_name("colour", keys), "");
  EXPECT_EQ(closest_name(std::string(100000, 'a'), keys), "");
  EXPECT_EQ(suggestion("duratoin", keys), "did you mean \"duration\"?");
  EXPECT_EQ(suggestion("q", keys), "allowed: step, steps, duration, velocity, neighbours");
}

TEST(Words, NumbersReadBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(8.9875517923e9), "8987551792.3");
  EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(counted(0, "vertex", "vertices"), "0 vertices");
}

}  // namespace
}  // namespace electret
