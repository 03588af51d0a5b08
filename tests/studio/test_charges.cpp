#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>
#include <electret/record/scene_identity.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::chain_scene;
using test::expect_same;
using test::few_states;
using test::Handled;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Two chains, the first with two groups that meet.
std::string two_chains() {
  return R"(# Two chains.
[time]
step = 0.01
steps = 100000
[integrator]
method = "imex"
[coulomb]
softening = 0.05

[[body]]
name = "left"  # the first
generate = { shape = "chain", length = 1.0, vertices = 60 }
mass = 0.05
total_charge = 6e-6  # C
  [[body.springs]]
  from = "nearest"
  neighbours = 12
  stiffness = 10.0
  [[body.group]]
  name = "some"
  indices = [0, 1, 2, 3, 4]
  [[body.group]]
  name = "more"
  indices = [3, 4, 5, 6]
  [[body.group_charge]]
  group = "some"
  value = 2e-7
  [[body.group_charge]]
  group = "more"
  times = [0.0, 1.0]
  values = [1e-7, 3e-7]

[[body]]
name = "right"
generate = { shape = "chain", length = 1.0, vertices = 40 }
translate = [3.0, 0.0, 0.0]
mass = 0.05
  [[body.springs]]
  from = "nearest"
  neighbours = 12
  stiffness = 10.0
)";
}

double charge_shown(const Handled& session, std::size_t point) {
  return static_cast<double>((*session.heard.frames.back()->charges)[point]);
}

const std::string& text_of(const Handled& session) {
  return session.heard.last<DocumentInfo>()->text;
}

class StudioCharges : public ::testing::TestWithParam<std::string_view> {};

/// Sliders, strokes, hands, a tack, undo and redo, on the way there and back.
TEST_P(StudioCharges, ARunOfTheSessionHasItsBits) {
  const std::string method{GetParam()};
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    Handled session(chain_scene(method), few_states, threads);
    session.loaded().step(10);
    for (const double charge : {1e-7, 2e-7, 2.5e-7}) session.must(SetCharge{0, "tip", charge, 1.0});
    session.step(5);
    session.pull(6, 0.2, {0.1, 0.0, 0.05});
    session.step(6);
    session.must(SetCharge{0, std::nullopt, -1.23456789e-7});
    session.step(6);
    session.must(HandEnd{0, true});
    session.must(Paint{0, {1, 2, 5}, {3e-7, -3e-7, 1e-7}});
    session.step(7);
    session.must(Undo{});
    session.step(3);
    EXPECT_THAT(session.kinds(), ElementsAre("tack"));  // Charges do not make it let go.
    session.seek(13);
    session.step(3);
    session.seek(30);
    session.must(SetCharge{0, "top", 4e-7});
    session.step(20);
    EXPECT_NE(session.ask(Redo{}), "");  // Something else was done after the undo.
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(of_run), method + " on " + std::to_string(threads));
  }
}

TEST_P(StudioCharges, GoingBackAndPlayingOnRepeatsEdits) {
  const std::string method{GetParam()};
  Handled session(chain_scene(method), few_states);
  session.loaded().step(10);
  session.must(SetCharge{0, "tip", 3e-7});
  session.step(10);
  session.must(Paint{0, {1, 2, 3}, {1e-7, -2e-7, 3e-7}});
  session.step(10);
  const State there = session.state();
  for (const Count back : {0, 10, 15, 20, 29}) {
    session.seek(back);
    session.step(30 - back);
    EXPECT_EQ(session.state().positions, there.positions) << back;
    EXPECT_EQ(session.state().velocities, there.velocities) << back;
  }
  const Checkpoint played = session.finished(), again = session.repeated(2);
  expect_same(played, again, method);
  EXPECT_THAT(changed_parts(played.identity, again.identity), IsEmpty()) << method;
}

