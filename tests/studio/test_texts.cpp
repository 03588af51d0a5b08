/// The scene's text as it is typed in a page: checked, applied, undone; and files that change meanwhile.

#include <filesystem>
#include <random>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/read.hpp>
#include <electret/studio/session/typed_text.hpp>
#include <electret/studio/session/watched_files.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::chain_scene;
using test::Handled;
using test::replaced;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A session whose files are looked at all the time.
class Texts : public Handled {
 public:
  explicit Texts(const std::string& scene) : Handled(scene) {
    options.look_every = std::chrono::milliseconds(0);
  }

  [[nodiscard]] const DocumentInfo& document() const { return *heard.last<DocumentInfo>(); }
  /// Sends a text and waits for what is said to it.
  TextChecked typed(const std::string& text, bool applies, int page = 1) {
    must(TypedText{++number, document().revision, text, applies}, page);
    return said();
  }
  /// What is said to the last text.
  TextChecked said() {
    const auto is_said = [this] {
      const auto* last = heard.last<TextChecked>();
      return last != nullptr && last->number == number;
    };
    work_until(is_said);
    return *heard.last<TextChecked>();
  }
  template <class Is>
  void work_until(const Is& is) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!is()) {
      if (std::chrono::steady_clock::now() > late) throw InternalError("what is waited for does not come");
      machine->work();
    }
  }
  /// The files that pages were told to have changed.
  [[nodiscard]] std::vector<std::string> changed() const {
    std::vector<std::string> names;
    const auto* files = heard.last<FilesInfo>();
    if (files != nullptr)
      for (const FileChange& each : files->changed)
        names.push_back(std::filesystem::path(each.path).filename().string() + (each.is_gone ? " gone" : ""));
    return names;
  }
  Count number = 0;
};

std::string as_lines(const std::string& text, const std::string& end) {
  std::string made;
  for (const char c : text) made += c == '\n' ? end : std::string(1, c);
  return made;
}

TEST(StudioTypedText, LineEndsAndTheMarkOfTheFileStay) {
  EXPECT_EQ(as_in_file("a\nb\n", "a\nx\nb\n"), "a\nx\nb\n");
  EXPECT_EQ(as_in_file("a\r\nb\r\n", "a\nx\nb\n"), "a\r\nx\r\nb\r\n");
  EXPECT_EQ(as_in_file("\xef\xbb\xbf"
                       "a\r\nb",
                       "a\nb\nc"),
            "\xef\xbb\xbf"
            "a\r\nb\r\nc");
  EXPECT_EQ(as_in_file("a\nb\r\nc\n", "a\nb\nx\nc\n"),
            "a\nb\r\nx\nc\n");  // Mixed ends stay with their lines.
  EXPECT_EQ(as_in_file("a\r\nb\r\n", "a\r\nb\r\n"), "a\r\nb\r\n");
  EXPECT_EQ(as_in_file("a\r\nb\r\n", "a\nb"), "a\r\nb");
  EXPECT_EQ(as_in_file("", "a\n"), "a\n");
  EXPECT_EQ(as_in_file("a\r\n", ""), "");
}

/// What is typed anew with nothing changed is the file, whatever ends its lines.
TEST(StudioTypedText, WhatIsNotChangedIsTheFile) {
  std::mt19937 random(5);
  const auto pick = [&](std::size_t count) { return random() % count; };
  for (int trial = 0; trial < 500; ++trial) {
    std::string file = pick(3) == 0 ? "\xef\xbb\xbf" : "", typed;
    for (std::size_t lines = pick(6); lines > 0; --lines) {
      const std::string content(pick(3), static_cast<char>('a' + pick(2)));
      file += content + (pick(2) == 0 ? "\n" : "\r\n");
      typed += content + "\n";
    }
    EXPECT_EQ(as_in_file(file, typed), file);
    // A line in the midst changes no other one.
    const std::string more = as_in_file(file, typed + "new\n");
    EXPECT_EQ(more.substr(0, file.size()), file);
  }
}

