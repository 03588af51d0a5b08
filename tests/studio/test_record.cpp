/// Sessions that are recorded as runs.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <electret/record/run_directory.hpp>
#include <electret/record/run_warnings.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/save_name.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::expect_same;
using test::Handled;
using test::put_text;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Recorded : public Handled {
 public:
  using Handled::Handled;
  /// Beside the session's folder.
  [[nodiscard]] std::string run(const std::string& name) const { return folder.path() + "/" + name; }
  [[nodiscard]] RecordingInfo told() const { return *heard.last<RecordingInfo>(); }
  /// Works until the recording has ended.
  RecordingInfo ended() {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (told().is_going) {
      if (std::chrono::steady_clock::now() > late) throw InternalError("the recording does not end");
      machine->work();
    }
    return told();
  }
  RecordingInfo recorded(const std::string& name, bool over = false) {
    must(Record{name, over});
    return ended();
  }
};

/// What `electret run` makes of a scene.
void run_as_the_command(const std::string& scene, const std::string& folder) {
  auto system = compile(load_scene(scene), 3);
  RunOptions options;
  static_cast<void>(prepare_run(*system, folder, options));
  run_to_directory(std::move(system), folder, options);
}

/// Times of day and lengths of time are each run's own.
void expect_same_runs(const std::string& one, const std::string& other) {
  const TrajectoryReader a(one + "/trajectory.h5"), b(other + "/trajectory.h5");
  ASSERT_EQ(a.frames(), b.frames());
  EXPECT_EQ(a.times(), b.times());
  for (Count frame = 0; frame < a.frames(); ++frame) {
    EXPECT_EQ(a.positions(frame), b.positions(frame)) << frame;
    EXPECT_EQ(a.velocities(frame), b.velocities(frame)) << frame;
    EXPECT_EQ(a.charges(frame), b.charges(frame)) << frame;
  }
  expect_same(read_checkpoint(one + "/checkpoint.h5"), read_checkpoint(other + "/checkpoint.h5"), one);
  for (const char* table : {"/energy.csv", "/observables.csv", "/energy.svg"})
    EXPECT_EQ(read_regular_file(one + table), read_regular_file(other + table)) << table;
  EXPECT_EQ(RunDirectory(one).files(), RunDirectory(other).files());
  const RunResult x = read_summary(one + "/summary.json"), y = read_summary(other + "/summary.json");
  EXPECT_EQ(x.status, RunStatus::done);
  EXPECT_EQ(x.scene_file, y.scene_file);
  EXPECT_EQ(x.overrides, y.overrides);
  EXPECT_EQ(x.steps, y.steps);
  EXPECT_EQ(x.changes, y.changes);
  EXPECT_EQ(x.choices, y.choices);
  EXPECT_EQ(x.warnings, y.warnings);
  EXPECT_EQ(x.largest_energy_change, y.largest_energy_change);
}

TEST(StudioRecord, TheFilesAreThoseOfTheCommand) {
  Recorded session(chain_scene("imex"), test::few_states);
  session.loaded().step(12);
  session.pull(6, 0.2, {0.1, 0.0, 0.05});
  session.step(15);
  session.must(HandEnd{});
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.step(8);
  session.must(BallBegin{0, {0.0, 0.5, -0.5}, -1e-6, 0.2});
  session.step(5);
  session.must(BallEnd{});
  session.seek(20);  // Another future.
  session.must(Tune{"body.0.springs.0.stiffness", "60.0"});
  session.step(17);
  session.seek(9);  // What was simulated is recorded, wherever the play head is.
  const RecordingInfo info = session.recorded("played");
  EXPECT_EQ(info, (RecordingInfo{session.run("played"), 37, 37, false, info.open, ""}));
  EXPECT_EQ(session.state().step, 9);
  run_as_the_command(session.session(), session.run("again"));
  expect_same_runs(session.run("played"), session.run("again"));
  // It is a run as any other, and opened at once.
  session.must(AskChoices{});
  const auto& choices = session.heard.last<ChoicesInfo>()->entries;
  EXPECT_EQ(std::count_if(choices.begin(), choices.end(),
                          [](const OpenChoice& each) { return each.kind == "run" && each.name == "played"; }),
            1);
  session.must(Open{info.open});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::viewing);
  EXPECT_EQ(session.heard.last<SystemInfo>()->frames, 38);
  EXPECT_THAT(session.ask(Record{"more"}), HasSubstr("recorded run is open"));
}

