/// What the command says and measures that can be called without the command.

#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>

#include "../../apps/electret/movie.hpp"
#include "../../apps/electret/movie_timing.hpp"
#include "../../apps/electret/programs.hpp"
#include "../../apps/electret/sign_of_life.hpp"
#include "../../apps/electret/terminal.hpp"
#include "../../apps/electret/warnings.hpp"
#include "support/sanitizers.hpp"

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

TEST(Durations, PacesCountOnlyWhatWasDoneHere) {
  EXPECT_EQ(pace_text({150, 200}, 100, 20.0, "runs"), "2.5 runs/s, 20 s left");
  EXPECT_EQ(pace_text({200, 200}, 0, 100.0, "runs"), "2 runs/s, 0 s left");
  EXPECT_EQ(pace_text({100, 200}, 100, 20.0, "runs"), "");
}

TEST(SignOfLife, IsGivenOfWhatTakesLongAlone) {
  using std::chrono::milliseconds;
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const int before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  int is_given = 0;
  { const SignOfLife quick("quick", milliseconds(600000)); }
  {
    const SignOfLife slow("slow", milliseconds(1));
    pollfd sign{ends[0], POLLIN, 0};
    is_given = poll(&sign, 1, 100000);  // On a busy machine it may come late, and a second one behind it.
  }
  dup2(before, STDERR_FILENO);
  close(before);
  std::array<char, 200> text{};
  if (is_given == 1) {
    EXPECT_GT(read(ends[0], text.data(), text.size() - 1), 0);
  }
  close(ends[0]);
  EXPECT_THAT(text.data(), ::testing::StartsWith("electret: slow, 0.001 s so far\n"));
}

TEST(Needs, MemoryIsWhatALimitLeaves) {
  if (test::sanitizer_owns_memory) GTEST_SKIP() << "a sanitizer needs memory beyond any limit";
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

TEST(Warnings, BecomeErrorsWithTheirPlace) {
  const auto error = as_errors({{WarningKind::time_step, {"scene.toml", 2, 1}, "this", "do so"},
                                {WarningKind::memory, {}, "that", ""}});
  EXPECT_STREQ(error.what(),
               "scene.toml:2:1: error: this; do so; with --stop-on-warning no run begins\n"
               "error: that; with --stop-on-warning no run begins");
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST(Programs, ThatCannotBeStartedLeaveNoDescriptor) {
  const std::string folder = ::testing::TempDir() + "electret-programs";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/ffmpeg") << "no program";
  std::filesystem::permissions(folder + "/ffmpeg", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  const auto before = open_descriptors();
  EXPECT_THROW(Movie(folder + "/movie.mp4", 25), IoError);
  EXPECT_EQ(open_descriptors(), before);
  setenv("PATH", path.c_str(), 1);
  std::filesystem::remove_all(folder);
}

TEST(Programs, GetTheirStreamsAndVariables) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  setenv("ELECTRET_ONE", "ours", 1);
  const pid_t child = start_program({"/bin/sh", "-c", "echo $ELECTRET_ONE $ELECTRET_TWO; cat"},
                                    {-1, ends[1], -1}, {"ELECTRET_ONE=theirs", "ELECTRET_TWO=new"});
  unsetenv("ELECTRET_ONE");
  close(ends[1]);
  std::array<char, 100> text{};
  EXPECT_GT(read(ends[0], text.data(), text.size()), 0);
  EXPECT_STREQ(text.data(), "theirs new\n");
  close(ends[0]);
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(MovieTiming, LastsAsLongAsTheRunOverTheSpeed) {
  for (const double speed : {1.0, 0.25, 3.0})
    for (const int rate : {10, 25, 60})
      for (const double step : {1e-3, 0.01, 0.04, 0.3}) {
        std::vector<double> times;
        for (int k = 0; k <= 400; ++k) times.push_back(0.5 + k * step);
        const auto shown = times_shown(times, rate, speed);
        const double seconds =
            static_cast<double>(std::accumulate(shown.begin(), shown.end(), Count{0})) / rate;
        EXPECT_NEAR(seconds, 400 * step / speed + 1.0 / rate, 0.5 / rate * (1 + 1e-9));
        EXPECT_EQ(shown.size(), times.size());
      }
}

TEST(MovieTiming, ShowsTheNearestFrame) {
  const std::vector<double> times{0.0, 0.1, 0.15, 0.4, 1.0};
  const auto shown = times_shown(times, 20, 1.0);
  std::vector<Count> expected(5, 0);
  for (int picture = 0; picture <= 20; ++picture) {
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < times.size(); ++k)
      if (std::abs(times[k] - picture * 0.05) <= std::abs(times[nearest] - picture * 0.05) + 1e-9)
        nearest = k;
    ++expected[nearest];
  }
  EXPECT_EQ(shown, expected);
}

TEST(MovieTiming, TakesEveryFrameOnceThatComesAtTheRate) {
  std::vector<double> times;
  for (int k = 0; k < 1000; ++k) times.push_back(k * 0.04);
  EXPECT_EQ(times_shown(times, 25, 1.0), std::vector<Count>(1000, 1));
  EXPECT_EQ(times_shown(times, 25, 0.5).front(), 1);
  EXPECT_EQ(times_shown({3.0}, 25, 1.0), std::vector<Count>{1});
}

TEST(MovieTiming, SaysHowFastItPlays) {
  EXPECT_EQ(speed_words(1.0), "plays in real time");
  EXPECT_EQ(speed_words(0.25), "plays 4 times slower than real time");
  EXPECT_EQ(speed_words(2.5), "plays 2.5 times faster than real time");
}

}  // namespace
}  // namespace electret::app
