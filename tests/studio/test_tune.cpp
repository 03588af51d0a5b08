/// What the scene is compiled with, changed while it runs: materials, masses, time step, method, forces.

#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>
#include <electret/scene/read.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::expect_same;
using test::few_states;
using test::Handled;
using test::replaced;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Tuned : public Handled {
 public:
  using Handled::Handled;

  void tune(const std::string& key, const std::string& toml) { must(Tune{key, toml}); }
  [[nodiscard]] const DocumentInfo& document() const { return *heard.last<DocumentInfo>(); }
  [[nodiscard]] const SystemInfo& system() const { return *heard.last<SystemInfo>(); }
  [[nodiscard]] const ChangesInfo& changes() const { return *heard.last<ChangesInfo>(); }
  [[nodiscard]] const Simulator& simulator() const { return machine->live()->simulator(); }
  [[nodiscard]] double time() const { return machine->live()->time(); }
  /// Works until session.toml has the present step, and dies.
  void killed() {
    const Count step = state().step;
    const auto is_written = [&] {
      return fs::exists(session()) && read_scene(session()).time.steps == step &&
             read_regular_file(options.output + "/session.text.toml") == document().text;
    };
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!is_written()) {
      if (std::chrono::steady_clock::now() > late) throw InternalError("the session is not written");
      machine->work();
    }
    machine.reset();
  }
};

class StudioTune : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::string method{GetParam()};
};

/// Every kind of live change, with a hand, a charge in a hand and a tack in the midst, and a run of all that.
TEST_P(StudioTune, EveryKindOfChangeIsRepeatedByARun) {
  const std::vector<std::pair<std::string, std::string>> kinds{{"body.0.springs.0.stiffness", "150.0"},
                                                               {"body.0.mass", "0.012"},
                                                               {"time.step", "0.001"},
                                                               {"gravity.acceleration", "[0.0, 0.5, -9.0]"},
                                                               {"damping.drag", "0.3"},
                                                               {"damping.spring", "0.02"},
                                                               {"coulomb.softening", "0.08"},
                                                               {"coulomb.solver", "\"direct\""},
                                                               {"integrator.tolerance", "1e-7"},
                                                               {"integrator.max_iterations", "150"},
                                                               {"body.0.springs.0.rest_length_scale", "0.98"},
                                                               {"obstacle.0.stiffness", "20.0"},
                                                               {"obstacle.0.radius", "0.6"},
                                                               {"external_charge.0.width", "0.12"},
                                                               {"time.step", "0.0015"},
                                                               {"gravity.acceleration", "[0.0, 0.0, -9.0]"}};
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    Tuned session(chain_scene(method), few_states, threads);
    session.loaded().step(4);
    int number = 0;
    for (const auto& [key, toml] : kinds) {
      if (number == 4) session.pull(5, 0.2, {0.05, 0.0, 0.05});
      if (number == 6) session.must(BallBegin{1, {0.3, 0.1, -0.6}, -1e-7, 0.1});
      const State before = session.state();
      session.tune(key, toml);
      EXPECT_EQ(session.state().positions, before.positions);
      EXPECT_THAT(session.document().waiting, IsEmpty()) << key;
      session.step(3);
      if (number == 9) session.must(HandEnd{0, true});
      ++number;
    }
    const State last = session.state();
    EXPECT_EQ(session.simulator().system().time_step, 0.0015);
    const double time = session.time();
    session.seek(9);
    session.seek(last.step);
    EXPECT_EQ(session.time(), time);
    EXPECT_EQ(session.state().positions, last.positions);
    EXPECT_EQ(session.state().velocities, last.velocities);
    const Checkpoint played = session.finished();
    EXPECT_EQ(read_scene(session.session()).changes.size(), kinds.size());
    expect_same(played, session.repeated(of_run), method + " on " + std::to_string(threads));
  }
}

/// From this method to each other one, and back by undo: what both remember goes on.
TEST_P(StudioTune, AMethodGivesWayToEachOther) {
  Tuned session(chain_scene(method), few_states);
  session.loaded().step(3);
  const std::string own(session.simulator().integrator().name());
  for (const std::string_view other : integrator_methods) {
    if (other == method || other == "auto") continue;
    session.tune("integrator.method", "\"" + std::string(other) + "\"");
    EXPECT_EQ(session.system().method, other);
    session.step(2);
    EXPECT_EQ(session.simulator().integrator().name(), other);
    session.must(Undo{});
    session.step(2);
    EXPECT_EQ(session.simulator().integrator().name(), own);
    EXPECT_EQ(session.system().method, own);
  }
  EXPECT_EQ(session.document().text, chain_scene(method));
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(3), method);
}

