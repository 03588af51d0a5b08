#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <electret/geometry/read.hpp>
#include <electret/record/driven_run.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/run_view.hpp>

#include "studio/played.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::Played;
using test::put_text;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// A run of the chain, in `folder`/run.
std::string made_run(const TemporaryFolder& folder, int steps = 20) {
  put_text(folder.path() + "/scene.toml", chain_scene("verlet", steps));
  const std::string run = folder.path() + "/run";
  run_to_directory(compile(load_scene(folder.path() + "/scene.toml"), 1), run);
  return run;
}

TEST(StudioRun, FramesAreTheFilesAsFloats) {
  const TemporaryFolder folder;
  RunView view(made_run(folder), 3, 1, read_regular_file);
  const TrajectoryReader reader(folder.path() + "/run/trajectory.h5");
  ASSERT_EQ(view.frames(), 21);
  EXPECT_FALSE(view.is_growing());
  EXPECT_EQ(view.rows().size(), 21U);
  EXPECT_EQ(view.scenery().info.external.size(), 1U);
  EXPECT_EQ(view.scenery().info.obstacles.size(), 1U);
  for (const Count at : {0, 20, 7}) {
    view.go_to(at);
    const auto frame = view.frame();
    EXPECT_EQ(frame->generation, 3U);
    EXPECT_EQ(frame->step, at);
    const VectorArray x = reader.positions(at);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ((*frame->positions)[3 * i + static_cast<std::size_t>(axis)],
                  static_cast<float>(x[i][axis] - frame->origin[axis]));
    EXPECT_EQ((*frame->charges)[11], static_cast<float>(reader.charges(at)[11]));
  }
  EXPECT_THROW(view.go_to(21), std::invalid_argument);
}

/// Copies what a run has so far, each file whole.
void copy_run(const std::string& from, const std::string& to) {
  fs::create_directories(to);
  for (const char* name : {"summary.json", "energy.csv", "trajectory.h5"}) {
    fs::copy_file(from + "/" + name, to + "/part", fs::copy_options::overwrite_existing);
    fs::rename(to + "/part", to + "/" + name);
  }
}

TEST(StudioRun, AGrowingRunIsFollowed) {
  const TemporaryFolder folder;
  put_text(folder.path() + "/scene.toml", chain_scene("verlet"));
  Simulator simulator(compile(load_scene(folder.path() + "/scene.toml"), 1));
  const std::string written = folder.path() + "/written", seen = folder.path() + "/seen";
  DrivenRun run(simulator, written, {});
  const auto grow = [&](int steps) {
    for (int n = 0; n < steps; ++n) run.add_step(simulator.step());
    copy_run(written, seen);
  };
  grow(3);
  std::optional<RunLock> lock(std::in_place, seen);  // As a run has it while it writes.
  Played session;
  session.options.target = seen;
  session.options.output.clear();
  session.loaded();
  EXPECT_TRUE(session.heard.last<SystemInfo>()->growing);
  EXPECT_EQ(session.heard.last<SystemInfo>()->frames, 4);
  grow(4);
  const auto look_until = [&](auto&& is_there) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!is_there() && std::chrono::steady_clock::now() < late) session.machine->work();
    EXPECT_TRUE(is_there());
  };
  look_until([&] { return session.heard.last<SystemInfo>()->frames == 8; });
  EXPECT_EQ(session.ask(Seek{7, false}), "");
  EXPECT_EQ(session.heard.frames.back()->step, 7);
  // The file vanishes: the picture stays, and what is wrong is said.
  fs::rename(seen + "/trajectory.h5", seen + "/elsewhere.h5");
  look_until([&] { return !session.heard.last<StateInfo>()->reason.empty(); });
  EXPECT_EQ(session.phase(), Phase::viewing);
  EXPECT_EQ(session.heard.last<StateInfo>()->step, 7);
  EXPECT_NE(session.ask(Seek{2, false}), "");
  EXPECT_EQ(session.heard.frames.back()->step, 7);
  // It is back, and has ended.
  fs::rename(seen + "/elsewhere.h5", seen + "/trajectory.h5");
  run.finish(RunStatus::done);
  copy_run(written, seen);
  lock.reset();
  look_until([&] { return !session.heard.last<SystemInfo>()->growing; });
  EXPECT_TRUE(session.heard.last<StateInfo>()->reason.empty());
  EXPECT_EQ(session.ask(Seek{2, false}), "");
  EXPECT_EQ(session.heard.frames.back()->step, 2);
}

/// Its summary says for ever that it is running.
TEST(StudioRun, AKilledRunIsNotGrowing) {
  const TemporaryFolder folder;
  put_text(folder.path() + "/scene.toml", chain_scene("verlet"));
  Simulator simulator(compile(load_scene(folder.path() + "/scene.toml"), 1));
  const std::string written = folder.path() + "/written", killed = folder.path() + "/killed";
  DrivenRun run(simulator, written, {});
  run.add_step(simulator.step());
  copy_run(written, killed);
  EXPECT_TRUE(RunView(written, 1, 1, read_regular_file).is_growing());
  Played session;
  session.options.target = killed;
  session.options.output.clear();
  std::optional<RunLock> lock(std::in_place, killed);
  session.loaded();
  EXPECT_TRUE(session.heard.last<SystemInfo>()->growing);
  lock.reset();  // The process ends, and nothing else does.
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (session.heard.last<SystemInfo>()->growing && std::chrono::steady_clock::now() < late)
    session.machine->work();
  EXPECT_FALSE(session.heard.last<SystemInfo>()->growing);
  EXPECT_FALSE(RunView(killed, 1, 1, read_regular_file).is_growing());
}

