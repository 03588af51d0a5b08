#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace electret::testing {
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

}  // namespace
}  // namespace electret::testing
