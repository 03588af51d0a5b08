#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/choices.hpp>

#include "studio/handled.hpp"
#include "studio/played.hpp"
#include "studio/replayed.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::diverging_scene;
using test::expect_same;
using test::Played;
using test::run_again;
using ::testing::HasSubstr;

/// The first step alone is kept, so that going back takes many slices.
constexpr PastLimits little_past{std::size_t{256} << 20, 1};
constexpr Count long_way = 6000;

/// A session that is in `phase`.
std::unique_ptr<Played> in_phase(Phase phase) {
  const auto made = [](const std::string& scene, PastLimits past = {}) {
    return std::make_unique<Played>(scene, past);
  };
  std::unique_ptr<Played> session;
  switch (phase) {
    case Phase::empty:
      session = made("");
      session->begun();
      break;
    case Phase::loading:
      session = made(chain_scene("verlet"));
      session->begun();
      break;
    case Phase::broken:
      session = made("[time]\nstep = -1\n");
      session->loaded();
      break;
    case Phase::paused:
      session = made(chain_scene("verlet"));
      session->loaded().step(5);
      break;
    case Phase::running:
      session = made(chain_scene("verlet", 1000000));
      session->loaded();
      EXPECT_EQ(session->ask(Play{1.0}), "");
      break;
    case Phase::rewinding:
      session = made(chain_scene("imex", 1000000), little_past);
      session->loaded().step(long_way);
      EXPECT_EQ(session->ask(Seek{long_way - 1, false}), "");
      break;
    case Phase::diverged:
      session = made(diverging_scene());
      session->loaded();
      EXPECT_EQ(session->ask(Play{std::nullopt}), "");
      session->work_while(Phase::running);
      break;
    case Phase::viewing:
    case Phase::playing:
      session = made("");
      test::put_text(session->folder.path() + "/scene.toml", chain_scene("verlet", 20));
      run_to_directory(compile(load_scene(session->folder.path() + "/scene.toml"), 1),
                       session->folder.path() + "/run");
      session->options.target = session->folder.path() + "/run";
      session->options.output.clear();
      session->loaded();
      if (phase == Phase::playing) {
        EXPECT_EQ(session->ask(Play{1e-3}), "");
      }
      break;
  }
  EXPECT_EQ(session->phase(), phase) << name_of(phase);
  return session;
}

constexpr std::array all_phases{Phase::empty,    Phase::loading, Phase::broken,
                                Phase::paused,   Phase::running, Phase::rewinding,
                                Phase::diverged, Phase::viewing, Phase::playing};

struct Expected {
  bool is_done;
  std::vector<Phase> after;  ///< One of these.
};

/// What the command does in each phase, in the order of `all_phases`.
struct Row {
  const char* name;
  Command command;
  std::array<Expected, 9> expected;
};

Expected no(Phase after) {
  return {false, {after}};
}
Expected yes(Phase after) {
  return {true, {after}};
}

