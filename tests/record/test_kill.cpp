/// \file
/// A writer is killed at random moments, over and over; each file it leaves must open plainly, with whole
/// frames.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/made_run.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::MadeRun;
using test::TemporaryFolder;

struct Case {
  Index vertices;
  OutputOptions options;
  bool charges_change;
};

const Case cases[] = {{20, {1, true, "double", 0}, false},
                      {20, {1, true, "double", 1}, true},
                      {300, {1, true, "single", 0}, true},
                      {7, {1, false, "double", 4}, false}};

[[noreturn]] void write_until_killed(const Case& setting, const std::string& path) {
  MadeRun run(setting.vertices, setting.charges_change);
  TrajectoryWriter writer(path, run.header(), setting.options, run.frame(0));
  for (Count f = 1;; ++f) writer.write(run.frame(f));
}

/// Goes on with the file until killed: cutting it back is under fire as well.
[[noreturn]] void resume_until_killed(const Case& setting, const std::string& path, Count frames) {
  MadeRun run(setting.vertices, setting.charges_change);
  TrajectoryWriter writer(path, setting.options, frames);
  for (Count f = frames;; ++f) writer.write(run.frame(f));
}

template <class Child>
void run_and_kill(Child&& child, useconds_t after) {
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    try {
      child();
    } catch (...) {
      _exit(3);
    }
  }
  usleep(after);
  kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
}

void check_frames(const std::string& path, const Case& setting, Count& frames) {
  const TrajectoryReader reader(path);
  MadeRun run(setting.vertices, setting.charges_change);
  frames = reader.frames();
  ASSERT_GE(frames, 1);
  for (const Count f : {Count{0}, frames / 2, frames - 1}) {
    const FrameView expected = run.frame(f);
    ASSERT_TRUE(reader.positions(f) == run.positions) << path << " frame " << f;
    if (setting.options.velocities) {
      ASSERT_TRUE(reader.velocities(f) == run.velocities) << path << " frame " << f;
    }
    if (setting.charges_change) {
      ASSERT_TRUE(reader.charges(f) == run.charges) << path << " frame " << f;
    }
    ASSERT_EQ(reader.times().at(static_cast<std::size_t>(f)), expected.time);
  }
}

int kills() {
  const char* wish = std::getenv("ELECTRET_TEST_KILLS");
  return wish == nullptr ? 120 : std::atoi(wish);
}

TEST(Kill, LeavesAReadableTrajectoryAtAnyMoment) {
  const TemporaryFolder folder;
  std::mt19937 random(20260101);
  std::uniform_int_distribution<useconds_t> delay(300, 60000);
  std::string files;
  for (int k = 0; k < kills(); ++k) {
    const Case& setting = cases[k % 4];
    const std::string path = folder / ("killed" + std::to_string(k) + ".h5");
    // The first kills come soon: the file bears its name from frame 0 on, or does not exist.
    run_and_kill([&] { write_until_killed(setting, path); },
                 k < 8 ? 200u * static_cast<useconds_t>(k) : delay(random));
    if (HasFatalFailure()) return;
    if (!std::filesystem::exists(path)) continue;
    Count frames = 0;
    check_frames(path, setting, frames);
    if (HasFatalFailure()) return;
    if (k % 3 == 0) {
      const Count keep = std::uniform_int_distribution<Count>(1, frames)(random);
      run_and_kill([&] { resume_until_killed(setting, path, keep); }, delay(random) / (k % 2 == 0 ? 8 : 40));
      if (HasFatalFailure()) return;
      check_frames(path, setting, frames);
      if (HasFatalFailure()) return;
    }
    files += path + "\n";
  }
  std::ofstream(folder / "list") << files;
  const std::string command = std::string(ELECTRET_TEST_PYTHON) + " " + ELECTRET_TEST_SOURCE +
                              "/check_trajectories.py --list " + (folder / "list");
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace electret
