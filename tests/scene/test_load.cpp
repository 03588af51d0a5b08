#include <gtest/gtest.h>

#include <electret/scene/read.hpp>

namespace electret {
namespace {

FileReader no_files() {
  return [](const std::string& path) -> std::string {
    throw InputError(Finding{{path, 0, 0}, "there is no such file", ""});
  };
}

TEST(LoadScene, JoinsBodiesInOrder) {
  const Assembly a = load_scene_text(R"(
[time]
step = 0.03
duration = 15
[coulomb]
[gravity]
acceleration = [0, 0, -9.81]
[[body]]
generate = { shape = "grid" }
total_mass = 2
charge = 1e-6
  [[body.springs]]
  stiffness = 10
  [[body.group]]
  name = "corner"
  indices = [0, 3]
  [[body.pin]]
  group = "corner"
  [[body.group_charge]]
  group = "corner"
  value = -1e-6
)", "a.toml", ".", {"integrator.method=verlet"}, no_files());
  EXPECT_EQ(a.scene.time.steps, 500);
  EXPECT_EQ(a.scene.integrator.method, "verlet");
  EXPECT_GT(a.springs.size(), a.masses.size());
  EXPECT_EQ(a.pin_tracks.size(), 1U);
}

}  // namespace
}  // namespace electret
