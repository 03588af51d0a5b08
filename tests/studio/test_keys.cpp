/// Key-frames: what the timeline shows of a text, what becomes of it, and steps that are taken again.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>
#include <electret/scene/keyframes.hpp>
#include <electret/studio/session/key_tables.hpp>

#include "studio/handled.hpp"
#include "support/allocation_counter.hpp"

namespace electret::studio {
namespace {

using test::chain_scene;
using test::expect_same;
using test::few_states;
using test::Handled;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

KeyTable table_in(const std::string& text, const std::string& key) {
  for (const KeyTable& each : key_tables_of(text))
    if (each.key == key) return each;
  throw InternalError("there is no such table");
}

std::vector<std::string> labels_of(const std::string& text) {
  std::vector<std::string> labels;
  for (const KeyTable& each : key_tables_of(text)) labels.push_back(each.key + ": " + each.label);
  return labels;
}

TEST(StudioKeyTables, AreWhatTheSchemaHasTimesFor) {
  const std::string text = chain_scene("imex");
  EXPECT_THAT(labels_of(text), ::testing::UnorderedElementsAre(
                                   "body.0.group_charge.0: tip of chain", "body.0.pin.0: pin top of chain",
                                   "external_charge.0: external charge 1", "obstacle.0: obstacle ball"));
  const KeyTable charge = table_in(text, "body.0.group_charge.0");
  EXPECT_THAT(charge.times, ElementsAre(0.0, 0.1, 0.3));
  EXPECT_EQ(charge.interpolation, "linear");
  ASSERT_EQ(charge.lanes.size(), 1U);
  EXPECT_EQ(charge.lanes[0].unit, "C");
  EXPECT_EQ(charge.lanes[0].constant, "value");
  EXPECT_THAT(charge.lanes[0].values, ElementsAre(1e-7, 4e-7, -2e-7));
  const KeyTable external = table_in(text, "external_charge.0");
  ASSERT_EQ(external.lanes.size(), 2U);
  EXPECT_THAT(external.lanes[0].value, ElementsAre(1e-6));
  EXPECT_EQ(external.lanes[1].columns, 3U);
  EXPECT_THAT(external.lanes[1].values, ElementsAre(-1.0, 0.0, -1.3, 2.0, 0.0, -1.3));
  EXPECT_THAT(key_tables_of("no = [toml"), IsEmpty());
}

TEST(StudioKeyTables, KeysAreToldFromOtherKeys) {
  for (const char* key :
       {"body.0.pin.1.offsets", "body.0.pin.1.offsets.2=[1,2,3]", "external_charge.0.times=[1]",
        "body.0.group_charge.0.value=1", "body.3.muscle.0.activation=0.5", "obstacle.2.rotations=[]",
        "body.0.load.0.interpolation=\"step\""})
    EXPECT_TRUE(is_of_keys(key)) << key;
  for (const char* key :
       {"body.0.pin.1", "body.0.pin.1.group=\"a\"", "external_charge.0.width=1", "time.step=1",
        "body.0.springs.0.stiffness=1", "grab.0.times=[0]", "body", "obstacle.0.radius"})
    EXPECT_FALSE(is_of_keys(key)) << key;
  EXPECT_TRUE(is_of_keys("body.0.pin.1.offsets", "body.0.pin.1"));
  EXPECT_FALSE(is_of_keys("body.0.pin.10.offsets", "body.0.pin.1"));
}

/// What is set is what is read, in any order of inserting, moving and deleting; comments stay.
TEST(StudioKeyTables, EditsMakeOneTableOfTheOther) {
  std::mt19937 random(3);
  std::string text = "# kept\n" + chain_scene("imex");
  for (int trial = 0; trial < 60; ++trial) {
    const auto all = key_tables_of(text);
    const KeyTable before = all[random() % all.size()];
    KeyTable after = before;
    const std::size_t keys = random() % 4;
    after.times.clear();
    for (std::size_t k = 0; k < keys; ++k)
      after.times.push_back(0.25 * static_cast<double>(k + random() % 2 + k));
    after.interpolation =
        keys == 0 ? "linear" : std::vector<std::string>{"linear", "step", "cubic"}[random() % 3];
    for (KeyLane& lane : after.lanes) {
      lane.values.clear();
      lane.value.clear();
      const auto number = [&] { return static_cast<double>(random() % 100) / 8.0; };
      for (std::size_t k = 0; k < keys * lane.columns; ++k) lane.values.push_back(number());
      for (std::size_t k = 0; keys == 0 && !lane.constant.empty() && k < lane.columns; ++k)
        lane.value.push_back(number());
    }
    EXPECT_EQ(why_no_keys(before, after), "");
    text = edited_text(text, "scene.toml", edits_of_keys(before, after));
    EXPECT_EQ(table_in(text, before.key), after);
    EXPECT_THAT(text, HasSubstr("# kept"));
  }
}

double value_of(const KeyTable& table, double time) {
  KeyFrames<double> keys{table.times, table.lanes[0].values,
                         table.interpolation == "step"    ? Interpolation::step
                         : table.interpolation == "cubic" ? Interpolation::cubic
                                                          : Interpolation::linear};
  if (keys.empty()) return table.lanes[0].value.at(0);
  return evaluate(keys, time, 1e-3);
}

/// Before the time that is told nothing differs, and there is a time with none.
TEST(StudioKeyTables, NothingDiffersBeforeTheFirstDifference) {
  std::mt19937 random(11);
  const auto random_table = [&](const std::string& interpolation, std::size_t keys) {
    KeyTable table{"a", "a", {}, interpolation, {{"values", "C", 1, "value", {}, {}}}};
    for (std::size_t k = 0; k < keys; ++k) {
      table.times.push_back(static_cast<double>(k));
      table.lanes[0].values.push_back(static_cast<double>(random() % 3));
    }
    if (keys == 0) table.lanes[0].value.push_back(static_cast<double>(random() % 3));
    return table;
  };
  int equal = 0, later = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string interpolation = std::vector<std::string>{"linear", "step", "cubic"}[random() % 3];
    const KeyTable a = random_table(interpolation, random() % 6);
    KeyTable b = a;
    if (const std::size_t at = random() % 7; at < b.times.size() && random() % 2 == 0) {
      b.lanes[0].values[at] += static_cast<double>(random() % 2);
      if (random() % 2 == 0) b.times[at] += 0.25;
    } else {
      b = random_table(interpolation, random() % 6);
    }
    const auto time = first_difference(a, b);
    equal += time ? 0 : 1;
    later += time && *time > 0.0 ? 1 : 0;
    for (double t = 0.0; t < 7.0 && (!time || t < *time - 1e-9); t += 1.0 / 16.0)
      ASSERT_NEAR(value_of(a, t), value_of(b, t), 1e-11) << interpolation << " at " << t;
  }
  EXPECT_GT(equal, 100);
  EXPECT_GT(later, 100);
}

/// Values count, not how many keys say them.
TEST(StudioKeyTables, ADifferenceIsOneOfValues) {
  const auto table = [](const std::string& interpolation, std::vector<double> times,
                        std::vector<double> values) {
    return KeyTable{
        "a", "a", std::move(times), interpolation, {{"values", "C", 1, "value", std::move(values), {}}}};
  };
  // A key on a line that was moved later: what is before it stays.
  const KeyTable line = table("linear", {0, 1, 2, 3}, {0, 1, 2, 3});
  EXPECT_FALSE(first_difference(line, table("linear", {0, 3}, {0, 3})));
  EXPECT_EQ(first_difference(line, table("linear", {0, 2, 3}, {0, 2, 4})), 2.0);
  EXPECT_EQ(first_difference(table("linear", {0, 3}, {0, 3}), table("linear", {0, 1, 2, 3}, {0, 1, 5, 3})),
            1.0);
  // What comes before a first key is its value.
  EXPECT_EQ(first_difference(table("step", {1, 2}, {7, 8}), table("step", {0, 2, 4}, {7, 8, 9})), 4.0);
  EXPECT_FALSE(first_difference(table("step", {1, 2}, {7, 7}), table("linear", {0}, {7})));
  EXPECT_EQ(first_difference(table("step", {0, 2}, {7, 8}), table("linear", {0, 2}, {7, 8})), 0.0);
  // Of a spline only the pieces beside a key depend on it.
  EXPECT_EQ(first_difference(table("cubic", {0, 1, 2, 3, 4, 5}, {0, 2, 1, 5, 3, 4}),
                             table("cubic", {0, 1, 2, 3, 4, 5}, {0, 2, 1, 5, 3, 9})),
            3.0);
  // From a time on.
  const KeyTable moved = table("linear", {0, 1, 2, 3}, {0, 4, 2, 3});
  EXPECT_EQ(first_difference(line, moved), 0.0);
  EXPECT_EQ(first_difference(line, moved, 1.5), 1.5);
  EXPECT_FALSE(first_difference(line, moved, 2.0));
  // A text with findings may have fewer values than times.
  const KeyTable broken = table("linear", {0, 1, 2}, {0, 1});
  EXPECT_FALSE(first_difference(broken, broken));
  EXPECT_EQ(first_difference(broken, line), 0.0);
  EXPECT_EQ(with_samples(broken, "values", {{0.5, {1.0}}}, 0.1), broken);
}

/// Of very many keys, each is looked at a few times: with all of them for each of them, this would take
/// hours.
TEST(StudioKeyTables, ManyKeysAreComparedAndGetSamples) {
  constexpr std::size_t many = 100000;
  KeyTable table{"a",
                 "a",
                 {},
                 "linear",
                 {{"charges", "C", 1, "charge", {}, {}}, {"positions", "m", 3, "position", {}, {}}}};
  for (std::size_t k = 0; k < many; ++k) {
    table.times.push_back(0.5 * static_cast<double>(k));
    table.lanes[0].values.push_back(static_cast<double>(k % 7));
    for (int column = 0; column < 3; ++column) table.lanes[1].values.push_back(static_cast<double>(k % 5));
  }
  EXPECT_FALSE(first_difference(table, table));
  KeyTable other = table;
  other.lanes[1].values[3 * (many - 1)] += 1.0;
  EXPECT_EQ(first_difference(table, other), table.times[many - 2]);
  const KeyTable made = with_samples(table, "charges", {{0.25, {9.0}}}, 0.25);
  ASSERT_EQ(made.times.size(), many + 1);
  EXPECT_EQ(made.lanes[1].values[3], 0.5);
}

TEST(StudioKeyTables, SamplesTakeThePlaceOfTheKeysBetweenThem) {
  KeyTable table{"a", "a", {}, "linear", {{"values", "C", 1, "value", {}, {5.0}}}};
  KeyTable made = with_samples(table, "values", {{0.5, {1.0}}, {0.7, {2.0}}}, 0.1);
  EXPECT_THAT(made.times, ElementsAre(0.0, 0.5, 0.7));
  EXPECT_THAT(made.lanes[0].values, ElementsAre(5.0, 1.0, 2.0));
  EXPECT_EQ(made.interpolation, "step");
  EXPECT_THAT(made.lanes[0].value, IsEmpty());
  // Between linear keys, values hold until the next sample.
  table = {"a", "a", {0.0, 0.6, 2.0}, "linear", {{"values", "C", 1, "value", {1.0, 2.0, 3.0}, {}}}};
  made = with_samples(table, "values", {{0.5, {7.0}}, {0.8, {8.0}}}, 0.1);
  EXPECT_THAT(made.times, ElementsAre(0.0, 0.4, 0.5, 0.7, 0.8, 2.0));
  EXPECT_THAT(made.lanes[0].values, ElementsAre(1.0, 1.0, 7.0, 7.0, 8.0, 3.0));
  // Of two lanes the other one keeps its keys, and has its values at the new ones.
  table = {
      "a",
      "a",
      {0.0, 1.0},
      "linear",
      {{"charges", "C", 1, "charge", {}, {4.0}}, {"positions", "m", 3, "position", {0, 0, 0, 1, 2, 3}, {}}}};
  made = with_samples(table, "charges", {{0.5, {9.0}}}, 0.5);
  EXPECT_THAT(made.times, ElementsAre(0.0, 0.5, 1.0));
  EXPECT_THAT(made.lanes[0].values, ElementsAre(4.0, 9.0, 9.0));
  EXPECT_THAT(made.lanes[1].values, ElementsAre(0, 0, 0, 0.5, 1.0, 1.5, 1, 2, 3));
}

TEST(StudioKeyTables, TimesAreFewDigitsThatStepsStillMeet) {
  EXPECT_EQ(rounded_time(7 * 0.03, 0.03), 0.21);
  for (const double step : {1.0 / 30.0, 0.03, 1e-5, 0.7})
    for (const Count n : {1, 2, 7, 1000, 123456}) {
      const double time = static_cast<double>(n) * step;
      EXPECT_LE(std::abs(rounded_time(time, step) - time), 1e-10 * step);
    }
}

class Keyed : public Handled {
 public:
  using Handled::Handled;
  [[nodiscard]] const KeysInfo& keys() const { return *heard.last<KeysInfo>(); }
  [[nodiscard]] const std::string& text() const { return heard.last<DocumentInfo>()->text; }
  [[nodiscard]] KeyTable table(const std::string& key) const { return table_in(text(), key); }
  /// The tip's charge at this time becomes `charge`, by a key.
  void put_key(double time, double charge) {
    KeyTable table = this->table("body.0.group_charge.0");
    std::size_t at = 0;
    while (at < table.times.size() && table.times[at] < time) ++at;
    const auto place = static_cast<std::ptrdiff_t>(at);
    table.times.insert(table.times.begin() + place, time);
    table.lanes[0].values.insert(table.lanes[0].values.begin() + place, charge);
    must(SetKeys{table});
  }
  void replay() {
    must(Replay{});
    work_while(Phase::rewinding);
  }
  [[nodiscard]] double tip() const { return machine->live()->simulator().inputs().charges[10]; }
};

class StudioKeys : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::string method{GetParam()};
};

