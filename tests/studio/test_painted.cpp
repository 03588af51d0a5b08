/// Painted charges of many vertices, which a scene has in a file beside it.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/painted_charges.hpp>
#include <electret/studio/session/text_history.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::expect_same;
using test::few_states;
using test::Handled;
using test::put_text;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Count many = 201;

std::string scene_of(Count vertices, const std::string& charges = "charge = 1e-8  # C",
                     const std::string& method = "verlet") {
  return "# A chain.\n[time]\nstep = 0.002\nsteps = 100000\n[integrator]\nmethod = \"" + method +
         "\"\n[coulomb]\nsoftening = 0.1\n[[body]]\nname = \"chain\"\n"
         "generate = { shape = \"chain\", length = 2.0, vertices = " +
         std::to_string(vertices) + " }\nmass = 0.01\n" + charges +
         "\n  [[body.springs]]\n  from = \"edges\"\n  stiffness = 50.0\n";
}

class Painting : public Handled {
 public:
  explicit Painting(const std::string& scene, int threads = 1) : Handled(scene, few_states, threads) {}

  [[nodiscard]] std::string beside(const std::string& name) const { return folder.path() + "/" + name; }
  [[nodiscard]] std::string kept(const std::string& name) const { return options.output + "/" + name; }
  [[nodiscard]] const DocumentInfo& document() const { return *heard.last<DocumentInfo>(); }
  [[nodiscard]] double charge(std::size_t vertex) const { return machine->live()->charges_now()[vertex]; }
  void paint(Count vertex, double charge) { must(Paint{0, {vertex}, {charge}}); }
  void reset() {
    must(Reset{});
    work_while(Phase::loading);
  }
  /// Works until session.toml has the present step and text.
  void written() {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    const auto is_written = [&] {
      return fs::exists(session()) && fs::exists(kept("session.text.toml")) &&
             read_regular_file(kept("session.text.toml")) == document().text &&
             read_scene(session()).time.steps == state().step;
    };
    while (!is_written()) {
      if (std::chrono::steady_clock::now() > late) throw InternalError("the session is not written");
      machine->work();
    }
  }
  void again() {
    heard = {};
    machine.reset();
    loaded();
  }
  /// Files of charges in the session's folder.
  [[nodiscard]] std::vector<std::string> kept_tables() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(options.output))
      if (entry.path().extension() == ".csv") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

std::vector<double> charges_in(const std::string& scene) {
  return load_scene(scene).charges;
}

class StudioPainted : public ::testing::TestWithParam<std::string_view> {};

/// Strokes, an undo, a hand, and a stroke in the past.
TEST_P(StudioPainted, ARunOfTheSessionHasItsBits) {
  const std::string method{GetParam()};
  for (const auto& [threads, of_run] : {std::pair{1, 3}, std::pair{3, 1}}) {
    Painting session(scene_of(many, "charge = 1e-8", method), threads);
    session.loaded();
    session.paint(0, 2e-8);
    session.step(6);
    session.paint(3, -1.23456789e-7);
    session.step(4);
    session.paint(4, 5e-8);
    session.must(Undo{});
    session.step(3);
    session.pull(40, 0.1, {0.0, 0.05, 0.0});
    session.step(3);
    session.paint(9, 7e-8);
    session.step(4);
    session.must(HandEnd{0, false});
    session.seek(8);
    session.paint(11, 4e-8);
    session.step(9);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(of_run), method + " on " + std::to_string(threads));
    EXPECT_FALSE(fs::exists(session.beside("chain.charges.csv"))) << "nothing but Save writes it";
  }
}