INSTANTIATE_TEST_SUITE_P(All, StudioTune, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

/// Two masses on a spring, which is 0.1 m too long at the start.
std::string two_masses(const std::string& step) {
  return "[time]\nstep = " + step + "\nsteps = 1000000\n[integrator]\nmethod = \"verlet\"\n" + R"(
[[body]]
name = "pair"
generate = { shape = "chain", length = 1.0, vertices = 2 }
mass = 0.5

  [[body.springs]]
  from = "edges"
  stiffness = 4.0
  rest_length_scale = 0.9
)";
}

double length_of(const State& state) {
  return norm(state.positions[1] - state.positions[0]);
}

/// ω² = 2k/m: four times the stiffness is twice the frequency, without a jump; the energy that the spring
/// gains, ½ (k' - k) (l - l₀)², is told, and is key-frame work.
TEST(StudioTuning, FourTimesTheStiffnessIsTwiceTheFrequency) {
  constexpr double h = 1e-3;
  Tuned session(two_masses("1e-3"));
  session.loaded().step(300);
  const State before = session.state();
  const double work = session.simulator().work().keyframe_work;
  session.tune("body.0.springs.0.stiffness", "16");
  EXPECT_EQ(session.state().positions, before.positions);
  EXPECT_EQ(session.state().velocities, before.velocities);
  ASSERT_EQ(session.changes().changes.size(), 1U);
  EXPECT_FALSE(session.changes().changes[0].energy);
  const double longer = length_of(before) - 0.9;
  const double faster =
      dot(before.velocities[1] - before.velocities[0], before.positions[1] - before.positions[0]) /
      length_of(before);
  session.step(1);
  const double gained = 0.5 * 12.0 * longer * longer;
  EXPECT_NEAR(session.simulator().work().keyframe_work - work, gained, 1e-12);
  ASSERT_TRUE(session.changes().changes[0].energy);
  EXPECT_NEAR(*session.changes().changes[0].energy, gained, 1e-12);
  EXPECT_THAT(session.changes().changes[0].set, ElementsAre("body.0.springs.0.stiffness=16"));
  EXPECT_EQ(session.changes().changes[0].step, 300);
  // Before it 4 rad/s, after it 8.
  EXPECT_NEAR(longer, 0.1 * std::cos(4.0 * 300 * h), 1e-5);
  for (int k = 1; k <= 800; k += 40) {
    const double t = static_cast<double>(session.state().step - 300) * h;
    EXPECT_NEAR(length_of(session.state()) - 0.9,
                longer * std::cos(8.0 * t) + faster / 8.0 * std::sin(8.0 * t), 1e-5)
        << t;
    session.step(40);
  }
}

/// Steps count on, and time goes on from where it is.
TEST(StudioTuning, TimeGoesOnWithAnotherStep) {
  Tuned session(chain_scene("imex"), few_states);
  session.loaded().step(10);
  session.tune("time.step", "0.001");
  EXPECT_DOUBLE_EQ(session.time(), 0.02);
  EXPECT_EQ(session.system().time_step, 0.001);
  session.step(10);
  EXPECT_DOUBLE_EQ(session.time(), 0.03);
  EXPECT_DOUBLE_EQ(session.heard.last<StateInfo>()->time, 0.03);
  ASSERT_EQ(session.system().legs.size(), 2U);
  EXPECT_EQ(session.system().legs[1].step, 10);
  EXPECT_DOUBLE_EQ(session.system().legs[1].time, 0.02);
  session.tune("time.step", "0.004");
  session.step(5);
  EXPECT_DOUBLE_EQ(session.time(), 0.05);
  session.seek(12);
  EXPECT_DOUBLE_EQ(session.time(), 0.022);
  EXPECT_EQ(session.system().time_step, 0.001);
  session.seek(5);
  EXPECT_DOUBLE_EQ(session.time(), 0.01);
  EXPECT_EQ(session.system().time_step, 0.002);
  session.seek(25);
  EXPECT_DOUBLE_EQ(session.time(), 0.05);
  EXPECT_EQ(session.system().time_step, 0.004);
  // A future in which the step is what it was takes the legs away.
  session.seek(15);
  session.tune("time.step", "0.002");
  session.step(5);
  EXPECT_DOUBLE_EQ(session.time(), 0.035);
  const Checkpoint played = session.finished();
  const Scene scene = read_scene(session.session());
  ASSERT_EQ(scene.changes.size(), 2U);
  EXPECT_EQ(scene.changes[1].step, 15);
  expect_same(played, session.repeated(2), "time");
}