/// A key that is to come acts when it comes. One that is past makes what follows out of date, and a replay
/// with hands, a ball and a slider makes it true again; all of it is repeated by a run.
TEST_P(StudioKeys, AReplayRepeatsWhatWasDoneAndARunRepeatsTheSession) {
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    Keyed session(chain_scene(method), few_states, threads);
    session.loaded().step(12);
    session.put_key(0.2, -3e-7);  // Between keys at 0.1 s, step 50, and 0.3 s.
    EXPECT_FALSE(session.keys().stale_from);
    session.step(36);
    session.pull(5, 0.2, {0.1, 0.0, 0.05});
    session.must(BallBegin{1, {0.3, 0.1, -0.6}, -1e-6, 0.1});
    session.step(5);
    session.must(SetCharge{0, std::nullopt, 2e-7});
    session.step(3);
    session.must(HandEnd{0});
    session.must(BallEnd{1});
    session.step(4);
    EXPECT_EQ(session.state().step, 60);
    const State before = session.state();
    session.put_key(0.11, 8e-7);  // Step 55.
    EXPECT_EQ(session.keys().stale_from, 50);
    session.replay();
    EXPECT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.state().step, 60);
    EXPECT_FALSE(session.keys().stale_from);
    EXPECT_NE(session.state().positions, before.positions);
    const auto& changes = session.machine->live()->simulator().system().assembly.scene.changes;
    EXPECT_EQ(changes.back().step, 53);  // The slider acts where it did.
    const State replayed = session.state();
    session.seek(52);
    EXPECT_THAT(session.kinds(), ElementsAre("recorded", "recorded"));  // So do the hands.
    session.seek(55);
    EXPECT_EQ(session.tip(), 8e-7);
    session.seek(60);
    EXPECT_EQ(session.state().positions, replayed.positions);
    session.step(5);
    const Checkpoint played = session.finished();
    EXPECT_EQ(played.state.step, 65);
    expect_same(played, session.repeated(of_run), method + " on " + std::to_string(threads));
  }
}

