/// \file
/// Runs are stopped before each of the calls by which they change files, one after the other; what is left
/// must be readable and lead on to the same bits.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/file_calls.hpp"
#include "record/made_run.hpp"
#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::child;
using test::expect_same_run;
using test::FileCalls;
using test::made_system;
using test::MadeRun;
using test::message_of;
using test::resumed;
using test::SceneWishes;
using test::StopAfter;
using test::TemporaryFolder;
using test::WithoutSyncs;

namespace fs = std::filesystem;

SceneWishes small_scene() {
  SceneWishes wishes;
  wishes.steps = 5;
  wishes.every = 1;
  wishes.vertices = 5;
  return wishes;
}

void copy(const std::string& from, const std::string& to) {
  fs::remove_all(to);
  if (fs::exists(from)) fs::copy(from, to);
}

RunOptions overwriting() {
  RunOptions options;
  options.overwrite = true;
  return options;
}

/// The trajectory, where there is one, holds the first frames of `whole`.
void expect_beginning_of(const std::string& whole, const std::string& dir) {
  if (!fs::exists(dir + "/trajectory.h5")) return;
  const TrajectoryReader all(whole + "/trajectory.h5"), part(dir + "/trajectory.h5");
  ASSERT_GE(part.frames(), 1);
  ASSERT_LE(part.frames(), all.frames());
  for (Count f = 0; f < part.frames(); ++f) {
    ASSERT_TRUE(part.positions(f) == all.positions(f)) << f;
    ASSERT_TRUE(part.velocities(f) == all.velocities(f)) << f;
  }
}

/// All that a later run can find in `dir`: what is unfinished counts by its being there.
std::string left_in(const std::string& dir) {
  std::string all;
  if (!fs::exists(dir)) return all;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(dir)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths)
    all += path.extension() == ".part" ? path.stem().stem().string() : path.string() + read_file(path);
  return all;
}

/// What a stopped run of `wishes` left in `dir` leads on to the run in `whole`: resumed, and replaced.
void expect_ways_on(const SceneWishes& wishes, const std::string& whole, const std::string& dir,
                    const std::string& scratch) {
  copy(dir, scratch);
  ASSERT_NO_THROW(run_to_directory(made_system(wishes), scratch, resumed()));
  expect_same_run(whole, scratch);
  copy(dir, scratch);
  const bool holds_work = fs::exists(dir + "/trajectory.h5") || fs::exists(dir + "/checkpoint.h5");
  const bool is_done =
      fs::exists(dir + "/summary.json") && read_summary(dir + "/summary.json").status == RunStatus::done;
  if (holds_work && !is_done) {
    EXPECT_THROW(run_to_directory(made_system(wishes), scratch), InputError);
    run_to_directory(made_system(wishes), scratch, overwriting());
  } else {
    ASSERT_NO_THROW(run_to_directory(made_system(wishes), scratch));
  }
  expect_same_run(whole, scratch);
}

TEST(Stopped, AFreshRunLeadsOnFromEveryCall) {
  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const SceneWishes wishes = small_scene();
  run_to_directory(made_system(wishes), folder / "whole");
  const std::string dir = folder / "run";
  int k = 1;
  std::string before = "nothing tried yet";
  for (int status = test::stopped_status; status != 0; ++k) {
    fs::remove_all(dir);
    status = child(dir, FileCalls::Plan::stop, k, [&] { run_to_directory(made_system(wishes), dir); });
    ASSERT_TRUE(status == 0 || status == test::stopped_status) << k;
    if (before == left_in(dir)) continue;
    before = left_in(dir);
    expect_beginning_of(folder / "whole", dir);
    expect_ways_on(wishes, folder / "whole", dir, folder / "scratch");
    if (HasFailure()) FAIL() << "stopped before call " << k;
  }
  EXPECT_GT(k, 100);
}