TEST(StudioText, IsCheckedWithTheWordsOfTheCheckerAndNothingChanges) {
  const std::string start = chain_scene("imex");
  Texts session(start);
  session.loaded().step(3);
  const auto told = session.heard.all<DocumentInfo>().size();
  const std::string wrong = replaced(replaced(start, "drag = 0.1", "drag = -1"), "mass = 0.01", "mas = 0.01");
  for (const bool applies : {false, true}) {
    const TextChecked said = session.typed(wrong, applies);
    EXPECT_EQ(said.effect, "wrong");
    EXPECT_FALSE(said.is_applied);
    std::vector<std::string> expected, found;
    try {
      test::put_text(session.folder.path() + "/wrong.toml", wrong);
      load_scene(session.folder.path() + "/wrong.toml");
    } catch (const InputError& error) {
      for (const Finding& each : error.findings())
        expected.push_back(std::to_string(each.where.line) + ":" + std::to_string(each.where.column) + " " +
                           each.message);
    }
    for (const DocumentFinding& each : said.findings) {
      const std::string place = std::to_string(each.line) + ":" + std::to_string(each.column) + " ";
      found.push_back(place + each.message);
      EXPECT_EQ(each.severity, "error");
    }
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_GE(expected.size(), 3U);  // The drag, the key, and the mass that is missing.
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_THAT(found[k], HasSubstr(expected[k].substr(expected[k].find(' ') + 1)));
  }
  EXPECT_EQ(session.heard.all<DocumentInfo>().size(), told);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.state().step, 3);
  EXPECT_THAT(session.typed("no = [toml", false).findings.front().message, HasSubstr("error"));
}

TEST(StudioText, WhatKeepsVerticesActsAtOnceAndTheRestAtReset) {
  const std::string start = chain_scene("imex");
  Texts session(start);
  session.loaded().step(3);
  EXPECT_EQ(session.typed(start, false).effect, "nothing");
  EXPECT_EQ(session.typed(start + "# more\n", false).effect, "nothing");
  const std::string charged = replaced(start, "charge = 1e-7", "charge = 3e-7  # more");
  EXPECT_EQ(session.typed(charged, false).effect, "live");
  EXPECT_EQ(session.document().text, start);
  TextChecked said = session.typed(charged, true);
  EXPECT_TRUE(said.is_applied);
  EXPECT_THAT(said.error, IsEmpty());
  EXPECT_EQ(session.document().text, charged);
  EXPECT_TRUE(session.document().unsaved);
  session.step(2);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 3e-7);
  // Other pins wait; charges and stiffness that are typed with them do not.
  const std::string other = replaced(
      replaced(replaced(charged, "3e-7", "4e-7"), "indices = [0]", "indices = [1]"), "100.0", "200.0");
  said = session.typed(other, false);
  EXPECT_EQ(said.effect, "reset");
  EXPECT_THAT(said.waiting, ElementsAre("body.0.group.0.indices"));
  said = session.typed(other, true);
  EXPECT_TRUE(said.is_applied);
  EXPECT_EQ(session.document().waiting, said.waiting);
  session.step(2);
  EXPECT_EQ(session.state().step, 7);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 4e-7);
  EXPECT_EQ(session.machine->live()->simulator().system().assembly.springs[0].stiffness, 200.0);
  // Fields go on to work meanwhile, and undo goes through all of it.
  session.must(SetCharge{0, std::nullopt, 5e-7});
  EXPECT_EQ(session.document().waiting, said.waiting);
  session.must(Undo{});
  session.must(Undo{});
  EXPECT_EQ(session.document().text, charged);
  EXPECT_THAT(session.document().waiting, IsEmpty());
  session.must(Redo{});
  EXPECT_EQ(session.document().waiting, said.waiting);
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.document().text, other);
  EXPECT_THAT(session.document().waiting, IsEmpty());
  EXPECT_THAT(session.heard.last<SystemInfo>()->pins, ElementsAre(1));
  session.step(3);
  const Checkpoint played = session.finished();
  test::expect_same(played, session.repeated(2), "reset");
}