std::vector<Row> rows() {
  using enum Phase;
  const Expected to_step{true, {paused, rewinding}};
  const std::array<Expected, 3> absent{no(empty), no(loading), no(broken)};
  return {
      {"play",
       Play{1.0},
       {absent[0], absent[1], absent[2], yes(running), yes(running), no(rewinding), no(diverged),
        yes(playing), yes(playing)}},
      {"pause",
       Pause{},
       {absent[0], absent[1], absent[2], yes(paused), yes(paused), no(rewinding), no(diverged), yes(viewing),
        yes(viewing)}},
      {"step",
       Step{2},
       {absent[0], absent[1], absent[2], yes(running), yes(running), no(rewinding), no(diverged),
        yes(viewing), yes(viewing)}},
      {"no steps",
       Step{0},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"reset",
       Reset{},
       {absent[0], absent[1], absent[2], yes(paused), yes(paused), yes(paused), yes(paused), yes(viewing),
        yes(playing)}},
      {"seek",
       Seek{1, false},
       {absent[0], absent[1], absent[2], to_step, to_step, to_step, to_step, yes(viewing), yes(playing)}},
      {"seek live",
       Seek{1, true},
       {absent[0], absent[1], absent[2], yes(paused), yes(paused), yes(paused), yes(paused), yes(viewing),
        yes(playing)}},
      {"stop",
       Stop{},
       {yes(empty), yes(empty), yes(broken), yes(paused), yes(running), yes(paused), yes(diverged),
        yes(viewing), yes(playing)}},
      {"select-view",
       SelectView{"height"},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"select-view of nothing",
       SelectView{"beauty"},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"hand",
       HandBegin{0, 3},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"hand at no point",
       HandBegin{0, 1 << 20},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"move of no hand",
       HandMove{0, {1, 2, 3}},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"end of no hand",
       HandEnd{},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"remove-tack of none",
       RemoveTack{1},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"charge",
       SetCharge{0, std::nullopt, 2e-7},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), yes(paused), no(viewing),
        no(playing)}},
      {"charge of no body",
       SetCharge{9, std::nullopt, 2e-7},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"tune",
       Tune{"gravity.acceleration", "[0.0, 0.0, -1.0]"},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), yes(paused), no(viewing),
        no(playing)}},
      {"tune of nothing",
       Tune{"gravity.beauty", "1.0"},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"paint",
       Paint{0, {1}, {2e-7}},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), yes(paused), no(viewing),
        no(playing)}},
      {"group",
       MakeGroup{0, "new", {1, 2}},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), yes(paused), no(viewing),
        no(playing)}},
      {"undo of nothing",
       Undo{},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"redo of nothing",
       Redo{},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"save",
       Save{},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), yes(diverged), no(viewing),
        no(playing)}},
      {"save under no name",
       Save{false, "a/b"},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"field",
       AskField{1, {1, 2, 3}, {0.1, 0, 0}, {0, 0.1, 0}, 2, 2},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"session",
       AskSession{},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"text",
       TypedText{1, 0, "[time]", false},
       {no(empty), absent[1], yes(broken), yes(paused), yes(running), no(rewinding), yes(diverged),
        no(viewing), no(playing)}},
      {"text that was changed meanwhile",
       TypedText{1, 77, "[time]", true},
       {no(empty), absent[1], no(broken), no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"reload",
       Reload{},
       {no(empty), absent[1], yes(loading), yes(loading), yes(loading), no(rewinding), yes(loading),
        no(viewing), no(playing)}},
      {"keep",
       KeepOpen{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"take up what is not there",
       TakeUp{},
       {no(empty), absent[1], no(broken), no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"continue",
       Continue{},
       {no(empty), no(loading), no(broken), no(paused), no(running), no(rewinding), no(diverged),
        yes(loading), yes(loading)}},
      {"leave what is not there",
       LeaveEarlier{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"open",
       Open{"new:chain"},
       {yes(loading), no(loading), yes(loading), yes(loading), yes(loading), yes(loading), yes(loading),
        yes(loading), yes(loading)}},
      {"open nothing",
       Open{"../../etc/passwd"},
       {no(empty), no(loading), no(broken), no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"charge in the hand",
       BallBegin{0, {0.0, 0.0, -1.0}, 1e-7, 0.1},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"move of no charge",
       BallMove{0, {1, 2, 3}},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"end of no charge",
       BallEnd{},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"external",
       SetExternal{0, 2e-6},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"external of none",
       SetExternal{9, 2e-6},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"keys",
       SetKeys{
           {"body.0.group_charge.0", {}, {0.0, 0.2}, "linear", {{"values", "", 1, "", {1e-7, 2e-7}, {}}}}},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"keys of nothing",
       SetKeys{{"body.7.beauty.0", {}}},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"end of no gesture",
       EndKeys{7.0},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"replay of what is as it was",
       Replay{},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"choices",
       AskChoices{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"frame",
       AskFrame{1, 5},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"trace",
       RayTrace{3, 32, 32, {3, -3, 1}},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"stop-tracing of none",
       StopTracing{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"gradient",
       AskGradient{4, "energy"},
       {absent[0], absent[1], absent[2], yes(paused), yes(running), yes(rewinding), yes(diverged),
        no(viewing), no(playing)}},
      {"stop-gradient of none",
       StopGradient{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"record",
       Record{"played"},
       {absent[0], absent[1], absent[2], yes(paused), no(running), no(rewinding), yes(diverged), no(viewing),
        no(playing)}},
      {"record where it may not be",
       Record{"../played"},
       {absent[0], absent[1], absent[2], no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"stop-recording of none",
       StopRecording{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      // Nobody is there to be answered.
      {"a page that goes",
       Leave{},
       {no(empty), no(loading), no(broken), no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"hello",
       Hello{protocol_version},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
      {"old hello",
       Hello{0},
       {no(empty), no(loading), no(broken), no(paused), no(running), no(rewinding), no(diverged), no(viewing),
        no(playing)}},
      {"quit",
       Quit{},
       {yes(empty), yes(loading), yes(broken), yes(paused), yes(running), yes(rewinding), yes(diverged),
        yes(viewing), yes(playing)}},
  };
}

TEST(StudioCommands, EachIsTriedInEveryState) {
  std::set<std::size_t> tried;
  for (const Row& row : rows()) tried.insert(row.command.index());
  for (std::size_t kind = 0; kind < std::variant_size_v<Command>; ++kind)
    EXPECT_TRUE(tried.contains(kind)) << "number " << kind << " of the commands";
}

class StudioStates : public ::testing::TestWithParam<Phase> {
 protected:
  /// New scenes put their sessions below the working folder.
  StudioStates() : before_(fs::current_path()) { fs::current_path(work_.path()); }
  ~StudioStates() override { fs::current_path(before_); }

 private:
  test::TemporaryFolder work_;
  fs::path before_;
};

TEST_P(StudioStates, EveryCommandIsAnsweredAndLeadsWhereItShould) {
  const auto column = static_cast<std::size_t>(std::find(all_phases.begin(), all_phases.end(), GetParam()) -
                                               all_phases.begin());
  for (const Row& row : rows()) {
    const auto session = in_phase(GetParam());
    const Expected& expected = row.expected[column];
    const std::string answer = session->ask(row.command);
    EXPECT_EQ(answer.empty(), expected.is_done)
        << row.name << " in " << name_of(GetParam()) << ": " << answer;
    EXPECT_THAT(expected.after, ::testing::Contains(session->phase()))
        << row.name << " in " << name_of(GetParam()) << " led to " << name_of(session->phase());
    EXPECT_EQ(session->machine->ended(), std::string(row.name) == "quit");
    // What was begun also ends.
    if (session->phase() == Phase::loading) session->work_while(Phase::loading);
    if (session->phase() == Phase::rewinding && row.command.index() != Command(SelectView{}).index())
      session->work_while(Phase::rewinding);
    EXPECT_NE(session->phase(), Phase::loading);
    session->machine->finish();
    EXPECT_NE(session->heard.last<Bye>(), nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StudioStates, ::testing::ValuesIn(all_phases),
                         [](const auto& phase) { return std::string(name_of(phase.param)); });

TEST(StudioMachine, ThereMustBeWhatIsToBeOpened) {
  Played session;
  session.options.target = session.folder.path() + "/none.toml";
  EXPECT_THROW(session.begun(), InputError);
  session.options.target = session.folder.path();
  EXPECT_THROW(session.begun(), InputError);  // No run.
  session.options.target = "/dev/null";
  EXPECT_THROW(session.begun(), InputError);
}

/// Stop asks the loops that make meshes, not only what comes after them: the finding behind them is not met.
TEST(StudioMachine, LoadingIsStoppedInTheMidstOfAssembling) {
  std::string scene = chain_scene("imex");
  const std::string shape = R"(shape = "chain", length = 1.0, vertices = 12)", indices = "indices = [10, 11]";
  scene.replace(scene.find(shape), shape.size(), R"(shape = "blob", vertices = 3000)");
  scene.replace(scene.find(indices), indices.size(), "indices = [10, 3000]");
  for (const bool stops : {true, false}) {
    Played session(scene);
    session.begun();
    if (stops) session.machine->work();
    if (stops) session.must(Stop{});
    session.work_while(Phase::loading);
    EXPECT_EQ(session.phase(), stops ? Phase::empty : Phase::broken);
  }
}

/// A scene whose mesh takes minutes to make, unless it is stopped.
class StudioLoading : public ::testing::Test {
 protected:
  StudioLoading() : session(chain_scene("verlet")) {
    std::string slow = chain_scene("imex");
    const std::string shape = R"(shape = "chain", length = 1.0, vertices = 12)";
    slow.replace(slow.find(shape), shape.size(), R"(shape = "blob", vertices = 200000)");
    test::put_text(session.folder.path() + "/slow.toml", slow);
  }
  template <class Kind>
  [[nodiscard]] std::size_t told_to(int page) const {
    return static_cast<std::size_t>(std::count_if(
        session.heard.events.begin(), session.heard.events.end(),
        [&](const auto& each) { return each.first == page && std::holds_alternative<Kind>(each.second); }));
  }
  Played session;
};

TEST_F(StudioLoading, APageThatComesMeanwhileIsGreeted) {
  session.options.target = session.folder.path() + "/slow.toml";
  session.begun();
  session.machine->work();
  ASSERT_EQ(session.phase(), Phase::loading);
  session.must(Hello{protocol_version}, 3);
  ASSERT_EQ(session.phase(), Phase::loading);
  EXPECT_EQ(told_to<Welcome>(3), 1U);
  EXPECT_EQ(told_to<SystemInfo>(3), 0U);
  EXPECT_EQ(session.heard.last<DocumentInfo>()->name, "slow.toml");
  EXPECT_EQ(session.heard.last<StateInfo>()->phase, Phase::loading);
  EXPECT_EQ(told_to<ProgressInfo>(3), 1U);
  EXPECT_NE(session.ask(Play{}, 3), "");
  session.must(Stop{}, 3);
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::empty);
  EXPECT_NE(session.heard.last<ChoicesInfo>(), nullptr);
}

TEST_F(StudioLoading, WhatIsOpenIsShownAndComesBackAfterAStop) {
  session.loaded().step(5);
  const std::uint32_t open = session.heard.last<SystemInfo>()->generation;
  session.must(Open{"slow.toml"});
  session.machine->work();
  ASSERT_EQ(session.phase(), Phase::loading);
  session.must(Hello{protocol_version}, 4);
  EXPECT_EQ(session.heard.last<SystemInfo>()->generation, open);
  EXPECT_NE(session.ask(SelectView{"height"}), "");
  session.must(Stop{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.heard.last<DocumentInfo>()->name, "scene.toml");
  EXPECT_EQ(session.heard.last<SystemInfo>()->generation, open);
  EXPECT_EQ(session.heard.frames.back()->generation, open);
  session.step(2);
  EXPECT_EQ(session.state().step, 7);
}

TEST_F(StudioLoading, QuittingDoesNotWaitForIt) {
  session.loaded().step(2);
  session.must(Open{"slow.toml"});
  session.machine->work();
  session.must(Quit{});
  EXPECT_TRUE(session.machine->ended());
  session.machine->finish();
  EXPECT_TRUE(fs::exists(session.options.output + "/checkpoint.h5"));
}

/// Both were posted before the session looked at either.
TEST(StudioMachine, AStopBehindAnOpenIsNotLost) {
  Played session(chain_scene("verlet"));
  session.loaded();
  // Often: the thread that read the scene before may not have ended yet.
  for (int round = 0; round < 50; ++round) {
    session.must(Open{"new:chain"});
    session.must(Stop{});
    ASSERT_EQ(session.phase(), Phase::paused) << round;
    ASSERT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("stopped"));
    session.must(Reset{});
    session.work_while(Phase::loading);
    ASSERT_EQ(session.heard.last<DocumentInfo>()->name, "scene.toml");
  }
}

/// Also beside what is open, and by one page alone.
TEST(StudioMachine, ChoicesAreToldWhenTheyAreAskedFor) {
  Played session(chain_scene("verlet"));
  session.loaded();
  EXPECT_EQ(session.heard.last<ChoicesInfo>(), nullptr);
  session.must(AskChoices{}, 2);
  const ChoicesInfo* told = session.heard.last<ChoicesInfo>();
  ASSERT_NE(told, nullptr);
  EXPECT_TRUE(std::any_of(told->entries.begin(), told->entries.end(),
                          [](const OpenChoice& each) { return each.name == "scene.toml"; }));
  for (const auto& [page, event] : session.heard.events)
    if (std::holds_alternative<ChoicesInfo>(event)) {
      EXPECT_EQ(page, 2);
    }
}

/// Frames have one quantity: all pages are told which one, before the frame that has it.
TEST(StudioMachine, EveryPageIsToldTheQuantityOfFrames) {
  Played session(chain_scene("verlet"));
  session.loaded();
  EXPECT_EQ(session.heard.last<StateInfo>()->scalar, "charge");
  session.step(1);
  session.must(SelectView{"height"}, 1);
  EXPECT_EQ(session.heard.last<StateInfo>()->scalar, "height");
  session.must(SelectView{"speed"}, 2);
  const auto is_state = [](const auto& each) { return std::holds_alternative<StateInfo>(each.second); };
  const auto told = std::find_if(session.heard.events.rbegin(), session.heard.events.rend(), is_state);
  ASSERT_NE(told, session.heard.events.rend());
  EXPECT_EQ(told->first, everyone);
  EXPECT_EQ(std::get<StateInfo>(told->second).scalar, "speed");
  session.step(1);
  EXPECT_EQ(session.heard.last<StateInfo>()->scalar, "speed");
}

TEST(StudioMachine, ChoicesAreLookedForWithinABound) {
  const test::TemporaryFolder folder;
  const std::string deep = folder.path() + "/a/b";
  fs::create_directories(deep);
  for (int k = 0; k < 50; ++k) test::put_text(deep + "/note" + std::to_string(k) + ".txt", "x");
  test::put_text(deep + "/zz.toml", chain_scene("verlet"));
  test::put_text(folder.path() + "/near.toml", chain_scene("verlet"));
  const auto scenes = [&](int looks) {
    std::vector<std::string> names;
    for (const OpenChoice& each : choices_below(folder.path(), looks).entries)
      if (each.kind == "scene") names.push_back(each.name);
    return names;
  };
  EXPECT_THAT(scenes(most_looks), ::testing::ElementsAre("a/b/zz.toml", "near.toml"));
  EXPECT_THAT(scenes(2), ::testing::ElementsAre("near.toml"));  // Near ones first.
  EXPECT_THAT(scenes(0), ::testing::IsEmpty());
}

TEST(StudioMachine, ASceneStandsAtItsStart) {
  Played session(chain_scene("imex"));
  session.loaded();
  EXPECT_EQ(session.phase(), Phase::paused);
  const StateInfo* state = session.heard.last<StateInfo>();
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->step, 0);
  EXPECT_EQ(state->last_step, 400);
  const SystemInfo* system = session.heard.last<SystemInfo>();
  ASSERT_NE(system, nullptr);
  EXPECT_EQ(system->vertices, 12);
  EXPECT_EQ(system->pins, std::vector<Index>{0});
  ASSERT_EQ(system->bodies.size(), 1U);
  EXPECT_NEAR(system->bodies[0].mass, 0.12, 1e-15);
  EXPECT_NEAR(system->bodies[0].charge, 12e-7, 1e-18);  // Ten at 1e-7, and the tip at its key.
  ASSERT_EQ(system->external.size(), 1U);
  EXPECT_EQ(system->external[0].kind, "ball");
  ASSERT_EQ(system->obstacles.size(), 1U);
  EXPECT_EQ(system->obstacles[0].size, std::vector<double>{0.5});
  EXPECT_EQ(system->groups.size(), 2U);
  EXPECT_EQ(session.heard.last<DocumentInfo>()->text, chain_scene("imex"));
}

TEST(StudioMachine, FramesHaveThePositionsAsFloats) {
  Played session(chain_scene("verlet"));
  session.loaded().step(7);
  const Frame& frame = *session.heard.frames.back();
  EXPECT_EQ(frame.step, 7);
  EXPECT_EQ(frame.points, 12U);
  ASSERT_EQ(frame.positions->size(), 36U);
  for (std::size_t i = 0; i < 12; ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ((*frame.positions)[3 * i + static_cast<std::size_t>(axis)],
                static_cast<float>(session.state().positions[i][axis] - frame.origin[axis]));
  EXPECT_FLOAT_EQ((*frame.charges)[11], static_cast<float>(1e-7 + 0.14 * 3e-7));
  const std::uint32_t sequence = frame.sequence;
  session.step(1);
  EXPECT_GT(session.heard.frames.back()->sequence, sequence);
  EXPECT_EQ(session.heard.frames.back()->step, 8);
}

TEST(StudioMachine, StopsAtTheLastStepAndGoesBeyondIt) {
  Played session(chain_scene("verlet", 10));
  session.loaded();
  ASSERT_EQ(session.ask(Play{std::nullopt}), "");
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().step, 10);
  EXPECT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("last step"));
  EXPECT_THAT(session.ask(Play{std::nullopt}), HasSubstr("beyond"));
  ASSERT_EQ(session.ask(Play{std::nullopt, true}), "");
  while (session.state().step < 30) session.machine->work();
  EXPECT_EQ(session.phase(), Phase::running);
}

TEST(StudioMachine, StepsEndAtTheLastOneUnlessItIsPlayedBeyond) {
  Played session(chain_scene("verlet", 10));
  session.loaded().step(25);
  EXPECT_EQ(session.state().step, 10);
  EXPECT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("last step"));
  EXPECT_THAT(session.ask(Step{1}), HasSubstr("beyond"));
  ASSERT_EQ(session.ask(Play{std::nullopt, true}), "");
  EXPECT_EQ(session.ask(Step{3}), "");
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().step, 13);
}

TEST(StudioMachine, StepsGoBeyondTheLastOneAndPlayingStopsThereAgainFromBefore) {
  Played session(chain_scene("verlet", 10));
  session.loaded().step(10);
  ASSERT_EQ(session.ask(Step{2, true}), "");
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().step, 12);
  session.seek(11);
  EXPECT_EQ(session.ask(Step{1}), "");  // Still beyond.
  session.work_while(Phase::running);
  for (const bool scrubs : {false, true}) {
    if (scrubs) {
      EXPECT_EQ(session.ask(Seek{6, true}), "");
    } else {
      session.seek(4);
    }
    if (!session.ask(Play{std::nullopt}).empty()) {
      session.work_while(Phase::rewinding);
      ASSERT_EQ(session.ask(Play{std::nullopt}), "");
    }
    session.work_while(Phase::running);
    EXPECT_EQ(session.state().step, 10) << scrubs;
    EXPECT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("last step"));
    ASSERT_EQ(session.ask(Step{3, true}), "");
    session.work_while(Phase::running);
  }
  session.machine->finish();
  session.machine.reset();
  expect_same(read_checkpoint(session.options.output + "/checkpoint.h5"),
              run_again(session.options.output + "/session.toml", session.folder.path() + "/again", 2),
              "beyond");
}

/// Frames between kept states have no velocities.
TEST(StudioMachine, SpeedsAreTrueWhileThePlayHeadIsDragged) {
  Played session(chain_scene("imex"), test::few_states);
  session.loaded();
  std::vector<std::vector<float>> speeds;
  for (int n = 0; n <= 60; ++n) {
    if (n > 0) session.step(1);
    std::vector<float>& now = speeds.emplace_back();
    for (const Vec3& v : session.state().velocities) now.push_back(static_cast<float>(norm(v)));
  }
  ASSERT_EQ(session.ask(SelectView{"speed"}), "");
  std::set<Count> shown;
  for (Count step = 0; step <= 60; ++step) {
    ASSERT_EQ(session.ask(Seek{step, true}), "");
    const Frame& frame = *session.heard.frames.back();
    ASSERT_TRUE(frame.scalar);
    EXPECT_EQ(*frame.scalar, speeds[static_cast<std::size_t>(frame.step)]) << step;
    EXPECT_EQ(session.heard.last<StateInfo>()->step, frame.step);
    shown.insert(frame.step);
  }
  EXPECT_GT(shown.size(), 3U);
  EXPECT_LT(shown.size(), 61U);
}

TEST(StudioMachine, StepsThatAreAskedForInARowAddUp) {
  Played session(chain_scene("verlet"));
  session.loaded();
  for (const Count n : {1, 1, 3}) EXPECT_EQ(session.ask(Step{n}), "");
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().step, 5);
  // While it runs freely, it pauses after so many steps from here.
  ASSERT_EQ(session.ask(Play{std::nullopt}), "");
  EXPECT_EQ(session.ask(Step{2}), "");
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().step, 7);
}

TEST(StudioMachine, AScrubShowsTheNearestFrameAndTheReleaseItsExactState) {
  Played session(chain_scene("imex"), {std::size_t{256} << 20, 6000});
  session.loaded().step(40);
  std::vector<VectorArray> exact{session.state().positions};
  session.step(1);
  exact.push_back(session.state().positions);
  session.step(60);
  EXPECT_EQ(session.ask(Seek{40, true}), "");
  EXPECT_EQ(session.heard.frames.back()->step, 40);
  EXPECT_EQ(session.heard.last<StateInfo>()->step, 40);
  EXPECT_EQ(session.state().step, 101);
  session.seek(40);
  EXPECT_EQ(session.state().positions, exact[0]);
  EXPECT_EQ(session.heard.last<StateInfo>()->recorded_last, 101);
  session.step(1);
  EXPECT_EQ(session.state().positions, exact[1]);
  // A command that goes on from what is shown goes on from there exactly.
  EXPECT_EQ(session.ask(Seek{40, true}), "");
  if (const std::string why = session.ask(Step{1}); !why.empty()) {
    session.work_while(Phase::rewinding);
    EXPECT_EQ(session.ask(Step{1}), "");
  }
  session.work_while(Phase::running);
  EXPECT_EQ(session.state().positions, exact[1]);
}

TEST(StudioMachine, GoingBackCanBeStopped) {
  const auto session = in_phase(Phase::rewinding);
  EXPECT_EQ(session->ask(Stop{}), "");
  EXPECT_EQ(session->phase(), Phase::paused);
  EXPECT_LT(session->state().step, long_way - 1);
  session->step(1);
}

TEST(StudioMachine, ADivergedSceneStandsAtItsLastGoodStepAndSaysWhy) {
  const auto session = in_phase(Phase::diverged);
  const StateInfo* state = session->heard.last<StateInfo>();
  EXPECT_FALSE(state->reason.empty());
  EXPECT_FALSE(state->advice.empty());
  EXPECT_GT(state->step, 0);
  for (const Vec3& x : session->state().positions) EXPECT_TRUE(is_finite(x));
  session->seek(state->step - 1);
  EXPECT_EQ(session->phase(), Phase::paused);
  EXPECT_FALSE(session->heard.last<StateInfo>()->vertex);
}

TEST(StudioMachine, EnergiesAreTheSimulatorsAndBeginAnewAfterAReset) {
  Played session(chain_scene("verlet"));
  session.loaded().step(3);
  std::vector<std::array<double, 9>> rows;
  for (const EnergyRows& each : session.heard.all<EnergyRows>()) {
    if (each.restart) rows.clear();
    EXPECT_EQ(each.from, rows.size());
    rows.insert(rows.end(), each.rows.begin(), each.rows.end());
  }
  Simulator simulator(compile(load_scene(session.options.target), 1));
  ASSERT_GE(rows.size(), 2U);
  EXPECT_EQ(rows.front()[6], simulator.energies().total());
  for (int n = 0; n < 3; ++n) simulator.step();
  EXPECT_EQ(rows.back()[0], simulator.system().time(3));
  EXPECT_EQ(rows.back()[6], simulator.energies().total());
  session.heard.events.clear();
  EXPECT_EQ(session.ask(Reset{}), "");
  const auto after = session.heard.all<EnergyRows>();
  ASSERT_FALSE(after.empty());
  EXPECT_TRUE(after.front().restart);
  EXPECT_EQ(after.back().rows.front(), rows.front());
}

TEST(StudioMachine, ABrokenSceneHasTheLinesOfCheck) {
  Played session("[time]\nstep = -1\nsteps = 2\n[[body]]\nname = \"a\"\nmesh = \"none.obj\"\nmass = 1\n");
  session.loaded();
  EXPECT_EQ(session.phase(), Phase::broken);
  std::vector<std::string> lines;
  try {
    load_scene(session.options.target);
  } catch (const InputError& error) {
    for (const Finding& each : error.findings()) lines.push_back(to_string(each));
  }
  std::vector<std::string> told;
  for (const DocumentFinding& each : session.heard.last<DocumentInfo>()->findings)
    told.push_back(each.message);
  EXPECT_EQ(told, lines);
  EXPECT_GE(told.size(), 2U);
}

TEST(StudioMachine, AFullDiskPausesAndIsSaid) {
  Played session(chain_scene("verlet", 1000000));
  session.loaded();
  fs::remove_all(session.options.output);
  test::put_text(session.options.output, "in its place");
  ASSERT_EQ(session.ask(Play{std::nullopt}), "");
  session.work_while(Phase::running);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_THAT(session.heard.last<StateInfo>()->reason, HasSubstr("/out"));
  EXPECT_GT(session.state().step, 0);
  EXPECT_THROW(session.machine->finish(), IoError);
  // Once there is room again it is written, and no more is said of it. The folder is made anew.
  fs::remove(session.options.output);
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!session.heard.last<StateInfo>()->reason.empty() && std::chrono::steady_clock::now() < late)
    session.machine->work();
  EXPECT_EQ(session.heard.last<StateInfo>()->reason, "");
  EXPECT_TRUE(fs::exists(session.options.output + "/session.toml"));
}

TEST(StudioMachine, NoPageForHalfAMinuteIsNoneAtTheStart) {
  Played session(chain_scene("verlet", 1000000));
  session.options.keep_running = false;
  session.loaded();
  session.machine->set_pages(1);
  session.machine->set_pages(0);
  ASSERT_EQ(session.ask(Play{std::nullopt}), "");
  session.machine->work();
  EXPECT_EQ(session.phase(), Phase::running);
}

TEST(StudioMachine, TheOutputFolderIsRefusedAsByRun) {
  Played session(chain_scene("verlet", 5));
  fs::create_directories(session.options.output);
  test::put_text(session.options.output + "/letter.txt", "dear");
  EXPECT_THROW(session.begun(), IoError);
  fs::remove(session.options.output + "/letter.txt");
  // A run of another scene.
  test::put_text(session.folder.path() + "/other.toml", chain_scene("imex", 2));
  run_to_directory(compile(load_scene(session.folder.path() + "/other.toml"), 1), session.options.output);
  EXPECT_THROW(session.begun(), IoError);
  EXPECT_TRUE(fs::exists(session.options.output + "/trajectory.h5"));
  fs::remove_all(session.options.output);
  // A finished run of the same scene is replaced once there is something to write.
  run_to_directory(compile(load_scene(session.options.target), 1), session.options.output);
  session.loaded();
  EXPECT_TRUE(fs::exists(session.options.output + "/trajectory.h5"));
  session.step(1);
  session.machine->finish();
  EXPECT_FALSE(fs::exists(session.options.output + "/trajectory.h5"));
  EXPECT_TRUE(fs::exists(session.options.output + "/session.toml"));
  // `run` takes the folder for one of the studio's.
  session.machine.reset();
  EXPECT_THROW(run_to_directory(compile(load_scene(session.options.target), 1), session.options.output),
               InputError);
  // The same scene's session is replaced, another one's is not.
  session.begun();
  session.machine.reset();
  session.options.target = session.folder.path() + "/other.toml";
  EXPECT_THROW(session.begun(), IoError);
}

TEST(StudioMachine, ARefusalSpeaksOfWhatTheStudioHas) {
  Played session(chain_scene("verlet", 5));
  test::put_text(session.folder.path() + "/other.toml", chain_scene("imex", 2));
  run_to_directory(compile(load_scene(session.folder.path() + "/other.toml"), 1), session.options.output);
  try {
    session.begun();
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("the output folder"));
    EXPECT_THAT(error.what(), HasSubstr("-o"));
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("--overwrite")));
  }
}

