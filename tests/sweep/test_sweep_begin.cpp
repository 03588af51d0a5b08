/// How a sweep's folder begins, also where several processes begin it at the same time.

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

namespace fs = std::filesystem;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

/// Begins the plans, each in a process of its own. Of each: 0, 2 for an InputError, 1 for any other.
std::vector<int> begun_together(const SweepFolder& folder, const std::vector<SweepPlan>& plans) {
  std::vector<pid_t> all;
  for (const SweepPlan& plan : plans) {
    all.push_back(fork());
    if (all.back() != 0) continue;
    try {
      folder.begin(plan, false);
      (void)folder.plan();
      _exit(0);
    } catch (const InputError&) {
      _exit(2);
    } catch (...) {
      _exit(1);
    }
  }
  std::vector<int> exits;
  for (const pid_t each : all) {
    int status = 0;
    waitpid(each, &status, 0);
    exits.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return exits;
}

TEST_F(Sweep, SeveralProcessesMayBeginASweepAtTheSameTime) {
  const SweepPlan whole = plan();
  for (int round = 0; round < 10; ++round) {
    const SweepFolder folder(folder_ / std::to_string(round));
    EXPECT_EQ(begun_together(folder, std::vector<SweepPlan>(6, whole)), std::vector<int>(6, 0));
    EXPECT_THAT(names_in(folder.path()), UnorderedElementsAre("job.toml", "design.csv", "inputs", "parts"));
    EXPECT_EQ(file_text(folder.job()), sweep_job);
    EXPECT_FALSE(fs::exists(folder.inputs() + "/job.toml"));
  }
}

TEST_F(Sweep, OfTwoSweepsThatBeginInOneFolderOneIsThere) {
  const SweepPlan one = plan();
  std::string job = sweep_job;
  write("job.toml", job.replace(job.find("4e-6"), 4, "5e-6"));
  const SweepPlan other = plan();
  for (int round = 0; round < 5; ++round) {
    const SweepFolder folder(folder_ / std::to_string(round));
    const std::vector<int> exits = begun_together(folder, {one, other, one, other});
    const SweepPlan there = folder.plan();
    const bool is_one = file_text(folder.job()) == sweep_job;
    EXPECT_FALSE(there.design.first_difference((is_one ? one : other).design).has_value());
    EXPECT_EQ(exits, is_one ? (std::vector<int>{0, 2, 0, 2}) : (std::vector<int>{2, 0, 2, 0}));
  }
}

TEST_F(Sweep, AFolderInWhichAnotherProcessJustBeginsIsFree) {
  const SweepFolder folder(folder_ / "s");
  fs::create_directories(folder_ / "s/inputs.1-0.part");
  write("s/inputs.1-0.part/electret-sweep", "of the other process");
  folder.begin(plan(), false);
  EXPECT_TRUE(folder.exists());
  fs::create_directories(folder_ / "t");
  write("t/notes.txt", "of the user");
  EXPECT_THROW(SweepFolder(folder_ / "t").begin(plan(), false), InputError);
  EXPECT_THAT(names_in(folder_ / "t"), UnorderedElementsAre("notes.txt"));
}

TEST_F(Sweep, ABeginningThatStoppedBeforeItsLastStepIsWhole) {
  const SweepFolder folder(folder_ / "s");
  const SweepPlan whole = plan();
  folder.begin(whole, false);
  // The inputs are in place, and the process ended before it moved the job and the design.
  fs::rename(folder.job(), folder.inputs() + "/job.toml");
  fs::rename(folder.design(), folder.inputs() + "/design.csv");
  EXPECT_EQ(folder.plan().design.runs(), whole.design.runs());
  EXPECT_EQ(file_text(folder.job()), sweep_job);
  folder.begin(whole, false);
}

TEST_F(Sweep, ABeginningThatFailsLeavesNothing) {
  const SweepPlan whole = plan();
  write("file", "where a folder belongs");
  EXPECT_THROW(SweepFolder(folder_ / "file").begin(whole, false), InputError);
  SweepPlan broken = whole;
  broken.files["mesh." + std::string(300, 'x')] = "a name that no file has";
  EXPECT_THROW(SweepFolder(folder_ / "s").begin(broken, false), IoError);
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  fs::create_directories(folder_ / "t");
  EXPECT_THROW(SweepFolder(folder_ / "t").begin(broken, false), IoError);
  EXPECT_TRUE(fs::is_empty(folder_ / "t"));
}

}  // namespace
}  // namespace electret::test
