/// Sessions that an earlier start of the studio left: offered, taken up bit for bit, left, and damaged ones.

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/read.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/earlier_session.hpp>

#include "studio/earlier.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::Earlier;
using test::expect_same;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const commented = "# mine, with a comment\n";

/// Hands, a tack, charges, a group, an edit in the past, and hands that hold when it is killed: one a body,
/// one a charge.
void play(Earlier& session) {
  session.step(10);
  session.must(BallBegin{1, {0.4, 0.0, -0.3}, 5e-7, 0.2});
  session.pull(6, 0.2, {0.3, 0.1, 0.0});
  session.step(12);
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.step(5);
  session.must(HandEnd{0, true});
  session.must(BallEnd{1});
  session.step(5);
  session.must(MakeGroup{0, "new", {4, 5}});
  session.must(SetCharge{0, "new", -2e-7});
  session.step(8);
  session.seek(36);
  session.must(SetCharge{0, "new", -1e-7});
  session.pull(10, 0.0, {0.0, 0.2, 0.1}, 1, 1);
  session.must(BallBegin{2, {-0.4, 0.1, -0.6}, -1e-6, 0.15});
  session.step(9);
}

/// Keys before the play head were edited, and nothing was replayed yet.
TEST(StudioEarlier, WhatIsOutOfDateIsSoAfterwards) {
  Earlier session(chain_scene("verlet"));
  session.loaded().step(60);
  session.must(Tune{"body.0.springs.0.stiffness", "120.0"});  // A change on the way.
  session.step(60);
  const KeysInfo before = *session.heard.last<KeysInfo>();
  const auto tip = std::find_if(before.tables.begin(), before.tables.end(),
                                [](const KeyTable& each) { return each.key == "body.0.group_charge.0"; });
  ASSERT_NE(tip, before.tables.end());
  KeyTable wanted = *tip;
  wanted.lanes[0].values[1] = 9e-7;
  session.must(SetKeys{wanted});
  const std::optional<Count> stale = session.heard.last<KeysInfo>()->stale_from;
  ASSERT_TRUE(stale);
  session.step(1);
  session.killed();
  session.again();
  session.take();
  EXPECT_EQ(session.heard.last<KeysInfo>()->stale_from, stale);
  session.must(Replay{});
  session.work_while(Phase::rewinding);
  EXPECT_FALSE(session.heard.last<KeysInfo>()->stale_from);
  const VectorArray replayed = session.state().positions;
  Earlier other(chain_scene("verlet"));
  other.loaded().step(60);
  other.must(Tune{"body.0.springs.0.stiffness", "120.0"});
  other.step(60);
  other.must(SetKeys{wanted});
  other.step(1);
  other.must(Replay{});
  other.work_while(Phase::rewinding);
  EXPECT_EQ(replayed, other.state().positions) << "as without a kill";
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "replayed");
}

/// A hand in the past forgets later edits; the text keeps them, and the next edit brings them in.
TEST(StudioEarlier, EditsThatAHandHasForgottenStayForgotten) {
  VectorArray expected;
  for (const bool is_killed : {false, true}) {
    Earlier session(chain_scene("verlet"));
    session.loaded().step(20);
    session.must(SetCharge{0, std::nullopt, 5e-7});
    session.step(20);
    session.seek(10);
    session.pull(6, 0.2, {0.3, 0.1, 0.0});
    session.step(3);
    session.must(HandEnd{0, false});
    session.step(3);
    const std::string text = session.document().text;
    if (is_killed) {
      session.killed();
      session.again();
      session.take();
      EXPECT_EQ(session.document().text, text);
    }
    session.step(5);
    const VectorArray now = session.state().positions;
    if (is_killed)
      EXPECT_EQ(now, expected);
    else
      expected = now;
    // The next edit brings them in.
    session.must(SetCharge{0, "tip", 1e-7});
    EXPECT_FLOAT_EQ((*session.heard.frames.back()->charges)[3], 5e-7F) << is_killed;
  }
}