TEST(StudioRecord, TheSessionGoesOnBesideIt) {
  Recorded session(chain_scene("verlet", 100000)), alone(chain_scene("verlet", 100000));
  for (Recorded* each : {&session, &alone}) each->loaded().step(60);
  session.must(Record{"played"});
  session.step(30);
  EXPECT_THAT(session.ask(Record{"other"}, 2), AllOf(HasSubstr("played"), HasSubstr("wait for it")));
  alone.step(30);
  EXPECT_EQ(session.state().positions, alone.state().positions);
  session.must(Reset{});
  session.step(2);
  const RecordingInfo info = session.ended();
  EXPECT_EQ(info.error, "");
  EXPECT_EQ(info.total, 60) << "what was there when it was asked for";
  EXPECT_EQ(session.state().step, 2);
  const Checkpoint whole = read_checkpoint(session.run("played") + "/checkpoint.h5");
  alone.seek(60);
  EXPECT_EQ(whole.state.positions, alone.state().positions);
  // A page that comes now knows of it.
  session.must(Hello{protocol_version}, 5);
  std::vector<RecordingInfo> heard;
  for (const auto& [page, event] : session.heard.events)
    if (page == 5 && std::holds_alternative<RecordingInfo>(event))
      heard.push_back(std::get<RecordingInfo>(event));
  EXPECT_EQ(heard, std::vector{info});
}

TEST(StudioRecord, MeshesAndStrokesAreThoseOfTheSession) {
  constexpr Count many = 201;
  Recorded session;
  std::string mesh, more;
  for (Count k = 0; k < many; ++k) mesh += "v " + std::to_string(0.01 * static_cast<double>(k)) + " 0 0\n";
  for (Count k = 1; k < many; ++k) mesh += "l " + std::to_string(k) + " " + std::to_string(k + 1) + "\n";
  session.options.target = session.folder.path() + "/scene.toml";
  put_text(session.folder.path() + "/chain.obj", mesh);
  put_text(session.options.target,
           "[time]\nstep = 0.002\nsteps = 100000\n[integrator]\nmethod = \"verlet\"\n[coulomb]\n"
           "softening = 0.1\n[[body]]\nname = \"chain\"\nmesh = \"chain.obj\"\nmass = 0.01\ncharge = 1e-8\n"
           "  [[body.springs]]\n  from = \"edges\"\n  stiffness = 50.0\n");
  session.loaded();
  session.must(Paint{0, {3}, {5e-8}});
  session.step(3);
  const VectorArray played = session.state().positions;
  put_text(session.folder.path() + "/chain.obj", "# another one\n" + mesh.substr(0, mesh.size() - 10));
  session.must(Record{"played"});
  session.must(Undo{});  // The file of the stroke is no longer named by the text.
  session.must(Paint{0, {4}, {7e-8}});
  session.step(1);
  EXPECT_EQ(session.ended().error, "");
  const TrajectoryReader run(session.run("played") + "/trajectory.h5");
  EXPECT_EQ(run.positions(3), played);
  EXPECT_EQ(run.charges(3)[3], 5e-8);
}

TEST(StudioRecord, AStoppedOneKeepsItsSteps) {
  Recorded session(chain_scene("newton", 1000000));
  session.loaded().step(3000);
  session.must(Record{"played"});
  while (session.told().done == 0) session.machine->work();
  session.must(StopRecording{}, 2);  // Whichever page asks.
  const RecordingInfo info = session.ended();
  EXPECT_THAT(info.error,
              AllOf(HasSubstr("it was stopped: everything up to step " + std::to_string(info.done)),
                    HasSubstr(" of 3000 is in " + session.run("played"))));
  EXPECT_GT(info.done, 0);
  EXPECT_LT(info.done, 3000);
  EXPECT_EQ(read_summary(session.run("played") + "/summary.json").status, RunStatus::interrupted);
  EXPECT_EQ(TrajectoryReader(session.run("played") + "/trajectory.h5").frames(), info.done + 1);
  // It can be gone on with, as the command would.
  RunOptions options;
  options.resume = true;
  const RunResult rest =
      run_to_directory(compile(load_scene(session.session()), 1), session.run("played"), options);
  EXPECT_EQ(rest.status, RunStatus::done);
  EXPECT_EQ(read_checkpoint(session.run("played") + "/checkpoint.h5").state.positions,
            session.state().positions);
  session.must(StopRecording{});
  // Quit in the middle of another one.
  session.must(Record{"other"});
  while (session.told().done == 0) session.machine->work();
  session.machine->finish();
  EXPECT_EQ(read_summary(session.run("other") + "/summary.json").status, RunStatus::interrupted);
  EXPECT_THAT(session.told().error, HasSubstr("stopped"));
}

