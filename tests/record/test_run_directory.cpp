#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_directory.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret {
namespace {

using test::made_system;
using test::message_of;
using test::resumed;
using test::SceneWishes;
using test::StopAfter;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

TEST(RunDirectory, IsARunByAnySignOfOneAndForeignWithoutAny) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 3;
  run_to_directory(made_system(wishes), folder / "whole");
  for (const char* sign : {"summary.json", "trajectory.h5"}) {
    const std::string dir = folder / (std::string("with_") + sign);
    fs::create_directory(dir);
    fs::copy_file(folder / "whole/" + sign, dir + "/" + sign);
    std::ofstream(dir + "/diary.txt") << "mine";
    EXPECT_EQ(RunDirectory(dir).contents(), RunDirectory::Contents::run) << sign;
  }
  for (const char* left_by_a_kill : {"summary.json.4021-0.part", "checkpoint.h5.1-12.part"}) {
    const std::string dir = folder / (std::string("killed_") + left_by_a_kill);
    fs::create_directory(dir);
    std::ofstream(dir + "/" + left_by_a_kill) << "{";
    EXPECT_EQ(RunDirectory(dir).contents(), RunDirectory::Contents::run) << left_by_a_kill;
  }
  // In whatever order the folder lists its files, one that is not ours makes it foreign.
  for (const char* name : {"a", "b.txt", "energy2.csv", "n", "notes.4021-0.part", "summary.json.mine.part",
                           "summary.json.bak", "thesis", "trajectory", "z"}) {
    const std::string dir = folder / (std::string("foreign_") + name);
    fs::create_directory(dir);
    std::ofstream(dir + "/" + name) << "mine";
    std::ofstream(dir + "/energy.csv") << "time\n";
    std::ofstream(dir + "/energy.svg") << "<svg/>";
    EXPECT_EQ(RunDirectory(dir).contents(), RunDirectory::Contents::foreign) << name;
  }
}

/// A run of a scene that was read from `file`.
std::unique_ptr<System> system_of(const SceneWishes& wishes, const std::string& file) {
  Assembly assembly = test::made_assembly(wishes);
  assembly.scene.source[""] = {file, 1, 1};
  return compile(std::move(assembly), 1);
}

std::string refusal(const std::string& dir, const std::string& file) {
  return message_of<InputError>([&] { run_to_directory(system_of({}, file), dir); });
}

TEST(RunDirectory, AFinishedRunOfTheSameSceneFileIsReplaced) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "scenes");
  fs::create_directory_symlink(folder / "scenes", folder / "link");
  SceneWishes wishes;
  run_to_directory(system_of(wishes, folder / "scenes/a.toml"), folder / "run");
  wishes.steps = 6;
  wishes.charge *= 2.0;
  for (const char* way : {"scenes/a.toml", "scenes/../scenes/./a.toml", "link/a.toml"})
    EXPECT_EQ(run_to_directory(system_of(wishes, folder / way), folder / "run").frames, 3) << way;
  EXPECT_EQ(read_summary(folder / "run/summary.json").scene_file,
            fs::canonical(folder / "scenes") / "a.toml");
}

TEST(RunDirectory, AnotherSceneFilesRunIsRefusedUnlessItMayBeOverwritten) {
  const TemporaryFolder folder;
  run_to_directory(system_of({}, folder / "a/scene.toml"), folder / "run");
  const std::string before = read_file(folder / "run/trajectory.h5");
  const std::string said = refusal(folder / "run", folder / "b/scene.toml");
  EXPECT_THAT(said, HasSubstr("run\" holds a run of another scene file, "));
  EXPECT_THAT(said, HasSubstr("a/scene.toml"));
  for (const char* way : {"--overwrite replaces it", "another output folder"})
    EXPECT_THAT(said, HasSubstr(way));
  EXPECT_THAT(said, Not(HasSubstr("--resume"))) << "it would be refused";
  EXPECT_THAT(refusal(folder / "run", ""), HasSubstr("another scene file"));
  EXPECT_EQ(read_file(folder / "run/trajectory.h5"), before);
  RunOptions options;
  options.overwrite = true;
  run_to_directory(system_of({}, folder / "b/scene.toml"), folder / "run", options);
  EXPECT_EQ(refusal(folder / "run", folder / "b/scene.toml"), "(no such error)");
}

