/// What a session has done is not lost: by Reset, by a look back, by an end on the way, by a full disk.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/read.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::expect_same;
using test::Handled;
using test::put_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NotLost : public Handled {
 public:
  using Handled::Handled;

  [[nodiscard]] std::string file(const std::string& name) const { return options.output + "/" + name; }
  [[nodiscard]] Count steps_in(const std::string& name) const { return read_scene(file(name)).time.steps; }
  [[nodiscard]] std::string told_text() const { return heard.last<DocumentInfo>()->text; }
  void work_until(const std::function<bool()>& is_so) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > late) throw InternalError("it does not come");
      machine->work();
    }
  }
  void again() {
    heard = {};
    machine.reset();
    loaded();
  }
  void take() {
    must(TakeUp{});
    work_while(Phase::loading);
    work_while(Phase::rewinding);
  }
  /// A pull of ten steps, and ten steps more.
  void pull_and_step() {
    pull(6, 0.2, {0.3, 0.1, 0.0});
    step(10);
    must(HandEnd{0, false});
    step(10);
  }
};

TEST(StudioNotLost, WhatHandsDidStaysWhenItIsReset) {
  for (const bool steps : {false, true}) {
    NotLost session(chain_scene("imex"));
    session.loaded();
    session.pull_and_step();
    const VectorArray last = session.state().positions;
    session.must(Reset{});
    EXPECT_EQ(session.state().step, 0);
    if (steps) {  // Without hands: it is the scene, and takes the place of nothing when it is reset.
      for (const Count many : {3, 5, 2}) {
        session.step(many);
        if (many > 2) session.must(Reset{});
      }
    }
    session.machine->finish();
    const std::string kept = steps ? "session.before.toml" : "session.toml";
    EXPECT_EQ(session.steps_in(kept), 20);
    EXPECT_EQ(test::run_again(session.file(kept), session.folder.path() + "/again", 1).state.positions, last);
    EXPECT_EQ(fs::exists(session.file("session.before.toml")), steps);
    EXPECT_FALSE(fs::exists(session.file("session.before-2.toml")));
    EXPECT_TRUE(fs::exists(session.file("checkpoint.h5")));
    if (steps) {
      EXPECT_EQ(session.steps_in("session.toml"), 2);
    }
    session.again();
    EXPECT_EQ(session.heard.last<EarlierInfo>()->steps, steps ? 2 : 20);
  }
}

TEST(StudioNotLost, AResetThatCannotBeKeptIsRefused) {
  NotLost session(chain_scene("imex"));
  session.loaded();
  session.pull_and_step();
  fs::remove(session.session());
  fs::create_directories(session.file("session.toml/folder"));
  EXPECT_THAT(session.ask(Reset{}), HasSubstr("session.toml"));
  EXPECT_EQ(session.state().step, 20);
  fs::remove_all(session.file("session.toml"));
  session.must(Reset{});
  EXPECT_EQ(session.state().step, 0);
  EXPECT_EQ(session.steps_in("session.toml"), 20);
}

/// Few states are kept, so that one is gone back to that is not the last.
TEST(StudioNotLost, ALookBackKeepsWhatCameLater) {
  for (const bool is_scrubbed : {false, true}) {
    NotLost session(chain_scene("verlet"), test::few_states);
    session.loaded();
    session.pull_and_step();
    session.must(SetCharge{0, "tip", 3e-7});
    session.must(BallBegin{1, {0.4, 0.0, -0.3}, 5e-7, 0.2});
    session.step(17);
    session.must(BallEnd{1});
    const State last = session.state();
    if (is_scrubbed)
      session.must(Seek{5, true});
    else
      session.seek(5);
    // It is written so while it is looked at, too.
    session.work_until(
        [&] { return fs::exists(session.session()) && session.steps_in("session.toml") == last.step; });
    const std::string text = session.told_text();
    const Checkpoint played = session.finished();
    EXPECT_EQ(played.state.step, last.step);
    EXPECT_EQ(played.state.positions, last.positions);
    EXPECT_EQ(played.state.velocities, last.velocities);
    expect_same(played, session.repeated(2), is_scrubbed ? "scrubbed" : "gone back");
    session.again();
    session.take();
    EXPECT_EQ(session.state().positions, last.positions);
    EXPECT_EQ(session.told_text(), text);
    EXPECT_EQ(session.machine->live()->simulator().inputs().charges[10], 3e-7);
  }
}

/// What is done in the past still makes another future.
TEST(StudioNotLost, AnotherFutureIsWhatIsKept) {
  NotLost session(chain_scene("verlet"), test::few_states);
  session.loaded();
  session.pull_and_step();
  session.seek(7);
  session.must(SetCharge{0, "tip", 3e-7});
  session.step(2);
  const Checkpoint played = session.finished();
  EXPECT_EQ(played.state.step, 9);
  expect_same(played, session.repeated(1), "another future");
}