INSTANTIATE_TEST_SUITE_P(All, StudioPainted, ::testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(StudioPaintedFile, IsForMoreThan200Vertices) {
  Painting few(scene_of(200)), more(scene_of(many));
  few.loaded();
  few.paint(1, 3e-8);
  EXPECT_THAT(few.document().text, HasSubstr("charges = [1e-08, 3e-08, 1e-08"));
  more.loaded();
  more.paint(1, 3e-8);
  EXPECT_EQ(more.document().text, scene_of(many, "charges = \"chain.charges.csv\"  # C"));
  EXPECT_EQ(more.charge(1), 3e-8);
  EXPECT_THAT(more.heard.last<NoticeInfo>()->text, HasSubstr("chain.charges.csv, which Save writes"));
}

TEST(StudioPaintedFile, IsWrittenBySaveAndReadsAsItIsShown) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 1.234567e-8);
  session.paint(200, -9.87654321e-7);
  EXPECT_FALSE(fs::exists(session.beside("chain.charges.csv")));
  EXPECT_EQ(read_regular_file(session.options.target), scene_of(many));
  EXPECT_TRUE(session.document().unsaved);
  session.must(Save{});
  EXPECT_FALSE(session.document().unsaved);
  EXPECT_EQ(read_regular_file(session.options.target),
            scene_of(many, "charges = \"chain.charges.csv\"  # C"));
  const std::vector<double> read = charges_in(session.options.target);
  ASSERT_EQ(read.size(), static_cast<std::size_t>(many));
  for (std::size_t k = 0; k < read.size(); ++k) EXPECT_EQ(read[k], session.charge(k)) << k;
  EXPECT_EQ(read[1], 1.234567e-8);
  EXPECT_EQ(read[200], -9.876543e-7) << "numbers of a hand have seven digits";
}

/// Both texts are the same: only the file is another.
TEST(StudioPaintedFile, ASecondStrokeIsASecondStepOfUndo) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 2e-8);
  session.must(Save{});
  session.paint(1, 3e-8);
  EXPECT_TRUE(session.document().unsaved);
  EXPECT_EQ(session.charge(1), 3e-8);
  session.must(Undo{});
  EXPECT_EQ(session.charge(1), 2e-8);
  EXPECT_FALSE(session.document().unsaved);
  session.must(Undo{});
  EXPECT_EQ(session.charge(1), 1e-8);
  EXPECT_EQ(session.document().text, scene_of(many));
  session.must(Redo{});
  session.must(Redo{});
  EXPECT_EQ(session.charge(1), 3e-8);
  session.must(Save{});
  EXPECT_EQ(charges_in(session.options.target)[1], 3e-8);
  session.must(Undo{});
  session.must(Save{});
  EXPECT_EQ(charges_in(session.options.target)[1], 2e-8);
}

TEST(StudioPaintedFile, AStrokeThatChangesNothingIsNoStep) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 2e-8);
  session.must(Undo{});
  session.must(Redo{});
  session.paint(1, 2e-8);
  session.must(Undo{});
  EXPECT_FALSE(session.document().can_undo);
}

TEST(StudioPaintedFile, ResetBeginsWithWhatWasPainted) {
  Painting session(scene_of(many));
  session.loaded().step(3);
  session.paint(1, 2e-8);
  session.step(3);
  session.reset();
  EXPECT_EQ(session.state().step, 0);
  EXPECT_EQ(session.charge(1), 2e-8);
  session.step(5);
  session.paint(2, 3e-8);
  session.step(5);
  session.reset();
  session.step(10);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "from what was painted");
}

/// The session began with numbers that Save has written over since.
TEST(StudioPaintedFile, ASavedFileDoesNotChangeTheSession) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 2e-7);
  session.must(Save{});
  session.machine->finish();
  fs::remove_all(session.options.output);
  session.again();
  EXPECT_FALSE(session.document().unsaved);
  session.step(5);
  session.paint(1, -4e-7);
  session.must(Save{});
  EXPECT_EQ(charges_in(session.options.target)[1], -4e-7);
  session.step(5);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "of before");
}

TEST(StudioPaintedFile, AKilledSessionIsTakenUp) {
  Painting session(scene_of(many)), whole(scene_of(many));
  const TemporaryFolder elsewhere;
  session.options.output = fs::relative(elsewhere.path()).string() + "/out";
  for (Painting* each : {&session, &whole}) {
    each->loaded().step(5);
    each->paint(1, 2e-7);
    each->step(5);
    each->paint(2, -3e-7);
    each->step(5);
  }
  session.written();
  session.again();
  EXPECT_EQ(session.charge(1), 1e-8) << "nothing was saved";
  EXPECT_EQ(session.heard.last<EarlierInfo>()->damage, "");
  session.must(TakeUp{});
  session.work_while(Phase::loading);
  session.work_while(Phase::rewinding);
  EXPECT_EQ(session.state().positions, whole.state().positions);
  EXPECT_EQ(session.document().text, whole.document().text);
  EXPECT_TRUE(session.document().unsaved);
  session.must(Save{});
  EXPECT_EQ(charges_in(session.options.target)[2], -3e-7);
  for (Painting* each : {&session, &whole}) {
    each->paint(3, 5e-7);
    each->step(5);
  }
  EXPECT_EQ(session.state().positions, whole.state().positions);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "taken up");
  expect_same(played, whole.finished(), "as without a kill");
}

