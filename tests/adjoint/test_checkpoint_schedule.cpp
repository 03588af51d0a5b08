/// The schedule of stored states against the recursion it solves in closed form.

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <electret/adjoint/checkpoint_schedule.hpp>

namespace electret::test {
namespace {

/// t(n, s) by trying every stride: fewest steps forward where the state at the end is known.
class Fewest {
 public:
  Fewest(Count steps, Count stored)
      : table_(static_cast<std::size_t>(stored + 1),
               std::vector<Count>(static_cast<std::size_t>(steps + 1))) {
    for (Count s = 1; s <= stored; ++s)
      for (Count n = 2; n <= steps; ++n) at(n, s) = s == 1 ? n * (n - 1) / 2 : best(n, s);
  }
  Count& at(Count n, Count s) { return table_[static_cast<std::size_t>(s)][static_cast<std::size_t>(n)]; }

 private:
  Count best(Count n, Count s) {
    Count least = std::numeric_limits<Count>::max();
    for (Count m = 1; m < n; ++m) least = std::min(least, m + at(n - m, s - 1) + at(m, s));
    return least;
  }
  std::vector<std::vector<Count>> table_;
};

TEST(CheckpointSchedule, TakesTheFewestStepsForward) {
  constexpr Count steps = 150, stored = 12;
  Fewest fewest(steps, stored);
  for (Count s = 1; s <= stored; ++s)
    for (Count n = 1; n <= steps; ++n) {
      EXPECT_EQ(forward_steps(n, s), fewest.at(n, s) + 1) << n << " steps, " << s << " states";
      if (n == 1) continue;
      const Count m = checkpoint_distance(n, s);
      ASSERT_TRUE(m >= 1 && m < n);
      if (s > 1) {
        EXPECT_EQ(m + fewest.at(n - m, s - 1) + fewest.at(m, s), fewest.at(n, s)) << n << ' ' << s;
      }
    }
}

TEST(CheckpointSchedule, GoesStraightWhereAllStatesFit) {
  for (const Count steps : {Count{1}, Count{2}, Count{1000}, Count{100'000'000}}) {
    EXPECT_EQ(forward_steps(steps, steps), steps);
    if (steps > 1) {
      EXPECT_EQ(checkpoint_distance(steps, steps), 1);
    }
  }
  // Ten states for a thousand steps, and three for a million, stay within the range of Count.
  EXPECT_LT(forward_steps(1000, 10), 4000);
  EXPECT_LT(forward_steps(1'000'000, 3), 200'000'000);
}

}  // namespace
}  // namespace electret::test