/// Keys before the play head are edited, and the session ends while its steps are taken again.
TEST(StudioNotLost, AnEndWithinAReplayKeepsWhatWasThere) {
  for (const bool is_reset : {false, true}) {
    NotLost session(chain_scene("verlet", 100000), test::few_states);
    session.loaded();
    session.pull_and_step();
    session.step(20000);
    const Count last = session.state().step;
    std::vector<KeyTable> tables = session.heard.last<KeysInfo>()->tables;
    const auto tip = std::find_if(tables.begin(), tables.end(),
                                  [](const KeyTable& each) { return each.key == "body.0.group_charge.0"; });
    ASSERT_NE(tip, tables.end());
    tip->lanes[0].values[1] = 9e-7;
    session.must(SetKeys{*tip});
    const auto stale = session.heard.last<KeysInfo>()->stale_from;
    ASSERT_TRUE(stale);
    session.must(Replay{});
    ASSERT_EQ(session.phase(), Phase::rewinding);
    session.machine->work();
    ASSERT_EQ(session.phase(), Phase::rewinding);
    if (is_reset) {
      session.must(Reset{});
      session.work_while(Phase::loading);
      EXPECT_EQ(session.state().step, 0);
    }
    session.machine->finish();
    EXPECT_EQ(session.steps_in("session.toml"), last);
    if (is_reset) continue;
    session.again();
    session.take();
    EXPECT_EQ(session.state().step, last);
    EXPECT_EQ(session.heard.last<KeysInfo>()->stale_from, stale) << "it can be replayed still";
  }
}

/// The text is written first: an edit that session.toml does not have is yet to act; one that the text does
/// not have would be undone.
TEST(StudioNotLost, AnEditIsNotUndoneByADiskThatIsFull) {
  NotLost session(chain_scene("imex"));
  session.loaded().step(5);
  session.must(SetCharge{0, "tip", 2e-7});
  session.step(1);
  session.work_until([&] { return fs::exists(session.session()) && session.steps_in("session.toml") == 6; });
  const std::string before = read_regular_file(session.session());
  const std::string text = session.file("session.text.toml"), aside = session.folder.path() + "/aside.toml";
  fs::rename(text, aside);
  fs::create_directories(text + "/folder");
  session.must(SetCharge{0, "tip", 5e-7});
  session.step(5);
  session.work_until([&] { return !session.heard.last<StateInfo>()->reason.empty(); });
  EXPECT_EQ(read_regular_file(session.session()), before);
  fs::remove_all(text);
  fs::rename(aside, text);
  session.again();  // Killed.
  session.take();
  EXPECT_EQ(session.state().step, 6);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[10], 2e-7);
}

/// By the page: it is offered as it would be by another start, and has a place of its own.
TEST(StudioNotLost, ASceneThatIsOpenedAgainOffersItsSession) {
  NotLost session(chain_scene("imex"));
  session.options.output.clear();
  session.options.target.clear();
  put_text(session.folder.path() + "/a.toml", chain_scene("imex"));
  const fs::path before = fs::current_path();
  fs::current_path(session.folder.path());
  session.options.folder = ".";
  session.begun();
  const std::string folder = "runs/a.studio/";
  for (const Count steps : {20, 7, 5}) {
    session.must(Open{"a.toml"});
    session.work_while(Phase::loading);
    const EarlierInfo* offered = session.heard.last<EarlierInfo>();
    EXPECT_EQ(offered != nullptr ? offered->steps : 0, steps == 20 ? 0 : steps == 7 ? 20 : 7);
    if (steps == 20) session.pull_and_step();
    if (steps != 20) session.step(steps);
  }
  session.must(Open{"a.toml"});
  session.work_while(Phase::loading);
  session.take();
  EXPECT_EQ(session.state().step, 5);
  session.machine->finish();
  const auto steps_of = [&](const std::string& name) { return read_scene(folder + name).time.steps; };
  EXPECT_EQ(steps_of("session.before.toml"), 20);
  EXPECT_EQ(steps_of("session.before-2.toml"), 7);
  EXPECT_EQ(steps_of("session.toml"), 5);
  fs::current_path(before);
}

TEST(StudioNotLost, AFolderThatIsRemovedIsMadeAgain) {
  NotLost session(chain_scene("imex"));
  session.loaded().step(3);
  session.work_until([&] { return fs::exists(session.session()); });
  fs::remove_all(session.options.output);
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "made again");
  EXPECT_TRUE(fs::exists(session.file("session.text.toml")));
}

/// What was edited is read once more at the end, for the identity of the last state.
TEST(StudioNotLost, AFileThatIsGoneKeepsNoSessionFromEnding) {
  std::string scene = chain_scene("imex");
  const std::string charge = "charge = 1e-6\n";
  scene.replace(scene.find(charge), charge.size(), charge + "mesh = \"e.obj\"\n");
  NotLost session(scene);
  const std::string mesh = session.folder.path() + "/e.obj";
  put_text(mesh, "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n");
  session.loaded().step(3);
  session.must(SetCharge{0, std::nullopt, 2e-7});
  session.step(2);
  fs::remove(mesh);
  EXPECT_NO_THROW(session.machine->finish());
  EXPECT_EQ(session.steps_in("session.toml"), 5);
}

