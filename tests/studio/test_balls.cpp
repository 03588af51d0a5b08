/// Charges that pages hold in their hands, and external charges that fields set: a session with them is
/// repeated by a run of its session.toml, bit for bit.

#include <algorithm>
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
using ::testing::IsNull;
using ::testing::NotNull;

/// The same without an external charge of its own.
std::string lonely_chain(const std::string& method) {
  std::string scene = chain_scene(method);
  const auto from = scene.find("[[external_charge]]"), to = scene.find("[[obstacle]]");
  return scene.erase(from, to - from);
}

/// Two pages, three balls of which two overlap in time, a pull and an edit beside them.
void hold(Handled& session) {
  session.loaded().step(5);
  session.must(BallBegin{0, {0.3, 0.1, -0.6}, -2e-6, 0.1});
  session.step(3);
  session.must(BallBegin{1, {-0.4, 0.0, -0.9}, 1.23456789e-6, 0.05}, 2);
  session.pull(6, 0.2, {0.1, 0.0, 0.0}, 2);
  for (int n = 0; n < 9; ++n) {
    session.must(BallMove{0, {0.3 - 0.02 * n, 0.1, -0.6}});
    session.step(1 + n % 2);
  }
  session.must(BallEnd{0});
  session.step(2);
  session.must(SetCharge{0, "tip", 2e-7});
  session.must(BallBegin{0, {0.0, 0.4, -0.5}, 3e-6, 0.2});
  session.step(4);
  session.must(HandEnd{0, false}, 2);
  session.must(BallEnd{1}, 2);
  session.step(3);
}

class StudioBalls : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::string method{GetParam()};
};

TEST_P(StudioBalls, ARunOfTheSessionHasItsBits) {
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}})
    for (const std::string& scene : {chain_scene(method), lonely_chain(method)}) {
      Handled session(scene, few_states, threads);
      hold(session);
      EXPECT_THAT(session.kinds(), ElementsAre("ball"));
      // Rewound into the middle of two balls; another one there is another future.
      session.seek(15);
      EXPECT_THAT(session.kinds(), ElementsAre("recorded", "recorded", "recorded"));
      session.step(2);
      session.must(BallBegin{2, {0.2, 0.2, -0.2}, -1e-6, 0.15});
      session.step(1);
      EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 18);
      EXPECT_THAT(session.kinds(), ElementsAre("ball"));
      session.step(9);
      const Checkpoint played = session.finished();
      EXPECT_EQ(played.state.step, 27);
      const Checkpoint again = session.repeated(of_run);
      expect_same(played, again, method + " on " + std::to_string(threads));
      // Where `auto` was planned for a change, the checkpoint names the method by another word.
      if (method != "auto") {
        EXPECT_THAT(changed_parts(played.identity, again.identity), IsEmpty()) << method;
      }
    }
}

TEST_P(StudioBalls, GoingBackAndOnChangesNoBit) {
  Handled straight(chain_scene(method));
  hold(straight);
  Handled winding(chain_scene(method), few_states);
  hold(winding);
  const Count end = winding.state().step;
  for (const Count back : {Count{0}, Count{6}, Count{14}, end - 2}) {
    winding.seek(back);
    winding.step(end - back);
    EXPECT_EQ(straight.state().positions, winding.state().positions) << method << " from " << back;
    EXPECT_EQ(straight.state().velocities, winding.state().velocities) << method << " from " << back;
  }
  expect_same(straight.finished(), winding.finished(), method);
}

/// The places for balls change no bit of a session in which none was held.
TEST_P(StudioBalls, WithoutThemASessionIsTheScene) {
  for (const std::string& scene : {chain_scene(method), lonely_chain(method)}) {
    Handled session(scene);
    session.loaded().step(25);
    Simulator alone(compile(load_scene(session.options.target), 1));
    alone.run(25);
    EXPECT_EQ(session.state().positions, alone.state().positions) << method;
    EXPECT_EQ(session.state().velocities, alone.state().velocities) << method;
    EXPECT_EQ(session.machine->live()->simulator().work().keyframe_work, alone.work().keyframe_work)
        << method;
  }
}