/// Of another scene, so that nothing of the one can pass for the other.
TEST(Stopped, AReplacementIsTheOldRunOrLeadsOnToTheNewFromEveryCall) {
  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const SceneWishes wishes = small_scene();
  SceneWishes other = wishes;
  other.charge *= 1.5;
  other.steps = 9;
  run_to_directory(made_system(other), folder / "other");
  run_to_directory(made_system(wishes), folder / "whole");
  const std::string dir = folder / "run";
  int old = 0;
  std::string before = "nothing tried yet";
  for (int status = test::stopped_status, k = 1; status != 0; ++k) {
    copy(folder / "other", dir);
    status = child(dir, FileCalls::Plan::stop, k, [&] { run_to_directory(made_system(wishes), dir); });
    ASSERT_TRUE(status == 0 || status == test::stopped_status) << k;
    if (before == left_in(dir)) continue;
    before = left_in(dir);
    if (fs::exists(dir + "/checkpoint.h5") && read_checkpoint(dir + "/checkpoint.h5").state.step == 9) {
      expect_same_run(folder / "other", dir);
      EXPECT_EQ(read_summary(dir + "/summary.json").status, RunStatus::done);
      EXPECT_THROW(run_to_directory(made_system(wishes), dir, resumed()), InputError) << "another scene";
      EXPECT_NO_THROW(run_to_directory(made_system(wishes), dir));
      expect_same_run(folder / "whole", dir);
      ++old;
    } else {
      expect_ways_on(wishes, folder / "whole", dir, folder / "scratch");
    }
    if (HasFailure()) FAIL() << "stopped before call " << k;
  }
  EXPECT_GE(old, 1);
}

TEST(Stopped, AResumedRunLeadsOnFromEveryCall) {
  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const SceneWishes wishes = small_scene();
  run_to_directory(made_system(wishes), folder / "whole");
  // A checkpoint of step 1, frames and rows of step 4: there is something to cut.
  StopAfter early(1), late(4, true);
  run_to_directory(made_system(wishes), folder / "start", early.options);
  test::make_killed(folder / "start/checkpoint.h5");
  fs::copy_file(folder / "start/checkpoint.h5", folder / "early.h5");
  run_to_directory(made_system(wishes), folder / "start", late.options);
  fs::copy_file(folder / "early.h5", folder / "start/checkpoint.h5", fs::copy_options::overwrite_existing);
  const std::string dir = folder / "run";
  std::string before = "nothing tried yet";
  for (int status = test::stopped_status, k = 1; status != 0; ++k) {
    copy(folder / "start", dir);
    status =
        child(dir, FileCalls::Plan::stop, k, [&] { run_to_directory(made_system(wishes), dir, resumed()); });
    ASSERT_TRUE(status == 0 || status == test::stopped_status) << k;
    if (before == left_in(dir)) continue;
    before = left_in(dir);
    expect_beginning_of(folder / "whole", dir);
    expect_ways_on(wishes, folder / "whole", dir, folder / "scratch");
    if (HasFailure()) FAIL() << "stopped before call " << k;
  }
}

/// A folder that was left by one kill is left by another before it has a trajectory again.
TEST(Stopped, TwiceItIsStillARun) {
  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const SceneWishes wishes = small_scene();
  run_to_directory(made_system(wishes), folder / "whole");
  const std::string once = folder / "once", dir = folder / "run";
  for (int first = 2; first < 90; first += 7) {
    fs::remove_all(once);
    ASSERT_EQ(child(once, FileCalls::Plan::stop, first, [&] { run_to_directory(made_system(wishes), once); }),
              test::stopped_status);
    for (int second = 1; second < 24; ++second) {
      copy(once, dir);
      child(dir, FileCalls::Plan::stop, second,
            [&] { run_to_directory(made_system(wishes), dir, overwriting()); });
      ASSERT_NE(RunDirectory(dir).contents(), RunDirectory::Contents::foreign) << first << ' ' << second;
      ASSERT_NO_THROW(run_to_directory(made_system(wishes), dir, resumed())) << first << ' ' << second;
    }
    expect_same_run(folder / "whole", dir);
  }
}