TEST(StudioPaintedFile, ASessionWithoutItsFileIsDamaged) {
  Painting session(scene_of(many));
  session.loaded().step(2);
  session.paint(1, 2e-7);
  session.step(2);
  session.written();
  ASSERT_THAT(session.kept_tables(), ElementsAre("chain.charges.1.csv"));
  fs::remove(session.kept("chain.charges.1.csv"));
  session.again();
  EXPECT_THAT(session.heard.last<EarlierInfo>()->damage, HasSubstr("chain.charges.1.csv"));
  EXPECT_THAT(session.ask(TakeUp{}), HasSubstr("damaged"));
}

/// Strokes between two steps are one change: only the last counts.
TEST(StudioPaintedFile, TheFolderHasWhatTheSessionNames) {
  Painting session(scene_of(many));
  session.loaded().step(2);
  session.paint(1, 2e-7);
  session.written();
  EXPECT_THAT(session.kept_tables(), ElementsAre("chain.charges.1.csv"));
  session.paint(1, 3e-7);
  session.step(1);
  session.written();
  EXPECT_THAT(session.kept_tables(), ElementsAre("chain.charges.2.csv"));
  session.reset();
  session.paint(1, 4e-7);
  session.step(1);
  session.written();
  EXPECT_THAT(session.kept_tables(), ElementsAre("chain.charges.2.csv", "chain.charges.3.csv"))
      << "the session before has the second";
}

TEST(StudioPaintedFile, TakesTheNameOfNothingElse) {
  Painting session(scene_of(many));
  put_text(session.beside("chain.charges.csv"), "mine");
  session.loaded();
  session.paint(1, 2e-7);
  EXPECT_THAT(session.document().text, HasSubstr("\"chain.charges-2.csv\""));
  session.must(Save{});
  EXPECT_EQ(read_regular_file(session.beside("chain.charges.csv")), "mine");
  EXPECT_EQ(charges_in(session.options.target)[1], 2e-7);
}

TEST(StudioPaintedFile, IsNotWrittenOverIfSomethingElseHasChangedIt) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 2e-7);
  put_text(session.beside("chain.charges.csv"), "theirs");
  EXPECT_THAT(session.ask(Save{}), HasSubstr("changed by something else"));
  EXPECT_EQ(read_regular_file(session.beside("chain.charges.csv")), "theirs");
  EXPECT_EQ(read_regular_file(session.options.target), scene_of(many)) << "the scene waits for its file";
  session.must(Save{true});
  EXPECT_EQ(charges_in(session.options.target)[1], 2e-7);
  fs::remove(session.beside("chain.charges.csv"));
  fs::create_symlink(session.options.target, session.beside("chain.charges.csv"));
  session.paint(1, 3e-7);
  EXPECT_THAT(session.ask(Save{true}), HasSubstr("no regular file"));
}

/// A scene that is part of the program has no place beside it.
TEST(StudioPaintedFile, IsNotForASceneWithoutAFile) {
  Painting session("");
  session.loaded();
  session.must(Open{"new:blob"});
  session.work_while(Phase::loading);
  ASSERT_GT(session.machine->live()->own_charges().size(), most_inline_charges);
  session.paint(1, 2e-7);
  EXPECT_THAT(session.document().text, HasSubstr("charges = ["));
}

/// Bodies have a file each.
TEST(StudioPaintedFile, IsOneOfABody) {
  std::string scene = scene_of(many);
  const std::string body = scene.substr(scene.find("[[body]]"));
  scene += body;
  scene.replace(scene.rfind("\"chain\"\ngenerate"), 7, "\"other\"\ntranslate = [0.0, 3.0, 0.0]");
  Painting session(scene);
  session.loaded();
  session.must(Paint{1, {2}, {3e-7}});
  session.paint(1, 2e-7);
  session.must(Undo{});
  session.must(Save{});
  EXPECT_FALSE(fs::exists(session.beside("chain.charges.csv")));
  EXPECT_EQ(charges_in(session.options.target)[static_cast<std::size_t>(many) + 2], 3e-7);
  EXPECT_EQ(charges_in(session.options.target)[1], 1e-8);
}