/// The scene of a run says which meshes stand around it, and anybody may have written that.
TEST(StudioRun, ARunThatAPageChoosesReadsNoFileElsewhere) {
  const TemporaryFolder folder, elsewhere;
  const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  put_text(folder.path() + "/near.obj", mesh);
  put_text(elsewhere.path() + "/far.obj", mesh);
  const auto charge = [](const std::string& file) {
    return "\n[[external_charge]]\ncharge = 1e-9\nposition = [0, 5, 0]\nmesh = \"" + file + "\"\n";
  };
  put_text(folder.path() + "/scene.toml",
           chain_scene("verlet", 2) + charge("near.obj") + charge(elsewhere.path() + "/far.obj"));
  run_to_directory(compile(load_scene(folder.path() + "/scene.toml"), 1), folder.path() + "/run");
  Played named;
  named.options.target = folder.path() + "/run";
  named.options.output.clear();
  named.loaded();
  EXPECT_EQ(named.heard.last<SystemInfo>()->external.size(), 3U);
  Played chosen;
  chosen.options.folder = folder.path();
  chosen.begun();
  ASSERT_EQ(chosen.ask(Open{"run"}), "");
  chosen.work_while(Phase::loading);
  ASSERT_EQ(chosen.phase(), Phase::viewing);
  EXPECT_EQ(chosen.heard.last<SystemInfo>()->external.size(), 2U);
}

TEST(StudioRun, WhatIsNoFileIsNotWaitedFor) {
  const TemporaryFolder folder;
  put_text(folder.path() + "/ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  put_text(folder.path() + "/scene.toml",
           chain_scene("verlet", 2) +
               "\n[[external_charge]]\ncharge = 1e-9\nmesh = \"ball.obj\"\nposition = [0, 5, 0]\n");
  const std::string run = folder.path() + "/run";
  run_to_directory(compile(load_scene(folder.path() + "/scene.toml"), 1), run);
  EXPECT_EQ(RunView(run, 1, 1, read_regular_file).scenery().info.external.size(), 2U);
  fs::remove(folder.path() + "/ball.obj");
  ASSERT_EQ(::mkfifo((folder.path() + "/ball.obj").c_str(), 0600), 0);
  EXPECT_EQ(RunView(run, 1, 1, read_regular_file).scenery().info.external.size(), 1U);
}

TEST(StudioRun, AnotherRunInItsPlaceIsNotReadAsTheOld) {
  const TemporaryFolder folder;
  const std::string run = made_run(folder);
  RunView view(run, 1, 1, read_regular_file);
  std::string other = chain_scene("verlet", 30);
  other.replace(other.find("vertices = 12"), 13, "vertices = 13");
  put_text(folder.path() + "/other.toml", other);
  RunOptions options;
  options.overwrite = true;
  run_to_directory(compile(load_scene(folder.path() + "/other.toml"), 1), folder.path() + "/second", options);
  fs::rename(folder.path() + "/second/trajectory.h5", run + "/trajectory.h5");
  EXPECT_THROW(view.look_again(), UnreadableError);
  EXPECT_THROW(view.go_to(3), UnreadableError);
  EXPECT_NO_THROW((void)view.frame());
}

/// Between two writes of its writer a file is as good as damaged.
TEST(StudioRun, IsOpenedWhileItIsBeingWritten) {
  const TemporaryFolder folder;
  put_text(folder.path() + "/scene.toml", chain_scene("verlet"));
  Simulator simulator(compile(load_scene(folder.path() + "/scene.toml"), 1));
  const std::string written = folder.path() + "/written", seen = folder.path() + "/seen";
  DrivenRun run(simulator, written, {});
  run.add_step(simulator.step());
  copy_run(written, seen);
  fs::resize_file(seen + "/trajectory.h5", 3000);
  int pauses = 0;
  const auto pause = [&] {
    if (++pauses == 3) copy_run(written, seen);
  };
  const auto open = [&] { return open_run(seen, 1, 1, read_regular_file, pause); };
  EXPECT_THROW(open(), InputError);  // Nobody writes it.
  EXPECT_EQ(pauses, 0);
  std::optional<RunLock> lock(std::in_place, seen);
  EXPECT_TRUE(open()->is_growing());
  EXPECT_EQ(pauses, 3);
  fs::resize_file(seen + "/trajectory.h5", 3000);
  EXPECT_THROW(open(), InputError);
  EXPECT_EQ(pauses, 3 + 19);
  run.finish(RunStatus::done);
}

TEST(StudioRun, ADamagedRunIsBrokenAndSaysSo) {
  const TemporaryFolder folder;
  const std::string run = made_run(folder);
  fs::resize_file(run + "/trajectory.h5", 3000);
  Played session;
  session.options.target = run;
  session.options.output.clear();
  session.loaded();
  EXPECT_EQ(session.phase(), Phase::broken);
  EXPECT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("trajectory.h5"));
}

TEST(StudioRun, IsPlayedToItsEnd) {
  const TemporaryFolder folder;
  Played session;
  session.options.target = made_run(folder);
  session.options.output.clear();
  session.loaded();
  EXPECT_EQ(session.ask(Play{1e3}), "");
  session.work_while(Phase::playing);
  EXPECT_EQ(session.phase(), Phase::viewing);
  EXPECT_EQ(session.heard.last<StateInfo>()->step, 20);
  // From the end it begins again.
  EXPECT_EQ(session.ask(Play{1e-6}), "");
  EXPECT_EQ(session.phase(), Phase::playing);
  EXPECT_EQ(session.heard.last<StateInfo>()->step, 0);
  EXPECT_EQ(session.ask(Pause{}), "");
  session.machine->finish();
  EXPECT_FALSE(fs::exists(folder.path() + "/run/session.toml"));
}

}  // namespace
}  // namespace electret::studio
