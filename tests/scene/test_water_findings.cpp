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

}  // namespace
}  // namespace electret::test
