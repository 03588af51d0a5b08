/// Recorded runs that become sessions: with the bits of their checkpoints, repeated by `electret run`, or
/// refused.

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <electret/record/driven_run.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/run_view.hpp>

#include "studio/earlier.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::diverging_scene;
using test::Earlier;
using test::expect_same;
using test::few_states;
using test::put_text;
using test::replaced;
using test::run_again;
using ::testing::HasSubstr;

/// A session that begins with a run of the scene, in a folder of its own, which is the working folder.
class Continued : public Earlier {
 public:
  explicit Continued(const std::string& scene, PastLimits past = {}, int threads = 1)
      : Earlier(scene, past, threads),
        scene_file(folder.path() + "/scene.toml"),
        run(folder.path() + "/run") {
    fs::current_path(folder.path());
  }
  ~Continued() { fs::current_path(before_); }

  /// Runs the scene, to its end or until step `last`.
  void make_run(Count last = -1, const std::vector<std::string>& overrides = {}) {
    RunOptions how;
    std::stop_source stop;
    how.control.stop = stop.get_token();
    how.each_step = [&](const Simulator& now) {
      if (now.state().step == last) stop.request_stop();
    };
    try {
      run_to_directory(compile(load_scene(scene_file, overrides), options.threads), run, how);
    } catch (const DivergenceError&) {
    }
  }
  /// Opens the run, as from the command line.
  void view() {
    options.target = run;
    options.output.clear();
    loaded();
    ASSERT_EQ(phase(), Phase::viewing);
  }
  void go_on() {
    must(Continue{});
    work_while(Phase::loading);
    ASSERT_EQ(phase(), Phase::paused) << heard.last<StateInfo>()->reason;
    options.output = heard.last<SystemInfo>()->folder;
  }
  /// Why it stays a run.
  std::string refusal() {
    if (std::string why = ask(Continue{}); !why.empty()) return why;
    work_while(Phase::loading);
    EXPECT_EQ(phase(), Phase::viewing);
    const std::string why = heard.last<StateInfo>()->reason;
    EXPECT_EQ(ask(Seek{1, false}), "");
    EXPECT_EQ(heard.frames.back()->generation, heard.last<SystemInfo>()->generation);
    EXPECT_TRUE(heard.last<SystemInfo>()->run);
    EXPECT_EQ(heard.last<DocumentInfo>()->path, run);
    return why;
  }

  std::string scene_file, run;

 private:
  fs::path before_ = fs::current_path();
};

/// Name, bytes and time of everything in a folder.
std::map<std::string, std::pair<std::string, fs::file_time_type>> contents(const std::string& folder) {
  std::map<std::string, std::pair<std::string, fs::file_time_type>> all;
  for (const auto& each : fs::directory_iterator(folder))
    all[each.path().filename()] = {read_regular_file(each.path()), each.last_write_time()};
  return all;
}

/// What a session does after it has gone on: beyond the run's last step.
void play_on(Continued& session) {
  session.must(Step{10, true});
  session.work_while(Phase::running);
  session.pull(6, 0.2, {0.3, 0.1, 0.0});
  session.must(BallBegin{1, {0.4, 0.0, -0.3}, 5e-7, 0.2});
  session.must(Step{10, true});
  session.work_while(Phase::running);
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.must(Step{10, true});
  session.work_while(Phase::running);
}

TEST(StudioContinued, HasTheBitsOfTheCheckpointAndIsRepeated) {
  for (const char* const method : {"verlet", "kick_midpoint", "kick_trbdf2", "newton", "imex", "auto"}) {
    Continued session(chain_scene(method, 40), {}, 2);
    session.make_run();
    const Checkpoint checkpoint = read_checkpoint(session.run + "/checkpoint.h5");
    session.view();
    session.go_on();
    Checkpoint begun;
    begun.state = session.state();
    begun.work = session.machine->live()->simulator().work();
    expect_same(checkpoint, begun, method);
    EXPECT_EQ(session.heard.last<StateInfo>()->step, 40);
    play_on(session);
    const Checkpoint played = session.finished();
    EXPECT_EQ(played.state.step, 70);
    expect_same(played, session.repeated(1), method);
  }
}

TEST(StudioContinued, StepsOnAsTheRunWouldHave) {
  Continued session(chain_scene("newton", 60));
  session.make_run(23);
  session.view();
  session.go_on();
  EXPECT_EQ(session.state().step, 23);
  session.step(37);
  const VectorArray gone_on = session.state().positions;
  EXPECT_EQ(session.ask(Step{1}), "the scene's last step is reached: play on beyond it, or reset");
  EXPECT_EQ(run_again(session.scene_file, session.folder.path() + "/whole", 1).state.positions, gone_on);
}