INSTANTIATE_TEST_SUITE_P(All, StudioKeys, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

/// A replay of keys alone is what the text says from its start.
TEST(StudioReplayOfKeys, IsTheMotionOfTheText) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(40);
  session.put_key(0.03, 5e-7);
  KeyTable pin = session.table("body.0.pin.0");
  pin.times = {0.0, 0.04, 0.4};
  pin.lanes[0].values = {0, 0, 0, 0.02, 0.01, 0, -0.1, 0, 0};
  session.must(SetKeys{pin});
  // The pin would jump: it waits for the replay, and what is done meanwhile does not.
  EXPECT_THAT(session.heard.last<DocumentInfo>()->waiting, ::testing::Not(IsEmpty()));
  EXPECT_EQ(session.keys().stale_from, 0);
  session.must(SetCharge{0, std::nullopt, 1e-7});
  session.replay();
  EXPECT_THAT(session.heard.last<DocumentInfo>()->waiting, IsEmpty());
  EXPECT_EQ(session.state().step, 40);
  test::put_text(session.folder.path() + "/text.toml", session.text());
  Simulator alone(compile(load_scene(session.folder.path() + "/text.toml"), 1));
  alone.run(40);
  for (std::size_t k = 0; k < alone.state().positions.size(); ++k)
    EXPECT_LT(norm(session.state().positions[k] - alone.state().positions[k]), 1e-9) << k;
  session.step(4);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "text");
}