TEST(Stopped, FilesAreBroughtToTheDiskBeforeTheyAreRenamed) {
  const TemporaryFolder folder;
  FileCalls calls(folder.path());
  calls.keep();
  run_to_directory(made_system(small_scene()), folder / "run");
  int renamed = 0;
  const auto& made = calls.made();
  for (std::size_t c = 0; c < made.size(); ++c) {
    if (made[c].name != "rename") continue;
    ASSERT_GT(c, 0u);
    EXPECT_EQ(made[c - 1].name, "fdatasync") << made[c].path;
    EXPECT_TRUE(made[c - 1].path.starts_with(made[c].path + ".")) << made[c - 1].path;
    ++renamed;
  }
  EXPECT_GE(renamed, 5) << "summary, trajectory, checkpoint, plot, summary";
}

std::string columns_of(const std::string& path) {
  const std::string text = read_file(path);
  if (!text.empty() && text.back() != '\n') return "ends in a torn row";
  std::istringstream lines(text);
  std::ptrdiff_t commas = -1;
  for (std::string line; std::getline(lines, line);) {
    const auto found = std::count(line.begin(), line.end(), ',');
    if (commas >= 0 && found != commas) return "has a row of another length: " + line;
    commas = found;
  }
  return "";
}

TEST(FullDisk, AtEveryCallIsSaidInTheSummaryAndGoneOnFrom) {
  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const SceneWishes wishes = small_scene();
  run_to_directory(made_system(wishes), folder / "whole");
  const std::string dir = folder / "run";
  int told = 0;
  for (int status = 1, k = 1; status != 0; ++k) {
    fs::remove_all(dir);
    status = child(dir, FileCalls::Plan::fill_disk, k, [&] { run_to_directory(made_system(wishes), dir); });
    if (status == 0) break;
    ASSERT_EQ(status, 1) << k;
    const bool has_room = k > 3;  // The folder, the summary beside its place, the room in it.
    if (has_room) {
      const RunResult summary = read_summary(dir + "/summary.json");
      ASSERT_EQ(summary.status, RunStatus::failed) << k;
      EXPECT_THAT(summary.failure->cause, ::testing::HasSubstr("No space left on device"));
      ++told;
    }
    for (const auto& entry : fs::directory_iterator(dir)) {
      EXPECT_NE(entry.path().extension(), ".part") << entry;
      if (entry.path().extension() == ".csv") {
        EXPECT_EQ(columns_of(entry.path()), "") << entry;
      }
    }
    expect_beginning_of(folder / "whole", dir);
    run_to_directory(made_system(wishes), dir, resumed());
    expect_same_run(folder / "whole", dir);
    if (HasFailure()) FAIL() << "full from call " << k;
  }
  EXPECT_GT(told, 50);
}

/// Records steps as a caller does that ends the record even if a frame cannot be written.
void drive(const SceneWishes& wishes, const std::string& dir) {
  Simulator simulator(made_system(wishes));
  DrivenRun run(simulator, dir, {});
  try {
    for (int step = 0; step < wishes.steps; ++step) run.add_step(simulator.step());
  } catch (const IoError&) {
    run.finish(RunStatus::interrupted);
    throw;
  }
  run.finish(RunStatus::done);
}

TEST(FullDisk, AtEveryCallOfADrivenRunIsSaidInTheSummary) {
  const WithoutSyncs fast;
  const TemporaryFolder folder;
  const std::string dir = folder / "run";
  int told = 0;
  for (int k = 1;; ++k) {
    fs::remove_all(dir);
    const int status = child(dir, FileCalls::Plan::fill_disk, k, [&] { drive(small_scene(), dir); });
    if (status == 0) break;
    ASSERT_EQ(status, 1) << k;
    const bool has_room = k > 3;  // The folder, the summary beside its place, the room in it.
    if (!has_room) continue;
    const RunResult summary = read_summary(dir + "/summary.json");
    ASSERT_EQ(summary.status, RunStatus::failed) << k;
    EXPECT_THAT(summary.failure->cause, ::testing::HasSubstr("No space left on device")) << k;
    for (const auto& entry : fs::directory_iterator(dir))
      EXPECT_NE(entry.path().extension(), ".part") << entry;
    ++told;
  }
  EXPECT_GT(told, 50);
}