/// A body that is new, gone or named anew would take the charges of another one.
TEST(StudioText, WhereBodiesDifferAllWaits) {
  const std::string start = chain_scene("imex");
  Texts session(start);
  session.loaded().step(1);
  const std::string named =
      replaced(replaced(start, "name = \"chain\"\ngenerate", "name = \"rope\"\ngenerate"), "charge = 1e-7",
               "charge = 3e-7");
  const TextChecked said = session.typed(named, true);
  EXPECT_EQ(said.effect, "reset");
  EXPECT_TRUE(said.is_applied);
  session.step(1);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 1e-7);
  // Fields name bodies of the scene that runs, and those are not the text's.
  EXPECT_THAT(session.ask(SetCharge{0, std::nullopt, 5e-7}), HasSubstr("reset first"));
  EXPECT_THAT(session.ask(Paint{0, {1}, {5e-7}}), HasSubstr("reset first"));
  EXPECT_THAT(session.ask(MakeGroup{0, "new", {1}}), HasSubstr("reset first"));
  EXPECT_EQ(session.document().text, named);
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.machine->live()->simulator().inputs().charges[3], 3e-7);
  session.must(SetCharge{0, std::nullopt, 5e-7});
  EXPECT_EQ(session.heard.last<SystemInfo>()->bodies.front().name, "rope");
}

TEST(StudioText, OfAnotherStateIsRefusedAndTheNewestIsRead) {
  const std::string start = chain_scene("imex");
  Texts session(start);
  session.loaded();
  const Count old = session.document().revision;
  session.must(SetCharge{0, std::nullopt, 2e-7}, 2);
  EXPECT_GT(session.document().revision, old);
  const std::string before = session.document().text;
  EXPECT_THAT(session.ask(TypedText{1, old, start, true}), HasSubstr("changed meanwhile"));
  // Changed while it is read.
  session.must(TypedText{2, session.document().revision, start, true});
  session.must(SetCharge{0, std::nullopt, 3e-7}, 2);
  session.number = 2;
  EXPECT_THAT(session.said().error, HasSubstr("changed meanwhile"));
  EXPECT_THAT(session.document().text, HasSubstr("3e-07"));
  // Of many that are sent while one is read, the last one is; other pages' are not lost.
  for (Count k = 3; k < 30; ++k) session.must(TypedText{k, 0, k == 29 ? start : "x", false});
  session.must(TypedText{100, 0, "y", false}, 2);
  session.number = 100;
  session.said();
  const auto all = session.heard.all<TextChecked>();
  EXPECT_LE(all.size(), 4U);
  ASSERT_GE(all.size(), 3U);
  EXPECT_EQ(all[all.size() - 2].number, 29);
  EXPECT_NE(all[all.size() - 2].effect, "wrong");
}

TEST(StudioText, WhileItRunsAndWhereItDiverged) {
  Texts session(chain_scene("imex", 1000000));
  session.loaded();
  session.must(Play{1.0});
  const std::string charged = replaced(chain_scene("imex", 1000000), "charge = 1e-7", "charge = 3e-7");
  EXPECT_TRUE(session.typed(charged, true).is_applied);
  EXPECT_EQ(session.phase(), Phase::running);
  EXPECT_EQ(session.document().text, charged);
  Texts diverged(test::diverging_scene());
  diverged.loaded();
  diverged.must(Play{std::nullopt});
  diverged.work_while(Phase::running);
  ASSERT_EQ(diverged.phase(), Phase::diverged);
  const TextChecked said =
      diverged.typed(replaced(test::diverging_scene(), "step = 0.1", "step = 1e-5"), true);
  EXPECT_TRUE(said.is_applied);
  EXPECT_EQ(said.effect, "live");
  diverged.must(Reset{});
  diverged.work_while(Phase::loading);
  diverged.step(3);
  EXPECT_EQ(diverged.phase(), Phase::paused);
}