INSTANTIATE_TEST_SUITE_P(All, StudioCharges, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(StudioCharge, IsShownAtOnceAndActsFromTheNextStepOn) {
  Handled session(two_chains()), plain(two_chains());
  session.loaded().step(3);
  plain.loaded().step(3);
  session.must(SetCharge{1, std::nullopt, -5e-7});
  EXPECT_EQ(session.state().positions, plain.state().positions);
  EXPECT_NEAR(charge_shown(session, 60), -5e-7, 1e-13);
  EXPECT_NEAR(session.heard.last<SystemInfo>()->bodies[1].charge, 40 * -5e-7, 1e-18);
  const double before = session.machine->live()->simulator().work().keyframe_work;
  session.step(1);
  plain.step(1);
  EXPECT_NE(session.state().velocities, plain.state().velocities);
  EXPECT_NE(session.machine->live()->simulator().work().keyframe_work, before);
  EXPECT_NEAR(charge_shown(session, 60), -5e-7, 1e-13);
  // The past has the charges that it had.
  session.must(Seek{2, true});
  EXPECT_EQ(charge_shown(session, 60), 0.0);
  session.seek(2);
  EXPECT_EQ(charge_shown(session, 60), 0.0);
  // What has a charge at all can be coloured by its potential.
  session.must(SelectView{"potential"});
}

TEST(StudioCharge, OfAGroupTakesThePlaceOfWhatWasThere) {
  Handled session(two_chains());
  session.loaded().step(1);
  session.must(SetCharge{0, "some", 9e-7});
  // The other group's entry came later, and has two vertices of this one.
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(charge_shown(session, i), 9e-7, 1e-13) << i;
  EXPECT_NEAR(charge_shown(session, 5), 1e-7 + 0.01 * 2e-7, 1e-13);
  session.must(SetCharge{0, "more", -1e-7});
  for (std::size_t i = 3; i < 7; ++i) EXPECT_NEAR(charge_shown(session, i), -1e-7, 1e-13) << i;
  EXPECT_NEAR(charge_shown(session, 2), 9e-7, 1e-13);
  EXPECT_NEAR(charge_shown(session, 7), 1e-7, 1e-13);
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "groups");
}

TEST(StudioCharge, EditsTheTextAndNothingElseOfIt) {
  Handled session(two_chains());
  session.loaded().step(2);
  const std::string start = two_chains();
  session.must(SetCharge{1, std::nullopt, 1.23456789e-7});
  EXPECT_THAT(text_of(session), HasSubstr("charge = 1.234568e-07"));  // Seven digits.
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->unsaved);
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->can_undo);
  std::string expected = start;
  const std::size_t at = expected.rfind("mass = 0.05\n") + 12;
  expected.insert(at, "charge = 1.234568e-07\n");
  EXPECT_EQ(text_of(session), expected);
  session.must(SetCharge{0, std::nullopt, 1e-7});
  EXPECT_THAT(text_of(session), HasSubstr("# the first"));
  EXPECT_THAT(text_of(session), Not(HasSubstr("total_charge")));
  session.must(Undo{});
  EXPECT_EQ(text_of(session), expected);
  session.must(Undo{});
  EXPECT_EQ(text_of(session), start);
  EXPECT_FALSE(session.heard.last<DocumentInfo>()->unsaved);
  EXPECT_THAT(session.ask(Undo{}), HasSubstr("nothing to undo"));
  session.must(Redo{});
  EXPECT_EQ(text_of(session), expected);
  EXPECT_NEAR(charge_shown(session, 60), 1.234568e-7, 1e-13);
  // The file is as it was.
  EXPECT_EQ(read_regular_file(session.options.target), start);
}

TEST(StudioCharge, AGestureIsOneStepOfUndo) {
  Handled session(two_chains());
  session.loaded().step(2);
  for (int k = 1; k <= 5; ++k) {
    session.must(SetCharge{1, std::nullopt, k * 1e-7, 7.0});
    session.step(1);
  }
  session.must(SetCharge{1, std::nullopt, 9e-7, 8.0});
  session.must(Undo{});
  EXPECT_NEAR(charge_shown(session, 60), 5e-7, 1e-13);
  session.must(Undo{});
  EXPECT_EQ(charge_shown(session, 60), 0.0);
  EXPECT_EQ(text_of(session), two_chains());
  session.must(Redo{});
  EXPECT_NEAR(charge_shown(session, 60), 5e-7, 1e-13);
  // Another page's gesture of the same number is another one.
  session.must(SetCharge{1, std::nullopt, 1e-7, 9.0}, 1);
  session.must(SetCharge{1, std::nullopt, 2e-7, 9.0}, 2);
  session.must(Undo{});
  EXPECT_NEAR(charge_shown(session, 60), 1e-7, 1e-13);
}