/// Sessions of scenes that are opened by the page, in a working folder of their own.
class StudioFolders : public ::testing::Test {
 protected:
  StudioFolders() : before_(fs::current_path()) {
    fs::current_path(session.folder.path());
    session.options.folder = ".";
  }
  ~StudioFolders() override {
    session.machine.reset();
    fs::current_path(before_);
  }
  void open(const std::string& name) {
    EXPECT_EQ(session.ask(Open{name}), "");
    session.work_while(Phase::loading);
  }

  Played session;

 private:
  fs::path before_;
};

TEST_F(StudioFolders, ScenesOfOneNameHaveFoldersOfTheirOwn) {
  for (const char* folder : {"a", "b"}) {
    fs::create_directories(folder);
    test::put_text(folder + std::string("/x.toml"), chain_scene("verlet"));
  }
  session.begun();
  open("a/x.toml");
  session.step(3);
  open("b/x.toml");
  EXPECT_EQ(session.phase(), Phase::paused);
  session.step(4);
  open("b/x.toml");  // Again: where it was, and what was there is kept.
  session.step(5);
  session.machine->finish();
  EXPECT_EQ(read_scene("runs/x.studio/session.toml").time.steps, 3);
  EXPECT_EQ(read_scene("runs/x-2.studio/session.before.toml").time.steps, 4);
  EXPECT_EQ(read_scene("runs/x-2.studio/session.toml").time.steps, 5);
  EXPECT_FALSE(fs::exists("runs/x-3.studio"));
}

