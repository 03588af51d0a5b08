#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/warnings.hpp>

#include "finding_rows.hpp"

namespace electret::test {

#define WATER "[[hydrodynamics]]\n"
#define OTHER(name, mesh) \
  "[[body]]\nname = \"" name "\"\nmesh = \"" mesh "\"\nmass = 1.0\ntranslate = [0.0, 0.0, 9.0]\n"

std::vector<FindingRow> water_findings() {
  return {
      {"", WATER "density = @0\n", "out of range; allowed: number > 0, in kg/m³"},
      {"", WATER "max_force = @0\n", "out of range; allowed: number > 0, in N"},
      {"", WATER "velocity = [0, @nan, 0]\n", "not a finite number"},
      {"", WATER "drag = @[1, 2, 3]\n", "\"drag\" has 3 numbers; allowed: 4"},
      {"", WATER "thrust = @[1, 2, 3, 4, 5]\n", "\"thrust\" has 5 numbers; allowed: 4"},
      {"", WATER "bodies = @[\"b\"]\n", "the scene has no body \"b\"; did you mean \"a\"?"},
      {"", WATER "bodies = @[\"a\", \"a\"]\n", "body \"a\" is twice in this water"},
      {"", WATER "bodies = [\"a\"]\n" WATER "bodies = @[\"a\"]\n",
       "body \"a\" is in the water of hydrodynamics.0, too"},
      {"", WATER "@" WATER, "its bodies are in the water of hydrodynamics.0, too"},
      {"", WATER WATER "bodies = @[\"a\"]\n", "its bodies are in the water of hydrodynamics.0, too"},
      {"", OTHER("inwards", "inside_out.obj") WATER "bodies = @[\"inwards\"]\n",
       "the closed surface of body \"inwards\" faces inwards"},
      {"", OTHER("mixed", "mixed.obj") WATER "bodies = @[\"mixed\"]\n",
       "faces of the surface of body \"mixed\", which has no rim, face different ways, the first two at its "
       "vertices 0 and 1"},
      {"", OTHER("cloud", "points.obj") WATER "bodies = @[\"cloud\"]\n",
       "body \"cloud\" has no faces for the water to act on"},
      {"[[body]]\nname = \"a\"\nmesh = \"square.obj\"",
       "@" WATER "[[body]]\nname = \"a\"\nmesh = \"points.obj\"",
       "no body of the scene has faces for the water to act on"},
  };
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> warnings_of(const std::string& water, const std::string& body = "") {
  std::vector<std::string> texts;
  for (const Warning& warning : scene_warnings(
           load(scene_with("velocity = [0, 0, 3]\n" + body + "[[body.springs]]\nstiffness = 1.0\n" + water))))
    if (warning.kind == WarningKind::water) texts.push_back(to_string(warning));
  return texts;
}

/// A vertex of 2 kg has up to 1/3 m² of two triangles: h ρ C A v/m = 0.5 · 1000 · 4.55 · A · 3 / 2.
TEST(WaterWarnings, TellWhichSpeedIsStable) {
  EXPECT_THAT(warnings_of("[[hydrodynamics]]\n"),
              ElementsAre(AllOf(HasSubstr("a vertex of body \"a\" moves at 3 m/s through the water"),
                                HasSubstr("0.00527"))));
  EXPECT_THAT(warnings_of("[[hydrodynamics]]\ndensity = 1.0\n"), IsEmpty());
  EXPECT_THAT(warnings_of("[[hydrodynamics]]\nvelocity = [0, 0, 3]\n"), IsEmpty());
  EXPECT_THAT(warnings_of("[[hydrodynamics]]\n",
                          "[[body.group]]\nname = \"all\"\nindices = [0, 1, 2, 3]\n"
                          "[[body.pin]]\ngroup = \"all\"\n"),
              IsEmpty());
}

/// A force of at most f along each axis changes the speed by up to √3 h f/m, here 0.433 f.
TEST(WaterWarnings, CountWhatMaxForceAllows) {
  EXPECT_THAT(warnings_of("[[hydrodynamics]]\nmax_force = 6.9\n"), IsEmpty());
  EXPECT_THAT(warnings_of("[[hydrodynamics]]\nmax_force = 7.0\n"),
              ElementsAre(AllOf(HasSubstr("moves at 3 m/s through the water"), HasSubstr("up to 0.0105 m/s"),
                                HasSubstr("use a smaller step, or a smaller max_force"))));
}

/// A tetrahedron whose faces share vertices, or only their places.
TEST(WaterWarnings, TellOfSurfacesThatAreClosedByPlaceAlone) {
  Files files = usual_files();
  files["shared.obj"] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  files["apart.obj"] =
      "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nv 0 0 1\nv 0 1 0\n"
      "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n";
  const auto told = [&](const std::string& mesh, const std::string& water) {
    std::string text = scene_with("[[body.springs]]\nstiffness = 1.0\n" + water);
    text.replace(text.find("square.obj"), 10, mesh);
    std::vector<std::string> texts;
    for (const Warning& warning : scene_warnings(load(text, {}, files)))
      if (warning.kind == WarningKind::water) texts.push_back(to_string(warning));
    return texts;
  };
  EXPECT_THAT(told("apart.obj", "[[hydrodynamics]]\n"),
              ElementsAre(AllOf(HasSubstr("scene.toml:6:8: warning: faces of body \"a\" meet at seams"),
                                HasSubstr("let faces share the vertices"))));
  EXPECT_THAT(told("apart.obj", ""), IsEmpty());
  EXPECT_THAT(told("shared.obj", "[[hydrodynamics]]\n"), IsEmpty());
  EXPECT_THAT(told("square.obj", "[[hydrodynamics]]\n"), IsEmpty());
}

}  // namespace
}  // namespace electret::test