INSTANTIATE_TEST_SUITE_P(All, StudioBalls, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

/// A charged vertex that nothing else acts on.
std::string lonely_vertex(double charge) {
  return "[time]\nstep = 0.01\nsteps = 1000\n[integrator]\nmethod = \"imex\"\n[[body]]\nname = \"one\"\n"
         "generate = { shape = \"chain\", length = 1.0, vertices = 2 }\nmass = 1.0\ncharge = " +
         std::to_string(charge) + "\n[[body.springs]]\nfrom = \"edges\"\nstiffness = 1.0\n";
}

TEST(StudioBall, PullsOppositeChargesAndPushesEqualOnes) {
  for (const double charge : {-1e-5, 1e-5}) {
    Handled session(lonely_vertex(1e-5));
    session.loaded();
    const double before = (session.place(0) + session.place(1)).y;
    session.must(BallBegin{0, {0.0, 2.0, 0.0}, charge, 0.1});
    // What is held is seen before any step, and acts from the next one on.
    const Frame& shown = *session.heard.frames.back();
    ASSERT_THAT(shown.balls, NotNull());
    EXPECT_EQ(shown.balls->size(), 5U);
    EXPECT_EQ((*shown.balls)[3], static_cast<float>(charge));
    session.step(5);
    const double moved = (session.place(0) + session.place(1)).y - before;
    EXPECT_LT(charge * moved, 0.0) << moved;
    session.must(BallEnd{0});
    session.step(1);
    EXPECT_THAT(session.heard.frames.back()->balls, IsNull());
    const auto& external = session.machine->live()->simulator().inputs().external_charges;
    EXPECT_TRUE(std::all_of(external.begin(), external.end(),
                            [](const PlacedCharge& each) { return each.charge == 0.0; }));
  }
}

TEST(StudioBall, FourAreHeldAndAPageThatVanishesLetsGo) {
  Handled session(chain_scene("imex"));
  session.loaded();
  const auto ball = [](int hand) { return BallBegin{hand, {1.0 + hand, 0.0, 0.0}, 1e-6, 0.2}; };
  for (int hand = 0; hand < 3; ++hand) session.must(ball(hand));
  EXPECT_THAT(session.ask(ball(0)), HasSubstr("holds a charge already"));
  session.must(ball(0), 2);
  EXPECT_THAT(session.ask(ball(1), 2), HasSubstr("four charges"));
  EXPECT_THAT(session.ask(BallMove{5, {0, 0, 0}}), HasSubstr("no charge"));
  EXPECT_THAT(session.ask(BallEnd{5}), HasSubstr("no charge"));
  session.step(2);
  ASSERT_EQ(session.hands().size(), 4U);
  EXPECT_EQ(session.hands()[3].page, 2);
  EXPECT_EQ(session.hands()[3].charge, 1e-6);
  session.machine->handle({1, 0.0, Leave{}});
  ASSERT_EQ(session.hands().size(), 1U);
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "vanished");
}

TEST(StudioBall, IsRefusedWhereTheSceneItselfAddsExternalCharges) {
  Handled session(
      chain_scene("imex") +
      "\n[[change]]\nstep = 4\nset = [\"external_charge.1={ charge = 1e-6, position = [1, 1, 0] }\"]\n");
  session.loaded();
  EXPECT_THAT(session.ask(BallBegin{0, {1, 0, 0}, 1e-6, 0.1}), HasSubstr("[[change]]"));
  session.step(12);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "own change");
}

TEST(StudioBall, GoesOnBesideTheScenesOwnChanges) {
  Handled session(chain_scene("verlet") + "\n[[change]]\nstep = 6\nset = [\"time.step=0.001\"]\n" +
                  "[[change]]\nstep = 9\nset = [\"external_charge.0.width=0.3\"]\n");
  session.loaded().step(3);
  session.must(BallBegin{0, {0.3, 0.1, -0.6}, -2e-6, 0.1});
  session.step(10);
  session.seek(5);
  session.step(4);
  session.must(BallBegin{1, {0.3, 0.4, -0.6}, 2e-6, 0.1});
  session.step(6);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "changes");
}

class StudioExternal : public ::testing::Test {
 protected:
  static double charge_shown(const Handled& session) {
    return static_cast<double>(session.heard.frames.back()->external->at(3));
  }
};