TEST(RunDirectory, AnUnfinishedRunIsRefusedUnlessItIsGoneOnWithOrMayBeOverwritten) {
  const TemporaryFolder folder;
  run_to_directory(system_of({}, "a.toml"), folder / "whole");
  for (const RunStatus status :
       {RunStatus::running, RunStatus::interrupted, RunStatus::failed, RunStatus::diverged}) {
    const std::string dir = folder / to_string(status);
    const auto renew = [&] {
      fs::remove_all(dir);
      StopAfter some(31);
      run_to_directory(system_of({}, "a.toml"), dir, some.options);
      RunResult summary = read_summary(dir + "/summary.json");
      summary.status = status;
      write_summary(dir + "/summary.json", summary);
    };
    renew();
    const std::string said = refusal(dir, "a.toml");
    if (status == RunStatus::diverged)  // Gone on with, the same scene would diverge there again.
      EXPECT_THAT(said, AllOf(HasSubstr("holds a run that diverged; --overwrite replaces it, with a smaller"),
                              Not(HasSubstr("--resume"))));
    else
      EXPECT_THAT(said, AllOf(HasSubstr("holds an unfinished run: its status is " + to_string(status)),
                              HasSubstr("--resume goes on with it")));
    EXPECT_EQ(read_checkpoint(dir + "/checkpoint.h5").state.step, 31);
    run_to_directory(system_of({}, "a.toml"), dir, resumed());
    test::expect_same_run(folder / "whole", dir);
    renew();
    RunOptions options;
    options.overwrite = true;
    run_to_directory(system_of({}, "a.toml"), dir, options);
    test::expect_same_run(folder / "whole", dir);
  }
  // Killed before it had a summary, or without it.
  fs::remove(folder / "whole/summary.json");
  EXPECT_THAT(refusal(folder / "whole", "a.toml"), HasSubstr("an unfinished run, without a summary"));
}

TEST(RunDirectory, WhatHoldsNoWorkIsReplaced) {
  const TemporaryFolder folder;
  run_to_directory(system_of({}, "a.toml"), folder / "run");
  RunResult summary = read_summary(folder / "run/summary.json");
  summary.status = RunStatus::running;
  write_summary(folder / "run/summary.json", summary);
  for (const char* name : {"trajectory.h5", "checkpoint.h5"})
    fs::remove(folder / (std::string("run/") + name));
  EXPECT_EQ(run_to_directory(system_of({}, "b.toml"), folder / "run").status, RunStatus::done);
}

TEST(RunDirectory, ASessionOfTheStudioIsRefusedUnlessItMayBeOverwritten) {
  const TemporaryFolder folder;
  const std::string dir = folder / "run", session = dir + "/session.toml";
  fs::create_directory(dir);
  std::ofstream(session) << session_mark << "/data/me/b.toml\n[time]\n";
  EXPECT_EQ(RunDirectory(dir).contents(), RunDirectory::Contents::run);
  EXPECT_EQ(RunDirectory(dir).session_scene(), "/data/me/b.toml");
  EXPECT_THAT(RunDirectory(dir).files(), ::testing::ElementsAre("session.toml"));
  for (const char* scene : {"/data/me/a.toml", "/data/me/b.toml"})
    EXPECT_THAT(refusal(dir, scene),
                AllOf(HasSubstr("a session of the studio with /data/me/b.toml"), HasSubstr("--overwrite")));
  EXPECT_TRUE(fs::exists(session));
  RunOptions options;
  options.overwrite = true;
  run_to_directory(system_of({}, "/data/me/a.toml"), dir, options);
  EXPECT_FALSE(fs::exists(session));
  EXPECT_FALSE(RunDirectory(dir).session_scene());
  // A scene of that name that the studio did not write is none of our files' beginnings.
  const std::string own = folder / "own";
  fs::create_directory(own);
  std::ofstream(own + "/session.toml") << "# mine\n[time]\n";
  EXPECT_EQ(RunDirectory(own).contents(), RunDirectory::Contents::foreign);
  EXPECT_FALSE(RunDirectory(own).session_scene());
}

