/// What pages do with hands: a session with them is repeated by a run of its session.toml, bit for bit.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>
#include <electret/record/scene_identity.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::blob_scene;
using test::chain_scene;
using test::expect_same;
using test::farthest;
using test::few_states;
using test::Handled;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StudioHands : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::string method{GetParam()};
};

/// Two pages, two brushes, moves between steps, a tack, a hand that outlives a rewound one.
void play(Handled& session) {
  session.loaded().step(11);
  session.pull(6, 0.25, {0.2, 0.1, 0.0});
  session.step(2);
  session.pull(10, 0.0, {0.0, -0.15, 0.1}, 2, 3);
  for (int n = 0; n < 12; ++n) {
    session.must(HandMove{0, session.place(6) + Vec3{0.02 * n, 0.03, -0.01 * n}});
    session.step(1 + n % 3);
  }
  session.must(HandEnd{0, true});
  session.step(4);
  session.must(HandEnd{3, false}, 2);
  session.step(9);
}

/// Played on one number of threads, and run on another; rewound in the middle of a grab, and pulled anew.
TEST_P(StudioHands, ARunOfTheSessionHasItsBits) {
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    Handled session(chain_scene(method), few_states, threads);
    play(session);
    EXPECT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
    session.seek(21);
    EXPECT_THAT(session.kinds(), ::testing::ElementsAre("recorded", "recorded"));
    session.step(3);  // As they were pulled before.
    const Count last = session.heard.last<StateInfo>()->recorded_last;
    EXPECT_GT(last, 40);
    session.pull(3, 0.3, {0.0, 0.2, 0.0}, 2, 1);
    session.step(1);
    EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 25);  // What came after is forgotten.
    EXPECT_THAT(session.kinds(), ::testing::ElementsAre("held"));
    session.step(20);
    session.machine->handle({2, 0.0, Leave{}});
    session.step(7);
    EXPECT_THAT(session.kinds(), IsEmpty());
    const Checkpoint played = session.finished();
    EXPECT_EQ(played.state.step, 52);
    const Checkpoint again = session.repeated(of_run);
    expect_same(played, again, method + " on " + std::to_string(threads) + " and " + std::to_string(of_run));
    EXPECT_THAT(changed_parts(played.identity, again.identity), IsEmpty()) << method;
    EXPECT_NE(played.work.keyframe_work, 0.0);
  }
}

TEST_P(StudioHands, GoingBackAndOnChangesNoBit) {
  Handled straight(chain_scene(method));
  play(straight);
  Handled winding(chain_scene(method), few_states);
  play(winding);
  const Count end = winding.state().step;
  for (const Count back : {Count{0}, Count{12}, Count{30}, end - 2}) {
    winding.seek(back);
    winding.step(end - back);
    EXPECT_EQ(straight.state().positions, winding.state().positions) << method << " from " << back;
    EXPECT_EQ(straight.state().velocities, winding.state().velocities) << method << " from " << back;
  }
  EXPECT_THAT(winding.kinds(), ::testing::ElementsAre("tack"));
  expect_same(straight.finished(), winding.finished(), method);
}

/// Ended in the past, in the middle of a grab: what came later is kept as if it had not been gone back.
TEST_P(StudioHands, ASessionThatEndsInThePastIsRepeatedToItsEnd) {
  Handled session(chain_scene(method), few_states);
  play(session);
  const State last = session.state();
  session.seek(20);
  const Checkpoint played = session.finished();
  EXPECT_EQ(played.state.step, last.step);
  EXPECT_EQ(played.state.positions, last.positions);
  const Checkpoint again = session.repeated(2);
  expect_same(played, again, method);
  EXPECT_THAT(changed_parts(played.identity, again.identity), IsEmpty()) << method;
}