TEST(StudioText, OfABrokenSceneIsMended) {
  const std::string start = chain_scene("imex"), wrong = replaced(start, "drag = 0.1", "drag = -1");
  Texts session(wrong);
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::broken);
  EXPECT_EQ(session.document().text, wrong);
  EXPECT_EQ(session.typed(replaced(start, "mass", "mas"), true).effect, "wrong");
  EXPECT_EQ(session.phase(), Phase::broken);
  EXPECT_EQ(session.typed(start, false).effect, "load");
  EXPECT_TRUE(session.typed(start, true).is_applied);
  session.work_while(Phase::loading);
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.document().text, start);
  EXPECT_TRUE(session.document().unsaved);
  EXPECT_THAT(session.document().findings, IsEmpty());
  session.must(Save{});
  EXPECT_EQ(read_regular_file(session.options.target), start);
  session.step(2);
  session.finished();
  EXPECT_TRUE(std::filesystem::exists(session.options.output + "/checkpoint.h5"));
}

/// The lines that were not edited stay to the last byte: line ends, mark, comments.
TEST(StudioText, IsSavedWithTheRestAsItWas) {
  const std::string start = "\xef\xbb\xbf# a file of Windows\r\n" + as_lines(chain_scene("imex"), "\r\n");
  Texts session(start);
  session.loaded();
  std::string shown = "# a file of Windows\n" + chain_scene("imex");
  EXPECT_TRUE(session.typed(replaced(shown, "charge = 1e-7", "charge = 3e-7"), true).is_applied);
  session.must(Save{});
  EXPECT_EQ(read_regular_file(session.options.target), replaced(start, "charge = 1e-7", "charge = 3e-7"));
}

/// A chain from a mesh file beside its scene.
std::string meshed_scene() {
  return replaced(
      replaced(chain_scene("imex"), "generate = { shape = \"chain\", length = 1.0, vertices = 12 }",
               "mesh = \"chain.obj\""),
      "indices = [10, 11]", "indices = [2, 3]");
}
std::string mesh(double x) {
  std::string text;
  for (int k = 0; k < 4; ++k) text += "v " + std::to_string(x) + " 0 " + std::to_string(-0.1 * k) + "\n";
  return text + "l 1 2 3 4\n";
}

/// Files elsewhere are read if the scene of the command line names them, not if a page does.
TEST(StudioText, NamesNoOtherFilesElsewhere) {
  test::TemporaryFolder elsewhere;
  for (const char* name : {"/chain.obj", "/other.obj"}) test::put_text(elsewhere.path() + name, mesh(0.0));
  const std::string start =
      replaced(meshed_scene(), "\"chain.obj\"", "\"" + elsewhere.path() + "/chain.obj\"");
  Texts session(start);
  test::put_text(session.folder.path() + "/here.obj", mesh(1.0));
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.typed(replaced(start, "drag = 0.1", "drag = 0.2"), false).effect, "live");
  EXPECT_EQ(session.typed(replaced(start, elsewhere.path() + "/chain.obj", "here.obj"), false).effect,
            "reset");
  for (const char* applies : {"", "1"}) {
    const TextChecked said = session.typed(replaced(start, "/chain.obj", "/other.obj"), *applies != 0);
    EXPECT_EQ(said.effect, "wrong");
    EXPECT_THAT(said.findings.front().message, HasSubstr("regular file in the scene's folder"));
  }
  EXPECT_TRUE(session.typed(replaced(start, "drag = 0.1", "drag = 0.2"), true).is_applied);
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
  // Nor by way of a text that names one where it is no file.
  const std::string naming =
      replaced(start, "name = \"chain\"", "name = \"" + elsewhere.path() + "/other.obj\"");
  EXPECT_TRUE(session.typed(naming, true).is_applied);
  session.must(Save{true});
  session.must(Reload{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.typed(replaced(naming, "/chain.obj", "/other.obj"), true).effect, "wrong");
}

