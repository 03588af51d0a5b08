#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "finding_rows.hpp"

namespace electret::test {

/// An obstacle behind the scene.
#define TROUGH "shape = \"trough\"\ncentre = [0, 0, 9]\naxis = [0, 0, 1]\n"
#define EXACT "[[obstacle]]\nname = \"a\"\nlaw = \"exact\"\nshape = \"plane\"\n"
#define GROUND                                                                                               \
  "[[obstacle]]\nname = \"ground\"\nlaw = \"exact\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, " \
  "1]\n"
#define OBSTACLE "[[obstacle]]\nlaw = \"penalty\"\nstiffness = 1\n"
#define FLOOR OBSTACLE "name = \"floor\"\nshape = \"plane\"\n"
#define ABOVE "point = [0, 0, 0]\nnormal = [0, 0, 1]\n"
#define BALL OBSTACLE "name = \"ball\"\nshape = \"sphere\"\n"

std::vector<FindingRow> obstacle_findings() {
  return {
      // Obstacles.
      {"", "@" OBSTACLE "shape = \"plane\"\n" ABOVE, "\"name\" is missing"},
      {"", "@" OBSTACLE "name = \"a\"\n", "\"shape\" is missing"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nstiffness = @1\n" ABOVE,
       "\"stiffness\" is for law = \"penalty\", and obstacle \"a\" has law = \"exact\" because it names "
       "none; "
       "write law = \"penalty\", or leave \"stiffness\" out"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nfriction_stiffness = @1\n" ABOVE,
       "write law = \"penalty\", or leave \"friction_stiffness\" out"},
      {"", "[contact]\nlaw = \"penalty\"\n@[[obstacle]]\nname = \"a\"\nshape = \"plane\"\n" ABOVE,
       "law = \"penalty\" needs \"stiffness\""},
      {"", "[contact]\nlaw = @\"sticky\"\n", "unknown law \"sticky\""},
      {"", "[contact]\nfriction = @-1\n", "out of range; allowed: number ≥ 0 and ≤ 2"},
      {"", "[contact]\nfriction = @2.5\n", "out of range; allowed: number ≥ 0 and ≤ 2"},
      {"", "[contact]\nfriction = @nan\n", "nan, not a finite number"},
      {"", "[contact]\nthickness = @-1\n", "out of range; allowed: number ≥ 0, in m"},
      {"", "[contact]\nbodies = @[\"b\"]\n", "the scene has no body \"b\"; did you mean \"a\"?"},
      {"", "@[[contact.pair]]\nfriction = 0.1\n", "\"between\" is missing"},
      {"", GROUND "@[[contact.pair]]\nbetween = [\"a\", \"ground\"]\n",
       "\"friction\" is missing in [[contact.pair]]; allowed: either friction, or ignore = true"},
      {"", GROUND "[[contact.pair]]\nbetween = [\"a\", \"ground\"]\nignore = @true\n",
       "\"ignore\" is for pairs of bodies"},
      {"",
       "[contact]\nagainst = [\"self\"]\nthickness = 0.1\n[[contact.pair]]\nbetween = [\"a\", \"a\"]\nignore "
       "= true\n"
       "friction = @0.1\n",
       "\"friction\" does not go with ignore = true"},
      {"",
       "[contact]\nagainst = [\"self\"]\nthickness = 0.1\n[[contact.pair]]\nbetween = [\"a\", \"a\"]\nignore "
       "= true\n"
       "[[contact.pair]]\nbetween = @[\"a\", \"a\"]\nfriction = 0.1\n",
       "two pairs are of body \"a\" and itself; allowed: one for each two bodies"},
      {"", "[contact]\nagainst = [@\"body\"]\n",
       "unknown against \"body\"; allowed: a list of \"obstacles\", \"bodies\", "
       "\"self\""},
      {"", "[contact]\nthickness = 0.1\nagainst = @[\"self\", \"bodies\", \"self\"]\n",
       "\"self\" is in \"against\" twice"},
      {"", "[contact]\nagainst = @[]\n", "\"against\" in [contact] is empty"},
      {"", GROUND "[[contact.pair]]\nbetween = [\"a\", \"ground\"]\nfriction = @2.1\n",
       "out of range; allowed: number ≥ 0 and ≤ 2"},
      {"", GROUND "[[contact.pair]]\nbetween = @[\"a\"]\nfriction = 0.1\n",
       "\"between\" has 1 name; allowed: two"},
      {"", GROUND "[[contact.pair]]\nbetween = @[\"a\", \"flor\"]\nfriction = 0.1\n",
       "the scene has no body or obstacle \"flor\"; allowed: a, ground"},
      {"", GROUND "[[contact.pair]]\nbetween = @[\"ground\", \"ground\"]\nfriction = 0.1\n",
       "\"ground\" and \"ground\" are both obstacles"},
      {"", GROUND "[[contact.pair]]\nbetween = @[\"a\", \"a\"]\nfriction = 0.1\n",
       "the pair is of body \"a\" and itself, but [contact] against does not name \"self\""},
      {"", FLOOR ABOVE "[[contact.pair]]\nbetween = @[\"a\", \"floor\"]\nfriction = 0.1\n",
       "obstacle \"floor\" has law = \"penalty\""},
      {"",
       GROUND "[[contact.pair]]\nbetween = [\"a\", \"ground\"]\nfriction = 0.1\n"
              "[[contact.pair]]\nbetween = @[\"ground\", \"a\"]\nfriction = 0.1\n",
       "two pairs are between body \"a\" and obstacle \"ground\""},
      {"  [[body.springs]]", "  [[body.contact]]\n  group = @\"feet\"\n  [[body.springs]]",
       "body \"a\" has no group \"feet\""},
      {"", "@[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\n" ABOVE,
       "law = \"penalty\" needs \"stiffness\" in [[obstacle]]"},
      {"", OBSTACLE "name = @\"\"\nshape = \"plane\"\n" ABOVE, "empty"},
      {"", OBSTACLE "name = \"a\"\nshape = @\"disc\"\n",
       "unknown shape \"disc\"; allowed: \"plane\", \"sphere\""},
      {"", "@" OBSTACLE "name = \"a\"\nshape = \"mesh\"\n", "shape = \"mesh\" needs \"mesh\""},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = @\"square.obj\"\n",
       "obstacle \"a\": the surface is open: the edge between vertices 0 and 1 has one triangle"},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = @\"nothing.obj\"\n",
       "file \"nothing.obj\" cannot be read"},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = @\"square.stl\"\n",
       "format of \"square.stl\" is unknown"},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = \"square.obj\"\nscale = @0\n",
       "out of range; allowed: number > 0"},
      {"", "@" OBSTACLE "name = \"a\"\nshape = \"box\"\ncentre = [0, 0, 9]\n",
       "shape = \"box\" needs \"size\" in [[obstacle]]; a box has centre and size, and may have rotate and "
       "inside"},
      {"", OBSTACLE "name = \"a\"\nshape = \"box\"\ncentre = [0, 0, 9]\nsize = [1, @0, 1]\n",
       "\"size\" in [[obstacle]] is 0, out of range; allowed: 3 numbers > 0, in m"},
      {"",
       OBSTACLE
       "name = \"a\"\nshape = \"cylinder\"\ncentre = [0, 0, 9]\naxis = @[0, 0, 0]\nradius = 1\nlength = 1\n",
       "\"axis\" in [[obstacle]] is [0, 0, 0]: it has no direction"},
      {"",
       "@" OBSTACLE "name = \"a\"\nshape = \"capsule\"\ncentre = [0, 0, 9]\naxis = [0, 0, 1]\nradius = 1\n",
       "shape = \"capsule\" needs \"length\" in [[obstacle]]; a capsule has centre, axis, radius and length"},
      {"", "@" OBSTACLE "name = \"a\"\n" TROUGH "radius = 1\nlength = 1\ntowards = [0, 1, 0]\n",
       "shape = \"trough\" needs \"angle\" in [[obstacle]]; a trough has centre, axis, towards, radius, "
       "length and "
       "angle"},
      {"", OBSTACLE "name = \"a\"\n" TROUGH "radius = 1\nlength = 1\ntowards = [0, 1, 0]\nangle = @360\n",
       "\"angle\" in [[obstacle]] is 360, out of range; allowed: number > 0 and < 360, in degrees"},
      {"", OBSTACLE "name = \"a\"\n" TROUGH "radius = 1\nlength = 1\ntowards = @[0, 0, 0]\nangle = 90\n",
       "\"towards\" in [[obstacle]] is [0, 0, 0]: it has no direction"},
      {"", OBSTACLE "name = \"a\"\n" TROUGH "radius = 1\nlength = 1\ntowards = @[0, 1, 0.01]\nangle = 90\n",
       "\"towards\" in [[obstacle]] is not across \"axis\"; allowed: a direction at right angles to the "
       "axis"},
      {"", FLOOR ABOVE "angle = @90\n",
       "\"angle\" does not go with shape = \"plane\"; it is for shape = \"trough\" only"},
      {"", FLOOR ABOVE "inside = @true\n",
       "\"inside\" does not go with shape = \"plane\"; it is for shape = \"sphere\", \"box\", \"cylinder\" "
       "or \"capsule\" only"},
      {"", FLOOR ABOVE "@times = [0, 1]\n", "\"times\" is written without offsets or rotations"},
      {"", FLOOR ABOVE "@offsets = [[0, 0, 0]]\n", "\"offsets\" is written without \"times\""},
      {"", FLOOR ABOVE "@interpolation = \"step\"\n", "\"interpolation\" is written without key-frames"},
      {"", FLOOR ABOVE "times = [0, 1]\nrotations = @[[0, 0, 0]]\n",
       "\"rotations\" has 1 entry, \"times\" has 2"},
      {"", FLOOR ABOVE "times = @[1, 0]\noffsets = [[0, 0, 0], [0, 0, 1]]\n",
       "does not increase at 0 after 1"},
      {"", EXACT "stiffness = @1\n" ABOVE,
       "\"stiffness\" does not go with law = \"exact\"; it is for law = \"penalty\" only"},
      {"", EXACT "friction_stiffness = @1\n" ABOVE,
       "\"friction_stiffness\" does not go with law = \"exact\"; it is for law = \"penalty\" only"},
      {"", EXACT "friction = @2.5\n" ABOVE,
       "\"friction\" = 2.5 is too large for law = \"exact\"; allowed: at most 2"},
      {"", "@" FLOOR "normal = [0, 0, 1]\n", "shape = \"plane\" needs \"point\""},
      {"", "@" FLOOR "point = [0, 0, 1]\n", "shape = \"plane\" needs \"normal\""},
      {"", FLOOR ABOVE "centre = @[0, 0, 1]\n",
       "\"centre\" does not go with shape = \"plane\"; it is for shape = \"sphere\", \"box\", \"cylinder\", "
       "\"capsule\" or \"trough\" only"},
      {"", FLOOR ABOVE "radius = @1\n", "\"radius\" does not go with shape = \"plane\""},
      {"", "@" BALL "radius = 1\n", "shape = \"sphere\" needs \"centre\""},
      {"", "@" BALL "centre = [0, 0, 9]\n", "shape = \"sphere\" needs \"radius\""},
      {"", BALL "centre = [0, 0, 9]\nradius = 1\nnormal = @[0, 0, 1]\n", "\"normal\" does not go with shape"},
      {"", BALL "centre = [0, 0, 9]\nradius = 1\npoint = @[0, 0, 1]\n", "\"point\" does not go with shape"},
      {"", BALL "centre = [0, 0, 9]\nradius = @0\n", "out of range; allowed: number > 0, in m"},
      {"", BALL "centre = [0, 0, 9]\nradius = @nan\n", "nan, not a finite number"},
      {"", FLOOR "point = [0, 0, 0]\nnormal = @[0, 0, 0]\n", "it has no direction"},
      {"", FLOOR "point = [0, 0, 0]\nnormal = @[0, 0]\n", "3 numbers"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\nstiffness = @-1\n" ABOVE,
       "\"stiffness\" in [[obstacle]] is -1, out of range"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\nstiffness = @\"hard\"\n" ABOVE,
       "\"hard\", a text; allowed: number"},
      {"", FLOOR ABOVE "exponent = @1.5\n", "out of range; allowed: number ≥ 2"},
      {"", FLOOR ABOVE "friction = @-0.1\n", "out of range; allowed: number ≥ 0"},
      {"", FLOOR ABOVE "friction_stiffness = @0\n", "out of range; allowed: number > 0, in N s/m"},
      {"", FLOOR ABOVE "friction = @0.5\n", "\"friction\" is written without \"friction_stiffness\""},
      {"", FLOOR ABOVE "@frictoin = 1\n", "did you mean \"friction\""},
      {"", FLOOR ABOVE OBSTACLE "name = @\"floor\"\nshape = \"plane\"\n" ABOVE,
       "two obstacles are called \"floor\""},
  };
}

namespace {

using ::testing::HasSubstr;

TEST(Findings, ExactObstaclesNeedAMethodThatSolvesForThem) {
  const std::string text = edited({"", EXACT ABOVE, ""});
  EXPECT_THAT(
      findings_of(text, {"integrator.method=verlet"}, finding_files()),
      HasSubstr(
          "scene.toml:50:7: error: law = \"exact\" does not go with method = \"verlet\"; allowed: method = "
          "\"imex\", \"newton\" or \"auto\", or law = \"penalty\""));
  EXPECT_THAT(
      findings_of(text, {"integrator.elastic_solver=lbfgs"}, finding_files()),
      HasSubstr("scene.toml:50:7: error: law = \"exact\" does not go with elastic_solver = \"lbfgs\""));
  EXPECT_EQ(findings_of(text, {"integrator.method=newton"}, finding_files()), "");
}

}  // namespace
}  // namespace electret::test
