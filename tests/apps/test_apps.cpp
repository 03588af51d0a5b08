/// What the command says and measures that can be called without the command.

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <electret/core/memory.hpp>

#include "../../apps/electret/needs.hpp"
#include "../../apps/electret/sign_of_life.hpp"
#include "../../apps/electret/terminal.hpp"
#include "../../apps/electret/warnings.hpp"

namespace electret::app {
namespace {

TEST(Durations, ChangeUnitsWhereTheyRound) {
  EXPECT_EQ(duration_text(0.0), "0 s");
  EXPECT_EQ(duration_text(9.94), "9.9 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(65.0), "1 min 05 s");
  EXPECT_EQ(duration_text(3599.4), "59 min 59 s");
  EXPECT_EQ(duration_text(3599.6), "1 h 00 min");
  EXPECT_EQ(duration_text(7384.0), "2 h 03 min");
}

TEST(Durations, LeftAreMeasuredFromWhereARunBegan) {
  EXPECT_EQ(seconds_left({500, 1000}, 0, 2.0), 2.0);
  EXPECT_EQ(seconds_left({910, 1000}, 900, 1.0), 9.0);  // Resumed at step 900.
  EXPECT_EQ(seconds_left({900, 1000}, 900, 1.0), 0.0);
}

TEST(SignOfLife, IsGivenOfWhatTakesLongAlone) {
  using std::chrono::milliseconds;
  ::testing::internal::CaptureStderr();
  { const SignOfLife quick("quick", milliseconds(60000)); }
  {
    const SignOfLife slow("slow", milliseconds(1));
    std::this_thread::sleep_for(milliseconds(300));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "electret: slow, 0.001 s so far\n");
}

TEST(Sizes, AreSaidInTheUnitThatFits) {
  EXPECT_EQ(bytes_text(999.0), "999 B");
  EXPECT_EQ(bytes_text(999.6), "1 kB");
  EXPECT_EQ(bytes_text(1.234e9), "1.23 GB");
  EXPECT_EQ(bytes_text(4.73e19), "47.3 EB");
}

TEST(Needs, MemoryIsWhatALimitLeaves) {
  const auto before = memory_available();
  ASSERT_TRUE(before.has_value());
  EXPECT_GT(*before, 1e6);
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &old), 0);
  const rlimit narrow{rlim_t{1} << 20U, old.rlim_max};  // Less than the process has: nothing is left.
  ASSERT_EQ(setrlimit(RLIMIT_AS, &narrow), 0);
  const auto left = memory_available();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &old), 0);
  EXPECT_EQ(left, 0.0);
}

TEST(Needs, DiskIsThatOfTheFolderThatIsThere) {
  const auto here = disk_available(::testing::TempDir());
  ASSERT_TRUE(here.has_value());
  EXPECT_NEAR(disk_available(::testing::TempDir() + "/not/there").value_or(0.0), *here, 0.1 * *here);
  EXPECT_FALSE(disk_available("/proc/self/none").value_or(0.0) > 0.0);
}

TEST(Warnings, BecomeErrorsWithTheirPlace) {
  const auto error = as_errors({"scene.toml:2:1: warning: this", "electret: warning: that"});
  EXPECT_STREQ(error.what(),
               "scene.toml:2:1: error: this; with --stop-on-warning no run begins\n"
               "error: that; with --stop-on-warning no run begins");
}

}  // namespace
}  // namespace electret::app