/// The past is that of the run: shown at once, and simulated again from the start where it is gone back to.
TEST(StudioContinued, IsGoneBackBehindTheCheckpoint) {
  Continued session(chain_scene("kick_trbdf2", 40), few_states);
  session.make_run();
  session.view();
  session.go_on();
  session.must(Step{20, true});
  session.work_while(Phase::running);
  const VectorArray last = session.state().positions;
  const TrajectoryReader reader(session.run + "/trajectory.h5");
  session.must(Seek{17, true});
  EXPECT_EQ(session.heard.frames.back()->step, 17);
  EXPECT_EQ((*session.heard.frames.back()->positions)[33],
            static_cast<float>(reader.positions(17)[11].x - session.heard.frames.back()->origin.x));
  EXPECT_EQ((*session.heard.frames.back()->charges)[11], static_cast<float>(reader.charges(17)[11]));
  session.seek(17);
  EXPECT_EQ(session.state().positions, reader.positions(17));
  session.must(Step{43, true});
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().positions, last);
  // Another future from there on.
  session.seek(9);
  EXPECT_EQ(session.state().positions, reader.positions(9));
  session.pull(6, 0.2, {0.3, 0.1, 0.0});
  session.step(20);
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 29);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "another future");
}

TEST(StudioContinued, EnergiesGoOnFromTheRuns) {
  for (const Count last : {30, 28}) {
    Continued session(replaced(chain_scene("verlet", 40), "[gravity]", "[output]\nevery = 4\n[gravity]"));
    session.make_run(last);
    session.view();
    const auto told = session.heard.last<EnergyRows>()->rows;
    ASSERT_EQ(told.size(), 8U);  // Steps 0, 4 … 28.
    session.go_on();
    const auto& rows = session.machine->live()->rows();
    ASSERT_EQ(rows.size(), last == 28 ? 8U : 9U);
    EXPECT_TRUE(std::equal(told.begin(), told.end(), rows.begin()));
    EXPECT_EQ(rows.back()[0], session.machine->live()->time());
    session.seek(24);
    session.must(SetCharge{0, std::nullopt, 1e-7});
    session.step(1);
    double before = -1.0;
    for (const auto& row : session.machine->live()->rows()) {
      EXPECT_GT(row[0], before);
      before = row[0];
    }
  }
}

TEST(StudioContinued, ResetLeadsToTheStart) {
  Continued session(chain_scene("verlet", 40));
  session.make_run();
  session.view();
  session.go_on();
  session.must(Reset{});
  EXPECT_EQ(session.state().step, 0);
  EXPECT_EQ(session.state().positions, TrajectoryReader(session.run + "/trajectory.h5").positions(0));
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 0);
  session.step(40);
  EXPECT_EQ(session.state().positions, TrajectoryReader(session.run + "/trajectory.h5").positions(40));
}

/// Its text has what the run was told, and undo leads to the file.
TEST(StudioContinued, OverridesAreEditsOfTheText) {
  Continued session(chain_scene("verlet", 40));
  session.make_run(-1, {"body.0.springs.0.stiffness=70.0", "--unset damping.spring", "time.steps=25"});
  session.view();
  session.go_on();
  EXPECT_EQ(session.state().step, 25);
  EXPECT_THAT(session.document().text, HasSubstr("stiffness = 70.0"));
  EXPECT_EQ(session.document().path, session.scene_file);
  EXPECT_TRUE(session.document().unsaved);
  play_on(session);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "with overrides");
}

TEST(StudioContinued, TheFileMayHaveChangedOrGone) {
  const std::string scene = chain_scene("verlet", 40);
  {
    Continued session(scene);
    session.make_run();
    const std::string later = replaced(scene, "stiffness = 100.0", "stiffness = 90.0");
    put_text(session.scene_file, later);
    session.view();
    session.go_on();
    EXPECT_EQ(session.document().text, scene);
    EXPECT_TRUE(session.document().unsaved);
    session.must(Step{5, true});
    session.work_while(Phase::running);
    session.must(Undo{});
    EXPECT_EQ(session.document().text, later);
    EXPECT_FALSE(session.document().unsaved);
    session.must(Step{5, true});
    session.work_while(Phase::running);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(1), "a file that has changed");
  }
  Continued session(scene);
  session.make_run();
  fs::remove(session.scene_file);
  session.view();
  session.go_on();
  EXPECT_EQ(session.document().path, "");
  EXPECT_EQ(session.document().text, scene);
  play_on(session);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "a file that is gone");
}