/// Files of this process may not be longer, while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(StudioRecord, AFullDiskEndsItAlone) {
  Recorded session(chain_scene("verlet", 100000));
  session.loaded().step(600);
  {
    const FileLimit limit(200000);
    session.must(Record{"played"});
    session.ended();
  }
  EXPECT_THAT(session.told().error,
              AllOf(HasSubstr("File too large"), HasSubstr("up to the last good frame is in")));
  EXPECT_EQ(read_summary(session.run("played") + "/summary.json").status, RunStatus::failed);
  const Count frames = TrajectoryReader(session.run("played") + "/trajectory.h5").frames();
  EXPECT_GT(frames, 0);
  EXPECT_LT(frames, 600);
  session.step(1);
  EXPECT_EQ(session.state().step, 601);
  // Where it cannot even begin, there is nothing to be opened.
  const FileLimit limit(40000);
  const RecordingInfo none = session.recorded("none");
  EXPECT_THAT(none.error, HasSubstr("File too large"));
  EXPECT_EQ(none.open, "");
}

TEST(StudioRecord, WhatIsThereIsWrittenOverOnlyIfThatIsSaid) {
  Recorded session(chain_scene("verlet", 1000));
  session.loaded();
  EXPECT_THAT(session.ask(Record{"played"}), HasSubstr("nothing was simulated"));
  session.step(4);
  EXPECT_EQ(session.recorded("played").error, "");
  EXPECT_THAT(session.ask(Record{"played"}),
              AllOf(HasSubstr("holds a run"), HasSubstr("it is not written over")));
  session.step(3);
  EXPECT_EQ(session.recorded("played", true).total, 7);
  put_text(session.run("x.toml"), chain_scene("verlet", 2));
  run_to_directory(compile(load_scene(session.run("x.toml")), 1), session.run("x"));
  EXPECT_THAT(session.ask(Record{"x"}),
              AllOf(HasSubstr("a run of another scene file"), HasSubstr("not written over")));
  EXPECT_EQ(session.recorded("x", true).total, 7);
  // What is no run stays, whatever is said.
  fs::create_directory(session.run("mine"));
  put_text(session.run("mine/notes"), "mine");
  fs::create_directory_symlink(session.run("mine"), session.run("link"));
  for (const bool over : {false, true}) {
    EXPECT_THAT(session.ask(Record{"mine", over}), HasSubstr("not empty and holds no Electret run"));
    EXPECT_THAT(session.ask(Record{"link", over}), HasSubstr("is a link"));
    EXPECT_THAT(session.ask(Record{"out", over}), HasSubstr("holds a session of the studio"));
    EXPECT_THAT(session.ask(Record{"scene.toml", over}), HasSubstr("is no folder"));
  }
  EXPECT_EQ(session.phase(), Phase::paused);
  for (const auto& [name, why] : {std::pair{"", "missing"},
                                  {"../x", "no /"},
                                  {"/tmp/x", "no /"},
                                  {".x", "hidden"},
                                  {"a.studio", "sessions"},
                                  {"a\xff", "Unicode"}})
    EXPECT_THAT(session.ask(Record{name}), HasSubstr(why)) << name;
  std::string why;
  EXPECT_EQ(folder_of_name("  Würfel 2 ", why), "Würfel 2");
  EXPECT_EQ(why, "");
}

}  // namespace
}  // namespace electret::studio