/// A scene that says in seconds how long it is ends at its time, whatever its steps are.
TEST(StudioTuning, ADurationEndsWithAnotherStep) {
  Tuned session(replaced(chain_scene("imex"), "steps = 400", "duration = 0.08"));
  session.loaded();
  EXPECT_EQ(session.system().last_step, 40);
  session.step(20);
  session.tune("time.step", "0.001");
  EXPECT_EQ(session.system().last_step, 60);
  EXPECT_THAT(session.ask(Tune{"time.step", "0.003"}), HasSubstr("a whole number of steps"));
  session.must(Play{std::nullopt});
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().step, 60);
  EXPECT_DOUBLE_EQ(session.time(), 0.08);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "duration");
}

/// In the checker's words; the text, the state and what follows are as if nothing had been asked.
TEST(StudioTuning, WhatIsRefusedLeavesAllAsItWas) {
  Tuned session(chain_scene("imex")), other(chain_scene("imex"));
  session.loaded().step(5);
  other.loaded().step(5);
  session.pull(5, 0.2, {0.1, 0.0, 0.05});
  other.pull(5, 0.2, {0.1, 0.0, 0.05});
  session.step(3);
  other.step(3);
  const auto documents = session.heard.all<DocumentInfo>().size();
  const std::vector<std::pair<Tune, std::string>> asked{
      {{"body.0.springs.0.stiffness", "-1.0"}, "≥ 0"},
      {{"body.0.mass", "0.0"}, "> 0"},
      {{"body.0.mass", "nan"}, "finite"},
      {{"time.step", "\"long\""}, "number"},
      {{"integrator.method", "\"magic\""}, "allowed: "},
      {{"integrator.max_iterations", "1.5"}, "whole number"},
      {{"gravity.acceleration", "[1.0, 2.0]"}, "3 numbers"},
      {{"obstacle.0.friction", "0.5"}, "friction_stiffness"},
      {{"body.0.springs.0.stiffness", "1.0\n[evil]"}, "is no value"},
      {{"body.0.springs.0.stiffness", ""}, "is no value"},
      {{"body.0.springs.0.stifness", "1.0"}, "no field"},
      {{"body.3.mass", "1.0"}, "no field"},
      {{"body.0.group.0.name", "\"x\""}, "no field"},
      {{"", "1.0"}, "no field"},
      {{"time", "1.0"}, "no field"},
      {{"body.0.mass", std::nullopt}, "mass"}};
  for (const auto& [tune, why] : asked) EXPECT_THAT(session.ask(tune), HasSubstr(why)) << tune.key;
  EXPECT_THAT(session.ask(Tune{"body.0.mass", "0.02", 0.0, 0}), HasSubstr("changed meanwhile"));
  EXPECT_EQ(session.heard.all<DocumentInfo>().size(), documents);
  EXPECT_EQ(session.document().text, chain_scene("imex"));
  EXPECT_THAT(session.kinds(), ElementsAre("held"));
  session.step(6);
  other.step(6);
  EXPECT_EQ(session.state().positions, other.state().positions);
  EXPECT_EQ(session.state().velocities, other.state().velocities);
  const Checkpoint played = session.finished();
  EXPECT_THAT(read_scene(session.session()).changes, IsEmpty());
  expect_same(played, session.repeated(2), "refused");
}

/// A value without a table begins one, and one that is removed is the default again.
TEST(StudioTuning, ValuesComeAndGo) {
  const std::string start = replaced(chain_scene("imex"), "[damping]\ndrag = 0.1\nspring = 0.05\n", "");
  Tuned session(start);
  session.loaded().step(2);
  session.tune("damping.drag", "0.4");
  EXPECT_THAT(session.document().text, HasSubstr("[damping]\ndrag = 0.4"));
  session.step(2);
  EXPECT_EQ(session.simulator().system().assembly.scene.damping.drag, 0.4);
  session.must(Tune{"damping.drag", std::nullopt});
  session.step(2);
  EXPECT_EQ(session.simulator().system().assembly.scene.damping.drag, 0.0);
  // Of alternatives one is left.
  session.tune("body.0.springs.0.modulus", "9.0");
  EXPECT_THAT(session.document().text, Not(HasSubstr("stiffness = 100.0")));
  session.step(2);
  session.must(Undo{});
  EXPECT_THAT(session.document().text, HasSubstr("stiffness = 100.0"));
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "come and go");
}

