/// Sessions that were killed while their files were being written: the folder is taken again, and no text is
/// lost.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/record/session_files.hpp>
#include <electret/scene/read.hpp>

#include "record/file_calls.hpp"
#include "studio/earlier.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::Earlier;
using test::expect_same;
using test::put_text;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A chain with more vertices than are painted in the text itself.
std::string long_chain() {
  return test::replaced(chain_scene("imex"), "vertices = 12", "vertices = 210");
}

class Begun : public Earlier {
 public:
  using Earlier::Earlier;

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(options.output))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  void left(const std::string& name, const std::string& text) const {
    fs::create_directories(options.output);
    put_text(file(name), text);
  }
};

std::string with_charge(const std::string& value) {
  return "# mine\n" + test::replaced(chain_scene("imex"), "charge = 1e-7", "charge = " + value);
}

/// The process ends before each of the calls that change a file, one after the other: its first writing, and
/// those to the session's end.
TEST(StudioBegun, AKillAtAnyCallLeavesWhatIsTaken) {
  const test::WithoutSyncs none;
  Begun session(long_chain());
  int without = 0, texts = 0, sessions = 0;
  for (int k = 1;; ++k) {
    const int status = test::child(session.folder.path() + "/out", test::FileCalls::Plan::stop, k, [&] {
      session.loaded();
      session.must(SetCharge{0, std::nullopt, 3e-7});
      session.must(Paint{0, {0}, {5e-7}});
      session.step(2);
      session.must(Paint{0, {1}, {4e-7}});
      session.step(2);
      session.machine->finish();
      session.machine.reset();
      std::_Exit(0);  // Threads of what came before the fork do not end in the child.
    });
    if (status != test::stopped_status) {
      ASSERT_EQ(status, 0) << k;
      break;
    }
    const bool has_text = fs::exists(session.file("session.text.toml"));
    const bool has_session = fs::exists(session.session());
    has_session ? ++sessions : has_text ? ++texts : ++without;
    session.again();
    ASSERT_EQ(session.phase(), Phase::paused) << k;
    ASSERT_EQ(session.heard.last<EarlierInfo>() != nullptr, has_text) << k;
    if (has_text) {
      EXPECT_EQ(session.offer().damage, "") << k;
      EXPECT_TRUE(session.offer().is_text_other) << k;
      session.take();
      EXPECT_THAT(session.document().text, HasSubstr("charges = \"chain.charges.csv\"")) << k;
    }
    session.step(1);
    const Count step = session.state().step;
    const Checkpoint played = session.finished();
    EXPECT_EQ(played.state.step, step);
    if (k % 5 == 0) expect_same(played, session.repeated(1), std::to_string(k));
    for (const std::string& name : session.names()) {
      EXPECT_THAT(name, Not(HasSubstr(".part"))) << k;
      if (painted_number(name) > 0) {
        EXPECT_THAT(read_regular_file(session.session()), HasSubstr(name)) << k;
      }
    }
    fs::remove_all(session.options.output);
    fs::remove_all(session.folder / "again");
  }
  EXPECT_GT(without, 3);
  EXPECT_GT(texts, 3);
  EXPECT_GT(sessions, 0);
}

TEST(StudioBegun, ItsTextIsOfferedAndGoesOn) {
  const std::string scene = with_charge("1e-7"), edited = with_charge("4e-7");
  Begun session(scene);
  session.left("session.start.toml", scene);
  session.left("session.text.toml", edited);
  session.left("session.toml.77-0.part", "half");
  session.again();
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.offer().path, session.file("session.text.toml"));
  EXPECT_EQ(session.offer().steps, 0);
  EXPECT_TRUE(session.offer().is_cut);
  EXPECT_TRUE(session.offer().is_text_other);
  EXPECT_EQ(session.document().text, scene) << "nothing is taken unasked";
  session.take();
  EXPECT_EQ(session.document().text, edited);
  EXPECT_TRUE(session.document().unsaved);
  session.step(3);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 4e-7);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "begun");
  EXPECT_THAT(session.names(),
              ElementsAre("checkpoint.h5", "session.start.toml", "session.text.toml", "session.toml"));
}

/// The charges of the long chain.
std::string table_of(double first) {
  std::string text = "charge\n" + std::to_string(first) + "e-7\n";
  for (int k = 1; k < 210; ++k) text += "1e-7\n";
  return text;
}

std::string long_chain_with_file() {
  return test::replaced(long_chain(), "charge = 1e-7", "charges = \"chain.charges.csv\"");
}

