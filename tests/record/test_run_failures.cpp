#include <algorithm>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::expect_same_run;
using test::made_system;
using test::message_of;
using test::resumed;
using test::SceneWishes;
using test::TemporaryFolder;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

/// Runs in a child whose files may not exceed `bytes`; returns what it died of.
std::string run_with_file_limit(const SceneWishes& wishes, const std::string& dir, rlim_t bytes) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t pid = fork();
  if (pid == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string said = message_of<IoError>([&] { run_to_directory(made_system(wishes), dir); });
    const ssize_t written = write(ends[1], said.data(), said.size());
    _exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said(4096, '\0');
  const ssize_t got = read(ends[0], said.data(), said.size());
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? said : "died: " + said;
}

TEST(Run, OnAFullDiskKeepsTheFramesThatFit) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 400;
  wishes.every = 1;
  run_to_directory(made_system(wishes), folder / "whole");
  const TrajectoryReader whole(folder / "whole/trajectory.h5");
  // Some limits are hit by the trajectory's chunks, the least ones by its beginning.
  for (const rlim_t bytes : {2000, 9000, 60000, 100000, 131072, 200000, 250000}) {
    const std::string dir = folder / ("full" + std::to_string(bytes));
    EXPECT_THAT(run_with_file_limit(wishes, dir, bytes), HasSubstr("File too large")) << bytes;
    EXPECT_FALSE(fs::exists(dir + "/energy.svg"));
    for (const auto& entry : fs::directory_iterator(dir))
      EXPECT_NE(entry.path().extension(), ".part") << entry;
    const RunResult summary = read_summary(dir + "/summary.json");
    EXPECT_EQ(summary.status, RunStatus::failed);
    EXPECT_THAT(summary.failure->cause, HasSubstr("File too large"));
    if (!fs::exists(dir + "/trajectory.h5")) {
      EXPECT_LT(bytes, 200000u);
      continue;
    }
    {
      const TrajectoryReader cut(dir + "/trajectory.h5");
      ASSERT_GE(cut.frames(), 1);
      ASSERT_LT(cut.frames(), whole.frames());
      for (Count f = 0; f < cut.frames(); ++f) ASSERT_TRUE(cut.positions(f) == whole.positions(f)) << f;
    }
    // With room again the run goes on.
    run_to_directory(made_system(wishes), dir, resumed());
    expect_same_run(folder / "whole", dir);
  }
}

TEST(Run, KilledAtAnyMomentAndResumedIsBitwiseTheSame) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 900;
  wishes.every = 1;
  wishes.time_step = 0.001;
  run_to_directory(made_system(wishes), folder / "whole");
  std::mt19937 random(11);
  for (int k = 0; k < 8; ++k) {
    const std::string dir = folder / ("killed" + std::to_string(k));
    RunStatus status = RunStatus::running;
    for (int leg = 0; leg < 3 && status != RunStatus::done; ++leg) {
      const pid_t pid = fork();
      if (pid == 0) {
        try {
          run_to_directory(made_system(wishes), dir, resumed());
        } catch (...) {
          _exit(3);
        }
        _exit(0);
      }
      usleep(std::uniform_int_distribution<useconds_t>(1000, 120000)(random));
      kill(pid, SIGKILL);
      int ended = 0;
      waitpid(pid, &ended, 0);
      ASSERT_TRUE(WIFSIGNALED(ended) || WEXITSTATUS(ended) == 0);
    }
    EXPECT_EQ(run_to_directory(made_system(wishes), dir, resumed()).status, RunStatus::done);
    expect_same_run(folder / "whole", dir);
  }
}

}  // namespace
}  // namespace electret