/// Removed, and no step has been taken since.
TEST(StudioEarlier, ATackThatWasRemovedDoesNotComeBack) {
  Earlier session(chain_scene("imex"));
  session.loaded().step(2);
  session.pull(6, 0.2, {0.3, 0.1, 0.0});
  session.step(5);
  session.must(HandEnd{0, true});
  session.step(3);
  ASSERT_THAT(session.kinds(), ElementsAre("tack"));
  session.must(RemoveTack{session.hands().front().number});
  EXPECT_THAT(session.kinds(), IsEmpty());
  session.machine->finish();
  session.again();
  session.take();
  EXPECT_EQ(session.state().step, 10);
  EXPECT_THAT(session.machine->live()->hands_info(10).hands, IsEmpty());
  session.step(4);
  EXPECT_THAT(session.machine->live()->simulator().inputs().grabs, IsEmpty());
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "removed");
}

TEST(StudioEarlier, AKilledSessionIsTakenUpBitForBit) {
  for (const char* method : {"imex", "verlet", "kick_trbdf2"}) {
    Earlier session(commented + chain_scene(method));
    session.loaded();
    EXPECT_EQ(session.heard.last<EarlierInfo>(), nullptr);  // Nothing is offered, and nothing is told.
    play(session);
    const State last = session.state();
    const std::string text = session.document().text;
    const auto frames = session.heard.frames.size();
    EXPECT_GT(frames, 0U);
    session.killed();
    session.again();
    EXPECT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.state().step, 0);
    EXPECT_EQ(session.offer().path, session.session());
    EXPECT_EQ(session.offer().steps, last.step);
    EXPECT_TRUE(session.offer().is_cut);
    EXPECT_TRUE(session.offer().is_text_other);
    EXPECT_THAT(session.offer().damage, IsEmpty());
    session.take();
    EXPECT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.state().step, last.step);
    EXPECT_EQ(session.state().positions, last.positions) << method;
    EXPECT_EQ(session.state().velocities, last.velocities) << method;
    EXPECT_THAT(session.offer().path, IsEmpty());
    EXPECT_EQ(session.document().text, text);
    EXPECT_TRUE(session.document().unsaved);
    EXPECT_THAT(session.document().waiting, IsEmpty());
    EXPECT_THAT(text, HasSubstr(commented));
    // The tack stands, the hand has let go with its page.
    session.step(1);
    EXPECT_THAT(session.kinds(), ElementsAre("tack"));
    // It goes on as a session, in the same folder, and repeats.
    session.must(SetCharge{0, "new", 5e-7});
    session.pull(7, 0.2, {0.1, 0.1, 0.0});
    session.step(6);
    session.must(RemoveTack{session.hands().front().number});
    session.step(4);
    session.seek(30);
    session.seek(last.step + 11);
    session.must(Save{});
    const std::string saved = read_regular_file(session.options.target);
    EXPECT_THAT(saved, HasSubstr("value = 5e-07"));
    EXPECT_THAT(saved, HasSubstr(commented));
    const Checkpoint played = session.finished();
    EXPECT_EQ(played.state.step, last.step + 11);
    expect_same(played, session.repeated(2), method);
    EXPECT_FALSE(fs::exists(session.file("session.before.toml")));
    // What was ended can be gone on with, too.
    session.again();
    EXPECT_FALSE(session.offer().is_cut);
    EXPECT_FALSE(session.offer().is_text_other);
    session.take();
    EXPECT_EQ(session.state().positions, played.state.positions) << method;
  }
}

/// The scene's own changes are made once, and texts that wait for Reset wait again.
TEST(StudioEarlier, OwnChangesAndWaitingTextStay) {
  std::string scene = chain_scene("imex");
  scene +=
      "\n[[change]]\nstep = 4\nset = [\"body.0.springs.0.stiffness=150.0\"]\n"
      "\n[[change]]\nstep = 300\nset = [\"gravity.acceleration=[0.0, 0.0, -5.0]\"]\n";
  Earlier session(scene);
  session.loaded().step(4);
  session.must(MakeGroup{0, "new", {4, 5}});
  session.step(3);
  std::string other = session.document().text;
  other.replace(other.find("mass = 0.01"), 11, "mass = 0.01\ntranslate = [0.0, 0.0, 1.0]");
  session.type(other);
  session.step(3);
  const State last = session.state();
  ASSERT_THAT(session.document().waiting, ElementsAre("body.0.translate"));
  session.killed();
  session.again();
  session.take();
  EXPECT_EQ(session.state().positions, last.positions);
  EXPECT_THAT(session.document().waiting, ElementsAre("body.0.translate"));
  session.step(5);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "own");
}