/// Before a text is TOML, what stands in quotes is what it names.
TEST(StudioText, OfABrokenSceneMayNameWhatItNamed) {
  test::TemporaryFolder elsewhere;
  test::put_text(elsewhere.path() + "/chain.obj", mesh(0.0));
  const std::string whole =
      replaced(meshed_scene(), "\"chain.obj\"", "\"" + elsewhere.path() + "/chain.obj\"");
  Texts session("[time\n" + whole);
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::broken);
  EXPECT_TRUE(session.typed(whole, true).is_applied);
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
}

/// An edit can bring a warning, and Undo takes it away.
TEST(StudioText, WarningsAreThoseOfTheTextAsItStands) {
  Handled session(chain_scene("verlet"));
  session.loaded();
  const auto unused = [&] {
    const auto& findings = session.heard.last<DocumentInfo>()->findings;
    return std::any_of(findings.begin(), findings.end(), [](const DocumentFinding& each) {
      return each.severity == "warning" && each.message.find("lonely") != std::string::npos;
    });
  };
  const auto until = [&](bool wanted) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (unused() != wanted && std::chrono::steady_clock::now() < late) session.machine->work();
    return unused() == wanted;
  };
  ASSERT_FALSE(unused());
  session.must(MakeGroup{0, "lonely", {3, 4}});
  EXPECT_TRUE(until(true));
  EXPECT_THAT(session.heard.last<SystemInfo>()->warnings, ::testing::Contains(HasSubstr("lonely")));
  EXPECT_GT(session.heard.last<DocumentInfo>()->findings.back().line, 0);
  session.must(Undo{});
  EXPECT_TRUE(until(false));
  EXPECT_THAT(session.heard.last<SystemInfo>()->warnings,
              ::testing::Not(::testing::Contains(HasSubstr("lonely"))));
}

TEST(StudioFiles, WhatChangedIsSaidAndReadAnewOrKept) {
  Texts session(meshed_scene());
  test::put_text(session.folder.path() + "/chain.obj", mesh(0.0));
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
  session.step(2);
  session.must(SetCharge{0, std::nullopt, 2e-7});
  const std::string edited = session.document().text;
  test::put_text(session.folder.path() + "/chain.obj", mesh(1.0));
  session.work_until([&] { return !session.changed().empty(); });
  EXPECT_THAT(session.changed(), ElementsAre("chain.obj"));
  // Kept: nothing is said until it changes again.
  session.must(KeepOpen{});
  EXPECT_THAT(session.changed(), IsEmpty());
  EXPECT_EQ(session.state().step, 2);
  test::put_text(session.folder.path() + "/chain.obj", mesh(2.0));
  session.work_until([&] { return !session.changed().empty(); });
  // Read anew: the edit stays.
  session.must(Reload{});
  session.work_while(Phase::loading);
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.state().step, 0);
  EXPECT_EQ(session.state().positions[0].x, 2.0);
  EXPECT_EQ(session.document().text, edited);
  EXPECT_TRUE(session.document().unsaved);
  EXPECT_THAT(session.changed(), IsEmpty());
  // The scene itself: what was edited comes back by undo.
  session.step(1);
  const std::string other = replaced(meshed_scene(), "drag = 0.1", "drag = 0.2");
  test::put_text(session.options.target, other);
  session.work_until([&] { return !session.changed().empty(); });
  EXPECT_THAT(session.changed(), ElementsAre("scene.toml"));
  EXPECT_EQ(session.document().text, edited);
  session.must(Reload{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.document().text, other);
  EXPECT_FALSE(session.document().unsaved);
  session.must(Undo{});
  EXPECT_EQ(session.document().text, edited);
  EXPECT_TRUE(session.document().unsaved);
  // Gone.
  std::filesystem::remove(session.folder.path() + "/chain.obj");
  session.work_until([&] { return !session.changed().empty(); });
  EXPECT_THAT(session.changed(), ElementsAre("chain.obj gone"));
  session.must(Reload{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::broken);
  EXPECT_EQ(session.document().text, edited);
  // And there again: it is read at once only if nothing is unsaved.
  test::put_text(session.folder.path() + "/chain.obj", mesh(3.0));
  session.work_until([&] { return !session.changed().empty(); });
  session.must(Reload{});
  session.work_while(Phase::loading);
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.state().positions[0].x, 3.0);
}