TEST_F(StudioFolders, ASceneThatIsOpenStaysRecordedUntilTheNextOneIsRead) {
  test::put_text("x.toml", chain_scene("verlet"));
  session.begun();
  open("x.toml");
  session.step(3);
  std::string slow = chain_scene("verlet");
  const std::string shape = R"(shape = "chain", length = 1.0, vertices = 12)";
  slow.replace(slow.find(shape), shape.size(), R"(shape = "blob", vertices = 200000)");
  test::put_text("x.toml", slow);
  session.must(Open{"x.toml"});
  session.machine->work();
  session.must(Stop{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
  session.step(1);
  test::put_text("x.toml", "[time]\nstep = -1\nsteps = 2\n[[body]]\n");
  open("x.toml");
  EXPECT_EQ(session.phase(), Phase::broken);
  session.machine->finish();
  EXPECT_EQ(read_scene("runs/x.studio/session.toml").time.steps, 4);
  EXPECT_TRUE(fs::exists("runs/x.studio/checkpoint.h5"));
}

TEST(StudioMachine, AFolderInWhichNothingWasWrittenIsGoneAfterwards) {
  Played session(chain_scene("verlet"));
  session.loaded();
  EXPECT_TRUE(fs::exists(session.options.output));
  session.machine->finish();
  session.machine.reset();
  EXPECT_FALSE(fs::exists(session.options.output));
}

TEST(StudioMachine, ReadingStopsWhenAsked) {
  Played session(chain_scene("verlet"));
  session.begun();
  session.must(Stop{});
  EXPECT_EQ(session.phase(), Phase::empty);
  EXPECT_NE(session.heard.last<ChoicesInfo>(), nullptr);
  EXPECT_FALSE(fs::exists(session.options.output));
}

TEST(StudioMachine, ChoicesAreOpenedAndReadOnlyWhatIsBesideThem) {
  Played session;
  const std::string folder = session.folder.path();
  fs::create_directories(folder + "/inner");
  test::put_text(folder + "/secret.obj", "this is a secret\n");
  test::put_text(
      folder + "/inner/scene.toml",
      "[time]\nstep = 0.1\nsteps = 2\n[[body]]\nname = \"a\"\nmesh = \"../secret.obj\"\nmass = 1\n");
  test::put_text(folder + "/inner/session.toml",
                 std::string(session_mark) + "a.toml\n[time]\nstep = 0.1\n[[body]]\n");
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  session.options.folder = ".";
  session.begun();
  ASSERT_EQ(session.ask(Hello{protocol_version}), "");
  std::vector<std::string> names;
  for (const OpenChoice& each : session.heard.last<ChoicesInfo>()->entries) names.push_back(each.name);
  EXPECT_THAT(names, ::testing::Contains("inner/scene.toml"));
  EXPECT_THAT(names, ::testing::Not(::testing::Contains("inner/session.toml")));
  EXPECT_THAT(names, ::testing::Contains("example:charged_torus"));
  EXPECT_THAT(names, ::testing::Contains("new:cloth"));
  EXPECT_EQ(session.ask(Open{"inner/scene.toml"}), "");
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::broken);
  const auto& findings = session.heard.last<DocumentInfo>()->findings;
  ASSERT_FALSE(findings.empty());
  for (const DocumentFinding& each : findings)
    EXPECT_THAT(each.message, ::testing::Not(HasSubstr("a secret")));
  EXPECT_THAT(findings[0].message, HasSubstr("scene's folder"));
  // From here another one.
  EXPECT_EQ(session.ask(Open{"new:torus"}), "");
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
  session.machine.reset();
  fs::current_path(before);
}

TEST(StudioMachine, EveryExampleAndNewSceneOpens) {
  const fs::path before = fs::current_path();
  for (const auto& texts : {example_texts(), new_scene_texts()})
    for (const SceneText& each : texts) {
      Played session;
      fs::current_path(session.folder.path());
      session.begun();
      const std::string mark = texts.data() == new_scene_texts().data() ? "new:" : "example:";
      EXPECT_EQ(session.ask(Open{mark + std::string(each.name)}), "");
      session.work_while(Phase::loading);
      EXPECT_EQ(session.phase(), Phase::paused)
          << each.name << ": " << session.heard.last<StateInfo>()->reason;
      session.machine.reset();
      fs::current_path(before);
    }
}

}  // namespace
}  // namespace electret::studio
