/// Scenes that are saved under another name.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/read.hpp>
#include <electret/studio/session/save_name.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using test::expect_same;
using test::Handled;
using test::put_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* plain = R"(# A chain.
[time]
step = 0.002
steps = 100000

[integrator]
method = "verlet"

[coulomb]
softening = 0.1

[[body]]
name = "chain"
MESH
mass = 0.01
charge = 1e-8  # C

  [[body.springs]]
  from = "edges"
  stiffness = 50.0
)";

std::string chain_of(const std::string& mesh) {
  std::string scene = plain;
  return scene.replace(scene.find("MESH"), 4, mesh);
}
std::string chain_of(int vertices) {
  return chain_of("generate = { shape = \"chain\", length = 2.0, vertices = " + std::to_string(vertices) +
                  " }");
}

Save as(const std::string& name, bool over = false) {
  return Save{over, name};
}

class Saving : public Handled {
 public:
  using Handled::Handled;
  ~Saving() { fs::current_path(start_); }
  /// A scene of the program, in the folder where the studio was started.
  Saving& with_choice(const std::string& name) {
    fs::current_path(folder.path());
    options.output = "";
    options.folder = ".";
    begun();
    must(Open{name});
    work_while(Phase::loading);
    return *this;
  }
  [[nodiscard]] std::string beside(const std::string& name) const { return folder.path() + "/" + name; }
  [[nodiscard]] std::string text_of(const std::string& name) const { return read_regular_file(beside(name)); }
  [[nodiscard]] const DocumentInfo& document() const { return *heard.last<DocumentInfo>(); }
  void open(const std::string& name) {
    must(Open{name});
    work_while(Phase::loading);
  }

 private:
  fs::path start_ = fs::current_path();
};

std::string refused(const std::string& typed) {
  std::string why;
  EXPECT_EQ(file_of_name(typed, why), "") << typed;
  return why;
}

TEST(StudioSaveName, IsOnePartOfAPath) {
  std::string why;
  EXPECT_EQ(file_of_name("a", why), "a.toml");
  EXPECT_EQ(file_of_name("  my torus.toml ", why), "my torus.toml");
  EXPECT_EQ(file_of_name("Würfel.v2", why), "Würfel.v2.toml");
  EXPECT_EQ(why, "");
  EXPECT_THAT(refused(""), HasSubstr("missing"));
  EXPECT_THAT(refused("  "), HasSubstr("missing"));
  for (const char* each : {"a/b", "/a", "../a", "a\\b"}) EXPECT_THAT(refused(each), HasSubstr("no /"));
  for (const char* each : {".a", "..", ".toml"}) EXPECT_THAT(refused(each), HasSubstr("hidden"));
  EXPECT_THAT(refused("a\nb"), HasSubstr("cannot be seen"));
  EXPECT_THAT(refused(std::string("a\0b", 3)), HasSubstr("cannot be seen"));
  EXPECT_THAT(refused("a\xff"), HasSubstr("Unicode"));
  EXPECT_THAT(refused(std::string(200, 'a')), HasSubstr("bytes"));
  for (const char* each : {"session.text", "session", "session.before", "session.before-2"})
    EXPECT_THAT(refused(each), HasSubstr("sessions"));
}

TEST(StudioSaveAs, ACopyIsBesideTheSceneAndCanBeOpened) {
  Saving session(chain_of(12));
  session.loaded().step(3);
  session.must(SetCharge{0, std::nullopt, 2e-8});
  session.must(as("copy"));
  EXPECT_EQ(session.text_of("copy.toml"), session.document().text);
  EXPECT_THAT(session.text_of("copy.toml"), HasSubstr("# A chain."));
  EXPECT_EQ(session.text_of("scene.toml"), chain_of(12));
  EXPECT_EQ(session.document().path, session.options.target);
  EXPECT_TRUE(session.document().unsaved) << "the scene's own file is as it was";
  const SavedInfo saved = *session.heard.last<SavedInfo>();
  EXPECT_EQ(saved.path, session.beside("copy.toml"));
  EXPECT_EQ(session.heard.events.back().first, 1);
  session.open(saved.copy);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.document().path, session.beside("copy.toml"));
  EXPECT_FALSE(session.document().unsaved);
  EXPECT_EQ(session.state().step, 0);
}

TEST(StudioSaveAs, ItsOwnNameIsSave) {
  Saving session(chain_of(12));
  session.loaded().step(1);
  session.must(SetCharge{0, std::nullopt, 2e-8});
  session.must(as("scene"));
  EXPECT_FALSE(session.document().unsaved);
  EXPECT_EQ(session.heard.last<SavedInfo>(), nullptr);
  put_text(session.options.target, "# mine\n");
  session.must(SetCharge{0, std::nullopt, 3e-8});
  EXPECT_THAT(session.ask(as("scene.toml")), HasSubstr("changed by something else"));
}