/// A slider: one step of undo, and between two steps one change.
TEST(StudioTuning, AGestureIsOneStepOfUndoAndMovesBetweenStepsAreOneChange) {
  Tuned session(chain_scene("imex"));
  session.loaded().step(2);
  for (int k = 1; k <= 20; ++k)
    session.must(Tune{"body.0.springs.0.stiffness", std::to_string(100 + k), 7.0});
  session.step(2);
  for (int k = 1; k <= 3; ++k) {
    session.must(Tune{"body.0.springs.0.stiffness", std::to_string(200 + k), 7.0});
    session.step(1);
  }
  session.must(Undo{});
  EXPECT_EQ(session.document().text, chain_scene("imex"));
  session.step(2);
  EXPECT_EQ(session.simulator().system().assembly.springs[0].stiffness, 100.0);
  EXPECT_EQ(session.changes().all, 5);
  const Checkpoint played = session.finished();
  const Scene scene = read_scene(session.session());
  ASSERT_EQ(scene.changes.size(), 5U);
  EXPECT_THAT(scene.changes[0].set, ElementsAre("body.0.springs.0.stiffness=120"));
  expect_same(played, session.repeated(2), "gesture");
}

/// Hands let go a step before, and take hold again with the strength that is right for what is there then.
TEST(StudioTuning, AHandHoldsOnThroughChanges) {
  Tuned session(test::blob_scene("0.02", "200.0"), few_states);
  session.loaded();
  session.pull(3, 0.3, {0.4, 0.0, 0.0});
  session.step(20);
  double before = 0.0;
  for (const char* stiffness : {"50.0", "800.0", "100.0"}) {
    EXPECT_THAT(session.kinds(), ElementsAre("held"));
    before = session.hands().front().stiffness;
    session.tune("body.0.springs.0.stiffness", stiffness);
    session.step(12);
    EXPECT_EQ(session.phase(), Phase::paused);
    EXPECT_THAT(session.kinds(), ElementsAre("held"));
    EXPECT_NE(session.hands().front().stiffness, before);
    EXPECT_LT(test::farthest(session), 5.0);
  }
  session.tune("time.step", "0.1");
  session.step(12);
  EXPECT_LT(test::farthest(session), 5.0);
  // What leaves bodies as they are lets hands be.
  before = session.hands().front().stiffness;
  session.tune("gravity.acceleration", "[0.0, 0.0, -1.0]");
  session.step(4);
  EXPECT_EQ(session.hands().front().stiffness, before);
  const Checkpoint played = session.finished();
  const Scene scene = read_scene(session.session());
  ASSERT_EQ(scene.changes.size(), 5U);
  EXPECT_EQ(scene.changes[0].step, 21);
  EXPECT_EQ(scene.changes[4].step, 68);
  expect_same(played, session.repeated(3), "held");
}

/// A tack that a change comes upon again and again stands where it stood, at any strength.
TEST(StudioTuning, ATackStandsThroughChanges) {
  Tuned session(test::blob_scene("0.02", "200.0"), few_states);
  session.loaded();
  session.pull(3, 0.3, {0.2, 0.0, 0.0});
  session.step(10);
  session.must(HandEnd{0, true});
  session.step(5);
  const Vec3 target = session.simulator().inputs().grabs.at(0).target;
  for (int k = 0; k < 6; ++k) {
    session.tune("body.0.springs.0.stiffness", k % 2 == 0 ? "20.0" : "400.0");
    session.step(2);
  }
  session.step(6);
  ASSERT_THAT(session.kinds(), ElementsAre("tack"));
  EXPECT_EQ(session.simulator().inputs().grabs.at(0).target, target);
  const State last = session.state();
  session.seek(3);
  session.seek(last.step);
  EXPECT_EQ(session.state().positions, last.positions);
  session.must(RemoveTack{session.hands().front().number});
  session.step(2);
  EXPECT_THAT(session.kinds(), IsEmpty());
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "tack");
}