/// Changes and grabs of the scene's own, also such as a session has written.
TEST(StudioContinued, ASessionThatWasRunGoesOn) {
  Continued session(chain_scene("newton", 400));
  session.loaded().step(10);
  session.pull(6, 0.2, {0.3, 0.1, 0.0});
  session.step(10);
  session.must(HandEnd{0, true});
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.step(10);
  session.must(Tune{"time.step", "0.001"});
  session.step(10);
  const std::string first = session.session();
  const Checkpoint ended = session.finished();
  session.scene_file = first;
  session.make_run();
  expect_same(ended, read_checkpoint(session.run + "/checkpoint.h5"), "run");
  session.view();
  session.go_on();
  EXPECT_EQ(session.state().positions, ended.state.positions);
  EXPECT_EQ(session.heard.last<SystemInfo>()->time_step, 0.001);
  session.must(Tune{"gravity.acceleration", "[0.0, 0.0, 5.0]"});
  session.pull(9, 0.2, {-0.2, 0.1, 0.0});
  session.must(Step{30, true});
  session.work_while(Phase::running);
  const Checkpoint played = session.finished();
  EXPECT_EQ(played.state.step, 70);
  expect_same(played, session.repeated(1), "a session of a session");
}

/// Its last good state is the last one; with a shorter step it goes on.
TEST(StudioContinued, ARunThatDivergedGoesOnOnceItIsMended) {
  Continued session(diverging_scene());
  session.make_run();
  EXPECT_EQ(read_summary(session.run + "/summary.json").status, RunStatus::diverged);
  session.view();
  session.go_on();
  const Count good = session.state().step;
  session.must(Play{std::nullopt});
  session.work_while(Phase::running);
  EXPECT_EQ(session.phase(), Phase::diverged);
  EXPECT_EQ(session.state().step, good);
  session.must(Tune{"integrator.method", "\"imex\""});
  session.step(5);
  EXPECT_EQ(session.state().step, good + 5);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "diverged");
}

TEST(StudioContinued, TheRunIsLeftAsItIs) {
  Continued session(chain_scene("verlet", 40));
  session.make_run();
  const auto before = contents(session.run);
  ::chmod(session.run.c_str(), 0555);
  session.view();
  session.go_on();
  play_on(session);
  const Checkpoint played = session.finished();
  ::chmod(session.run.c_str(), 0755);
  EXPECT_EQ(contents(session.run), before);
  EXPECT_EQ(played.state.step, 70);
}

/// Where a session of the scene would go, it would be replaced.
TEST(StudioContinued, ARunInThePlaceOfTheSessionStays) {
  Continued session(chain_scene("verlet", 40));
  session.run = "runs/scene.studio";
  session.make_run();
  const auto before = contents(session.run);
  session.view();
  session.go_on();
  EXPECT_EQ(session.options.output, "runs/scene-2.studio");
  play_on(session);
  EXPECT_EQ(session.finished().state.step, 70);
  EXPECT_EQ(contents(session.run), before);
}

/// What was continued and did nothing leaves nothing.
TEST(StudioContinued, NothingIsWrittenBeforeAStep) {
  Continued session(chain_scene("verlet", 40));
  session.make_run();
  session.view();
  session.go_on();
  EXPECT_TRUE(fs::exists(session.options.output));
  session.machine->finish();
  session.machine.reset();
  EXPECT_FALSE(fs::exists(session.options.output));
}

TEST(StudioContinued, AKilledSessionIsTakenUp) {
  Continued session(chain_scene("newton", 40));
  session.make_run(31);
  session.view();
  session.go_on();
  play_on(session);
  const VectorArray last = session.state().positions;
  session.killed();
  session.options.target = session.scene_file;
  session.again();
  EXPECT_EQ(session.offer().steps, 61);
  session.take();
  EXPECT_EQ(session.state().step, 61);
  EXPECT_EQ(session.state().positions, last);
}