TEST(StudioReplayOfKeys, IsStoppedUndoneAndRefused) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(30);
  EXPECT_THAT(session.ask(Replay{}), HasSubstr("nothing is out of date"));
  session.put_key(0.02, 5e-7);
  EXPECT_EQ(session.keys().stale_from, 0);
  session.must(Undo{});
  EXPECT_FALSE(session.keys().stale_from);
  session.must(Redo{});
  EXPECT_EQ(session.keys().stale_from, 0);
  // What is done while it goes on is refused; stopped, it stands where it came to.
  session.must(Replay{});
  if (session.phase() == Phase::rewinding) {
    EXPECT_NE(session.ask(SetCharge{0, std::nullopt, 1e-7}), "");
  }
  session.must(Stop{});
  EXPECT_EQ(session.phase(), Phase::paused);
  session.step(7);
  session.seek(3);
  session.step(10);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "stopped");
}

/// What the text had after the step at which a replay is broken off comes there, not never.
TEST(StudioReplayOfKeys, BrokenOffKeepsLaterEdits) {
  for (const bool seeks : {false, true}) {
    Keyed session(chain_scene("imex"), few_states);
    session.loaded().step(40);
    session.must(SetCharge{0, std::nullopt, 5e-7});
    session.step(5);
    session.put_key(0.02, 5e-7);
    session.must(Replay{});
    ASSERT_EQ(session.phase(), Phase::rewinding);  // It has begun, and no step was taken yet.
    if (seeks)
      session.seek(40);  // As far as it came.
    else
      session.must(Stop{});
    ASSERT_EQ(session.phase(), Phase::paused);
    ASSERT_EQ(session.state().step, 0);
    session.step(2);
    EXPECT_EQ(session.machine->live()->simulator().inputs().charges[5], 5e-7);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(2), seeks ? "sought" : "stopped");
  }
}

/// A group that was made at the step from which it is replayed is there before its keys.
TEST(StudioReplayOfKeys, EditsOfItsFirstStepStay) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded();
  session.must(MakeGroup{0, "new", {4, 5}});
  session.must(SetCharge{0, "new", 2e-7});
  session.step(20);
  KeyTable table = session.table("body.0.group_charge.1");
  table.times = {0.0, 0.02};
  table.lanes[0].values = {1e-7, 5e-7};
  table.lanes[0].value.clear();
  session.must(SetKeys{table});
  EXPECT_EQ(session.keys().stale_from, 0);
  session.replay();
  EXPECT_EQ(session.state().step, 20);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[4], 5e-7);
  session.step(3);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "first step");
}

/// A step's key acts in the step that ends with it.
TEST(StudioReplayOfKeys, BeginsBeforeTheStepOfAKeyThatJumps) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded();
  KeyTable table = session.table("body.0.group_charge.0");
  table.interpolation = "step";
  session.must(SetKeys{table});
  session.step(30);
  table.times = {0.0, 0.02, 0.1, 0.3};
  table.lanes[0].values = {1e-7, 5e-7, 4e-7, -2e-7};
  session.must(SetKeys{table});
  EXPECT_EQ(session.keys().stale_from, 9);
  session.replay();
  EXPECT_EQ(session.state().step, 30);
  test::put_text(session.folder.path() + "/text.toml", session.text());
  Simulator alone(compile(load_scene(session.folder.path() + "/text.toml"), 1));
  alone.run(30);
  for (std::size_t k = 0; k < alone.state().positions.size(); ++k)
    EXPECT_LT(norm(session.state().positions[k] - alone.state().positions[k]), 1e-9) << k;
}