/// All moves of a slider between two steps are one change.
TEST(StudioCharge, MovesBetweenStepsAreOneChange) {
  Handled session(two_chains());
  session.loaded().step(2);
  for (int k = 1; k <= 20; ++k) session.must(SetCharge{1, std::nullopt, k * 1e-7, 7.0});
  session.step(2);
  const Checkpoint played = session.finished();
  const Scene scene = read_scene(session.session());
  ASSERT_EQ(scene.changes.size(), 1U);
  EXPECT_EQ(scene.changes[0].step, 2);
  EXPECT_EQ(scene.changes[0].set, std::vector<std::string>{"body.1.charge=2e-06"});
  expect_same(played, session.repeated(1), "moves");
}

TEST(StudioCharge, ResetBeginsWithTheTextAsItIs) {
  Handled session(two_chains());
  session.loaded().step(5);
  session.must(SetCharge{1, std::nullopt, 5e-7});
  session.step(5);
  const std::string text = text_of(session);
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.state().step, 0);
  EXPECT_EQ(text_of(session), text);
  EXPECT_NEAR(charge_shown(session, 60), 5e-7, 1e-13);
  session.must(Undo{});  // The history goes on.
  EXPECT_EQ(charge_shown(session, 60), 0.0);
  session.must(Redo{});
  session.step(5);
  const Checkpoint played = session.finished();
  EXPECT_EQ(read_scene(session.session()).changes.size(), 1U);
  expect_same(played, session.repeated(2), "reset");
  test::put_text(session.folder.path() + "/edited.toml", text);
  expect_same(played,
              test::run_again(session.folder.path() + "/edited.toml", session.folder.path() + "/x", 1,
                              {"time.steps=5"}),
              "the text");
}

TEST(StudioCharge, AnEditInThePastMakesAnotherFuture) {
  Handled session(two_chains(), few_states);
  session.loaded().step(5);
  session.must(SetCharge{1, std::nullopt, 5e-7});
  session.step(10);
  session.must(SetCharge{1, std::nullopt, -5e-7});
  session.step(10);
  session.seek(8);
  EXPECT_NEAR(charge_shown(session, 60), 5e-7, 1e-13);
  // What the text says is not what is there: the value that is there is set again, and is one.
  session.must(SetCharge{1, std::nullopt, 5e-7});
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 8);
  session.step(12);
  EXPECT_NEAR(charge_shown(session, 60), 5e-7, 1e-13);
  const Checkpoint played = session.finished();
  EXPECT_EQ(read_scene(session.session()).changes.size(), 1U);
  expect_same(played, session.repeated(2), "another future");
}

/// A hand that takes hold in the past makes another future, too: later edits are forgotten with it.
TEST(StudioCharge, AHandInThePastForgetsLaterEdits) {
  Handled session(two_chains(), few_states);
  session.loaded().step(5);
  session.must(SetCharge{1, std::nullopt, 5e-7});
  session.step(10);
  session.seek(3);
  session.pull(7, 0.0, {0.1, 0.0, 0.0});
  session.step(10);
  EXPECT_EQ(charge_shown(session, 60), 0.0);
  const Checkpoint played = session.finished();
  EXPECT_THAT(read_scene(session.session()).changes, IsEmpty());
  expect_same(played, session.repeated(2), "a hand");
}