TEST(StudioSaveAs, WritesOverAnotherSceneOnlyIfThatIsSaid) {
  Saving session(chain_of(12));
  session.loaded();
  put_text(session.beside("other.toml"), chain_of(5));
  EXPECT_THAT(session.ask(as("other")), HasSubstr("there already"));
  EXPECT_EQ(session.text_of("other.toml"), chain_of(5));
  session.must(as("other", true));
  EXPECT_EQ(session.text_of("other.toml"), chain_of(12));
  // What is no scene is never written over.
  put_text(session.beside("project.toml"), "[project]\nname = \"mine\"\n");
  EXPECT_THAT(session.ask(as("project", true)), HasSubstr("no scene"));
  fs::create_directory(session.beside("folder.toml"));
  EXPECT_THAT(session.ask(as("folder", true)), HasSubstr("no regular file"));
  fs::create_symlink(session.beside("other.toml"), session.beside("link.toml"));
  EXPECT_THAT(session.ask(as("link", true)), HasSubstr("no regular file"));
  fs::create_symlink("/nowhere/x.toml", session.beside("dangling.toml"));
  EXPECT_THAT(session.ask(as("dangling", true)), HasSubstr("no regular file"));
  fs::permissions(session.beside("other.toml"), fs::perms::owner_read);
  EXPECT_THAT(session.ask(as("other", true)), HasSubstr("write-protected"));
  EXPECT_THAT(session.ask(as("../out")), HasSubstr("no /"));
  EXPECT_EQ(session.text_of("project.toml"), "[project]\nname = \"mine\"\n");
}

/// Strokes on the copy must not change the original, nor those of the original the copy.
TEST(StudioSaveAs, PaintedChargesOfACopyAreItsOwn) {
  Saving session(chain_of(201));
  session.loaded();
  session.must(Paint{0, {3}, {5e-8}});
  session.must(Save{});
  session.must(Paint{0, {4}, {6e-8}});
  session.must(as("copy"));
  EXPECT_THAT(session.heard.last<SavedInfo>()->tables, ElementsAre("chain.charges-2.csv"));
  const auto charges = [&](const std::string& name) { return load_scene(session.beside(name)).charges; };
  EXPECT_EQ(charges("scene.toml")[3], 5e-8);
  EXPECT_EQ(charges("scene.toml")[4], 1e-8);
  EXPECT_EQ(charges("copy.toml")[3], 5e-8);
  EXPECT_EQ(charges("copy.toml")[4], 6e-8);
  session.must(as("third"));
  EXPECT_THAT(session.heard.last<SavedInfo>()->tables, ElementsAre("chain.charges-3.csv"));
  session.must(Save{});
  EXPECT_EQ(charges("scene.toml")[4], 6e-8);
}

/// Meshes elsewhere were named on the command line; a copy's text may name them, and nothing else there.
TEST(StudioSaveAs, ACopyFindsItsMeshes) {
  Saving session;
  fs::create_directory(session.beside("scenes"));
  put_text(session.beside("line.obj"), "v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 3\n");
  put_text(session.beside("secret.obj"), "v 0 0 0\nv 1 0 0\nl 1 2\n");
  session.options.target = session.beside("scenes/scene.toml");
  put_text(session.options.target, chain_of("mesh = \"../line.obj\""));
  session.loaded();
  ASSERT_EQ(session.phase(), Phase::paused);
  session.must(as("copy"));
  const std::string copy = session.heard.last<SavedInfo>()->copy;
  session.open(copy);
  EXPECT_EQ(session.phase(), Phase::paused);
  EXPECT_EQ(session.document().path, session.beside("scenes/copy.toml"));
  session.must(as("third"));
  const std::string third = session.heard.last<SavedInfo>()->copy;
  put_text(session.beside("scenes/third.toml"), chain_of("mesh = \"../secret.obj\""));
  session.open(third);
  ASSERT_EQ(session.phase(), Phase::broken);
  EXPECT_THAT(session.document().findings.front().message, HasSubstr("scene's folder"));
}

/// A page may write below the folder where the studio was started, and nowhere else.
TEST(StudioSaveAs, AFolderElsewhereIsRefused) {
  Saving session;
  fs::create_directories(session.beside("here/in"));
  fs::create_directory(session.beside("away"));
  put_text(session.beside("here/in/scene.toml"), chain_of(12));
  session.options.folder = session.beside("here");
  session.options.output = "";
  fs::current_path(session.folder.path());
  session.begun();
  session.open("in/scene.toml");
  session.must(as("one"));
  fs::rename(session.beside("here/in"), session.beside("away/in"));
  fs::create_directory_symlink(session.beside("away/in"), session.beside("here/in"));
  EXPECT_THAT(session.ask(as("two")), HasSubstr("not below"));
  EXPECT_FALSE(fs::exists(session.beside("away/in/two.toml")));
}