/// Steps that were taken with a key are out of date once it is taken back, before a replay and after it.
TEST(StudioReplayOfKeys, AnUndoneKeyIsOutOfDateWhereItActed) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(30);
  session.put_key(0.02, 5e-7);
  EXPECT_EQ(session.keys().stale_from, 0);
  session.step(10);
  session.must(Undo{});
  EXPECT_EQ(session.keys().stale_from, 30);
  session.replay();
  EXPECT_FALSE(session.keys().stale_from);
  EXPECT_EQ(session.state().step, 40);
  Keyed untouched(chain_scene("imex"), few_states);
  untouched.loaded().step(40);
  for (std::size_t k = 0; k < session.state().positions.size(); ++k)
    EXPECT_LT(norm(session.state().positions[k] - untouched.state().positions[k]), 1e-9) << k;
  session.must(Redo{});
  EXPECT_EQ(session.keys().stale_from, 0);
  session.replay();
  EXPECT_FALSE(session.keys().stale_from);
  session.must(Undo{});
  EXPECT_EQ(session.keys().stale_from, 0);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "undone");
}

TEST(StudioReplayOfKeys, ResetForgetsIt) {
  Keyed session(chain_scene("imex"));
  session.loaded().step(30);
  session.put_key(0.02, 5e-7);
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_FALSE(session.keys().stale_from);
  session.step(11);
  EXPECT_NEAR(session.tip(), value_of(session.table("body.0.group_charge.0"), 0.022), 1e-20);
}

/// An edit in the past makes another future, and leaves nothing out of date.
TEST(StudioKey, InThePastMakesAnotherFuture) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(60);
  session.seek(45);
  session.put_key(0.12, 5e-7);
  EXPECT_FALSE(session.keys().stale_from);
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 45);
  session.step(20);
  EXPECT_NEAR(session.tip(), value_of(session.table("body.0.group_charge.0"), 0.13), 1e-20);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(3), "past");
}

TEST(StudioKey, WhatIsWrongIsSaidAndNothingIsApplied) {
  Keyed session(chain_scene("imex"));
  session.loaded().step(3);
  const std::string text = session.text();
  KeyTable table = session.table("body.0.group_charge.0");
  table.times = {0.0, 0.2, 0.1};
  EXPECT_THAT(session.ask(SetKeys{table}), HasSubstr("times"));
  table.times = {0.0, 0.2};
  EXPECT_THAT(session.ask(SetKeys{table}), HasSubstr("not one value for each time"));
  table.key = "body.0.group_charge.7";
  EXPECT_THAT(session.ask(SetKeys{table}), HasSubstr("nothing that keys could move"));
  KeyTable pin = session.table("body.0.pin.0");
  pin.lanes[0].values[0] = 1.0;  // Offsets are 0 at time 0.
  EXPECT_NE(session.ask(SetKeys{pin}), "");
  EXPECT_EQ(session.text(), text);
  EXPECT_FALSE(session.heard.last<DocumentInfo>()->can_undo);
  session.step(2);
}

TEST(StudioKey, LeavesTheDigitsOfOthersAsTheyAre) {
  std::string text = chain_scene("imex");
  const std::string values = "values = [1e-7, 4e-7, -2e-7]";
  text.replace(text.find(values), values.size(), "values = [1.23456789012e-7, 4e-7, -2e-7]");
  Keyed session(text);
  session.loaded();
  KeyTable table = session.table("body.0.group_charge.0");
  table.lanes[0].values[1] = 4.23456789012e-7;
  session.must(SetKeys{table});
  EXPECT_THAT(session.table("body.0.group_charge.0").lanes[0].values,
              ElementsAre(1.23456789012e-7, 4.234568e-7, -2e-7));
}

/// A page that comes while the scene is compiled has its tracks in the end.
TEST(StudioKey, IsToldAPageThatComesDuringAReset) {
  for (const bool stops : {false, true}) {
    Keyed session(chain_scene("imex"));
    session.loaded().step(3);
    session.must(SetCharge{0, std::nullopt, 2e-7});
    session.must(Reset{});
    const std::size_t pictures = session.heard.all<std::shared_ptr<const Topology>>().size();
    while (session.heard.all<std::shared_ptr<const Topology>>().size() == pictures) session.machine->work();
    session.must(Hello{protocol_version}, 2);
    if (stops) session.ask(Stop{}, 2);
    session.work_while(Phase::loading);
    std::size_t tables = 0;
    for (const auto& [page, event] : session.heard.events)
      if (const auto* keys = std::get_if<KeysInfo>(&event);
          keys != nullptr && (page == 2 || page == everyone))
        tables = keys->tables.size();
    EXPECT_EQ(tables, 4U);
  }
}

/// A table that was made from an earlier text would take back what has come since.
TEST(StudioKey, IsMadeFromTheTextAsItStands) {
  Keyed session(chain_scene("imex"));
  session.loaded().step(3);
  const Count before = session.heard.last<DocumentInfo>()->revision;
  KeyTable table = session.table("body.0.group_charge.0");
  session.put_key(0.2, 5e-7);
  const std::string text = session.text();
  table.lanes[0].values[0] = 2e-7;
  EXPECT_THAT(session.ask(SetKeys{table, 0.0, before}, 2), HasSubstr("changed meanwhile"));
  EXPECT_EQ(session.text(), text);
  table = session.table("body.0.group_charge.0");
  table.lanes[0].values[0] = 2e-7;
  session.must(SetKeys{table, 0.0, session.heard.last<DocumentInfo>()->revision}, 2);
  EXPECT_THAT(session.table("body.0.group_charge.0").lanes[0].values, ElementsAre(2e-7, 4e-7, 5e-7, -2e-7));
}

