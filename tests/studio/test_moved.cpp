/// Sessions that name files: taken up where they lie, and in a project that was moved or copied.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/record/run_directory.hpp>
#include <electret/scene/read.hpp>

#include "studio/earlier.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::chain_scene;
using test::Earlier;
using test::expect_same;
using test::put_text;
using test::replaced;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A scene in a folder of its own, with its session below or elsewhere.
class Project : public Earlier {
 public:
  explicit Project(const std::string& scene, const std::string& session = "project/runs/scene.studio") {
    fs::create_directory(folder / "project");
    options.target = folder / "project/scene.toml";
    options.output = folder / session;
    put_text(options.target, scene);
  }
  void beside(const std::string& name, const std::string& text) const {
    put_text(folder / ("project/" + name), text);
  }
  /// The next start finds it there.
  void moved(const std::string& to, bool is_copied) {
    if (is_copied)
      fs::copy(folder / "project", folder / to, fs::copy_options::recursive);
    else
      fs::rename(folder / "project", folder / to);
    options.target = folder / (to + "/scene.toml");
    options.output = folder / (to + "/runs/scene.studio");
  }
  [[nodiscard]] std::string kept() const { return read_regular_file(session()); }
  [[nodiscard]] std::vector<std::string> kept_tables() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(options.output))
      if (entry.path().extension() == ".csv") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

std::string table_of(double charge) {
  std::string table = "charge\n";
  for (int k = 0; k < 12; ++k) table += std::to_string(charge * (1 + k % 3)) + "e-7\n";
  return table;
}

/// More vertices than are painted in the text itself.
std::string painted_scene(const std::string& method) {
  const std::string long_chain = replaced(chain_scene(method), "vertices = 12", "vertices = 210");
  return replaced(long_chain, "stiffness = 100.0", "stiffness = 10.0");
}

/// An edit names one file beside the scene and another below it; the session's folder is another one.
void edit_with_files(Project& session) {
  session.beside("q.csv", table_of(2.0));
  fs::create_directory(session.folder / "project/tables");
  session.beside("tables/q.csv", table_of(-1.5));
  session.loaded().step(2);
  session.type(replaced(session.document().text, "charge = 1e-7", "charges = \"q.csv\""));
  session.pull(6, 0.2, {0.3, 0.1, 0.0});
  session.step(3);
  session.must(HandEnd{0, true});
  session.type(replaced(session.document().text, "\"q.csv\"", "\"tables/q.csv\""));
  session.step(4);
}

TEST(StudioMoved, EditsThatNameFilesAreTakenUp) {
  const TemporaryFolder elsewhere;
  for (const auto& [method, is_elsewhere] :
       {std::pair{"imex", false}, std::pair{"verlet", true}, std::pair{"kick_trbdf2", false}}) {
    Project session(chain_scene(method)), whole(chain_scene(method));
    if (is_elsewhere) session.options.output = elsewhere / "out";
    edit_with_files(session);
    edit_with_files(whole);
    const State last = session.state();
    EXPECT_EQ(session.machine->live()->charges_now()[1], -3.0e-7) << "the second table";
    session.killed();
    session.again();
    session.take();
    ASSERT_EQ(session.phase(), Phase::paused) << method;
    EXPECT_EQ(session.state().step, last.step);
    EXPECT_EQ(session.state().positions, last.positions) << method;
    EXPECT_EQ(session.state().velocities, last.velocities) << method;
    EXPECT_FALSE(session.machine->live()->simulator().is_change_due()) << "nothing is edited once more";
    for (Project* each : {&session, &whole}) each->step(5);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(2), method);
    expect_same(played, whole.finished(), "as without a kill");
    EXPECT_FALSE(fs::exists(session.file("session.before.toml")));
  }
}