/// The last stroke is that of the text; what the texts do not name is dropped.
TEST(StudioBegun, ItsStrokesAreFound) {
  for (const bool is_taken : {true, false}) {
    const std::string scene = long_chain();
    Begun session(scene);
    session.left("session.start.toml", scene);
    session.left("session.text.toml", long_chain_with_file());
    session.left("chain.charges.2.csv", table_of(2.0));
    session.left("chain.charges.10.csv", table_of(7.0));
    session.left("chain.charges.11.csv.77-0.part", "half");
    session.again();
    if (is_taken) session.take();
    session.step(2);
    session.must(Paint{0, {1}, {6e-7}});
    session.step(2);
    const auto charges = session.machine->live()->own_charges();
    EXPECT_EQ(charges[0], is_taken ? 7e-7 : 1e-7);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(1), "strokes");
    EXPECT_THAT(session.names(), Contains("chain.charges.10.csv")) << "of the text, moved aside or not";
    EXPECT_THAT(session.names(), Not(Contains("chain.charges.2.csv")));
    EXPECT_THAT(session.names(), Not(Contains(HasSubstr(".part"))));
    EXPECT_EQ(fs::exists(session.file("session.before.toml")), !is_taken);
    EXPECT_EQ(fs::exists(session.file("session.before.text.toml")), !is_taken);
  }
}

/// A session that was moved aside keeps its strokes to itself.
TEST(StudioBegun, ItsStartHasNoStrokeOfAnother) {
  const std::string scene = long_chain_with_file();
  Begun session(scene);
  put_text(session.folder / "chain.charges.csv", table_of(1.0));
  session.left(
      "session.before.toml",
      std::string(session_mark) + "../scene.toml\n# Its painted charges are in: chain.charges.1.csv\n");
  session.left("session.start.toml", scene);
  session.left("session.text.toml", scene);
  session.left("chain.charges.1.csv", table_of(9.0));
  session.left("chain.charges.2.csv", table_of(1.0));
  session.left("chain.charges.3.csv", table_of(7.0));
  session.again();
  session.take();
  EXPECT_EQ(session.machine->live()->own_charges()[0], 7e-7);
  session.must(Undo{});
  session.step(1);
  EXPECT_EQ(session.machine->live()->own_charges()[0], 1e-7);
}

/// One that is left, or that began with another text, is moved aside.
TEST(StudioBegun, ATextIsNeverLost) {
  const std::string scene = with_charge("1e-7"), edited = with_charge("4e-7"), other = with_charge("9e-7");
  for (const std::string& start : {scene, other}) {
    Begun session(scene);
    session.left("session.before.toml", std::string(session_mark) + "../scene.toml\n");
    session.left("session.before.text.toml", "older\n");
    session.left("session.start.toml", start);
    session.left("session.text.toml", edited);
    session.again();
    ASSERT_EQ(session.phase(), Phase::paused);
    if (start == scene) {
      session.must(LeaveEarlier{});
    } else {
      EXPECT_EQ(session.heard.last<EarlierInfo>(), nullptr) << "it may be of another scene";
      EXPECT_NE(session.ask(TakeUp{}), "");
    }
    session.step(2);
    session.finished();
    EXPECT_EQ(read_regular_file(session.file("session.before.text.toml")), "older\n");
    EXPECT_EQ(read_regular_file(session.file("session.before-2.text.toml")), edited);
    EXPECT_EQ(read_regular_file(session.file("session.before-2.start.toml")), start);
    EXPECT_THAT(session.heard.all<NoticeInfo>(),
                Contains(::testing::Field(&NoticeInfo::text,
                                          HasSubstr("is kept as " + session.file("session.before-2.toml")))));
    EXPECT_THAT(read_regular_file(session.session()), HasSubstr("steps = 2"));
  }
}

TEST(StudioBegun, AnUntouchedOneIsDropped) {
  const std::string scene = with_charge("1e-7");
  for (const bool has_text : {false, true}) {
    Begun session(scene);
    session.left("session.start.toml", scene);
    if (has_text) session.left("session.text.toml", scene);
    session.left("chain.charges.1.csv", "charge\n");
    session.again();
    ASSERT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.heard.last<EarlierInfo>(), nullptr);
    session.step(2);
    session.finished();
    EXPECT_THAT(session.names(),
                ElementsAre("checkpoint.h5", "session.start.toml", "session.text.toml", "session.toml"));
  }
}

/// Also texts that are none, or that lead elsewhere.
TEST(StudioBegun, DamagedTextsAreNamedAndStay) {
  Begun session(with_charge("1e-7"));
  session.left("session.start.toml", with_charge("1e-7"));
  session.left("session.text.toml", "no text of a scene [");
  session.again();
  EXPECT_THAT(session.offer().damage, HasSubstr("session.text.toml"));
  EXPECT_THAT(session.ask(TakeUp{}), HasSubstr("damaged"));
  session.step(1);
  session.finished();
  EXPECT_EQ(read_regular_file(session.file("session.before.text.toml")), "no text of a scene [");
}

/// What is no session's stays refused.
TEST(StudioBegun, OtherFilesAreNotTaken) {
  for (const char* name : {"diary.txt", "torus.csv", "session.toml", "session.end.toml"}) {
    Begun session(with_charge("1e-7"));
    session.left("session.start.toml", with_charge("1e-7"));
    session.left(name, "mine\n");
    EXPECT_THROW(session.begun(), IoError) << name;
    EXPECT_EQ(read_regular_file(session.file(name)), "mine\n");
  }
}

}  // namespace
}  // namespace electret::studio