TEST(StudioCharge, ChangesOfTheSceneItselfStayWhereTheyAre) {
  const std::string scene = two_chains() +
                            "[[change]]\nstep = 6\nset = [\"body.0.springs.0.stiffness=30.0\"]\n"
                            "[[change]]\nstep = 12\nset = [\"body.1.charge=1e-7\"]\n";
  Handled session(scene, few_states);
  session.loaded().step(3);
  session.must(SetCharge{1, std::nullopt, 5e-7});
  session.step(6);
  session.must(SetCharge{0, "some", 5e-7});
  session.step(8);
  EXPECT_NEAR(charge_shown(session, 60), 1e-7, 1e-13);
  session.seek(4);
  session.step(13);
  const Checkpoint played = session.finished();
  EXPECT_EQ(read_scene(session.session()).changes.size(), 4U);
  expect_same(played, session.repeated(2), "changes");
}

/// Its text is not what its charge is: an edit, or its undo, would go back behind the change.
TEST(StudioCharge, IsRefusedWhereTheScenesOwnChangeHasSetIt) {
  Handled session(two_chains() + "[[change]]\nstep = 6\nset = [\"body.1.charge=1e-7\"]\n");
  session.loaded().step(3);
  session.must(SetCharge{1, std::nullopt, 5e-7});
  session.step(2);
  session.must(SetCharge{1, std::nullopt, 6e-7});
  session.step(4);
  EXPECT_NEAR(charge_shown(session, 60), 1e-7, 1e-13);
  for (const double value : {6e-7, 7e-7})
    EXPECT_THAT(session.ask(SetCharge{1, std::nullopt, value}), HasSubstr("[[change]] at step 6"));
  EXPECT_THAT(session.ask(Undo{}), HasSubstr("[[change]] at step 6"));
  session.must(SetCharge{0, "some", 5e-7});
  session.step(3);
  EXPECT_NEAR(charge_shown(session, 60), 1e-7, 1e-13);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "changes");
}

TEST(StudioCharge, AutoKeepsItsMethod) {
  std::string scene = two_chains();
  scene.replace(scene.find("\"imex\""), 6, "\"auto\"");
  Handled session(scene);
  session.loaded().step(3);
  const std::string method(session.machine->live()->simulator().integrator().name());
  session.must(SetCharge{1, std::nullopt, 2e-6});  // It might choose another one for such charges.
  session.step(3);
  EXPECT_EQ(session.machine->live()->simulator().integrator().name(), method);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), method);
}

TEST(StudioPaint, ChangesWhatItCoversAndLeavesOutWhatGroupsCharge) {
  Handled session(two_chains());
  session.loaded().step(2);
  session.must(Paint{0, {3, 10, 11}, {5e-7, 1.23456789e-7, -2e-7}});
  for (std::size_t i = 7; i < 60; ++i) {
    if (i != 10 && i != 11) {
      EXPECT_NEAR(charge_shown(session, i), 1e-7, 1e-13) << i;
    }
  }
  EXPECT_NEAR(charge_shown(session, 10), 1.234568e-7, 1e-13);
  EXPECT_NEAR(charge_shown(session, 11), -2e-7, 1e-13);
  EXPECT_NEAR(charge_shown(session, 3), 1e-7 + 0.02 * 2e-7, 1e-13);  // Of the group.
  EXPECT_THAT(session.heard.last<NoticeInfo>()->text,
              HasSubstr("1 vertex has the charge of the groups \"some\", \"more\""));
  EXPECT_THAT(session.ask(Paint{0, {3, 4}, {1e-7, 1e-7}}), HasSubstr("2 vertices have"));
  EXPECT_THAT(session.ask(Paint{0, {1, 2}, {1e-7, 1e-7}}), HasSubstr("the charge of the group \"some\":"));
  // A second stroke on the first one; its change names what it covers.
  session.step(1);
  session.must(Paint{0, {11, 12}, {7e-7, 8e-7}});
  session.step(1);
  const Checkpoint played = session.finished();
  const Scene scene = read_scene(session.session());
  ASSERT_EQ(scene.changes.size(), 2U);
  EXPECT_EQ(scene.changes[1].set,
            (std::vector<std::string>{"body.0.charges.11=7e-07", "body.0.charges.12=8e-07"}));
  expect_same(played, session.repeated(2), "paint");
}