TEST(StudioEarlier, OneThatIsLeftIsMovedAsideAndNeverLost) {
  Earlier session(chain_scene("imex"));
  std::vector<std::string> sessions;
  for (int start = 0; start < 3; ++start) {
    session.again();
    if (start == 1) {
      session.must(LeaveEarlier{});
      EXPECT_THAT(session.offer().path, IsEmpty());
      EXPECT_NE(session.ask(TakeUp{}), "");
    }
    session.step(5 + start);
    session.killed();
    sessions.push_back(read_regular_file(session.session()));
    if (start > 0) {
      EXPECT_THAT(session.heard.last<NoticeInfo>()->text, HasSubstr("session.before"));
    }
  }
  EXPECT_EQ(read_regular_file(session.file("session.before.toml")), sessions[0]);
  EXPECT_EQ(read_regular_file(session.file("session.before-2.toml")), sessions[1]);
  EXPECT_EQ(read_regular_file(session.file("session.before-2.text.toml")), chain_scene("imex"));
  // What was reset here has one place, and takes none of the others.
  session.again();
  for (int k = 0; k < 3; ++k) {
    session.must(SetCharge{0, std::nullopt, 1e-7 * (k + 2)});
    session.step(3);
    session.must(Reset{});
    session.work_while(Phase::loading);
  }
  session.step(1);
  session.finished();
  EXPECT_EQ(read_regular_file(session.file("session.before.toml")), sessions[0]);
  EXPECT_EQ(read_regular_file(session.file("session.before-3.toml")), sessions[2]);
  EXPECT_TRUE(fs::exists(session.file("session.before-4.toml")));
  EXPECT_FALSE(fs::exists(session.file("session.before-5.toml")));
  // None of it is a scene to be opened.
  for (const OpenChoice& each : choices_below(session.folder.path()).entries)
    EXPECT_THAT(each.name, Not(HasSubstr("session.")));
}

/// An edit is kept without a step, as soon as a step would be.
TEST(StudioEarlier, AnEditWithoutStepsIsKept) {
  Earlier session(chain_scene("imex"));
  session.loaded();
  session.must(SetCharge{0, std::nullopt, 4e-7});
  const std::string text = session.document().text;
  session.killed();
  session.again();
  EXPECT_EQ(session.document().text, chain_scene("imex"));
  EXPECT_EQ(session.offer().steps, 0);
  session.take();
  EXPECT_EQ(session.document().text, text);
  session.step(2);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 4e-7);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "edit");
}

TEST(StudioEarlier, DamagedOnesAreNamedAndStay) {
  const std::string scene = chain_scene("imex");
  Earlier session(scene);
  session.loaded();
  play(session);
  session.killed();
  const std::string whole = read_regular_file(session.session());
  const auto damaged = [&](const std::string& name, const std::string& text) {
    const std::string path = session.file(name), before = read_regular_file(path);
    test::put_text(path, text);
    session.again();
    EXPECT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.offer().path, session.session()) << name;
    EXPECT_THAT(session.offer().damage, HasSubstr(name));
    EXPECT_THAT(session.ask(TakeUp{}), HasSubstr("damaged"));
    EXPECT_EQ(read_regular_file(path), text);
    test::put_text(path, before);
  };
  const std::string head = whole.substr(0, whole.find('\n') + 1);
  damaged("session.toml", whole.substr(0, whole.size() / 2));
  damaged("session.toml", head);
  damaged("session.toml", head + "[time]\nsteps = 3\n");
  damaged("session.toml", head + "[time]\nsteps = -3\n");
  damaged("session.start.toml", scene + "# more\n");
  damaged("session.text.toml", "no text of a scene [");
  fs::rename(session.file("session.text.toml"), session.file("aside"));
  session.again();
  EXPECT_THAT(session.offer().damage, HasSubstr("session.text.toml"));
  fs::create_symlink("aside", session.file("session.text.toml"));
  session.again();
  EXPECT_THAT(session.offer().damage, HasSubstr("it is a link"));
  fs::remove(session.file("session.text.toml"));
  fs::rename(session.file("aside"), session.file("session.text.toml"));
  // What only reading it whole shows: it stays, and so does the scene that is open.
  std::string wrong = whole;
  wrong.replace(wrong.rfind("vertices = ["), 12, "vertices = [77, ");
  test::put_text(session.session(), wrong);
  session.again();
  EXPECT_THAT(session.offer().damage, IsEmpty());
  session.must(TakeUp{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::broken);
  EXPECT_THAT(session.document().findings.back().message, HasSubstr("weights"));
  EXPECT_EQ(read_regular_file(session.session()), wrong);
  test::put_text(session.session(), whole);
  session.again();
  session.take();
  EXPECT_EQ(session.state().step, 45);
}

