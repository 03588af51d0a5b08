#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/toml_text.hpp>

namespace electret::test {
namespace {

constexpr const char* text = R"(
[time]
step = 0.01
steps = 4
[gravity]
acceleration = [0, 0, -9.81]
[[body]]
name = "b"
generate = { shape = "chain", vertices = 3 }
mass = 0.1
charges = [1e-7, 2e-7, 3e-7]
[[body.springs]]
stiffness = 5.0
)";

Node tree_of(const std::string& toml) {
  std::vector<Finding> findings;
  return Document(toml, "scene", {}, findings).root();
}

TEST(SceneTree, ReadsAsTheTextDoes) {
  const Assembly from_text = load_scene_text(text, "scene", ".", {}, read_regular_file);
  const Assembly from_tree = load_scene_tree(tree_of(text), ".", {}, read_regular_file);
  EXPECT_EQ(from_tree.charges, from_text.charges);
  EXPECT_EQ(from_tree.rest_positions, from_text.rest_positions);
  EXPECT_EQ(from_tree.springs.size(), from_text.springs.size());
  EXPECT_EQ(from_tree.scene.gravity, from_text.scene.gravity);
  // Its text is a scene, too.
  const Assembly again = load_scene_text(from_tree.scene.text, "scene", ".", {}, read_regular_file);
  EXPECT_EQ(again.charges, from_text.charges);
}

TEST(SceneTree, TakesOverrides) {
  const Assembly changed = load_scene_tree(tree_of(text), ".", {"time.step=0.5"}, read_regular_file);
  EXPECT_EQ(changed.scene.time.step, 0.5);
}

TEST(SceneTree, FindingsAreAtTheirKeys) {
  Node root = tree_of(text);
  set_member(root, "tim", text_node("x"));
  for (Node::Member& member : root.members)
    if (member.key == "body") {
      set_member(member.node.items[0], "charges", list_node(std::vector{1e-7}));
      set_member(member.node.items[0], "mass", number_node(-1.0));
    }
  try {
    static_cast<void>(load_scene_tree(root, ".", {"gravity.acc=3"}, read_regular_file));
    FAIL();
  } catch (const InputError& error) {
    std::vector<std::string> places;
    for (const Finding& finding : error.findings()) places.push_back(to_string(finding.where));
    const std::vector<std::string> wanted = {"--set gravity.acc", "body.0.charges", "body.0.mass", "tim"};
    EXPECT_EQ(places, wanted);
  }
}

}  // namespace
}  // namespace electret::test