TEST(FullDisk, LeavesNoPartOfARow) {
  const TemporaryFolder folder;
  const std::string path = folder / "rows.csv";
  const pid_t pid = fork();
  if (pid == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{50, 50};
    setrlimit(RLIMIT_FSIZE, &limit);
    RowFile rows(path, "a,b");
    try {
      for (;;) rows.append("123456,789012");
    } catch (const IoError&) {
      _exit(0);
    }
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_file(path), "a,b\n123456,789012\n123456,789012\n123456,789012\n");
}

void make_call(const test::FileCall& call, const std::string& path) {
  if (call.name == "ftruncate") return fs::resize_file(path, static_cast<std::uintmax_t>(call.offset));
  ASSERT_EQ(call.name, "pwrite");
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(call.offset);
  file.write(call.bytes.data(), static_cast<std::streamsize>(call.bytes.size()));
}

TEST(TrajectoryFile, ACutLeavesDatasetsApartByOneFrameAtMost) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.h5", copied = folder / "copy.h5";
  MadeRun run(20, true);
  {
    TrajectoryWriter writer(path, run.header(), {}, run.frame(0));
    for (Count f = 1; f < 141; ++f) writer.write(run.frame(f));
    writer.close();
  }
  fs::copy_file(path, copied);
  std::vector<test::FileCall> made;
  {
    FileCalls calls(folder.path());
    calls.keep();
    TrajectoryWriter(path, {}, 11).close();
    made = calls.made();
  }
  for (const test::FileCall& call : made) {
    make_call(call, copied);
    const hdf5::Handle file = hdf5::open_for_reading(copied);
    std::vector<std::uint64_t> lengths;
    for (const char* name : {"time", "positions", "velocities", "charges"})
      lengths.push_back(hdf5::shape_of(file.get(), name).at(0));
    const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
    ASSERT_LE(*most - *least, 1u);
    ASSERT_GE(*least, 11u);
  }
  EXPECT_EQ(TrajectoryReader(copied).frames(), 11);
}

/// Compressed, every frame is a chunk, and the index of chunks splits after 64 and again after 32 more each;
/// its root splits, too. Uncompressed it takes 4096 frames.
TEST(TrajectoryFile, OpensAfterEveryWriteWhileItsIndexSplits) {
  struct Growth {
    OutputOptions options;
    Count from, to;
  };
  for (const Growth& growth :
       {Growth{{1, true, "double", 1}, 1, 140}, Growth{{1, false, "double", 0}, 4090, 4164}}) {
    const TemporaryFolder folder;
    const std::string path = folder / "run.h5", copied = folder / "copy.h5";
    MadeRun run(1, false);
    TrajectoryWriter writer(path, run.header(), growth.options, run.frame(0));
    for (Count f = 1; f < growth.from; ++f) writer.write(run.frame(f));
    fs::copy_file(path, copied);
    std::vector<test::FileCall> made;
    {
      FileCalls calls(folder.path());
      calls.keep();
      for (Count f = growth.from; f < growth.to; ++f) writer.write(run.frame(f));
      made = calls.made();
    }
    Count frames = growth.from;
    for (std::size_t c = 0; c < made.size(); ++c) {
      make_call(made[c], copied);
      const TrajectoryReader reader(copied);
      ASSERT_GE(reader.frames(), frames) << c;
      frames = reader.frames();
      for (const Count f : {Count{0}, Count{31}, Count{63}, Count{64}, frames - 2, frames - 1})
        if (f >= 0 && f < frames) {
          run.frame(f);
          ASSERT_TRUE(reader.positions(f) == run.positions) << "frame " << f << " after write " << c;
        }
    }
    EXPECT_EQ(frames, growth.to);
  }
}

}  // namespace
}  // namespace electret