/// Its steps would be others without a word.
TEST(StudioEarlier, AMeshThatIsAnotherSinceIsSaid) {
  std::string scene = chain_scene("imex");
  const std::string made = "generate = { shape = \"chain\", length = 1.0, vertices = 12 }";
  scene.replace(scene.find(made), made.size(), "mesh = \"chain.obj\"");
  const auto mesh = [](double length) {
    std::string text;
    for (int k = 0; k < 12; ++k) text += "v 0 0 " + std::to_string(-length * k / 11.0) + "\n";
    return text + "l 1 2 3 4 5 6 7 8 9 10 11 12\n";
  };
  Earlier session(scene);
  const std::string file = session.folder.path() + "/chain.obj";
  test::put_text(file, mesh(1.0));
  session.loaded().step(6);
  ASSERT_EQ(session.phase(), Phase::paused);
  session.killed();
  test::put_text(file, mesh(1.1));
  session.again();
  EXPECT_EQ(session.offer().steps, 6);
  session.must(TakeUp{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::broken);
  EXPECT_THAT(session.document().findings.back().message, HasSubstr("another file since"));
  test::put_text(file, mesh(1.0));
  session.again();
  session.take();
  EXPECT_EQ(session.state().step, 6);
}

/// Stopped on the way, or killed: it is whole, and offered again.
/// A file that has more charges in hands than there are places for is refused, and takes nothing down.
TEST(StudioEarlier, ChargesForWhichThereIsNoPlaceAreAFinding) {
  for (const int copies : {3, 4}) {
    Earlier session(chain_scene("imex"));
    session.loaded().step(2);
    session.must(BallBegin{0, {0.4, 0.0, -0.3}, 5e-7, 0.2});
    session.step(3);
    session.must(BallEnd{0});
    session.step(2);
    session.machine->finish();
    std::string text = read_regular_file(session.session());
    const std::size_t from = text.find("[[external_charge]]  # held in the hand");
    ASSERT_NE(from, std::string::npos);
    const std::string table = text.substr(from, text.find("\n[", from) - from) + "\n";
    text += "\n";
    for (int k = 0; k < copies; ++k) text += table;
    test::put_text(session.session(), text);
    session.again();
    session.must(TakeUp{});
    session.work_while(Phase::loading);
    session.work_while(Phase::rewinding);
    if (copies < 4) {
      EXPECT_EQ(session.phase(), Phase::paused);
      EXPECT_EQ(session.state().step, 7);
    } else {
      EXPECT_EQ(session.phase(), Phase::broken);
      ASSERT_THAT(session.document().findings, ::testing::Not(IsEmpty()));
      EXPECT_THAT(session.document().findings.back().message, HasSubstr("more charges are in hands"));
    }
  }
}

TEST(StudioEarlier, TakingUpThatIsStoppedLosesNothing) {
  Earlier session(chain_scene("imex", 100000));
  session.loaded().step(60000);
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.step(1);
  session.killed();
  const std::string whole = read_regular_file(session.session());
  const auto begin_taking = [&] {
    session.again();
    session.must(TakeUp{});
    session.work_while(Phase::loading);
    ASSERT_EQ(session.phase(), Phase::rewinding);
  };
  const auto expect_whole = [&] {
    EXPECT_EQ(read_regular_file(session.session()), whole);
    EXPECT_FALSE(fs::exists(session.file("session.before.toml")));
  };
  // Ended on the way.
  begin_taking();
  EXPECT_THAT(session.ask(TypedText{1, 1, "", false}), HasSubstr("going back"));
  EXPECT_THAT(session.ask(Seek{10, false}), HasSubstr("being taken up"));
  EXPECT_THAT(session.ask(Seek{10, true}), HasSubstr("being taken up"));
  EXPECT_THAT(session.ask(Open{"x"}), HasSubstr("being taken up"));
  session.machine->finish();
  expect_whole();
  // Stopped, or reset: the scene of the file is open, and the session is offered again.
  for (const bool resets : {false, true}) {
    begin_taking();
    if (resets)
      session.must(Reset{});
    else
      session.must(Stop{});
    session.work_while(Phase::loading);
    EXPECT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.state().step, 0);
    EXPECT_EQ(session.offer().steps, 60001);
    EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 1e-7);
    session.machine->finish();
    expect_whole();
  }
  session.step(1);
  session.finished();
  EXPECT_EQ(read_regular_file(session.file("session.before.toml")), whole);
}