/// What comes before the step at which hands have let go comes with it.
TEST(StudioTuning, EditsKeepTheirOrderWhereHandsLetGoFirst) {
  Tuned session(chain_scene("imex"), few_states);
  session.loaded();
  session.pull(5, 0.2, {0.1, 0.0, 0.05});
  session.step(5);
  session.tune("body.0.springs.0.stiffness", "50.0");
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.tune("body.0.springs.0.stiffness", "60.0");
  session.must(Paint{0, {4}, {5e-7}});
  session.step(4);
  const auto& charges = session.simulator().inputs().charges;
  EXPECT_EQ(charges[3], 3e-7);
  EXPECT_EQ(charges[4], 5e-7);
  EXPECT_EQ(session.simulator().system().assembly.springs[0].stiffness, 60.0);
  session.seek(5);
  session.seek(9);
  const Checkpoint played = session.finished();
  for (const Change& each : read_scene(session.session()).changes) EXPECT_EQ(each.step, 6);
  expect_same(played, session.repeated(2), "order");
}

TEST(StudioTuning, InThePastMakesAnotherFuture) {
  Tuned session(chain_scene("kick_trbdf2"), few_states);
  session.loaded().step(5);
  session.tune("body.0.springs.0.stiffness", "50.0");
  session.step(10);
  session.tune("integrator.method", "\"verlet\"");
  session.tune("time.step", "0.001");
  session.step(10);
  session.seek(8);
  EXPECT_EQ(session.system().method, "kick_trbdf2");
  EXPECT_EQ(session.simulator().system().assembly.springs[0].stiffness, 50.0);
  session.tune("body.0.mass", "0.02");
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 8);
  EXPECT_EQ(session.system().method, "verlet");  // The text counts from there on.
  session.step(7);
  EXPECT_DOUBLE_EQ(session.time(), 8 * 0.002 + 7 * 0.001);
  EXPECT_EQ(session.simulator().integrator().name(), "verlet");
  const Checkpoint played = session.finished();
  EXPECT_EQ(read_scene(session.session()).changes.size(), 2U);
  expect_same(played, session.repeated(2), "past");
}

/// Pins, vertices and what is there at the start come at Reset, and are there after it.
TEST(StudioTuning, WhatNeedsAnotherStartWaits) {
  Tuned session(chain_scene("imex"));
  session.loaded().step(3);
  session.tune("body.0.translate", "[0.0, 0.0, 1.0]");
  EXPECT_THAT(session.document().waiting, ElementsAre("body.0.translate"));
  session.tune("damping.drag", "0.5");
  EXPECT_THAT(session.document().waiting, ElementsAre("body.0.translate"));
  session.step(2);
  EXPECT_EQ(session.simulator().system().assembly.scene.damping.drag, 0.5);
  session.tune("body.0.pin.0.axis", "[0.0, 0.0, 1.0]");
  EXPECT_THAT(session.document().waiting, ::testing::Contains("body.0.pin.0.axis"));
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_THAT(session.document().waiting, IsEmpty());
  EXPECT_EQ(session.state().positions[0].z, 1.0);
  session.step(3);
  const Checkpoint played = session.finished();
  EXPECT_THAT(read_scene(session.session()).changes, IsEmpty());
  expect_same(played, session.repeated(2), "reset");
}

/// `auto` is what it stood for at the start, however often the method is changed and undone.
TEST(StudioTuning, AutoIsWhatItStoodFor) {
  Tuned session(chain_scene("auto"), few_states);
  session.loaded().step(3);
  const std::string chosen(session.simulator().integrator().name());
  session.tune("time.step", "0.02");
  session.step(3);
  EXPECT_EQ(session.simulator().integrator().name(), chosen);
  session.tune("integrator.method", "\"linear_implicit\"");
  session.step(3);
  EXPECT_EQ(session.simulator().integrator().name(), "linear_implicit");
  session.must(Undo{});
  EXPECT_THAT(session.document().waiting, IsEmpty());
  session.step(3);
  EXPECT_EQ(session.simulator().integrator().name(), chosen);
  session.seek(4);
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "auto");
  // Where the scene says a method, what `auto` stands for is found out at Reset.
  Tuned other(chain_scene("imex"));
  other.loaded().step(2);
  other.tune("integrator.method", "\"auto\"");
  EXPECT_THAT(other.document().waiting, ElementsAre("integrator.method"));
}

