/// The store of meshes: an assembly from it is the same, and what differs is made anew.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

constexpr const char* text = R"([time]
step = 0.1
steps = 1
[[body]]
name = "a"
generate = { shape = "sphere", vertices = 30 }
mass = 1.0
[[body]]
name = "b"
mesh = "b.obj"
mass = 1.0
)";

class Stored : public ::testing::Test {
 protected:
  Assembly load(const std::vector<std::string>& overrides = {}) {
    return load_scene_text(text, "scene.toml", ".", overrides, reader_, store_);
  }
  MeshStore store_;
  std::string mesh_ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  int reads_ = 0;
  FileReader reader_ = [this](const std::string&) {
    ++reads_;
    return mesh_;
  };
};

TEST_F(Stored, MeshesAreMadeOnce) {
  const Assembly first = load(), again = load({"body.0.scale=2", "body.1.mass=3"});
  const Assembly plain =
      load_scene_text(text, "scene.toml", ".", {"body.0.scale=2", "body.1.mass=3"}, reader_);
  EXPECT_EQ(reads_, 2) << "once for the store, once without it";
  EXPECT_EQ(again.rest_positions, plain.rest_positions);
  EXPECT_EQ(again.faces, plain.faces);
  EXPECT_EQ(again.masses, plain.masses);
  EXPECT_EQ(2.0 * first.rest_positions[3], again.rest_positions[3]);
}

TEST_F(Stored, OtherParametersGiveAnotherMesh) {
  EXPECT_EQ(load().rest_positions.size(), 33U);
  EXPECT_EQ(load({"body.0.generate.vertices=31"}).rest_positions.size(), 34U);
  EXPECT_EQ(load({"body.1.mesh=c.obj"}).rest_positions.size(), 33U);
  EXPECT_EQ(reads_, 2);
  for (int n = 40; n < 80; ++n)
    EXPECT_EQ(load({"body.0.generate.vertices=" + std::to_string(n)}).rest_positions.size(),
              static_cast<std::size_t>(n) + 3);
  EXPECT_NE(key_of({"a", {{"b", 1.0}}}), key_of({"a", {{"b", std::string("1")}}}));
  EXPECT_NE(key_of({"a", {{"b", 0.1}}}), key_of({"a", {{"b", std::nextafter(0.1, 1.0)}}}));
}

TEST_F(Stored, AMeshAtFaultIsNotKept) {
  mesh_ = "v 0 0\n";
  EXPECT_THROW((void)load(), InputError);
  mesh_ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_NO_THROW((void)load());
}

}  // namespace
}  // namespace electret::test
