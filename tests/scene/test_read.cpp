#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

TEST(ReadScene, ReadsFilesFromTheScenesFolder) {
  const auto folder = std::filesystem::temp_directory_path() / "electret_test_read_scene";
  std::filesystem::create_directories(folder / "meshes");
  std::ofstream(folder / "meshes/square.obj") << square_obj;
  std::string text = scene_with("");
  text.replace(text.find("square.obj"), 10, "meshes/square.obj");
  std::ofstream(folder / "scene.toml") << text;
  const std::string path = (folder / "scene.toml").string();
  EXPECT_EQ(load_scene(path).masses.size(), 4U);
  EXPECT_EQ(read_scene(path).folder, folder.string());
  EXPECT_EQ(read_scene(path, {"time.steps=9"}).time.steps, 9);
  const auto message = [&](const std::string& scene,
                           const std::vector<std::string>& overrides) -> std::string {
    try {
      load_scene(scene, overrides);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(path, {"body.0.mesh=no.obj"}), HasSubstr("there is no such file"));
  EXPECT_THAT(message(path, {"body.0.charges=meshes"}), HasSubstr("not a regular file"));
  EXPECT_THAT(message((folder / "none.toml").string(), {}), HasSubstr("none.toml"));
  EXPECT_THAT(message(folder.string(), {}), HasSubstr("folder"));
  std::ofstream(folder / "meshes/square.obj") << "v 0 0 0\nf 1 2\n";
  EXPECT_THAT(message(path, {}), HasSubstr((folder / "meshes/square.obj").string() + ":2:"));
  std::filesystem::remove_all(folder);
}

TEST(Read, DurationsAreWholeNumbersOfSteps) {
  const auto steps = [](const std::string& step, const std::string& duration) {
    return load("[time]\nstep = " + step + "\nduration = " + duration +
                "\n[[body]]\nmesh = \"square.obj\"\nmass = 1\n")
        .scene.time.steps;
  };
  EXPECT_EQ(steps("0.1", "0.3"), 3);  // 2.9999999999999996 in floating point.
  EXPECT_EQ(steps("0.01", "0.29"), 29);
  EXPECT_EQ(steps("1", "1000.0000001"), 1000);
  // A millionth of a step is the tolerance, however many there are.
  EXPECT_THROW(steps("1", "1000.0001"), InputError);
  EXPECT_THROW(steps("1", "1000000.0001"), InputError);
}

TEST(Read, WholeNumbersMayBeWrittenAsOthersAre) {
  EXPECT_EQ(load(scene_with("[output]\nevery = 1e9")).scene.output.every, 1'000'000'000);
  EXPECT_EQ(load(scene_with("", ""), {"time.steps=2e3"}).scene.time.steps, 2000);
  EXPECT_EQ(load(with_springs("from = \"pairs\"\nstiffness = 1\npairs = [[0.0, 1e0]]")).springs.size(), 1U);
  EXPECT_THROW(load(scene_with("[output]\nevery = 1.5")), InputError);
  EXPECT_THROW(load(scene_with("[output]\nevery = 1e300")), InputError);
  EXPECT_THROW(load(with_springs("from = \"pairs\"\nstiffness = 1\npairs = [[-1.0, 1]]")), InputError);
}

TEST(Read, NearestSpringsHaveSixNeighbours) {
  const auto with = [](const std::string& line) {
    return load(
               "[time]\nstep = 1\nsteps = 1\n[[body]]\ngenerate = { shape = \"lattice\" }\nmass = "
               "1\n[[body.springs]]\n"
               "from = \"nearest\"\nstiffness = 1\n" +
               line)
        .springs.size();
  };
  EXPECT_EQ(with(""), with("neighbours = 6"));
  EXPECT_NE(with(""), with("neighbours = 5"));
  EXPECT_NE(with(""), with("neighbours = 7"));
}

TEST(Read, AnExternalChargesChargesAndPositionsAreBothChecked) {
  const std::string found = findings_of(scene_with(
      "[[external_charge]]\ntimes = [0, 1]\ncharges = [1]\npositions = [[0, 0, 9], [0, 0, 8], [0, 0, 7]]\n"));
  EXPECT_NE(found.find("\"charges\" has 1 entry, \"times\" has 2"), std::string::npos) << found;
  EXPECT_NE(found.find("\"positions\" has 3 entries, \"times\" has 2"), std::string::npos) << found;
}

}  // namespace
}  // namespace electret::test
