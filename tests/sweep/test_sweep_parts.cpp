/// Part files: their names, rows that do not count, attempts, and runs with folders of their own.

#include <array>
#include <barrier>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/sweep/sweep_rows.hpp>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(Sweep, NoTwoPartsHaveOneName) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  // Of the same runs in one process, on threads that begin at the same time; each part has its own row.
  constexpr int threads = 8, parts = 4;
  std::barrier together(threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      for (int k = 0; k < parts; ++k) {
        together.arrive_and_wait();
        PartWriter(folder, whole, 0, 5).add(row_without_result(whole, 0, SweepStatus::failed, "of its own"));
      }
    });
  for (std::thread& thread : all) thread.join();
  const std::vector<std::string> files = folder.part_files();
  EXPECT_EQ(files.size(), std::size_t{threads * parts});
  for (const std::string& file : files) EXPECT_EQ(PartReader(whole).read(file).runs.size(), 1U) << file;
  // Nor does one take the name of a process that was killed while it began its part.
  const std::string left = fs::path(files.front()).replace_extension(".h5.new");
  fs::remove(files.front());
  std::ofstream(left) << "unfinished";
  { PartWriter(folder, whole, 0, 5).add(row_without_result(whole, 0, SweepStatus::failed, "of its own")); }
  EXPECT_FALSE(fs::exists(files.front()));
  EXPECT_EQ(file_text(left), "unfinished");
}

TEST_F(Sweep, TwoResultsOfOneRunMustBeTheSame) {
  const std::vector<Count> order{0, 1, 2, 3, 4, 5};
  const std::string digest = results("s", order, 6).digest;
  const SweepFolder folder(folder_ / "s");
  const SweepPlan own = folder.plan();
  {
    PartWriter again(folder, own, 2, 2);
    again.run(2, {});
  }
  SweepResults merged = merge_sweep(folder, own);
  EXPECT_TRUE(merged.faults.empty());
  EXPECT_FALSE(merged.has_conflicts);
  EXPECT_EQ(merged.digest, digest);
  {
    PartWriter other(folder, own, 3, 3);
    MeshStore meshes;
    SweepRow row = sweep_run(own, 3, meshes);
    row.values[4][1] = std::nextafter(row.values[4][1], 1e300);
    other.add(row);
  }
  merged = merge_sweep(folder, own);
  ASSERT_EQ(merged.faults.size(), 1U);
  EXPECT_THAT(to_string(merged.faults[0]), HasSubstr("run 3 has another result"));
  EXPECT_TRUE(merged.has_conflicts);
}

TEST_F(Sweep, AMergeOpensAPartOncePerColumn) {
  std::string job = sweep_job;
  job.replace(job.find("samples = 3"), 11, "samples = 10").replace(job.find("frames = 4"), 10, "frames = 12");
  write("job.toml", job);  // Positions and velocities are too wide to be kept in memory.
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  const SweepPlan own = folder.plan();
  {
    // Rows of even and of odd runs in two parts, and all of them once more in a third.
    PartWriter even(folder, own, 0, 18), odd(folder, own, 1, 19), all(folder, own, 0, 19);
    MeshStore meshes;
    for (Count run = 0; run < 20; ++run) {
      const SweepRow row = sweep_run(own, run, meshes);
      (run % 2 == 0 ? even : odd).add(row);
      all.add(row);
    }
  }
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watch, folder.parts().c_str(), IN_OPEN), 0);
  const SweepResults merged = merge_sweep(folder, own);
  EXPECT_EQ(merged.runs.size(), 20U);
  EXPECT_TRUE(merged.faults.empty());
  int opened = 0;
  alignas(inotify_event) std::array<char, 4096> events{};
  for (ssize_t size = 0; (size = read(watch, events.data(), events.size())) > 0;)
    for (std::ptrdiff_t at = 0; at < size;) {
      const auto& event = *reinterpret_cast<const inotify_event*>(events.data() + at);
      if ((event.mask & IN_ISDIR) == 0) ++opened;
      at += static_cast<std::ptrdiff_t>(sizeof(event) + event.len);
    }
  close(watch);
  EXPECT_GE(opened, 3);
  EXPECT_LE(opened, 20) << "3 parts to begin with, 2 x 3 to compare two columns, 2 x 2 to write them";
}