TEST(RunDirectory, ASessionNamesItsSceneByThePathFromThere) {
  const TemporaryFolder folder;
  const std::string dir = folder / "project/runs/a.studio", scene = folder / "project/a.toml";
  fs::create_directories(dir);
  EXPECT_EQ(RunDirectory(dir).scene_name(scene), "../../a.toml");
  EXPECT_EQ(RunDirectory(dir).scene_name("/elsewhere/a.toml"), "/elsewhere/a.toml") << "nothing in common";
  EXPECT_EQ(RunDirectory("/").scene_name("/a.toml"), "/a.toml");
  EXPECT_EQ(RunDirectory(dir).scene_name(""), "") << "a scene without a file";
  std::ofstream(dir + "/session.toml") << session_mark << RunDirectory(dir).scene_name(scene) << "\n";
  EXPECT_EQ(RunDirectory(dir).session_scene(), scene);
  EXPECT_EQ(RunDirectory(fs::relative(dir).string()).session_scene(), scene);
  fs::rename(folder / "project", folder / "moved");
  EXPECT_EQ(RunDirectory(folder / "moved/runs/a.studio").session_scene(), folder / "moved/a.toml");
}

TEST(RunDirectory, TextsOfASessionThatWasJustBegunAreRefusedUnlessTheyMayBeOverwritten) {
  for (const char* more : {"session.text.toml", "a_b.charges.12.csv", "a.charges-2.1.csv",
                           "session.before.toml", "session.before-9.start.toml", "session.toml.1-0.part",
                           "a.charges.1.csv.1-0.part", "checkpoint.h5"}) {
    const TemporaryFolder folder;
    std::ofstream(folder / "session.start.toml") << "[time]\n";
    std::ofstream(folder / more) << "half";
    EXPECT_EQ(RunDirectory(folder.path()).contents(), RunDirectory::Contents::run) << more;
    EXPECT_THAT(refusal(folder.path(), "a.toml"),
                AllOf(HasSubstr("holds texts of the studio's sessions"), HasSubstr("--overwrite")))
        << more;
    RunOptions options;
    options.overwrite = true;
    run_to_directory(system_of({}, "a.toml"), folder.path(), options);
    EXPECT_FALSE(fs::exists(folder / "session.start.toml")) << more;
  }
  for (const char* more :
       {"diary.txt", "a.charges.csv", "a.charges.0.csv", "a.charges.x.csv", ".charges.1.csv",
        "a.charges-1.1.csv", "session.before-x.toml", "session.before2.toml", "session.toml",
        "session.last.toml", "diary.txt.1-0.part"}) {
    const TemporaryFolder folder;
    std::ofstream(folder / "session.start.toml") << "[time]\n";
    std::ofstream(folder / more) << "mine";
    EXPECT_EQ(RunDirectory(folder.path()).contents(), RunDirectory::Contents::foreign) << more;
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "a.charges.1.csv") << "mine";
  EXPECT_EQ(RunDirectory(folder.path()).contents(), RunDirectory::Contents::foreign) << "it may be anybody's";
}

TEST(RunDirectory, OverwritingLeavesOtherFoldersAlone) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "notes");
  std::ofstream(folder / "notes/diary.txt") << "mine";
  RunOptions options;
  options.overwrite = true;
  EXPECT_THAT(
      message_of<InputError>([&] { run_to_directory(system_of({}, "a.toml"), folder / "notes", options); }),
      HasSubstr("not empty and holds no Electret run"));
}

TEST(RunDirectory, IsRidOfWhatKillsLeftBothAnewAndResumed) {
  for (const bool resume : {false, true}) {
    const TemporaryFolder folder;
    SceneWishes wishes;
    wishes.steps = 3;
    run_to_directory(made_system(wishes), folder / "run");
    for (const char* name : {"checkpoint.h5.77-0.part", "summary.json.78-1.part", "diary.77-0.part"})
      std::ofstream(folder / (std::string("run/") + name)) << "half";
    wishes.steps = 5;
    RunOptions options;
    options.resume = resume;
    run_to_directory(made_system(wishes), folder / "run", options);
    EXPECT_FALSE(fs::exists(folder / "run/checkpoint.h5.77-0.part")) << resume;
    EXPECT_FALSE(fs::exists(folder / "run/summary.json.78-1.part")) << resume;
    EXPECT_TRUE(fs::exists(folder / "run/diary.77-0.part")) << "not ours";
  }
}

}  // namespace
}  // namespace electret
