#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <electret/record/disk_need.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/read.hpp>

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

/// Pairs of parts that touch, as far as anything says beforehand how many will.
TEST(DiskNeed, KnowsPairsThatTouch) {
  const auto blocks = [](bool touch) {
    std::string text = "[time]\nstep = 0.01\nsteps = 6\n[gravity]\nacceleration = [0.0, 0.0, -9.81]\n";
    if (touch) text += "[contact]\nagainst = [\"bodies\"]\nthickness = 0.001\nfriction = 0.5\n";
    for (const auto& [name, place] : {std::pair("low", "0.0"), std::pair("high", "0.05095")})
      text += std::string("[[body]]\nname = \"") + name + "\"\ntranslate = [0.0, 0.0, " + place +
              "]\ngenerate = { shape = \"box\", cells = [4, 4, 1], cell_size = 0.05 }\ndensity = 1000.0\n"
              "[[body.material]]\nmodel = \"stable_neo_hookean\"\nyoungs_modulus = 1e6\n"
              "poissons_ratio = 0.4\n" +
              (name == std::string("low")
                   ? "[[body.group]]\nname = \"base\"\nbox = [[-1, -1, -1], [1, 1, -0.024]]\n"
                     "[[body.pin]]\ngroup = \"base\"\n"
                   : "");
    return compile(assemble(parse_scene(text, "scene.toml", ".")), 1);
  };
  const DiskNeed apart = disk_need(*blocks(false)), touching = disk_need(*blocks(true));
  const double pairs = (touching.per_frame - apart.per_frame) / 80.0;
  EXPECT_DOUBLE_EQ(pairs, 3.0 * 100.0) << "100 vertices";
  const TemporaryFolder folder;
  run_to_directory(blocks(true), folder / "run");
  const auto found =
      static_cast<double>(TrajectoryReader(folder / "run/trajectory.h5").contact_pairs(6).size());
  EXPECT_GT(found, pairs / 4.0);
  EXPECT_LT(found, pairs * 4.0);
}

TEST(DiskAvailable, IsThatOfTheFolderThatIsThere) {
  const auto here = disk_available(::testing::TempDir());
  ASSERT_TRUE(here.has_value());
  EXPECT_NEAR(disk_available(::testing::TempDir() + "/not/there").value_or(0.0), *here, 0.1 * *here);
  EXPECT_FALSE(disk_available("/proc/self/none").value_or(0.0) > 0.0);
}

}  // namespace
}  // namespace electret