INSTANTIATE_TEST_SUITE_P(All, StudioHands, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(StudioHand, APageThatVanishesLetsGo) {
  Handled session(chain_scene("imex"));
  session.loaded();
  session.pull(6, 0.0, {0.1, 0.0, 0.0}, 1);
  session.pull(9, 0.0, {0.1, 0.0, 0.0}, 2);
  session.step(3);
  ASSERT_EQ(session.hands().size(), 2U);
  session.machine->handle({1, 0.0, Leave{}});
  ASSERT_EQ(session.hands().size(), 1U);
  EXPECT_EQ(session.hands()[0].page, 2);
  EXPECT_EQ(session.heard.frames.back()->hands->size(), 9U);
  session.step(1);
  EXPECT_EQ(session.machine->live()->simulator().inputs().grabs.size(), 1U);
  EXPECT_NE(session.ask(HandMove{0, {0, 0, 0}}), "");
}

TEST(StudioHand, WhatItHoldsIsSeenBeforeAStepAndInThePast) {
  Handled session(chain_scene("imex"));
  session.loaded().step(2);
  EXPECT_EQ(session.heard.frames.back()->hands, nullptr);
  session.pull(6, 0.0, {0.25, 0.0, 0.0});
  const auto seen = [&] { return *session.heard.frames.back()->hands; };
  const Vec3 grip = session.place(6) - session.heard.frames.back()->origin;
  ASSERT_EQ(seen().size(), 9U);
  EXPECT_FLOAT_EQ(seen()[0], static_cast<float>(grip.x));
  EXPECT_FLOAT_EQ(seen()[3], static_cast<float>(grip.x + 0.25));
  EXPECT_EQ(seen()[6], 0.0F);  // No step has seen it yet.
  EXPECT_EQ(session.hands()[0].number, 0U);
  session.step(1);
  EXPECT_GT(seen()[6], 0.0F);
  EXPECT_EQ(seen()[7], 0.0F);
  EXPECT_EQ(seen()[8], 1.0F);
  // Farther than it reaches.
  session.must(HandMove{0, session.place(6) + Vec3{0.9, 0, 0}});
  session.step(1);
  EXPECT_EQ(seen()[7], 1.0F);
  session.must(Seek{3, true});
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("recorded"));  // It let go.
  ASSERT_NE(session.heard.frames.back()->hands, nullptr);
  EXPECT_EQ(seen().size(), 9U);
  session.must(Seek{1, true});
  EXPECT_THAT(session.kinds(), IsEmpty());
  EXPECT_EQ(session.heard.frames.back()->hands, nullptr);
}

TEST(StudioHand, IsRefusedWithWhatIsWrong) {
  Handled session(chain_scene("imex"));
  session.loaded();
  EXPECT_THAT(session.ask(HandBegin{0, 12}), HasSubstr("the last one is 11"));
  EXPECT_THAT(session.ask(HandBegin{0, 0}), HasSubstr("pinned"));
  for (int hand = 0; hand < 4; ++hand) session.must(HandBegin{hand, 4}, 1 + hand % 2);
  EXPECT_THAT(session.ask(HandBegin{0, 5}), HasSubstr("holds something already"));
  EXPECT_THAT(session.ask(HandBegin{5, 5}), HasSubstr("four hands"));
  EXPECT_THAT(session.ask(HandEnd{1, false}), HasSubstr("holds nothing"));
  EXPECT_THAT(session.ask(HandEnd{0, true}), HasSubstr("no step"));
  EXPECT_THAT(session.ask(RemoveTack{1}), HasSubstr("no tack"));
  session.step(1);
  EXPECT_THAT(session.ask(RemoveTack{1}), HasSubstr("no tack"));  // It is a hand.
  session.must(HandEnd{0, true});
  session.must(RemoveTack{1});
  EXPECT_THAT(session.ask(RemoveTack{1}), HasSubstr("no tack"));
  session.must(Reset{});
  EXPECT_THAT(session.kinds(), IsEmpty());
  EXPECT_THAT(session.ask(HandMove{1, {}}, 2), HasSubstr("holds nothing"));
}

TEST(StudioHand, ATackStandsUntilItIsRemoved) {
  Handled session(chain_scene("imex"));
  session.loaded();
  session.pull(11, 0.0, {0.0, 0.3, 0.0});
  session.step(50);
  session.must(HandEnd{0, true});
  session.step(100);
  ASSERT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
  const std::uint32_t number = session.hands()[0].number;
  session.must(RemoveTack{number});
  session.step(50);
  session.seek(120);
  ASSERT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
  session.must(RemoveTack{number});  // Earlier than before: what came after is forgotten.
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 120);
  session.step(10);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "tack");
}

/// Pulled apart until it diverges: the hand has let go at the last good step, and the session goes on.
TEST(StudioHand, LetsGoWhereASimulationDiverges) {
  std::string scene = chain_scene("explicit_euler");
  scene.replace(scene.find("step = 0.002"), 12, "step = 0.03 ");
  scene.replace(scene.find("stiffness = 100.0"), 17, "stiffness = 20.0 ");
  Handled session(scene);
  session.loaded().step(3);
  session.pull(6, 0.0, {0.3, 0.0, 0.0});
  session.must(Play{std::nullopt});
  session.work_while(Phase::running);
  ASSERT_EQ(session.phase(), Phase::diverged);
  EXPECT_THAT(session.kinds(), IsEmpty());
  EXPECT_NE(session.ask(HandBegin{0, 5}), "");
  const Count good = session.state().step;
  ASSERT_GT(good, 8);
  session.seek(good - 4);
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("recorded"));
  session.pull(8, 0.2, {0.0, 0.05, 0.0});
  session.step(2);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "diverged");
}