TEST(StudioGroups, AreMadeChargedAndUndone) {
  Handled session(two_chains());
  session.loaded().step(2);
  session.must(MakeGroup{1, "new", {9, 3, 3, 5}});
  const SystemInfo* system = session.heard.last<SystemInfo>();
  ASSERT_EQ(system->groups.size(), 3U);
  EXPECT_EQ(system->groups[2].name, "new");
  EXPECT_EQ(system->groups[2].count, 3);
  EXPECT_TRUE(system->groups[0].charged);
  EXPECT_FALSE(system->groups[2].charged);
  const auto* topology = session.heard.last<std::shared_ptr<const Topology>>();
  const auto first = (*topology)->groups.end() - 3;
  EXPECT_THAT(std::vector<Index>(first, (*topology)->groups.end()), ElementsAre(63, 65, 69));
  EXPECT_THAT(text_of(session), HasSubstr("indices = [3, 5, 9]"));
  session.must(SetCharge{1, "new", 3e-7});
  EXPECT_NEAR(charge_shown(session, 65), 3e-7, 1e-13);
  EXPECT_EQ(charge_shown(session, 66), 0.0);
  EXPECT_TRUE(session.heard.last<SystemInfo>()->groups[2].charged);
  session.step(4);
  EXPECT_THAT(session.ask(MakeGroup{1, "new", {1}}), HasSubstr("already"));
  session.must(Undo{});
  session.must(Undo{});
  EXPECT_EQ(session.heard.last<SystemInfo>()->groups.size(), 2U);
  EXPECT_EQ(text_of(session), two_chains());
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "groups");
}

/// Where a charge was too much it is taken back, and the session goes on from the last good step.
TEST(StudioCharge, WhatMadeItDivergeIsTakenBack) {
  Handled session(two_chains());
  session.loaded().step(4);
  session.must(SetCharge{0, std::nullopt, 1e12});
  session.must(Step{1});
  session.work_while(Phase::running);
  ASSERT_EQ(session.phase(), Phase::diverged);
  EXPECT_EQ(session.state().step, 4);
  EXPECT_NE(session.ask(SetCharge{9, std::nullopt, 1e-7}), "");
  EXPECT_EQ(session.phase(), Phase::diverged);
  session.must(Undo{});
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(text_of(session), two_chains());
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.step(3);
  EXPECT_EQ(session.state().step, 7);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "diverged");
}

TEST(StudioSave, WritesTheTextAndNothingElse) {
  std::string start;  // Windows' line ends stay.
  for (const char c : two_chains()) start += c == '\n' ? std::string("\r\n") : std::string(1, c);
  Handled session(start);
  session.loaded().step(2);
  session.must(SetCharge{1, std::nullopt, 2e-7});
  session.must(Save{});
  const std::string saved = read_regular_file(session.options.target);
  EXPECT_EQ(saved, text_of(session));
  EXPECT_FALSE(session.heard.last<DocumentInfo>()->unsaved);
  std::string expected = start;
  expected.insert(expected.rfind("mass = 0.05\r\n") + 13, "charge = 2e-07\r\n");
  EXPECT_EQ(saved, expected);
  // Undo goes on behind it.
  session.must(Undo{});
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->unsaved);
  // What something else has written is not lost.
  test::put_text(session.options.target, "# mine\n");
  EXPECT_THAT(session.ask(Save{}), HasSubstr("changed by something else"));
  EXPECT_EQ(read_regular_file(session.options.target), "# mine\n");
  session.must(Save{true});
  EXPECT_EQ(read_regular_file(session.options.target), start);
}

TEST(StudioSave, AFileThatIsGoneOrCannotBeWrittenIsSaid) {
  Handled session(two_chains());
  session.loaded().step(1);
  session.must(SetCharge{1, std::nullopt, 2e-7});
  std::filesystem::remove(session.options.target);
  EXPECT_THAT(session.ask(Save{}), HasSubstr("changed by something else"));
  std::filesystem::create_directories(session.options.target + "/x");
  EXPECT_NE(session.ask(Save{true}), "");
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->unsaved);
  std::filesystem::remove_all(session.options.target);
  // What never ends is not read.
  std::filesystem::create_symlink("/dev/zero", session.options.target);
  EXPECT_NE(session.ask(Save{}), "");
  EXPECT_NE(session.ask(Save{true}), "");
  EXPECT_TRUE(std::filesystem::is_symlink(session.options.target));
  std::filesystem::remove(session.options.target);
  session.must(Save{true});
  EXPECT_EQ(read_regular_file(session.options.target), text_of(session));
}