/// Redo stays, and the text with its way to write numbers.
TEST(StudioNotLost, AnEditThatChangesNothingIsNone) {
  NotLost session(chain_scene("imex"));
  session.loaded();
  session.must(SetCharge{0, std::nullopt, 1e-7});
  EXPECT_EQ(session.told_text(), chain_scene("imex"));
  EXPECT_FALSE(session.heard.last<DocumentInfo>()->can_undo);
  session.must(SetCharge{0, std::nullopt, 2e-7});
  session.must(Undo{});
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->can_redo);
  session.must(Tune{"body.0.springs.0.stiffness", "100.0"});
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->can_redo);
}

/// Energies are looked at now and then, by `electret run` at each frame: the session ends at a step that both
/// find sound.
TEST(StudioNotLost, WhatDivergedIsRepeated) {
  for (const char* stiffness : {"500.0", "1000.0", "1500.0", "2000.0"}) {
    NotLost session(
        "[time]\nstep = 0.01\nsteps = 100000\n[integrator]\nmethod = \"explicit_euler\"\n[coulomb]\n"
        "[[body]]\nname = \"ball\"\ngenerate = { shape = \"sphere\", vertices = 60 }\nmass = 0.1\n"
        "charge = 1e-6\n[[body.springs]]\nfrom = \"edges\"\nstiffness = " +
        std::string(stiffness) + "\n");
    session.loaded();
    session.must(Play{std::nullopt});
    session.work_while(Phase::running);
    ASSERT_EQ(session.phase(), Phase::diverged);
    const Checkpoint played = session.finished();
    EXPECT_NO_THROW(expect_same(played, session.repeated(1), stiffness)) << stiffness;
  }
}

/// Between keys of one value it is that value, wherever a pass begins.
TEST(StudioNotLost, KeysOfOneValueAreTheSameBitsAfterALookBack) {
  for (const char* interpolation : {"linear", "cubic"}) {
    std::string scene = chain_scene("imex");
    const std::string own = "times = [0.0, 0.5]\npositions = [[-1.0, 0.0, -1.3], [2.0, 0.0, -1.3]]\n";
    scene.replace(scene.find(own), own.size(),
                  "times = [0.01, 0.05, 0.3]\n"
                  "positions = [[0.7, 0.1, -0.3], [0.7, 0.1, -0.3], [0.7, 0.1, -0.3]]\ninterpolation = \"" +
                      std::string(interpolation) + "\"\n");
    NotLost session(scene, test::few_states);
    session.loaded().step(60);
    session.seek(13);
    session.step(87);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(1), interpolation);
  }
}

/// Tables and meshes that are other files since.
TEST(StudioNotLost, OtherNumbersInAFileAreSaidWhenItIsTakenUp) {
  const auto column = [](const std::string& name, const std::string& value) {
    std::string text = name + "\n";
    for (int k = 0; k < 12; ++k) text += value + "\n";
    return text;
  };
  const auto with = [](const std::string& old, const std::string& now) {
    std::string scene = chain_scene("imex");
    return scene.replace(scene.find(old), old.size(), now);
  };
  const std::string mesh = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n",
                    moved = "v 0 0 0\nv 0.2 0 0\nv 0 0.1 0\nf 1 2 3\n";
  struct Case {
    std::string file, scene, first, second;
  };
  for (const Case& each :
       {Case{"q.csv", with("charge = 1e-7", "charges = \"q.csv\""), column("charge", "1e-7"),
             column("charge", "3e-7")},
        Case{"m.csv", with("mass = 0.01", "masses = \"m.csv\""), column("mass", "0.01"),
             column("mass", "0.03")},
        Case{"e.obj", with("charge = 1e-6\n", "charge = 1e-6\nmesh = \"e.obj\"\n"), mesh, moved}}) {
    NotLost session(each.scene);
    const std::string path = session.folder.path() + "/" + each.file;
    put_text(path, each.first);
    session.loaded();
    ASSERT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
    session.step(10);
    session.work_until([&] { return fs::exists(session.session()); });
    const std::string whole = read_regular_file(session.session());
    put_text(path, each.second);
    session.again();
    session.must(TakeUp{});
    session.work_while(Phase::loading);
    EXPECT_EQ(session.phase(), Phase::broken) << each.file;
    ASSERT_THAT(session.heard.last<DocumentInfo>()->findings, Not(IsEmpty())) << each.file;
    EXPECT_THAT(session.heard.last<DocumentInfo>()->findings.back().message, HasSubstr("another file since"));
    EXPECT_EQ(read_regular_file(session.session()), whole);
    // As it was, it is taken up.
    put_text(path, each.first);
    session.again();
    session.take();
    EXPECT_EQ(session.state().step, 10) << each.file;
  }
}

}  // namespace
}  // namespace electret::studio