/// A scene with a hand of its own and a change of the time step, at which a grip is measured anew.
TEST(StudioHand, AnotherTimeStepIsLearntAnew) {
  const std::string scene = chain_scene("imex") + R"(
[[grab]]
body = "chain"
vertices = [4, 5]
stiffness = 2.0
damping = 0.05
times = [0.01, 0.03]
targets = [[0.5, 0.1, 0.0], [0.4, 0.2, 0.0]]

[[change]]
step = 30
set = ["time.step=0.001"]
)";
  Handled session(scene, few_states);
  session.loaded().step(20);
  session.pull(9, 0.0, {0.0, 0.1, 0.1});
  session.step(10);
  EXPECT_EQ(session.hands().at(0).number, 0U);  // It is interrupted, and held on.
  session.step(1);
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("held"));
  EXPECT_GT(session.hands().at(0).number, 0U);
  session.pull(7, 0.3, {0.1, 0.1, 0.0}, 2);
  session.step(9);
  session.seek(24);
  session.step(17);
  const Checkpoint played = session.finished();
  EXPECT_EQ(played.state.step, 41);
  expect_same(played, session.repeated(2), "change");
}

/// What the grip was measured for is no longer there: it would be far too strong.
TEST(StudioHand, EveryChangeIsLearntAnew) {
  for (const std::string change : {"body.0.mass=0.0005", "body.0.springs.0.stiffness=0.1", "time.step=0.1"}) {
    Handled session(blob_scene("0.01", "2000.0", "[[change]]\nstep = 20\nset = [\"" + change + "\"]\n"));
    session.loaded();
    session.pull(40, 0.0, {0.0, 0.0, 0.5});
    session.step(19);
    const double before = session.hands().at(0).stiffness;
    session.step(30);
    EXPECT_EQ(session.phase(), Phase::paused) << change;
    ASSERT_THAT(session.kinds(), ::testing::ElementsAre("held")) << change;
    EXPECT_NE(session.hands().at(0).stiffness, before) << change;
    EXPECT_LT(farthest(session), 5.0) << change;
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(2), change);
  }
}

/// For a step it does not pull; then it does with the strength that is right for what is there.
TEST(StudioHand, ATackIsTakenAnewThroughAChange) {
  Handled session(blob_scene("0.001", "1.0", "[[change]]\nstep = 20\nset = [\"time.step=0.1\"]\n"),
                  few_states);
  session.loaded();
  session.pull(40, 0.0, {0.0, 0.0, 0.5});
  session.step(10);
  session.must(HandEnd{0, true});
  session.step(9);
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
  const double before = session.hands().front().stiffness;
  session.step(1);
  EXPECT_THAT(session.kinds(), IsEmpty());
  session.step(1);
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
  session.step(39);
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
  EXPECT_NE(session.hands().front().stiffness, before);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_LT(farthest(session), 5.0);
  session.seek(18);
  session.step(30);
  EXPECT_THAT(session.kinds(), ::testing::ElementsAre("tack"));
  session.must(RemoveTack{session.hands().front().number});
  session.step(2);
  EXPECT_THAT(session.kinds(), IsEmpty());
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "tack");
}

/// A change that the session has not come to is not in its scene: the run would never make it.
TEST(StudioHand, ChangesAfterTheLastStepAreLeftOut) {
  const std::string scene = chain_scene("imex") +
                            "\n[[change]]\nstep = 10\nset = [\"body.0.springs.0.stiffness=50.0\"]\n"
                            "\n[[change]]\nstep = 40\nset = [\"time.step=0.001\"]\n"
                            "\n[[change]]\nstep = 300\nset = [\"body.0.mass=0.02\"]\n";
  for (const auto& [last, kept] : {std::pair{5, 0U}, std::pair{40, 1U}, std::pair{41, 2U}}) {
    Handled session(scene);
    session.loaded();
    session.pull(9, 0.0, {0.0, 0.1, 0.1});
    session.step(last);
    const Checkpoint played = session.finished();
    EXPECT_EQ(read_scene(session.session()).changes.size(), kept) << last;
    EXPECT_THAT(read_regular_file(session.session()), HasSubstr("left out")) << last;
    expect_same(played, session.repeated(2), std::to_string(last));
  }
}

/// Taking hold moves nothing, however far from the origin.
TEST(StudioHand, TakingHoldFarFromTheOriginMovesNothing) {
  std::string scene = blob_scene("0.01", "10.0");
  scene.insert(scene.find("mass = 0.05"), "scale = 0.01\ntranslate = [1e4, 0.0, -3e4]\n");
  Handled session(scene);
  session.loaded();
  const VectorArray start = session.state().positions;
  const double size = session.machine->live()->scenery().info.size;
  session.must(HandBegin{0, 7, 0.5 * size});
  session.step(30);
  double most = 0.0;
  for (std::size_t i = 0; i < start.size(); ++i)
    most = std::max(most, norm(session.state().positions[i] - start[i]));
  EXPECT_LT(most, 1e-4 * size);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "far");
}