TEST(StudioTuning, WhatTheScenesOwnChangeHasSetIsRefused) {
  Tuned session(chain_scene("imex") +
                "[[change]]\nstep = 6\nset = [\"body.0.springs.0.stiffness=30.0\", \"time.step=0.001\"]\n");
  session.loaded().step(3);
  session.tune("body.0.springs.0.stiffness", "70.0");
  session.step(6);
  EXPECT_EQ(session.simulator().system().assembly.springs[0].stiffness, 30.0);
  EXPECT_EQ(session.system().time_step, 0.001);
  EXPECT_THAT(session.ask(Tune{"body.0.springs.0.stiffness", "80.0"}), HasSubstr("[[change]] at step 6"));
  EXPECT_THAT(session.ask(Tune{"time.step", "0.003"}), HasSubstr("[[change]] at step 6"));
  session.tune("damping.drag", "0.5");
  session.step(3);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "own");
}

/// Springs that are other springs are shown as they are, and with what is there at each step.
TEST(StudioTuning, WhatIsShownIsWhatIsThere) {
  Tuned session(test::blob_scene("0.02", "20.0", "[gravity]\nacceleration = [0.0, 0.0, -1.0]\n"));
  session.loaded().step(3);
  const auto springs = [&] { return session.system().bodies[0].springs; };
  const auto drawn = [&] {
    return static_cast<Count>((*session.heard.last<std::shared_ptr<const Topology>>())->springs.size());
  };
  const Count before = springs();
  session.tune("body.0.springs.0.neighbours", "8");
  const Count after = springs();
  EXPECT_LT(after, before);
  EXPECT_EQ(drawn(), after);
  session.tune("gravity.acceleration", "[0.0, 0.0, -3.0]");
  session.tune("body.0.mass", "0.1");
  EXPECT_EQ(session.system().gravity.z, -3.0);
  EXPECT_NEAR(session.system().bodies[0].mass, 15.0, 1e-9);
  EXPECT_TRUE(session.system().rebuild_ms);
  session.step(3);
  session.seek(2);
  EXPECT_EQ(springs(), before);
  EXPECT_EQ(drawn(), before);
  EXPECT_EQ(session.system().gravity.z, -1.0);
  EXPECT_NEAR(session.system().bodies[0].mass, 7.5, 1e-9);
  session.step(3);
  EXPECT_EQ(drawn(), after);
  EXPECT_EQ(session.system().gravity.z, -3.0);
}

/// One second back, a smaller step, and it goes on.
TEST(StudioTuning, WhatDivergedGoesOnWithASmallerStep) {
  Tuned session(test::diverging_scene(), few_states);
  session.loaded();
  session.must(Play{std::nullopt});
  session.work_while(Phase::running);
  ASSERT_EQ(session.phase(), Phase::diverged);
  session.seek(1);
  session.tune("time.step", "1e-5");
  EXPECT_EQ(session.phase(), Phase::paused);
  session.step(20);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_NEAR(session.time(), 0.1 + 20e-5, 1e-12);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "diverged");
}

TEST(StudioTuning, AKilledSessionIsTakenUpWithItsChanges) {
  Tuned session(chain_scene("imex"), few_states);
  session.loaded().step(4);
  session.tune("time.step", "0.001");
  session.step(3);
  session.pull(6, 0.2, {0.1, 0.1, 0.0});
  session.step(4);
  session.tune("body.0.springs.0.stiffness", "300.0");
  session.tune("integrator.method", "\"verlet\"");
  session.step(5);
  session.must(BallBegin{1, {0.3, 0.1, -0.6}, -1e-7, 0.1});
  session.step(3);
  session.tune("time.step", "0.0005");
  session.step(2);
  session.tune("damping.drag", "0.7");  // No step has seen it.
  const State last = session.state();
  const double time = session.time();
  const std::string text = session.document().text;
  session.killed();
  session.heard = {};
  session.loaded();
  session.must(TakeUp{});
  session.work_while(Phase::loading);
  session.work_while(Phase::rewinding);
  EXPECT_EQ(session.state().step, last.step);
  EXPECT_EQ(session.state().positions, last.positions);
  EXPECT_EQ(session.state().velocities, last.velocities);
  EXPECT_EQ(session.time(), time);
  EXPECT_EQ(session.document().text, text);
  EXPECT_THAT(session.document().waiting, IsEmpty());
  session.step(3);
  EXPECT_EQ(session.simulator().system().assembly.scene.damping.drag, 0.7);
  EXPECT_EQ(session.simulator().system().time_step, 0.0005);
  session.tune("body.0.mass", "0.02");
  session.step(3);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(3), "taken up");
}