TEST_F(Sweep, DamagedRowsDoNotCount) {
  const SweepResults whole = results("s", {0, 1, 2, 3, 4, 5}, 3);
  const SweepFolder folder(folder_ / "s");
  const SweepPlan own = folder.plan();
  const std::string part = folder.part_files().at(0);
  MeshStore meshes;
  const SweepRow row = sweep_run(own, 0, meshes);
  // One bit of a number that stands in the file just once.
  std::string bytes = file_text(part);
  const std::string number(reinterpret_cast<const char*>(row.values[4].data()), 8);
  const std::size_t at = bytes.find(number);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(part, std::ios::binary) << bytes;
  fs::remove(folder.results());  // Of a merge before it was damaged.
  const SweepResults merged = merge_sweep(folder, own);
  ASSERT_EQ(merged.faults.size(), 1U);
  EXPECT_THAT(to_string(merged.faults[0]), HasSubstr("the row of run 0 is damaged"));
  EXPECT_EQ(merged.runs, (std::vector<Count>{1, 2, 3, 4, 5}));
  EXPECT_EQ(sweep_state(folder, own).missing, std::vector<Count>{0});
  std::ofstream(part, std::ios::binary) << bytes.substr(0, 100);
  fs::remove(folder.results());
  EXPECT_EQ(merge_sweep(folder, own).runs.size(), 3U);
  const SweepState state = sweep_state(folder, own);
  EXPECT_EQ(state.faults.size(), 1U);
  // What does not count is done again.
  EXPECT_EQ(state.missing, (std::vector<Count>{0, 1, 2}));
  {
    PartWriter again(folder, own, 0, 2);
    for (const Count run : state.missing) again.run(run, {});
  }
  EXPECT_EQ(merge_sweep(folder, own).digest, whole.digest);
  EXPECT_TRUE(sweep_state(folder, own).is_whole());
}

TEST_F(Sweep, AMergeLosesNoResultOfAnEarlierOne) {
  (void)results("s", {0, 1, 2, 3, 4, 5}, 2);
  const SweepFolder folder(folder_ / "s");
  const SweepPlan own = folder.plan();
  const std::string part = folder.part_files().at(1), kept = folder_ / "kept.h5";
  const auto refusal = [&] {
    try {
      (void)merge_sweep(folder, own);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string before = file_text(folder.results()), table = file_text(folder.table());
  fs::rename(part, kept);
  EXPECT_THAT(refusal(),
              HasSubstr("s/sweep.h5: error: it has results of 2 runs that the parts no longer have: "
                        "2-3, from " +
                        fs::path(part).filename().string()));
  EXPECT_EQ(file_text(folder.results()), before);
  EXPECT_EQ(file_text(folder.table()), table);
  // A row without a result is none; the part that is damaged is named, too.
  {
    PartWriter late(folder, own, 2, 3);
    late.add(row_without_result(own, 2, SweepStatus::timeout, "too slow"));
    late.run(3, {});
  }
  std::ofstream(folder.part_files().at(0), std::ios::binary) << "no part";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("have: 0-2, from "), HasSubstr(folder.part_files().at(0))));
  // Whoever wants it so moves the earlier results away. A file that cannot be read holds none.
  write("s/sweep.h5", "no results");
  EXPECT_EQ(merge_sweep(folder, own).runs, (std::vector<Count>{2, 3, 4, 5}));
  EXPECT_EQ(refusal(), "") << "the same again loses nothing";
  fs::rename(kept, part);
  EXPECT_EQ(merge_sweep(folder, own).runs, (std::vector<Count>{2, 3, 4, 5}));
}

TEST_F(Sweep, RowsOfOtherValuesOrAnotherJobDoNotCount) {
  (void)results("s", {0, 1}, 2);
  write("job.toml", std::string(sweep_job).replace(std::string(sweep_job).find("4e-6"), 4, "5e-6"));
  (void)results("t", {2, 3}, 2);
  const SweepFolder folder(folder_ / "s"), other(folder_ / "t");
  fs::copy(other.part_files().at(0), folder.parts() + "/other.h5");
  SweepState state = sweep_state(folder, folder.plan());
  EXPECT_EQ(state.missing, (std::vector<Count>{2, 3, 4, 5}));
  ASSERT_EQ(state.faults.size(), 2U);
  EXPECT_THAT(to_string(state.faults[0]), HasSubstr("run 2 was computed with other values"));
  write("job.toml", std::string(sweep_job).replace(std::string(sweep_job).find("max of"), 3, "min"));
  (void)results("u", {4}, 1);
  fs::copy(SweepFolder(folder_ / "u").part_files().at(0), folder.parts() + "/third.h5");
  state = sweep_state(folder, folder.plan());
  EXPECT_EQ(state.missing, (std::vector<Count>{2, 3, 4, 5}));
  EXPECT_THAT(to_string(state.faults.back()), HasSubstr("another job or scene"));
}

TEST_F(Sweep, AStoppedRunIsNoAttempt) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  {
    std::stop_source stop;
    stop.request_stop();
    PartWriter part(folder, whole, 0, 0);
    EXPECT_THROW(part.run(4, stop.get_token()), Cancelled);
  }
  EXPECT_EQ(sweep_state(folder, whole).begun, std::vector<std::int32_t>(6, 0));
}