TEST(StudioSave, AWriteProtectedFileIsNotReplaced) {
  namespace fs = std::filesystem;
  Handled session(two_chains());
  session.loaded().step(1);
  session.must(SetCharge{1, std::nullopt, 2e-7});
  constexpr auto writable = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  fs::permissions(session.options.target, writable, fs::perm_options::remove);
  EXPECT_THAT(session.ask(Save{}), HasSubstr("write-protected"));
  EXPECT_THAT(session.ask(Save{true}), HasSubstr("write-protected"));
  EXPECT_EQ(read_regular_file(session.options.target), two_chains());
  EXPECT_TRUE(session.heard.last<DocumentInfo>()->unsaved);
  fs::permissions(session.options.target, fs::perms::owner_write, fs::perm_options::add);
  session.must(Save{});
  EXPECT_EQ(read_regular_file(session.options.target), text_of(session));
}

TEST(StudioSave, ASceneOfTheProgramHasNoFile) {
  Handled session;
  session.options.output = "";
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(session.folder.path());
  session.begun();
  session.must(Open{"new:blob"});
  session.work_while(Phase::loading);
  session.must(SetCharge{0, std::nullopt, 2e-7});
  EXPECT_THAT(session.ask(Save{}), HasSubstr("has no file: save it under a name"));
  session.machine.reset();
  std::filesystem::current_path(before);
}

TEST(StudioCharge, SaysWhatIsWrong) {
  Handled session(two_chains());
  session.loaded().step(2);
  const std::string start = text_of(session);
  EXPECT_THAT(session.ask(SetCharge{2, std::nullopt, 1e-7}), HasSubstr("no body 2"));
  EXPECT_THAT(session.ask(SetCharge{1, "some", 1e-7}), HasSubstr("no group \"some\""));
  EXPECT_THAT(session.ask(Paint{1, {40}, {1e-7}}), HasSubstr("no vertex 40"));
  EXPECT_EQ(session.ask(Paint{1, {}, {}}), "");
  EXPECT_THAT(session.ask(MakeGroup{1, "", {1}}), HasSubstr("name"));
  EXPECT_THAT(session.ask(MakeGroup{1, "x", {}}), HasSubstr("vertices"));
  EXPECT_THAT(session.ask(MakeGroup{1, "x", {40}}), HasSubstr("no vertex 40"));
  EXPECT_THAT(session.ask(Redo{}), HasSubstr("nothing to redo"));
  EXPECT_EQ(text_of(session), start);
}

/// What the checker finds is said in its words, and nothing is changed.
TEST(StudioCharge, SaysWhatTheCheckerFinds) {
  std::string scene = two_chains();
  scene.replace(scene.find("softening = 0.05\n"), 17, "");
  for (const char* name : {"one", "two"})
    scene += std::string("[[body]]\nname = \"") + name +
             "\"\ngenerate = { shape = \"chain\", length = 1.0, vertices = 2 }\nmass = 1.0\n"
             "translate = [30.0, 0.0, 0.0]\n[[body.springs]]\nfrom = \"edges\"\nstiffness = 1.0\n";
  Handled session(scene);
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
  session.must(SetCharge{2, std::nullopt, 1e-9});
  const std::string text = text_of(session);
  EXPECT_THAT(session.ask(SetCharge{3, std::nullopt, 1e-9}), HasSubstr("softening"));
  EXPECT_EQ(text_of(session), text);
  EXPECT_EQ(charge_shown(session, 102), 0.0);
  session.step(3);
  EXPECT_EQ(session.phase(), Phase::paused);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "refused");
}

}  // namespace
}  // namespace electret::studio