/// A text that is typed does what fields do.
TEST(StudioTuning, ATextActsAsFieldsDo) {
  Tuned session(chain_scene("imex"), few_states), fields(chain_scene("imex"), few_states);
  session.loaded().step(4);
  fields.loaded().step(4);
  std::string text = replaced(chain_scene("imex"), "stiffness = 100.0", "stiffness = 40.0");
  text = replaced(text, "step = 0.002", "step = 0.003");
  session.must(TypedText{1, session.document().revision, text, true});
  while (session.heard.last<TextChecked>() == nullptr) session.machine->work();
  EXPECT_EQ(session.heard.last<TextChecked>()->effect, "live");
  EXPECT_TRUE(session.heard.last<TextChecked>()->is_applied);
  fields.tune("body.0.springs.0.stiffness", "40.0");
  fields.tune("time.step", "0.003");
  EXPECT_EQ(fields.document().text, text);
  session.step(6);
  fields.step(6);
  EXPECT_EQ(session.state().positions, fields.state().positions);
  EXPECT_EQ(session.state().velocities, fields.state().velocities);
}

/// One random thing after another, tuned values among charges, keys, hands and going back.
class Randomly : public Tuned {
 public:
  Randomly(const std::string& scene, double stiffness, unsigned seed, int threads)
      : Tuned(scene, few_states, threads), stiffness_(stiffness), random_(seed) {}

  void act() {
    switch (pick(12)) {
      case 0:
        return tune("body.0.springs.0.stiffness",
                    std::to_string(stiffness_ * (0.6 + 0.01 * static_cast<double>(pick(80)))));
      case 1:
        return tune("body.0.mass", "0.0" + std::to_string(10 + pick(9)));
      case 2:
        return tune("time.step", "0.00" + std::to_string(10 + pick(12)));
      case 3:
        return tune("damping.drag", "0." + std::to_string(pick(9)));
      case 4:
        return tune("gravity.acceleration", "[0.0, 0." + std::to_string(pick(9)) + ", -9.0]");
      case 5:
        return must(SetCharge{0, pick(2) == 0 ? std::optional<std::string>("tip") : std::nullopt,
                              1e-8 * static_cast<double>(pick(40))});
      case 6:
        return must(SetExternal{0, 1e-7 * static_cast<double>(pick(10)), std::nullopt});
      case 7:
        if (ask(HandEnd{0, pick(3) == 0}).empty()) return;
        return pull(2 + pick(9), 0.15, {0.02 * static_cast<double>(pick(5)), 0.0, 0.03});
      case 8:
        if (ask(BallEnd{1}).empty()) return;
        return must(BallBegin{1, {0.3, 0.1, -0.6}, 1e-8 * static_cast<double>(1 + pick(20)), 0.1});
      case 9:
        if (state().step > 4) seek(state().step - static_cast<Count>(pick(4)));
        return;
      case 10:
        return static_cast<void>(ask(Undo{}));
      default:
        return static_cast<void>(ask(Redo{}));
    }
  }
  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  double stiffness_;  ///< N/m.
  std::mt19937 random_;
};

TEST_P(StudioTune, WhateverIsDoneARunRepeatsIt) {
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    // What damps nothing, and gains energy, is not to diverge in these steps.
    const bool gains = method == "explicit_euler";
    Randomly session(
        gains ? replaced(chain_scene(method), "stiffness = 100.0", "stiffness = 2.0") : chain_scene(method),
        gains ? 2.0 : 100.0, 20261127, threads);
    session.loaded().step(3);
    for (int k = 0; k < 60; ++k) {
      session.act();
      if (session.pick(3) > 0) session.step(static_cast<Count>(1 + session.pick(2)));
      ASSERT_EQ(session.phase(), Phase::paused) << k;
    }
    session.step(2);
    EXPECT_EQ(session.phase(), Phase::paused);
    const Checkpoint played = session.finished();
    EXPECT_GT(read_scene(session.session()).changes.size(), 5U);
    expect_same(played, session.repeated(of_run), method + " on " + std::to_string(threads));
  }
}

}  // namespace
}  // namespace electret::studio