/// Before and after it is saved they are the same.
TEST(StudioPaintedFile, GoesIntoGradients) {
  std::vector<double> losses;
  for (const bool is_saved : {false, true}) {
    Painting session(scene_of(many));
    session.loaded();
    session.paint(1, 2e-7);
    if (is_saved) {
      session.must(Save{});
      session.again();
    }
    session.step(3);
    session.must(AskGradient{1, "energy"});
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    const auto found = [&] {
      const GradientInfo* now = session.heard.last<GradientInfo>();
      return now != nullptr && (now->is_done || !now->error.empty());
    };
    while (!found() && std::chrono::steady_clock::now() < late) session.machine->work();
    ASSERT_TRUE(found());
    ASSERT_EQ(session.heard.last<GradientInfo>()->error, "");
    losses.push_back(session.heard.last<GradientInfo>()->loss);
  }
  EXPECT_EQ(losses[0], losses[1]);
}

/// What is painted is read where a text is checked and applied.
TEST(StudioPaintedFile, GoesWithTextsThatAreTyped) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 2e-7);
  const DocumentInfo before = session.document();
  const std::string typed = before.text + "[gravity]\nacceleration = [0.0, 0.0, -1.0]\n";
  session.must(TypedText{1, before.revision, typed, true});
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (session.heard.last<TextChecked>() == nullptr && std::chrono::steady_clock::now() < late)
    session.machine->work();
  ASSERT_NE(session.heard.last<TextChecked>(), nullptr);
  EXPECT_THAT(session.heard.last<TextChecked>()->findings, IsEmpty());
  EXPECT_TRUE(session.heard.last<TextChecked>()->is_applied);
  EXPECT_EQ(session.charge(1), 2e-7);
  session.must(Tune{"body.0.springs.0.stiffness", "60.0"});
  session.step(3);
  EXPECT_EQ(session.charge(1), 2e-7);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "typed");
}

/// The numbers of the disk count where it is read again; Undo has what was painted.
TEST(StudioPaintedFile, IsReloadedWithTheScene) {
  Painting session(scene_of(many));
  session.loaded();
  session.paint(1, 2e-7);
  session.must(Save{});
  std::string table = read_regular_file(session.beside("chain.charges.csv"));
  table.replace(table.find("2e-07"), 5, "5e-07");
  put_text(session.beside("chain.charges.csv"), table);
  session.must(Reload{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.charge(1), 5e-7);
  EXPECT_FALSE(session.document().unsaved);
  session.must(Undo{});
  EXPECT_EQ(session.charge(1), 2e-7);
  EXPECT_TRUE(session.document().unsaved);
}

/// Findings of a file that a scene names are those of `electret check`.
TEST(StudioPaintedFile, ABrokenOneHasItsLine) {
  Painting session(scene_of(many, "charges = \"chain.charges.csv\""));
  put_text(session.beside("chain.charges.csv"), "charge\n1e-8\nx\n");
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::broken);
  const auto& findings = session.document().findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_THAT(findings.front().file, HasSubstr("chain.charges.csv"));
  EXPECT_EQ(findings.front().line, 3);
}

TEST(StudioPaintedFile, HasANameWithoutAFolder) {
  EXPECT_EQ(charges_file("torus"), "torus.charges.csv");
  EXPECT_EQ(charges_file("../a b.c", 3), "___a_b_c.charges-3.csv");
  EXPECT_EQ(charges_file(""), "body.charges.csv");
  EXPECT_LT(charges_file(std::string(5000, 'x')).size(), 200U);
  EXPECT_TRUE(is_charges_file("torus", "torus.charges-12.csv"));
  for (const char* other : {"torus.csv", "torus.charges-1.csv", "torus.charges-02.csv", "torus.charges-.csv",
                            "a/torus.charges.csv", "blob.charges.csv", "torus.charges-2.csv.csv"})
    EXPECT_FALSE(is_charges_file("torus", other)) << other;
}

TEST(StudioHistory, CountsWhatWasPainted) {
  TextHistory history;
  history.begin("a");
  for (int k = 0; k < 10; ++k)
    history.put(TextState{
        "a", {{"f", {std::to_string(k), std::make_shared<const std::string>(std::size_t{20} << 20, 'x')}}}});
  EXPECT_TRUE(history.can_undo());
  int undone = 0;
  while (history.can_undo()) history.undo(), ++undone;
  EXPECT_EQ(undone, 3);
}

}  // namespace
}  // namespace electret::studio
