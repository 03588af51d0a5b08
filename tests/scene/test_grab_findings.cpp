#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "finding_rows.hpp"

namespace electret::test {

/// Parts of a grab behind the scene, whose body "a" has four vertices of which 1 and 3 are pinned.
#define GRAB "[[grab]]\nbody = \"a\"\n"
#define HELD "vertices = [0, 2]\n"
#define STIFF "stiffness = 1\n"
#define WHERE "times = [0, 1]\ntargets = [[0, 0, 0], [0, 0, 1]]\n"

std::vector<FindingRow> grab_findings() {
  return {
      {"", "@[[grab]]\n" HELD STIFF WHERE, "\"body\" is missing in [[grab]]; it is required"},
      {"", "[[grab]]\nbody = @\"b\"\n" HELD STIFF WHERE, "the scene has no body \"b\"; did you mean \"a\"?"},
      {"", "@" GRAB STIFF WHERE, "\"vertices\" is missing"},
      {"", GRAB "vertices = @[]\n" STIFF WHERE, "\"vertices\" in [[grab]] is empty"},
      {"", GRAB "vertices = [0, @-1]\n" STIFF WHERE,
       "holds the vertex -1; allowed: vertices of the body, from 0"},
      {"", GRAB "vertices = @[0, 4, 2, 9]\n" STIFF WHERE,
       "\"vertices\" names vertex 4 of body \"a\", which has 4; allowed: 0 … 3"},
      {"", GRAB "vertices = @[0, 4, 2, 9]\n" STIFF WHERE, "names vertex 9"},
      {"", GRAB "vertices = @[0, 2, 0]\n" STIFF WHERE,
       "vertex 0 is in \"vertices\" twice; allowed: each vertex once"},
      {"", GRAB "vertices = @[0, 1]\n" STIFF WHERE,
       "vertex 1 of body \"a\" is pinned and has the weight 0.5; allowed: weight 0 for vertices that a pin "
       "holds"},
      {"", GRAB "vertices = [0, 3]\nweights = @[0.75, 0.25]\n" STIFF WHERE,
       "vertex 3 of body \"a\" is pinned and has the weight 0.25"},
      {"", GRAB HELD "weights = @[1]\n" STIFF WHERE,
       "\"weights\" has 1 entry, \"vertices\" has 2; allowed: as many as vertices"},
      {"", GRAB HELD "weights = [@-0.5, 1.5]\n" STIFF WHERE,
       "out of range; allowed: list of numbers, each ≥ 0"},
      {"", GRAB HELD "weights = [@nan, 1]\n" STIFF WHERE, "nan, not a finite number"},
      {"", GRAB HELD "weights = @[0.5, 0.6]\n" STIFF WHERE,
       "the weights sum to 1.1; allowed: weights ≥ 0 whose sum is 1, to 1e-06"},
      {"", GRAB HELD "weights = @[0, 0]\n" STIFF WHERE, "the weights sum to 0"},
      {"", "@" GRAB HELD WHERE, "\"stiffness\" is missing"},
      {"", GRAB HELD "stiffness = @-1\n" WHERE, "out of range; allowed: number ≥ 0, in N/m"},
      {"", GRAB HELD "stiffness = @nan\n" WHERE, "nan, not a finite number"},
      {"", GRAB HELD STIFF "damping = @-1\n" WHERE, "out of range; allowed: number ≥ 0, in N s/m"},
      {"", "@" GRAB HELD STIFF "targets = [[0, 0, 0]]\n", "\"times\" is missing"},
      {"", "@" GRAB HELD STIFF "times = [0]\n", "\"targets\" is missing"},
      {"", GRAB HELD STIFF "times = @[0, 1, 1]\ntargets = [[0, 0, 0], [0, 0, 1], [0, 0, 2]]\n",
       "\"times\" does not increase at 1 after 1"},
      {"", GRAB HELD STIFF "times = [0, 1]\ntargets = @[[0, 0, 0]]\n",
       "\"targets\" has 1 entry, \"times\" has 2; allowed: as many as times"},
      {"", GRAB HELD STIFF "times = [0, @inf]\ntargets = [[0, 0, 0], [0, 0, 1]]\n",
       "inf, not a finite number"},
      {"", GRAB HELD STIFF "times = [0]\ntargets = [[0, @nan, 0]]\n", "nan, not a finite number"},
      {"", GRAB HELD STIFF "times = [0]\ntargets = [@[0, 0]]\n", "list of 3 numbers each"},
      {"", GRAB HELD STIFF WHERE "interpolation = @\"steps\"\n", "did you mean \"step\"?"},
      {"", GRAB HELD STIFF "times = [1, 2]\ntargets = [[0, 0, 0], [0, 0, 1]]\nuntil = @1\n",
       "the grab ends at 1 s and begins at 1 s, the first of its times; allowed: a time after the first one"},
      {"", GRAB HELD STIFF WHERE "until = @nan\n", "nan, not a finite number"},
      {"", GRAB HELD STIFF WHERE "@stifness = 1\n", "unknown key \"stifness\" in [[grab]]"},
  };
}

namespace {

using ::testing::HasSubstr;

TEST(GrabFindings, AllOfAGrabComeAtOnce) {
  const std::string found =
      findings_of(scene_with("[[grab]]\nbody = \"b\"\nvertices = [0, 0]\nweights = [1]\nstiffness = -1\n"
                             "damping = nan\ntimes = [1, 0]\ntargets = [[0, 0, 0]]\nuntil = true\n"));
  for (const char* each :
       {"scene.toml:9:8: error: the scene has no body \"b\"", "vertex 0 is in \"vertices\" twice",
        "\"stiffness\" in [[grab]] is -1", "\"damping\" in [[grab]] is nan", "does not increase at 0 after 1",
        "\"targets\" has 1 entry, \"times\" has 2", "\"until\" in [[grab]] is true"})
    EXPECT_THAT(found, HasSubstr(each));
}

/// A vertex that a pin holds may be within the brush, but it has weight 0. One on a rail can be pulled.
TEST(GrabFindings, PinnedVerticesMayHaveWeightZero) {
  const std::string grab =
      "[[grab]]\nbody = \"a\"\nvertices = [0, 1]\nstiffness = 1\ntimes = [0]\ntargets = [[0, 0, 1]]\n";
  EXPECT_EQ(findings_of(with_pin(grab + "weights = [1, 0]\n")), "");
  EXPECT_EQ(findings_of(with_pin("axis = [0, 0, 1]\n" + grab)), "");
  EXPECT_THAT(findings_of(with_pin(grab)), HasSubstr("vertex 1 of body \"a\" is pinned"));
}

/// What is wrong with the body's mesh is told once.
TEST(GrabFindings, AreNotMadeOfABodyWithoutVertices) {
  Files files = usual_files();
  files["square.obj"] = "v 0 0 x\n";
  const std::string found = findings_of(
      scene_with(
          "[[grab]]\nbody = \"a\"\nvertices = [7]\nstiffness = 1\ntimes = [0]\ntargets = [[0, 0, 1]]\n"),
      {}, files);
  EXPECT_THAT(found, HasSubstr("square.obj:1:7"));
  EXPECT_THAT(found, ::testing::Not(HasSubstr("vertices")));
}

TEST(GrabFindings, ScenesMadeInMemoryHaveThemToo) {
  Scene scene = parse_scene(scene_with("[[grab]]\nbody = \"a\"\nvertices = [0]\nstiffness = 1\ntimes = [0]\n"
                                       "targets = [[0, 0, 1]]\n"),
                            "scene.toml", ".");
  scene.source.clear();
  const auto found = [&](auto&& change) -> std::string {
    Scene changed = scene;
    change(changed.grabs[0]);
    try {
      (void)assemble(std::move(changed), reader_of(usual_files()));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(found([](Grab&) {}), "");
  EXPECT_THAT(found([](Grab& grab) { grab.vertices.clear(); }),
              HasSubstr("grab.0.vertices: error: \"vertices\" is empty"));
  EXPECT_THAT(found([](Grab& grab) { grab.vertices = {-3}; }), HasSubstr("names vertex -3"));
  EXPECT_THAT(found([](Grab& grab) { grab.targets = {}; }), HasSubstr("\"targets\" is missing"));
  EXPECT_THAT(found([](Grab& grab) { grab.until = std::nan(""); }), HasSubstr("grab.0.until"));
  EXPECT_THAT(found([](Grab& grab) { grab.stiffness = -2.0; }), HasSubstr("\"stiffness\" in [[grab]] is -2"));
}

}  // namespace
}  // namespace electret::test