TEST_F(StudioExternal, AFieldActsFromTheNextStepOnAndIsUndone) {
  Handled session(chain_scene("imex"), few_states);
  session.loaded().step(4);
  const std::string before = session.heard.last<DocumentInfo>()->text;
  EXPECT_NEAR(charge_shown(session), 1e-6, 1e-12);
  for (const double charge : {2e-6, 3e-6, -4.56789123e-6})
    session.must(SetExternal{0, charge, std::nullopt, 1.0});
  EXPECT_NEAR(charge_shown(session), -4.567891e-6, 1e-12);
  EXPECT_NEAR(session.heard.last<SystemInfo>()->external.at(0).charge, -4.567891e-6, 1e-12);
  EXPECT_EQ(session.heard.last<SystemInfo>()->external.size(), 1U);  // Without the places for balls.
  EXPECT_THAT(session.heard.last<DocumentInfo>()->waiting, IsEmpty());
  EXPECT_EQ(session.machine->live()->simulator().inputs().external_charges[0].charge, 1e-6);
  session.step(1);
  EXPECT_EQ(session.machine->live()->simulator().inputs().external_charges[0].charge, -4.567891e-6);
  // Its place takes the place of key-frames, and their times go with them.
  session.must(SetExternal{0, std::nullopt, Vec3{0.5, 0.25, -1.0}});
  const std::string text = session.heard.last<DocumentInfo>()->text;
  EXPECT_THAT(text, HasSubstr("position = [0.5, 0.25, -1.0]"));
  EXPECT_EQ(text.find("positions"), std::string::npos);
  session.step(5);
  // Frames of the past have what was there then.
  EXPECT_EQ(session.ask(Seek{2, true}), "");
  EXPECT_NEAR(charge_shown(session), 1e-6, 1e-12);
  session.seek(10);
  session.must(Undo{});
  session.step(2);
  session.must(Undo{});
  EXPECT_EQ(session.heard.last<DocumentInfo>()->text, before);
  EXPECT_NEAR(charge_shown(session), 1e-6, 1e-12);
  session.step(5);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(3), "external");
}

TEST_F(StudioExternal, WhatCannotBeIsSaid) {
  Handled session(chain_scene("imex") +
                  "\n[[change]]\nstep = 4\nset = [\"external_charge.0.charge=2e-6\"]\n");
  session.loaded();
  EXPECT_THAT(session.ask(SetExternal{1, 1e-6}), HasSubstr("no external charge 1"));
  session.must(SetExternal{0, 3e-6});
  session.step(5);
  EXPECT_THAT(session.ask(SetExternal{0, 1e-6}), HasSubstr("[[change]] at step 4"));
  session.seek(2);
  session.must(SetExternal{0, 1e-6});
  session.step(6);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "own change");
}

/// Another external charge comes at Reset, and does not keep the session from a ball.
TEST_F(StudioExternal, OneMoreComesAtReset) {
  Handled session(chain_scene("imex"));
  session.loaded().step(3);
  session.must(BallBegin{0, {0.3, 0.1, -0.6}, -2e-6, 0.1});
  session.step(2);
  const DocumentInfo* document = session.heard.last<DocumentInfo>();
  session.must(TypedText{1, document->revision,
                         document->text + "\n[[external_charge]]\ncharge = 1e-6\nposition = [3, 0, 0]\n",
                         true});
  const auto is_checked = [&] { return session.heard.last<TextChecked>() != nullptr; };
  for (int n = 0; n < 100000 && !is_checked(); ++n) session.machine->work();
  ASSERT_TRUE(is_checked());
  EXPECT_EQ(session.heard.last<TextChecked>()->effect, "reset");
  EXPECT_THAT(session.heard.last<DocumentInfo>()->waiting, ElementsAre("external_charge.1"));
  EXPECT_THAT(session.ask(SetExternal{0, 1e-6}), HasSubstr("reset first"));
  session.step(4);
  const Checkpoint played = session.finished();
  EXPECT_EQ(played.state.step, 9);
  expect_same(played, session.repeated(2), "waiting");
}

}  // namespace
}  // namespace electret::studio