TEST(StudioSaveAs, ASceneOfTheProgramBecomesTheFile) {
  Saving session;
  session.with_choice("new:blob").step(3);
  session.must(SetCharge{0, std::nullopt, 2e-7});
  EXPECT_THAT(session.ask(Save{}), HasSubstr("under a name"));
  session.step(2);
  put_text(session.beside("taken.toml"), chain_of(5));
  EXPECT_THAT(session.ask(as("taken")), HasSubstr("there already"));
  session.must(as("mine"));
  EXPECT_EQ(session.document().path, "mine.toml");
  EXPECT_EQ(session.document().name, "mine.toml");
  EXPECT_FALSE(session.document().unsaved);
  EXPECT_EQ(session.text_of("mine.toml"), session.document().text);
  EXPECT_EQ(session.heard.last<SavedInfo>()->copy, "");
  EXPECT_EQ(session.state().step, 5) << "the session goes on";
  EXPECT_EQ(session.heard.last<SystemInfo>()->folder, "runs/mine.studio");
  EXPECT_FALSE(fs::exists(session.beside("runs/blob.studio/session.toml"))) << "it is elsewhere now";
  // From here on it is as any file.
  session.must(SetCharge{0, std::nullopt, 3e-7});
  EXPECT_TRUE(session.document().unsaved);
  session.must(Save{});
  EXPECT_EQ(session.text_of("mine.toml"), session.document().text);
  session.step(2);
  session.options.output = "runs/mine.studio";
  const Checkpoint played = session.finished();
  expect_same(played, session.repeated(2), "saved under a name");
  // The next start finds file and session.
  session.heard = {};
  session.options.target = "mine.toml";
  session.loaded();
  EXPECT_EQ(session.heard.last<EarlierInfo>()->steps, 7);
  session.must(TakeUp{});
  session.work_while(Phase::loading);
  session.work_while(Phase::rewinding);
  EXPECT_EQ(session.state().step, 7);
}

TEST(StudioSaveAs, UnderItsOldNameTheFolderStays) {
  Saving session;
  session.with_choice("new:chain").step(2);
  session.must(as("chain"));
  EXPECT_EQ(session.heard.last<SystemInfo>()->folder, "runs/chain.studio");
  session.step(1);
  session.machine->finish();
  session.machine.reset();
  session.heard = {};
  session.options.target = "chain.toml";
  session.options.output = "runs/chain.studio";
  session.loaded();
  EXPECT_EQ(session.heard.last<EarlierInfo>()->steps, 3);
}

/// What was reset is kept, also where the scene becomes a file then.
TEST(StudioSaveAs, WhatWasResetIsKept) {
  Saving session;
  session.with_choice("new:blob").step(4);
  session.must(Reset{});
  session.work_while(Phase::loading);
  const std::string old = session.beside("runs/blob.studio/session.toml");
  ASSERT_TRUE(fs::exists(old));
  session.must(as("mine"));
  EXPECT_TRUE(fs::exists(old));
}

/// A session that is left under the scene's name from before it had a file does not keep the file from being
/// opened.
TEST(StudioSaveAs, ASessionFromBeforeTheFileGivesWay) {
  Saving session;
  session.with_choice("new:chain").step(4);
  session.must(Reset{});
  session.work_while(Phase::loading);
  session.must(as("chain"));
  session.machine->finish();
  session.machine.reset();
  session.heard = {};
  session.options.target = "chain.toml";
  session.options.output = "runs/chain.studio";
  session.loaded();
  EXPECT_EQ(session.heard.last<EarlierInfo>(), nullptr);
  session.step(2);
  session.machine->finish();
  EXPECT_TRUE(fs::exists(session.beside("runs/chain.studio/session.toml")));
  EXPECT_TRUE(fs::exists(session.beside("runs/chain.studio/session.before.toml")));
}

/// Painted charges of many vertices are in a file as soon as the scene has one.
TEST(StudioSaveAs, WhatIsPaintedThenIsInAFile) {
  Saving session;
  session.with_choice("new:blob");
  session.must(as("mine"));
  session.must(Paint{0, {3}, {5e-8}});
  EXPECT_THAT(session.document().text, HasSubstr("charges = \"blob.charges.csv\""));
  session.must(Save{});
  EXPECT_EQ(load_scene(session.beside("mine.toml")).charges[3], 5e-8);
  session.must(Reset{});
  session.work_while(Phase::loading);
  EXPECT_EQ(session.phase(), Phase::paused);
}

TEST(StudioSaveAs, ARecordedRunOrNothingIsNotSaved) {
  Saving session;
  session.begun();
  EXPECT_THAT(session.ask(as("x")), HasSubstr("nothing is open"));
  EXPECT_FALSE(fs::exists(session.beside("x.toml")));
}

}  // namespace
}  // namespace electret::studio
