/// Sweeps that are read and merged while tasks write their parts.

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/sweep_rows.hpp>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

/// The job with columns so wide that they are read when they are asked for.
std::string wide_job() {
  std::string text = sweep_job;
  return text.replace(text.find("frames = 4"), 10, "frames = 24");
}

TEST_F(Sweep, APartMetInTheMiddleOfAFlushCounts) {
  write("job.toml", wide_job());
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  const SweepPlan own = folder.plan();
  std::string before;
  {
    PartWriter part(folder, own, 0, 5);
    part.run(0, {});
    before = file_text(folder.part_files().at(0));
    for (Count run = 1; run < 6; ++run) part.run(run, {});
  }
  const std::string path = folder.part_files().at(0), after = file_text(path);
  const std::string digest = merge_sweep(folder, own).digest;
  // The superblock, which says where the file ends, is read first: here before the others of the rows.
  constexpr std::size_t superblock = 96;
  std::ofstream(path, std::ios::binary) << before.substr(0, superblock) + after.substr(superblock);
  EXPECT_TRUE(sweep_state(folder, own).is_whole());
  const SweepResults merged = merge_sweep(folder, own);
  EXPECT_TRUE(merged.faults.empty());
  EXPECT_EQ(merged.digest, digest);
}

TEST_F(Sweep, AMergeCountsTheRowsThatWereThereWhenItBegan) {
  write("job.toml", wide_job());
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  const SweepPlan own = folder.plan();
  PartWriter part(folder, own, 0, 5);
  for (Count run = 0; run < 3; ++run) part.run(run, {});
  SweepRows rows(folder, own);
  for (Count run = 3; run < 6; ++run) part.run(run, {});
  const std::vector<Count> first{0, 1, 2};
  EXPECT_EQ(rows.runs(), first);
  SweepRows later(folder, own);
  for (const ResultColumn& column : own.columns()) {
    if (column.name == "values") continue;
    EXPECT_EQ(rows.numbers(column, first), later.numbers(column, first)) << column.name;
  }
}

TEST_F(Sweep, MergesBesideTwoTasksOnTheSameRunsFindNoFaults) {
  write("job.toml", wide_job());
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  const SweepPlan own = folder.plan();
  std::vector<SweepRow> rows;
  MeshStore meshes;
  for (Count run = 0; run < own.design.runs(); ++run) rows.push_back(sweep_run(own, run, meshes));
  std::vector<pid_t> tasks;
  for (int task = 0; task < 2; ++task) {
    tasks.push_back(fork());
    if (tasks.back() != 0) continue;
    try {
      // Each run several times over, so that the parts grow for a while.
      PartWriter part(folder, own, 0, 5);
      for (int k = 0; k < 10; ++k)
        for (const SweepRow& row : rows) {
          part.begin(row.run);
          part.add(row);
        }
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  for (int k = 0; k < 20; ++k) {
    SweepRows found(folder, own);
    for (const Finding& fault : found.faults()) ADD_FAILURE() << to_string(fault);
    for (const ResultColumn& column : own.columns()) {
      if (column.name == "values" || column.name == "wall" || column.name == "cpu") continue;
      EXPECT_NO_THROW((void)found.numbers(column, found.runs())) << column.name;
    }
    EXPECT_TRUE(sweep_state(folder, own).faults.empty());
  }
  for (const pid_t task : tasks) {
    int status = 0;
    waitpid(task, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const SweepResults merged = merge_sweep(folder, own);
  EXPECT_TRUE(merged.faults.empty());
  EXPECT_EQ(merged.runs.size(), rows.size());
}

}  // namespace
}  // namespace electret::test