/// The scene's own, before and after the step that the session was at.
TEST(StudioMoved, OwnChangesThatNameFilesAreTakenUp) {
  const std::string scene = chain_scene("imex") +
                            "\n[[change]]\nstep = 2\nunset = [\"body.0.charge\"]\n"
                            "set = [\"body.0.charges='q.csv'\"]\n"
                            "\n[[change]]\nstep = 9\nset = [\"body.0.charges='tables/q.csv'\"]\n";
  for (const bool is_moved : {false, true}) {
    Project session(scene), whole(scene);
    for (Project* each : {&session, &whole}) {
      each->beside("q.csv", table_of(2.0));
      fs::create_directory(each->folder / "project/tables");
      each->beside("tables/q.csv", table_of(-1.5));
      each->loaded().step(5);
      each->must(Tune{"body.0.springs.0.stiffness", "150.0"});
      each->step(1);
    }
    session.killed();
    if (is_moved) session.moved("there", false);
    session.again();
    session.take();
    EXPECT_EQ(session.state().positions, whole.state().positions);
    for (Project* each : {&session, &whole}) each->step(6);
    EXPECT_EQ(session.machine->live()->simulator().inputs().charges[1], -3.0e-7);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(1), "own");
    expect_same(played, whole.finished(), "as without a kill");
  }
}

/// Strokes and files, in all that a session keeps.
TEST(StudioMoved, AProjectThatWasMovedOrCopiedGoesOn) {
  for (const auto& [method, is_copied] : {std::pair{"imex", true}, std::pair{"verlet", false}}) {
    Project session(painted_scene(method)), whole(painted_scene(method));
    for (Project* each : {&session, &whole}) {
      each->loaded();
      each->must(Paint{0, {0}, {3e-7}});
      each->step(3);
      each->must(Paint{0, {1, 2}, {2e-7, -2e-7}});
      each->pull(40, 0.1, {0.0, 0.05, 0.0});
      each->step(4);
      each->must(HandEnd{0, false});
      each->step(2);
    }
    session.killed();
    EXPECT_THAT(session.kept(), Not(HasSubstr(session.folder.path())));
    session.moved("there", is_copied);
    if (is_copied)  // What it reads is its own.
      for (const auto& each : fs::directory_iterator(session.folder / "project/runs/scene.studio"))
        if (each.path().extension() == ".csv") put_text(each.path().string(), "other");
    expect_same(test::run_again(session.session(), session.folder / "run", 3),
                test::run_again(session.session(), session.folder / "run-1", 1), "threads");
    session.again();
    EXPECT_EQ(session.offer().path, session.session());
    EXPECT_THAT(session.offer().damage, IsEmpty());
    session.take();
    ASSERT_EQ(session.phase(), Phase::paused);
    EXPECT_EQ(session.state().positions, whole.state().positions) << method;
    EXPECT_EQ(session.document().text, whole.document().text);
    EXPECT_FALSE(session.machine->live()->simulator().is_change_due()) << "nothing is edited once more";
    for (Project* each : {&session, &whole}) {
      each->must(Paint{0, {5}, {4e-7}});
      each->step(3);
    }
    session.must(Save{});
    EXPECT_EQ(load_scene(session.options.target).charges[5], 4e-7);
    const Checkpoint played = session.finished();
    expect_same(played, session.repeated(2), method);
    expect_same(played, whole.finished(), "as without a kill");
  }
}