TEST(StudioHand, PagesAreToldThatOpeningLetsGo) {
  Handled session(chain_scene("imex"));
  test::put_text(session.folder.path() + "/other.toml", chain_scene("verlet"));
  session.loaded();
  session.pull(6, 0.0, {0.1, 0.0, 0.0});
  session.step(3);
  ASSERT_THAT(session.kinds(), ::testing::ElementsAre("held"));
  session.must(Open{"other.toml"});
  EXPECT_THAT(session.kinds(), IsEmpty());
  session.must(Stop{});
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_THAT(session.kinds(), IsEmpty());
}

/// The energy that a grab of the scene's own brings, which is stiffer than the step allows, raises the bound
/// of the energy check, too; the way of the grip tells it.
TEST(StudioHand, APullThatPumpsEnergyInIsToldAsDivergence) {
  Handled session(
      blob_scene("0.01", "20.0",
                 "[[grab]]\nbody = \"blob\"\nvertices = [40]\nweights = [1.0]\nstiffness = 8000.0\n"
                 "damping = 0.0\ntimes = [0.0]\ntargets = [[0.0, 0.0, 0.0]]\n"));
  session.loaded();
  session.pull(7, 0.0, {0.0, 0.0, 0.05});
  session.step(1);
  session.must(HandEnd{0, true});
  session.pull(40, 0.0, {0.0, 0.0, 0.05});
  session.step(400);
  ASSERT_EQ(session.phase(), Phase::diverged);
  EXPECT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("the pull of a hand"));
  EXPECT_LT(farthest(session), 1000.0);
  EXPECT_THAT(session.kinds(), ::testing::Each("tack"));
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "pumped");
}

/// Each tack alone is as stiff as is safe; those at one place share that, and so do those on a body that is
/// so stiff that it moves as one in a step.
TEST(StudioHand, ManyTacksAreSafeTogether) {
  struct Case {
    const char *step, *stiffness;
    bool is_one_vertex;
  };
  for (const auto& [step, stiffness, is_one_vertex] :
       {Case{"0.01", "20.0", true}, Case{"0.1", "1e5", true}, Case{"0.1", "1e5", false}}) {
    Handled session(blob_scene(step, stiffness));
    session.loaded();
    double first = 0.0, total = 0.0;
    for (int k = 0; k < 40; ++k) {
      const std::size_t vertex = is_one_vertex ? 40 : 3 * static_cast<std::size_t>(k);
      session.pull(vertex, 0.0, {0.0, 0.0, 0.05});
      session.step(5);
      ASSERT_EQ(session.phase(), Phase::paused) << stiffness << " after " << k;
      session.must(HandEnd{0, true});
    }
    for (const HandInfo& hand : session.hands()) {
      if (first == 0.0) first = hand.stiffness;
      total += hand.stiffness;
    }
    EXPECT_EQ(session.hands().size(), 40U);
    if (is_one_vertex) {
      EXPECT_LT(total, 2.1 * first) << stiffness;
    }
    session.step(400);
    ASSERT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
    EXPECT_LT(farthest(session), 5.0);
  }
}

TEST(StudioHand, PullsThatMeetNowhereDoNotWeakenEachOther) {
  Handled session(chain_scene("imex"));
  session.loaded();
  session.pull(3, 0.0, {0.02, 0.0, 0.0}, 1, 0);
  session.step(6);
  session.pull(10, 0.0, {0.02, 0.0, 0.0}, 1, 1);
  session.step(6);
  Handled alone(chain_scene("imex"));
  alone.loaded().step(6);
  alone.pull(10, 0.0, {0.02, 0.0, 0.0}, 1, 1);
  alone.step(6);
  EXPECT_NEAR(session.hands().at(1).stiffness / alone.hands().at(0).stiffness, 1.0, 0.05);
}

TEST(StudioHand, TheSessionIsWrittenAnewAfterAnotherPast) {
  Handled session(chain_scene("verlet"));
  session.loaded().step(30);
  session.seek(29);
  session.pull(6, 0.0, {0.1, 0.0, 0.0});
  session.step(1);
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const auto grabs = [&] {
    return std::filesystem::exists(session.session()) ? read_scene(session.session()).grabs.size() : 0;
  };
  while (grabs() == 0 && std::chrono::steady_clock::now() < late) session.machine->work();
  EXPECT_EQ(grabs(), 1U);
}

}  // namespace
}  // namespace electret::studio
