#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <electret/record/run.hpp>
#include <electret/record/run_directory.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using testing::made_system;
using testing::SceneWishes;
using testing::TemporaryFolder;

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