TEST(StudioContinued, WhatCannotBeHadIsRefused) {
  Continued session(chain_scene("verlet", 20));
  EXPECT_EQ(session.loaded().ask(Continue{}), "no recorded run is open: open one first");
  session.machine.reset();
  session.make_run();
  session.view();
  const std::string checkpoint = session.run + "/checkpoint.h5", kept = session.folder.path() + "/kept.h5";
  fs::rename(checkpoint, kept);
  EXPECT_THAT(session.refusal(), HasSubstr("no checkpoint.h5"));
  put_text(checkpoint, read_regular_file(kept).substr(0, 3000));
  EXPECT_THAT(session.refusal(), HasSubstr("damaged"));
  put_text(checkpoint, "no checkpoint");
  EXPECT_THAT(session.refusal(), HasSubstr("damaged"));
  // That of another scene.
  put_text(session.folder.path() + "/other.toml",
           replaced(chain_scene("verlet", 20), "stiffness = 100.0", "stiffness = 9.0"));
  run_to_directory(compile(load_scene(session.folder.path() + "/other.toml"), 1),
                   session.folder.path() + "/other");
  fs::copy_file(session.folder.path() + "/other/checkpoint.h5", checkpoint,
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(session.refusal(), HasSubstr("another one since: springs"));
  fs::copy_file(kept, checkpoint, fs::copy_options::overwrite_existing);
  session.go_on();
}

TEST(StudioContinued, ARunThatIsBeingComputedIsRefused) {
  Continued session(chain_scene("verlet", 20));
  session.make_run(10);
  RunResult summary = read_summary(session.run + "/summary.json");
  session.view();
  // It is resumed meanwhile.
  summary.status = RunStatus::running;
  write_summary(session.run + "/summary.json", summary);
  std::optional<RunLock> lock(std::in_place, session.run);
  EXPECT_THAT(session.refusal(), HasSubstr("still being computed"));
  lock.reset();  // It was killed.
  session.go_on();
  EXPECT_EQ(session.state().step, 10);
}

TEST(StudioContinued, ARunThatAProgramDroveIsRefused) {
  Continued session(chain_scene("verlet", 20));
  {
    Simulator simulator(compile(load_scene(session.scene_file), 1));
    DrivenRun driven(simulator, session.run, {});
    for (int n = 0; n < 5; ++n) driven.add_step(simulator.step());
    driven.finish(RunStatus::done);
  }
  session.view();
  EXPECT_THAT(session.refusal(), HasSubstr("a program drove it"));
}

TEST(StudioContinued, MeshesThatChangedOrAreGoneAreNamed) {
  const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  Continued session(
      replaced(chain_scene("verlet", 10), "[[external_charge]]",
               "[[external_charge]]\ncharge = 1e-9\nmesh = \"near.obj\"\nposition = [0, 5, 0]\n\n"
               "[[external_charge]]"));
  put_text(session.folder.path() + "/near.obj", mesh);
  session.make_run();
  put_text(session.folder.path() + "/near.obj", replaced(mesh, "v 1 0 0", "v 1.5 0 0"));
  session.view();
  EXPECT_THAT(session.refusal(), HasSubstr("another one since: external charges"));
  fs::remove(session.folder.path() + "/near.obj");
  EXPECT_THAT(session.refusal(), HasSubstr("near.obj"));
  put_text(session.folder.path() + "/near.obj", mesh);
  session.go_on();
}

/// The run was named on the command line: its text may name what it does, also after an edit.
TEST(StudioContinued, MeshesOfANamedRunMayLieElsewhere) {
  const test::TemporaryFolder elsewhere;
  put_text(elsewhere.path() + "/far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  Continued session(chain_scene("verlet", 10));
  session.make_run(-1, {"external_charge.1.charge=1e-9", "external_charge.1.position=[0, 5, 0]",
                        "external_charge.1.mesh=\"" + elsewhere.path() + "/far.obj\""});
  session.view();
  session.go_on();
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
}

/// A run that a page has chosen says of which file it is, and anybody may have written that.
TEST(StudioContinued, ARunThatAPageChoosesLeadsToNoFileElsewhere) {
  const test::TemporaryFolder elsewhere;
  put_text(elsewhere.path() + "/scene.toml", chain_scene("verlet", 10));
  Continued session("");
  session.options.folder = session.folder.path();
  run_to_directory(compile(load_scene(elsewhere.path() + "/scene.toml"), 1), session.run);
  session.begun();
  session.must(Open{"run"});
  session.work_while(Phase::loading);
  session.go_on();
  EXPECT_EQ(session.document().path, "");
  EXPECT_EQ(session.state().step, 10);
  EXPECT_THAT(session.ask(Save{}), HasSubstr("has no file"));
}

TEST(StudioContinued, StopLeavesTheRunOpen) {
  Continued session(chain_scene("verlet", 10));
  session.make_run();
  session.view();
  session.must(Continue{});
  session.must(Stop{}, 2);
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::viewing);
  EXPECT_EQ(session.ask(Seek{3, false}), "");
  EXPECT_EQ(session.heard.frames.back()->step, 3);
  session.go_on();
}

}  // namespace
}  // namespace electret::studio