TEST_F(Sweep, ThePartsOfAProcessAreKnownByItsNumber) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  EXPECT_EQ(folder.runs(), 0);
  folder.begin(whole, false);
  EXPECT_EQ(folder.runs(), 6);
  { PartWriter one(folder, whole, 0, 0), two(folder, whole, 0, 0); }
  const std::vector<std::string> own = folder.part_files();
  ASSERT_EQ(own.size(), 2U);
  // Others of a number that has this one in it, and of another machine.
  const std::string number = std::to_string(getpid());
  for (const std::string& other :
       {host_name() + "." + number + "1", host_name() + ".1" + number, "far." + number})
    fs::copy(own[0], folder.parts() + "/0-0." + other + ".h5");
  EXPECT_EQ(folder.part_files_of(getpid()), own);
  EXPECT_EQ(folder.part_files().size(), 5U);
}

/// The job with its runs in folders, which do not change the results.
std::string with_folders(const std::string& directories) {
  std::string text = sweep_job;
  const std::string keep = "[keep]\n";
  text.insert(text.find(keep) + keep.size(), "directories = \"" + directories + "\"\n");
  return text + "[limits]\nresumable = true\n";
}

TEST_F(Sweep, ARunThatAnotherProcessDoesInItsFolderIsDoneWithoutOne) {
  const std::vector<Count> order{0, 1, 2, 3, 4, 5};
  const SweepResults alone = results("alone", order, 6);
  write("job.toml", with_folders("none"));
  SweepResults found;
  {
    SweepFolder(folder_ / "s").begin(plan(), false);
    const RunLock other(folder_ / "s/runs/2");
    write("s/runs/2/checkpoint.h5", "of the other process");
    found = results_in("s", order);
    EXPECT_EQ(file_text(folder_ / "s/runs/2/checkpoint.h5"), "of the other process");
  }
  EXPECT_EQ(found.digest, alone.digest);
  // The next merge finds the folder that was left.
  EXPECT_TRUE(fs::exists(folder_ / "s/runs"));
  const SweepFolder folder(folder_ / "s");
  (void)merge_sweep(folder, folder.plan());
  EXPECT_FALSE(fs::exists(folder_ / "s/runs"));
}

TEST_F(Sweep, ARunWhoseFolderIsDamagedIsDoneAgain) {
  const std::vector<Count> order{0, 1, 2, 3, 4, 5};
  const SweepResults alone = results("alone", order, 6);
  write("job.toml", with_folders("all"));
  EXPECT_EQ(results("s", order, 6).digest, alone.digest);
  fs::remove_all(folder_ / "s/parts");
  fs::resize_file(folder_ / "s/runs/0/kept.bin", 100);
  write("s/runs/1/checkpoint.h5", "no checkpoint");
  fs::remove(folder_ / "s/runs/2/trajectory.h5");
  fs::remove(folder_ / "s/runs/3/kept.bin");
  fs::copy_file(folder_ / "s/runs/5/checkpoint.h5", folder_ / "s/runs/4/checkpoint.h5",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(results_in("s", order).digest, alone.digest);
}

TEST_F(Sweep, TheFolderOfALostRunIsKeptAsAFailedOne) {
  write("job.toml", with_folders("failed"));
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  fs::create_directories(folder_ / "s/runs/1");
  fs::create_directories(folder_ / "s/runs/4");  // It has not ended.
  PartWriter part(folder, whole, 1, 1);
  part.add(row_without_result(whole, 1, SweepStatus::lost, "its process died"));
  (void)merge_sweep(folder, whole);
  EXPECT_TRUE(fs::exists(folder_ / "s/failed/1"));
  EXPECT_FALSE(fs::exists(folder_ / "s/runs/1"));
  EXPECT_TRUE(fs::exists(folder_ / "s/runs/4"));
}

TEST_F(Sweep, TimesOfALostRunAreUnknownAndNotCounted) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  {
    PartWriter part(folder, whole, 0, 1);
    part.run(0, {});
    part.add(row_without_result(whole, 1, SweepStatus::lost, "its process died"));
  }
  const SweepState state = sweep_state(folder, whole);
  EXPECT_EQ(state.timed, 1);
  EXPECT_GT(state.wall, 0.0);
  EXPECT_GT(state.cpu, 0.0);
  const SweepResults results = merge_sweep(folder, whole);
  EXPECT_EQ(results.wall, state.wall);
  EXPECT_EQ(results.cpu, state.cpu);
}

TEST_F(Sweep, CallsOfAFunctionAreRefusedToAllButTheirCaller) {
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  EXPECT_NO_THROW(folder.refuse_mapped());
  folder.set_mapped({{"height", {}}});
  EXPECT_THROW(folder.refuse_mapped(), InputError);
  folder.begin(plan(), false);  // Their caller goes on.
  folder.begin(plan(), true);
  EXPECT_NO_THROW(folder.refuse_mapped());
}

TEST_F(Sweep, AFolderThatCannotBeWrittenToEndsTheTaskAndIsNoAttempt) {
  write("job.toml", with_folders("none"));
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  write("s/runs", "a file where the folders belong");
  {
    PartWriter part(folder, whole, 0, 0);
    EXPECT_THROW(part.run(0, {}), IoError);
  }
  EXPECT_EQ(sweep_state(folder, whole).begun, std::vector<std::int32_t>(6, 0));
}

}  // namespace
}  // namespace electret::test