/// Neither the first Reset nor a second one takes the place of a session that was taken up.
TEST(StudioEarlier, OneThatWasTakenUpAndResetIsKept) {
  for (const bool is_edited : {false, true}) {
    Earlier session(chain_scene("imex"));
    session.loaded().step(6);
    session.killed();
    const std::string whole = read_regular_file(session.session());
    session.again();
    session.take();
    EXPECT_EQ(session.state().step, 6);
    for (int time = 0; time < 2; ++time) {
      if (is_edited) session.must(SetCharge{0, std::nullopt, 1e-7 * (time + 2)});
      session.must(Reset{});
      session.work_while(Phase::loading);
      session.step(time + 1);
      session.machine->finish();
    }
    const std::string kept = read_regular_file(session.file("session.before.toml"));
    EXPECT_TRUE(is_edited || kept == whole);
    EXPECT_EQ(read_scene(session.file("session.before.toml")).time.steps, 6);
  }
}

/// The text is that of another scene then.
TEST(StudioEarlier, ABrokenSceneLeavesTheSessionOfTheOneBeforeItAlone) {
  Earlier session(chain_scene("imex"));
  const std::string own = read_regular_file(session.options.target);
  session.options.folder = session.folder.path();
  test::put_text(session.folder.path() + "/broken.toml",
                 "# another\n[[body]]\nname = \"a\"\n[time]\nstep = -1\n");
  session.loaded().step(3);
  session.must(SetCharge{0, std::nullopt, 3e-7});
  const std::string edited = session.document().text;
  session.must(Open{"broken.toml"});
  session.work_while(Phase::loading);
  ASSERT_EQ(session.phase(), Phase::broken);
  for (int turn = 0; turn < 20; ++turn) session.machine->work();
  session.machine->finish();
  EXPECT_EQ(read_regular_file(session.file("session.text.toml")), edited);
  EXPECT_EQ(read_scene(session.session()).time.steps, 3);
  EXPECT_EQ(read_regular_file(session.options.target), own);
}

/// The scene of today has findings; that of the session has none.
TEST(StudioEarlier, IsOfferedBesideABrokenScene) {
  Earlier session(chain_scene("imex"));
  session.loaded().step(6);
  const State last = session.state();
  session.killed();
  test::put_text(session.options.target, "[time]\nstep = -1\n");
  session.again();
  ASSERT_EQ(session.phase(), Phase::broken);
  EXPECT_EQ(session.offer().steps, 6);
  session.take();
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.state().positions, last.positions);
  EXPECT_TRUE(session.document().unsaved);
  session.step(2);
  EXPECT_EQ(session.finished().state.step, 8);
}

TEST(StudioEarlier, TextsHaveNames) {
  EXPECT_EQ(name_of_text(""), "cbf29ce484222325");  // FNV-1a's own.
  EXPECT_EQ(name_of_text("a"), "af63dc4c8601ec8c");
}

}  // namespace
}  // namespace electret::studio
