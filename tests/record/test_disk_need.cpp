#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <electret/record/disk_need.hpp>
#include <electret/record/run.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::made_assembly;
using test::SceneWishes;
using test::TemporaryFolder;

std::string sizes(const std::string& folder) {
  std::string text;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    text += " " + file.path().filename().string() + ": " + std::to_string(file.file_size());
  return text;
}

double measured(const std::string& folder) {
  double bytes = 0.0;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    bytes += static_cast<double>(file.file_size());
  return bytes;
}

TEST(DiskNeed, IsWhatARunTakes) {
  for (const char* precision : {"double", "single"})
    for (const bool velocities : {true, false})
      for (const bool key_frames : {true, false}) {
        const TemporaryFolder folder;
        SceneWishes wishes;
        wishes.vertices = 400;
        wishes.steps = 201;
        wishes.key_frames = key_frames;
        Assembly assembly = made_assembly(wishes);
        assembly.scene.coulomb.reset();
        assembly.scene.output.precision = precision;
        assembly.scene.output.velocities = velocities;
        assembly.groups = {{0, "all", std::vector<Index>(400, 1)}};
        const DiskNeed need = disk_need(*compile(assembly, 1));
        EXPECT_EQ(need.frames, 68.0);
        run_to_directory(compile(assembly, 1), folder / "run");
        const double bytes = measured(folder / "run");
        EXPECT_NEAR(need.total(), bytes, 0.06 * bytes)
            << precision << velocities << key_frames << sizes(folder / "run");
      }
}

TEST(DiskNeed, GrowsByTheFrame) {
  SceneWishes wishes;
  wishes.steps = 3 * 64 - 3;  // 64 frames: whole chunks.
  const DiskNeed one = disk_need(*compile(made_assembly(wishes), 1));
  wishes.steps = 3 * 640 - 3;
  const DiskNeed ten = disk_need(*compile(made_assembly(wishes), 1));
  EXPECT_EQ(one.in_chunks, 0.0);
  EXPECT_EQ(one.fixed, ten.fixed);
  EXPECT_EQ(one.per_frame, ten.per_frame);
  EXPECT_DOUBLE_EQ(ten.total() - one.total(), 576.0 * one.per_frame);
  EXPECT_DOUBLE_EQ(one.per_frame, 8.0 + 24.0 * (24.0 + 24.0 + 8.0) + 24.0 + 410.0) << "one pin";
}

TEST(DiskAvailable, IsThatOfTheFolderThatIsThere) {
  const auto here = disk_available(::testing::TempDir());
  ASSERT_TRUE(here.has_value());
  EXPECT_NEAR(disk_available(::testing::TempDir() + "/not/there").value_or(0.0), *here, 0.1 * *here);
  EXPECT_FALSE(disk_available("/proc/self/none").value_or(0.0) > 0.0);
}

}  // namespace
}  // namespace electret