TEST(StudioKey, TheLastOneOfAnyInterpolationIsDeleted) {
  for (const std::string interpolation : {"linear", "step", "cubic"}) {
    Keyed session(chain_scene("imex"));
    session.loaded().step(3);
    KeyTable table = session.table("body.0.group_charge.0");
    table.times = {0.1};
    table.lanes[0].values = {4e-7};
    table.interpolation = interpolation;
    session.must(SetKeys{table});
    table.times.clear();
    table.lanes[0].values.clear();
    table.lanes[0].value = {4e-7};
    for (const std::string asked : {"linear", interpolation.c_str()}) {
      table.interpolation = asked;
      session.must(SetKeys{table});
      const KeyTable left = session.table("body.0.group_charge.0");
      EXPECT_THAT(left.times, IsEmpty());
      EXPECT_THAT(left.lanes[0].value, ElementsAre(4e-7));
      EXPECT_FALSE(left.says_interpolation) << interpolation;
      session.must(Undo{});
    }
  }
}

TEST(StudioAutoKey, WritesWhatASliderDidAsOneStepOfUndo) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(5);
  const std::string before = session.text();
  for (int n = 0; n < 6; ++n) {
    SetCharge charge{0, "tip", (1 + n) * 1e-7, 3.0};
    charge.is_key = true;
    session.must(charge);
    session.step(2);
  }
  EXPECT_THAT(session.table("body.0.group_charge.0").times, IsEmpty());
  session.must(EndKeys{3.0});
  const KeyTable made = session.table("body.0.group_charge.0");
  // The key at 0 was there, and the later ones are.
  EXPECT_EQ(made.times.front(), 0.0);
  EXPECT_EQ(made.times.back(), 0.3);
  for (int n = 0; n < 6; ++n) {
    EXPECT_NEAR(value_of(made, (5 + 2 * n) * 0.002), (1 + n) * 1e-7, 1e-20);
    if (n < 5) {
      EXPECT_NEAR(value_of(made, (6 + 2 * n) * 0.002), (1 + n) * 1e-7, 1e-20);
    }
  }
  EXPECT_FALSE(session.keys().stale_from);
  session.step(3);
  session.must(Undo{});
  EXPECT_EQ(session.text(), before);
  session.must(Redo{});
  EXPECT_EQ(session.table("body.0.group_charge.0"), made);
  session.step(3);
  // A field's value is a key by itself; an external charge has keys, too.
  SetExternal external{0, 2e-6};
  external.is_key = true;
  session.must(external);
  const KeyTable charges = session.table("external_charge.0");
  EXPECT_EQ(charges.lanes[0].values.front(), 1e-6);
  EXPECT_THAT(charges.lanes[1].values, ::testing::Not(IsEmpty()));
  session.step(4);
  EXPECT_EQ(session.machine->live()->simulator().inputs().external_charges[0].charge, 2e-6);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "auto-key");
}

/// The chain, with a charge of its top below that of the tip; of both if they share a vertex.
std::string chain_with_two(bool share = false) {
  std::string text = chain_scene("imex");
  const std::string mark = "  [[body.pin]]";
  text.insert(text.find(mark), "  [[body.group_charge]]\n  group = \"top\"\n  value = 3e-7\n\n");
  if (share) text.replace(text.find("indices = [0]"), 13, "indices = [0, 10]");
  return text;
}

/// An entry that is not the last one keeps its own keys, whether it stays in its place or not.
TEST(StudioAutoKey, KeepsTheKeysOfItsOwnGroup) {
  for (const bool share : {false, true}) {
    Keyed session(chain_with_two(share), few_states);
    session.loaded().step(5);
    SetCharge charge{0, "tip", 1e-7, 3.0};
    charge.is_key = true;
    session.must(charge);
    session.must(EndKeys{3.0});
    const KeyTable tip = session.table(share ? "body.0.group_charge.1" : "body.0.group_charge.0");
    EXPECT_EQ(tip.label, "tip of chain");
    EXPECT_THAT(tip.times, ElementsAre(0.0, 0.008, 0.01, 0.1, 0.3));
    EXPECT_EQ(tip.lanes[0].values.front(), 1e-7);
    EXPECT_THAT(tip.lanes[0].values, ::testing::Contains(4e-7));
    EXPECT_EQ(tip.lanes[0].values.back(), -2e-7);
    const KeyTable top = session.table(share ? "body.0.group_charge.0" : "body.0.group_charge.1");
    EXPECT_THAT(top.lanes[0].value, ElementsAre(3e-7));
    EXPECT_THAT(top.times, IsEmpty());
  }
}

/// Where an edit has moved a group's entry in its list, keys are true again from that edit on, and no other
/// group gets them.
TEST(StudioReplayOfKeys, ChargesTheGroupThatIsMeant) {
  for (const bool share : {false, true}) {
    Keyed session(chain_with_two(share), few_states);
    session.loaded().step(50);
    session.must(SetCharge{0, "tip", 2e-7});
    session.step(20);
    const std::string key = share ? "body.0.group_charge.1" : "body.0.group_charge.0";
    KeyTable tip = session.table(key);
    EXPECT_EQ(tip.label, "tip of chain");
    tip.times = {0.02, 0.04};
    tip.lanes[0].values = {6e-7, 7e-7};
    tip.lanes[0].value.clear();
    session.must(SetKeys{tip});
    EXPECT_EQ(session.keys().stale_from, share ? 50 : 0);
    session.replay();
    EXPECT_EQ(session.state().step, 70);
    const auto charge = [&](std::size_t vertex) {
      return session.machine->live()->simulator().inputs().charges[vertex];
    };
    EXPECT_EQ(charge(11), 7e-7);
    EXPECT_EQ(charge(0), 3e-7);
    EXPECT_FALSE(session.keys().stale_from);
    session.seek(15);
    EXPECT_EQ(charge(0), 3e-7);
    session.seek(70);
    session.step(3);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(2), share ? "moved" : "in place");
  }
}