/// Those of earlier versions have whole paths, and are named by their own ones once they have been taken up.
TEST(StudioMoved, WholePathsOfAnEarlierVersionAreTakenUpWhereTheyLie) {
  Project session(painted_scene("imex"));
  session.loaded();
  session.must(Paint{0, {0}, {3e-7}});
  session.step(3);
  session.must(Paint{0, {1}, {2e-7}});
  session.step(3);
  const State last = session.state();
  session.killed();
  const std::string folder = fs::canonical(session.options.output).string();
  std::string text = session.kept();
  text.replace(0, text.find('\n'), session_mark + session.options.target);
  for (const std::string& name : session.kept_tables())
    for (const char* quote : {"\"", "\\\""})  // Of the body, and of what a change sets.
      for (const std::string part = quote + name; text.find(part) != std::string::npos;)
        text = replaced(text, part, quote + folder + "/" + name);
  ASSERT_THAT(text, HasSubstr("body.0.charges=\\\"" + folder));
  put_text(session.session(), text);
  session.again();
  session.take();
  ASSERT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.state().positions, last.positions);
  EXPECT_FALSE(session.machine->live()->simulator().is_change_due()) << "nothing is edited once more";
  session.step(2);
  const Checkpoint played = session.finished();
  EXPECT_THAT(session.kept(), Not(HasSubstr(session.folder.path())));
  session.moved("there", false);
  expect_same(played, session.repeated(1), "moved since");
}

/// Through a link to another disk the session is beside no scene.
TEST(StudioMoved, ALinkedFolderIsTakenUp) {
  const TemporaryFolder disk;
  Project session(painted_scene("imex"));
  fs::create_directory_symlink(disk.path(), session.folder / "project/runs");
  session.loaded();
  session.must(Paint{0, {0}, {3e-7}});
  session.step(3);
  session.must(Paint{0, {1}, {2e-7}});
  session.step(3);
  const State last = session.state();
  session.killed();
  session.again();
  session.take();
  EXPECT_EQ(session.state().positions, last.positions);
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(1), "linked");
}

/// Names that a line cannot hold, and a name with a backslash.
TEST(StudioMoved, FoldersMayHaveAnyName) {
  Project session(chain_scene("imex"));
  fs::create_directories(session.folder / "a\nb \\x41");
  session.options.target = session.folder / "a\nb \\x41/c\td.toml";
  session.options.output = session.folder / "a\nb \\x41/out";
  put_text(session.options.target, chain_scene("imex"));
  session.loaded().step(3);
  session.killed();
  fs::rename(session.folder / "a\nb \\x41", session.folder / "e\nf");
  session.options.target = session.folder / "e\nf/c\td.toml";
  session.options.output = session.folder / "e\nf/out";
  session.again();
  session.take();
  EXPECT_EQ(session.state().step, 3);
}

/// A session is of one scene file, also where that is named from another folder.
TEST(StudioMoved, ASessionOfAnotherSceneIsRefused) {
  Project session(chain_scene("imex"));
  session.loaded().step(3);
  session.killed();
  session.beside("other.toml", chain_scene("imex"));
  session.options.target = session.folder / "project/other.toml";
  try {
    session.begun();
    FAIL() << "it was taken";
  } catch (const IoError& refused) {
    EXPECT_THAT(refused.what(),
                HasSubstr("a session of the studio with " + session.folder.path() + "/project/scene.toml"));
  }
}

TEST(StudioMoved, AMeshIsWatchedOnce) {
  std::string mesh;
  for (int k = 0; k < 12; ++k) mesh += "v 0 0 " + std::to_string(-k / 11.0) + "\n";
  mesh += "l 1 2 3 4 5 6 7 8 9 10 11 12\n";
  Project session(replaced(chain_scene("imex"),
                           "generate = { shape = \"chain\", length = 1.0, vertices = 12 }",
                           "mesh = \"chain.obj\""));
  session.beside("chain.obj", mesh);
  session.options.look_every = std::chrono::milliseconds(0);
  session.loaded().step(3);
  session.killed();
  session.again();
  session.take();
  session.beside("chain.obj", mesh + "# longer\n");
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const auto told = [&] { return session.heard.last<FilesInfo>(); };
  while ((told() == nullptr || told()->changed.empty()) && std::chrono::steady_clock::now() < late)
    session.machine->work();
  ASSERT_NE(told(), nullptr);
  EXPECT_EQ(told()->changed.size(), 1U);
}

}  // namespace
}  // namespace electret::studio