/// What nobody has touched follows its files at once, also out of findings.
TEST(StudioFiles, AnUntouchedSceneFollowsItsFile) {
  Texts session(chain_scene("imex"));
  session.loaded();
  const std::string other = replaced(chain_scene("imex"), "drag = 0.1", "drag = 0.2");
  test::put_text(session.options.target, other);
  session.work_until([&] { return session.document().text == other && session.phase() == Phase::paused; });
  test::put_text(session.options.target, replaced(other, "drag = 0.2", "drag = -1"));
  session.work_until([&] { return session.phase() == Phase::broken; });
  EXPECT_FALSE(session.document().unsaved);
  test::put_text(session.options.target, other);
  session.work_until([&] { return session.phase() == Phase::paused; });
  EXPECT_EQ(session.document().text, other);
  session.step(2);
}

TEST(StudioFiles, WhatIsSavedHereOrOnlyTouchedIsNotSaid) {
  Texts session(chain_scene("imex"));
  session.loaded().step(1);
  session.must(SetCharge{0, std::nullopt, 2e-7});
  session.must(Save{});
  const std::string saved = session.document().text;
  std::filesystem::last_write_time(
      session.options.target,
      std::filesystem::last_write_time(session.options.target) + std::chrono::seconds(7));
  for (int k = 0; k < 20; ++k) session.machine->work();
  EXPECT_THAT(session.changed(), IsEmpty());
  EXPECT_EQ(session.document().text, saved);
  // With edits that are not saved, Reset does not make the file's change known.
  session.must(SetCharge{0, std::nullopt, 3e-7});
  session.must(Reset{});
  test::put_text(session.options.target, chain_scene("verlet"));
  session.work_while(Phase::loading);
  session.work_until([&] { return !session.changed().empty(); });
  EXPECT_THAT(session.ask(Save{}), HasSubstr("changed by something else"));
}

TEST(StudioFiles, AFileThatIsBeingWrittenIsNotSaid) {
  test::TemporaryFolder folder;
  const std::string path = folder.path() + "/a";
  test::put_text(path, "one");
  WatchedFiles files;
  const FileReader read =
      noted(read_regular_file, std::shared_ptr<WatchedFiles>(&files, [](WatchedFiles*) {}));
  EXPECT_EQ(read(path), "one");
  EXPECT_THROW(read(path + "2"), InputError);
  EXPECT_FALSE(files.look(read_regular_file));
  for (int k = 0; k < 5; ++k) {
    test::put_text(path, "one and " + std::string(static_cast<std::size_t>(k), 'x'));
    EXPECT_FALSE(files.look(read_regular_file));  // Another one at every look.
  }
  EXPECT_TRUE(files.look(read_regular_file));
  ASSERT_EQ(files.changes().size(), 1U);
  EXPECT_EQ(files.changes().front().path, path);
  EXPECT_FALSE(files.look(read_regular_file));
  // As it was.
  test::put_text(path, "one");
  EXPECT_FALSE(files.look(read_regular_file));
  EXPECT_TRUE(files.look(read_regular_file));
  EXPECT_TRUE(files.changes().empty());
  // One that was missing has come.
  test::put_text(path + "2", "two");
  EXPECT_FALSE(files.look(read_regular_file));
  EXPECT_TRUE(files.look(read_regular_file));
  ASSERT_EQ(files.changes().size(), 1U);
  EXPECT_FALSE(files.changes().front().is_gone);
}

}  // namespace
}  // namespace electret::studio