/// The whole list, which an edit made, is no edit of one table's keys.
TEST(StudioReplayOfKeys, DoesNotBringForwardWhatAnEditMade) {
  std::string text = chain_scene("imex");
  const std::size_t from = text.find("  [[body.group_charge]]");
  text.erase(from, text.find("  [[body.pin]]") - from);
  Keyed session(text, few_states);
  session.loaded().step(20);
  session.must(SetCharge{0, "tip", 2e-7});
  session.step(10);
  session.must(SetCharge{0, "top", 3e-7});
  session.step(10);
  KeyTable top = session.table("body.0.group_charge.1");
  top.times = {0.01, 0.02};
  top.lanes[0].values = {6e-7, 7e-7};
  top.lanes[0].value.clear();
  session.must(SetKeys{top});
  EXPECT_EQ(session.keys().stale_from, 30);
  session.replay();
  session.seek(25);
  const auto& charges = session.machine->live()->simulator().inputs().charges;
  EXPECT_EQ(charges[10], 2e-7);
  EXPECT_NE(charges[0], 7e-7);
  session.seek(15);
  EXPECT_NE(session.machine->live()->simulator().inputs().charges[10], 2e-7);
}

/// While the text has other tables than the scene that runs, nothing is out of date that a replay could mend.
TEST(StudioReplayOfKeys, WaitsForAResetWhereTablesAreOthers) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(30);
  session.put_key(0.02, 5e-7);
  EXPECT_EQ(session.keys().stale_from, 0);
  std::string text = session.text();
  text.insert(text.find("[[body]]"),
              "[[body]]\nname = \"first\"\ngenerate = { shape = \"chain\", length = 1.0, vertices = 3 }\n"
              "mass = 0.01\n  [[body.springs]]\n  from = \"edges\"\n  stiffness = 1.0\n\n");
  const Count revision = session.heard.last<DocumentInfo>()->revision;
  session.must(TypedText{1, revision, text, true});
  const auto is_checked = [&] { return session.heard.last<TextChecked>() != nullptr; };
  while (!is_checked()) session.machine->work();
  ASSERT_TRUE(session.heard.last<TextChecked>()->is_applied) << session.heard.last<TextChecked>()->error;
  EXPECT_FALSE(session.keys().stale_from);
  EXPECT_THAT(session.ask(Replay{}), HasSubstr("nothing is out of date"));
  session.must(Undo{});
  EXPECT_EQ(session.keys().stale_from, 0);
}

/// A keyed pin that comes before another one waits, and leaves that one's keys alone.
TEST(StudioReplayOfKeys, APinThatIsInsertedMovesNothingYet) {
  Keyed session(chain_scene("imex"), few_states), untouched(chain_scene("imex"), few_states);
  session.loaded();
  untouched.loaded();
  std::string text = session.text();
  text.insert(text.find("  [[body.pin]]"),
              "  [[body.pin]]\n  group = \"tip\"\n  times = [0.0, 0.1]\n"
              "  offsets = [[0, 0, 0], [0, 0.3, 0]]\n\n");
  session.must(TypedText{1, session.heard.last<DocumentInfo>()->revision, text, true});
  while (session.heard.last<TextChecked>() == nullptr) session.machine->work();
  ASSERT_TRUE(session.heard.last<TextChecked>()->is_applied) << session.heard.last<TextChecked>()->error;
  EXPECT_EQ(session.heard.last<TextChecked>()->effect, "reset");
  session.step(20);
  untouched.step(20);
  EXPECT_EQ(session.state().positions, untouched.state().positions);
  session.must(Undo{});
  session.step(20);
  untouched.step(20);
  EXPECT_EQ(session.state().positions, untouched.state().positions);
}

/// A field's value and its key are one step of undo; two of them are two.
TEST(StudioAutoKey, AFieldIsOneStepOfUndo) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(5);
  const std::string start = session.text();
  SetCharge charge{0, "tip", 2e-7};
  charge.is_key = true;
  session.must(charge);
  const std::string first = session.text();
  EXPECT_THAT(session.table("body.0.group_charge.0").times, ::testing::Contains(0.01));
  charge.value = 3e-7;
  session.must(charge);
  session.must(Undo{});
  EXPECT_EQ(session.text(), first);
  session.must(Undo{});
  EXPECT_EQ(session.text(), start);
}

/// Undo may lead from a file with findings to a scene; redo does not lead back, and says why.
TEST(StudioKey, ARedoOfATextWithFindingsIsRefused) {
  Keyed session(chain_scene("imex"));
  session.loaded().step(3);
  std::string broken = session.text();
  const std::string values = "values = [1e-7, 4e-7, -2e-7]";
  broken.replace(broken.find(values), values.size(), "values = [1e-7]");
  test::put_text(session.options.target, broken);
  session.must(Reload{});
  session.work_while(Phase::loading);
  ASSERT_EQ(session.phase(), Phase::broken);
  session.must(Undo{});
  session.work_while(Phase::loading);
  ASSERT_EQ(session.phase(), Phase::paused);
  const std::string text = session.text();
  EXPECT_NE(session.ask(Redo{}), "");
  EXPECT_EQ(session.text(), text);
  session.step(2);
}

SetCharge tip_key(double value, double gesture) {
  SetCharge charge{0, "tip", value, gesture};
  charge.is_key = true;
  return charge;
}

/// Whatever comes in the midst of a gesture, its keys are written and the later ones stay.
TEST(StudioAutoKey, AGestureThatIsCutShortLosesNoKeys) {
  const std::string table = "body.0.group_charge.0";
  const auto cut = [&](const Command& command, int page) {
    Keyed session(chain_scene("imex"), few_states);
    session.loaded().step(5);
    session.must(tip_key(2e-7, 3.0));
    session.step(2);
    session.must(tip_key(3e-7, 3.0));
    if (std::holds_alternative<Leave>(command)) {
      session.machine->handle({page, 0.0, command});
    } else {
      session.must(command, page);
    }
    if (const auto* charge = std::get_if<SetCharge>(&command); charge != nullptr && charge->is_key)
      session.must(EndKeys{charge->gesture}, page);
    return table_in(session.text(), table);
  };
  const auto expect_whole = [&](const KeyTable& made, const std::string& what) {
    EXPECT_NEAR(value_of(made, 0.01), 2e-7, 1e-20) << what;
    EXPECT_NEAR(value_of(made, 0.014), 3e-7, 1e-20) << what;
    EXPECT_THAT(made.times, ::testing::Contains(0.1)) << what;
    EXPECT_EQ(made.times.back(), 0.3) << what;
  };
  expect_whole(cut(Leave{}, 1), "leave");
  expect_whole(cut(Paint{0, {1}, {2e-7}}, 2), "paint");
  expect_whole(cut(MakeGroup{0, "new", {4}}, 1), "group");
  expect_whole(cut(SetCharge{0, "top", 1e-7, 3.0}, 1), "another group");
  expect_whole(cut(tip_key(3e-7, 3.0), 2), "another page");
  expect_whole(cut(tip_key(3e-7, 4.0), 1), "another gesture");
  expect_whole(cut(SetExternal{0, 2e-6}, 2), "external");
  expect_whole(cut(Save{}, 2), "save");
  expect_whole(cut(Seek{3, true}, 2), "seek");
  expect_whole(cut(EndKeys{3.0}, 1), "end");
  EXPECT_THAT(cut(Leave{}, 2).times, IsEmpty());  // Another page leaves.
  EXPECT_THAT(cut(Undo{}, 1).times, ElementsAre(0.0, 0.1, 0.3));
}

/// The gesture that is to write keys is told so once, and a session that ends in its midst has them.
TEST(StudioAutoKey, WritesKeysToItsEnd) {
  Keyed session(chain_scene("imex"), few_states);
  session.loaded().step(5);
  session.must(tip_key(2e-7, 3.0));
  session.step(2);
  session.must(SetCharge{0, "tip", 3e-7, 3.0});
  session.machine->finish();
  std::ifstream file(session.options.output + "/session.text.toml");
  const std::string kept((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const KeyTable made = table_in(kept, "body.0.group_charge.0");
  EXPECT_NEAR(value_of(made, 0.01), 2e-7, 1e-20);
  EXPECT_NEAR(value_of(made, 0.014), 3e-7, 1e-20);
  EXPECT_EQ(made.times.back(), 0.3);
}

/// What an edit of a quarter of the keys allocates, after another one at the same step.
std::int64_t allocations_of_an_edit(int keys) {
  std::string times = "0.0", values = "1e-7";
  for (int k = 1; k < keys; ++k) {
    times += ", " + std::to_string(k) + "e-2";
    values += ", 1e-7";
  }
  std::string scene = chain_scene("verlet");
  const std::string old_times = "times = [0.0, 0.1, 0.3]", old_values = "values = [1e-7, 4e-7, -2e-7]";
  scene.replace(scene.find(old_times), old_times.size(), "times = [" + times + "]");
  scene.replace(scene.find(old_values), old_values.size(), "values = [" + values + "]");
  Handled session(scene);
  session.loaded().step(5);
  const auto tables = session.heard.last<KeysInfo>()->tables;
  KeyTable wanted = *std::find_if(tables.begin(), tables.end(),
                                  [](const KeyTable& each) { return each.key == "body.0.group_charge.0"; });
  const auto edit = [&](double value) {
    for (std::size_t k = 3; k < wanted.times.size(); k += 4) wanted.lanes[0].values[k] = value;
    session.must(SetKeys{wanted});
  };
  edit(2e-7);
  const test::AllocationCounter counter;
  edit(3e-7);
  return counter.count();
}

/// Twice the keys are twice the work.
TEST(StudioKeys, AnEditOfThousandsOfKeysIsNoMoreWorkPerKey) {
  if (!test::AllocationCounter::works()) GTEST_SKIP() << "allocations are not counted here";
  const std::int64_t few = allocations_of_an_edit(1000), many = allocations_of_an_edit(4000);
  EXPECT_GT(few, 1000);
  EXPECT_LT(many, 5 * few);
}

}  // namespace
}  // namespace electret::studio
