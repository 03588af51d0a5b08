// The findings and warnings about contact, and what a scene says of it.

#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/contact_start.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/words.hpp>

#include "scene_text.hpp"
#include "support/hollow_meshes.hpp"

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Two cubes of hexahedra in a row, from 0 to (2, 1, 1) m, lifted by `lift` (m), and what follows.
std::string cubes(const std::string& lift, const std::string& rest) {
  return "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\ntranslate = [1, 0.5, " + lift +
         "]\ngenerate = { shape = \"box\", cells = [2, 1, 1], cell_size = 1.0 }\ndensity = 6.0\n"
         "[[body.material]]\nmodel = \"corotated\"\nyoungs_modulus = 1e5\npoissons_ratio = 0.3\n" +
         rest;
}

std::string exact(const std::string& shape) {
  return "[[obstacle]]\nname = \"o\"\n" + shape;
}

const std::string plane = exact("shape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n");

/// A box whose upper face is where the plane is.
const std::string slab = exact("shape = \"box\"\ncentre = [0, 0, -1]\nsize = [20, 20, 2]\n");

/// A penalty far below, which the step resolves.
const std::string soft =
    "[[obstacle]]\nname = \"s\"\nshape = \"plane\"\npoint = [0, 0, -9]\nnormal = [0, 0, 1]\n"
    "law = \"penalty\"\nstiffness = 1\n";

std::vector<std::string> warnings_of(const std::string& text) {
  return texts_of(scene_warnings(load(text)));
}

TEST(ContactFindings, StickingObstaclesHaveNoFrictionAndStandBesideNoExactOnes) {
  const std::string sticking = plane + "law = \"sticking\"\n";
  EXPECT_EQ(findings_of(cubes("0.5", sticking)), "");
  EXPECT_EQ(findings_of(cubes("0.4", sticking)), "");  // What starts inside is held there.
  EXPECT_THAT(findings_of(cubes("0.5", sticking + "friction = 0.5\n")),
              HasSubstr("\"friction\" does not go with law = \"sticking\""));
  EXPECT_THAT(
      findings_of(cubes("0.5", sticking + "[[contact.pair]]\nbetween = [\"a\", \"o\"]\nfriction = 0.5\n")),
      HasSubstr("obstacle \"o\" has law = \"sticking\", and what touches it does not slide; allowed: "
                "obstacles with law = \"exact\""));
  EXPECT_THAT(findings_of(cubes("0.5", sticking + "stiffness = 1\n")),
              HasSubstr("\"stiffness\" does not go with law = \"sticking\""));
  EXPECT_THAT(findings_of(cubes("0.5", sticking + "[integrator]\nmethod = \"verlet\"\n")),
              HasSubstr("law = \"sticking\" does not go with method = \"verlet\""));
  const std::string other =
      "[[obstacle]]\nname = \"p\"\nshape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\n";
  EXPECT_THAT(findings_of(cubes("0.5", sticking + other)),
              HasSubstr("stands beside one with law = \"exact\""));
  EXPECT_EQ(findings_of(cubes("0.5", sticking + other + "law = \"penalty\"\nstiffness = 1\n")), "");
}

TEST(ContactFindings, SticksIsAWordOfFrictionOnExactObstacles) {
  const std::string sticks = "friction = \"stick\"\n";
  EXPECT_EQ(findings_of(cubes("0.5", plane + sticks)), "");
  EXPECT_EQ(findings_of(cubes("0.5", plane + "[contact]\n" + sticks)), "");
  EXPECT_EQ(findings_of(cubes("0.5", plane), {"obstacle.0.friction=stick"}), "");
  EXPECT_THAT(
      findings_of(cubes("0.5", plane + "friction = \"sticks\"\n")),
      HasSubstr("unknown friction \"sticks\"; did you mean \"stick\"? allowed: number ≥ 0, or \"stick\""));
  EXPECT_THAT(findings_of(cubes("0.5", plane + "[contact]\nfriction = \"much\"\n")),
              HasSubstr("unknown friction \"much\"; allowed: number ≥ 0 and ≤ 2, or \"stick\""));
  EXPECT_THAT(findings_of(cubes("0.5", plane + "friction = inf\n")), HasSubstr("not a finite number"));
  EXPECT_THAT(findings_of(cubes("0.5", plane + "friction = 3\n")),
              HasSubstr("allowed: at most 2, or \"stick\""));
  EXPECT_THAT(
      findings_of(cubes("0.5", plane + "law = \"penalty\"\nstiffness = 1\n" + sticks)),
      HasSubstr("friction = \"stick\" does not go with law = \"penalty\"; allowed: a number >= 0, or law = "
                "\"exact\""));
  EXPECT_THAT(findings_of(cubes("0.5", plane + "law = \"sticking\"\n" + sticks)),
              HasSubstr("\"friction\" does not go with law = \"sticking\""));
  const std::string itself = "[contact]\nagainst = [\"obstacles\", \"self\"]\nthickness = 0.1\n";
  EXPECT_THAT(findings_of(cubes("0.7", plane + itself + sticks)),
              HasSubstr("friction = \"stick\" in [contact] does not go with contact of bodies"));
  EXPECT_THAT(
      findings_of(cubes("0.7", plane + itself + "[[contact.pair]]\nbetween = [\"a\", \"a\"]\n" + sticks)),
      HasSubstr("friction = \"stick\" does not go with the pair of body \"a\" and itself"));
  EXPECT_EQ(findings_of(cubes("0.7", plane + sticks + itself)), "");
}

TEST(Contact, FrictionThatSticksIsNoParameter) {
  const std::string b = "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\ntranslate = [0, 9, 0]\n";
  const std::string two =
      "[[obstacle]]\nname = \"p\"\nshape = \"plane\"\npoint = [0, 0, -1]\n"
      "normal = [0, 0, 1]\n[contact]\nfriction = \"stick\"\n[[contact.pair]]\n"
      "between = [\"b\", \"o\"]\nfriction = ";
  const auto names_of = [&](const std::string& own, const std::string& pair) {
    const Assembly a = load(cubes("0.5", b + plane + own + two + pair));
    std::vector<std::string> names;
    for (const Parameter& p : parameters(a))
      if (p.name.find("friction") != std::string::npos) names.push_back(p.name);
    return names;
  };
  EXPECT_THAT(names_of("friction = \"stick\"\n", "\"stick\"\n"), IsEmpty());
  EXPECT_THAT(names_of("friction = 0.5\n", "0.25\n"),
              ElementsAre("obstacle.o.friction", "contact.pair.0.friction"));
  const Assembly a = load(cubes("0.5", b + plane + "friction = 0.5\n" + two + "\"stick\"\n"));
  EXPECT_EQ(friction_between(a, 0, 0).value, 0.5);
  for (const std::size_t obstacle : {0U, 1U}) EXPECT_TRUE(std::isinf(friction_between(a, 1, obstacle).value));
}

TEST(ContactFindings, ABodyThatStartsInsideIsToldWithTheSmallestWayOut) {
  EXPECT_EQ(findings_of(cubes("0.5", plane)), "");
  EXPECT_EQ(findings_of(cubes("0.4999999", plane)), "");  // Rounded coordinates.
  EXPECT_THAT(
      findings_of(cubes("0.4", plane)),
      HasSubstr("scene.toml:6:13: error: 6 vertices of body \"a\" start inside obstacle \"o\", the deepest, "
                "vertex 0, by 0.1 m; moving the body by [0, 0, 0.1] m, 0.1 m in all, is the smallest"));
  // Three digits are rounded to where the body is free.
  EXPECT_THAT(findings_of(cubes("0.39996", plane)), HasSubstr("moving the body by [0, 0, 0.101] m"));
  // Its end is 0.2 m within a box that it would have to rise 0.75 m to leave.
  EXPECT_THAT(
      findings_of(cubes("0.5", exact("shape = \"box\"\ncentre = [2.8, 0.5, 0]\nsize = [2, 5, 1.5]\n"))),
      HasSubstr("moving the body by [-0.2, 0, 0] m, 0.2 m in all"));
  // From outside a ball: along the line from its centre to the nearest corner.
  EXPECT_THAT(
      findings_of(cubes("0.5", exact("shape = \"sphere\"\ncentre = [-0.3, 0, -0.4]\nradius = 0.6\n"))),
      HasSubstr("1 vertex of body \"a\" starts inside obstacle \"o\", the deepest, vertex 0, by 0.1 m; "
                "moving the body by [0.06, 0, 0.08] m, 0.1 m in all"));
  // In a ball that is too small for it no translation helps.
  EXPECT_THAT(findings_of(cubes(
                  "0.5", exact("shape = \"sphere\"\ncentre = [1, 0.5, 0.5]\nradius = 0.9\ninside = true\n"))),
              HasSubstr("no translation was found that frees it"));
  EXPECT_THAT(findings_of(cubes("0.5", plane + "[contact]\nthickness = 0.25\n")),
              HasSubstr("by 0.25 m; moving the body by [0, 0, 0.25] m"));
}

TEST(ContactFindings, AreToldAlongWithThoseOfOtherTables) {
  const std::string inside = "6 vertices of body \"a\" start inside obstacle \"o\"";
  // A mesh that is missing: that of another body, or of another obstacle.
  EXPECT_THAT(findings_of(cubes("0.4", "[[body]]\nname = \"b\"\nmesh = \"no.obj\"\nmass = 1\n" + plane)),
              AllOf(HasSubstr(inside), HasSubstr("file \"no.obj\" cannot be read")));
  const std::string missing = "[[obstacle]]\nname = \"p\"\nshape = \"mesh\"\nmesh = \"no.obj\"\n";
  EXPECT_THAT(findings_of(cubes("0.4", missing + plane)),
              AllOf(HasSubstr(inside), HasSubstr("file \"no.obj\" cannot be read")));
  // Other keys of the obstacle, of [contact], of [time] and of the body.
  EXPECT_THAT(findings_of(cubes("0.4", plane + "friction = 3\n")),
              AllOf(HasSubstr(inside), HasSubstr("too large for law = \"exact\"")));
  EXPECT_THAT(findings_of(cubes("0.4", plane + "[contact]\nfriction = 3\nfrction = 1\n")),
              AllOf(HasSubstr(inside), HasSubstr("out of range"), HasSubstr("did you mean \"friction\"")));
  EXPECT_THAT(findings_of(cubes("0.4", plane), {"time.step=-1"}),
              AllOf(HasSubstr(inside), HasSubstr("\"step\" in [time] is -1")));
  EXPECT_THAT(findings_of(cubes("0.4", plane), {"body.0.density=-1"}),
              AllOf(HasSubstr(inside), HasSubstr("\"density\" in [[body]] is -1")));
  EXPECT_THAT(findings_of(cubes("0.4", plane), {"integrator.method=verlet"}),
              AllOf(HasSubstr(inside), HasSubstr("does not go with method = \"verlet\"")));
  // A mesh that is open is told along with a friction.
  EXPECT_THAT(findings_of(cubes("0.5",
                                "[[obstacle]]\nname = \"p\"\nshape = \"mesh\"\nmesh = \"square.obj\"\n"
                                "friction = 3\n")),
              AllOf(HasSubstr("the surface is open"), HasSubstr("too large for law = \"exact\"")));
  // All that is wrong in contact: two obstacles, a thickness, and a pin.
  const std::string pinned =
      "[[body.group]]\nname = \"top\"\nbox = [[-9, -9, 0.8], [9, 9, 9]]\n[[body.pin]]\ngroup = \"top\"\n"
      "times = [0, 2]\noffsets = [[0, 0, 0], [0, 0, -1.5]]\n";
  const std::string falling =
      "[[obstacle]]\nname = \"p\"\nshape = \"sphere\"\ncentre = [0, 0, 9]\nradius = 0.5\n"
      "times = [0, 2]\noffsets = [[0, 0, 0], [0, 0, -5]]\n";
  const std::string sphere =
      "[[obstacle]]\nname = \"q\"\nshape = \"sphere\"\ncentre = [0, 0, -1]\nradius = 1.1\n";
  const std::string all = findings_of(
      cubes("0.4", pinned + plane + falling + sphere + "[contact]\nthickness = 0.01\nlaw = \"exact\"\n"));
  EXPECT_THAT(all, AllOf(HasSubstr(inside), HasSubstr("1 vertex of body \"a\" starts inside obstacle \"q\""),
                         HasSubstr("obstacle \"p\" moves its surface by 1.25 m"),
                         HasSubstr("pin \"top\" is swept into obstacle \"o\"")));
  // Nothing is made up where a key says what touches, or where: the mistake is told alone.
  EXPECT_EQ(findings_of(cubes("0.4", plane + "[contact]\nthickness = -1\n")).find("start"),
            std::string::npos);
  EXPECT_EQ(findings_of(cubes("0.4", plane), {"body.0.translate=[0, 0]"}).find("start"), std::string::npos);
  EXPECT_EQ(findings_of(cubes("0.4", plane + "law = \"sticky\"\n")).find("start"), std::string::npos);
}

TEST(ContactFindings, PinsAndPenaltiesMayStartInside) {
  const std::string pinned =
      "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, -9], [9, 9, 0.2]]\n"
      "[[body.pin]]\ngroup = \"g\"\n";
  EXPECT_EQ(findings_of(cubes("0.4", pinned + plane)), "");
  EXPECT_EQ(findings_of(cubes("0.4", plane + "law = \"penalty\"\nstiffness = 1\n")), "");
  const std::string touching =
      "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, 0.8], [9, 9, 9]]\n"
      "[[body.contact]]\ngroup = \"g\"\n";
  EXPECT_EQ(findings_of(cubes("0.4", touching + plane)), "");
}

TEST(ContactFindings, FastKeyFramesAreToldWithAThickness) {
  const std::string thick = "[contact]\nthickness = 0.1\n";
  const auto rising = [&](const char* way, const std::string& what = slab) {
    return what + "times = [0, 1, 2]\noffsets = [[0, 0, -4], [0, 0, -4], " + way + "]\n" + thick;
  };
  EXPECT_EQ(findings_of(cubes("0.5", rising("[0, 0, -3.8]"))), "");
  EXPECT_EQ(findings_of(cubes("0.5", rising("[0, 0, -2]", plane))), "") << "nothing passes through a plane";
  EXPECT_THAT(findings_of(cubes("0.5", rising("[0, 0, -3.6]"))),
              HasSubstr("obstacle \"o\" moves its surface by 0.2 m in step 3, more than [contact] thickness "
                        "= 0.1 m: it may pass "
                        "through vertices; allowed: slower key-frames, a time step of at most 0.25 s, or a "
                        "thickness of at least 0.2 m"));
  const auto turning = [&](const std::string& shape, const char* angles) {
    return findings_of(
        cubes("0.5", exact(shape + "times = [0, 2]\nrotations = [[0, 0, 0], " + angles + "]\n") + thick));
  };
  // The surface alone counts: a turn about an axis of its own does not move it.
  EXPECT_EQ(turning("shape = \"sphere\"\ncentre = [0, 0, -9]\nradius = 2\n", "[90, 400, 0]"), "");
  EXPECT_EQ(turning("shape = \"cylinder\"\ncentre = [0, 0, -9]\naxis = [0, 1, 0]\nradius = 2\nlength = 9\n",
                    "[0, 900, 0]"),
            "");
  EXPECT_EQ(turning("shape = \"plane\"\npoint = [0, 0, -9]\nnormal = [0, 0, 1]\n", "[0, 0, 900]"), "");
  // π/8 in a step: the corners of a cube of 2 m move by π/8 along a face's normal, and the ends of a bar by
  // more.
  EXPECT_THAT(turning("shape = \"box\"\ncentre = [0, 0, -9]\nsize = [2, 2, 2]\n", "[90, 0, 0]"),
              HasSubstr("moves its surface by 0.393 m in step 1"));
  EXPECT_THAT(turning("shape = \"capsule\"\ncentre = [0, 0, -9]\naxis = [0, 1, 0]\nradius = 1\nlength = 4\n",
                      "[90, 0, 0]"),
              HasSubstr("moves its surface by 0.785 m in step 1"));
  EXPECT_EQ(turning("shape = \"plane\"\npoint = [0, 0, -9]\nnormal = [0, 0, 1]\n", "[4, 0, 0]"), "");
}

/// A time step and a thickness that a finding advises are allowed.
TEST(ContactFindings, AdvisedThicknessesAreAllowed) {
  const auto findings = [](const std::string& thickness) {
    return findings_of(
        "[time]\nstep = 0.01\nsteps = 30\n[[body]]\nmass = 1.0\ntranslate = [0, 0, 1]\n"
        "generate = { shape = \"chain\", vertices = 2 }\n" +
        slab + "times = [0, 0.1, 0.3]\noffsets = [[0, 0, 0], [0, 0, 0.01337], [0, 0, 0.1]]\n" +
        "[contact]\nthickness = " + thickness + "\n");
  };
  EXPECT_THAT(findings("0.001"), HasSubstr("a thickness of at least 0.00434 m"));
  EXPECT_THAT(findings("0.00433"), HasSubstr("moves its surface by"));
  EXPECT_EQ(findings("0.00434"), "");
}

TEST(ContactFindings, ATranslationThatFreesABodyDoesSoAsItIsWritten) {
  const std::string start =
      "[time]\nstep = 0.01\nsteps = 4\n[contact]\nthickness = 0.01\n[[obstacle]]\nname = \"room\"\n"
      "shape = \"box\"\ncentre = [0, 0, 0]\nsize = [1, 0.8, 0.6]\nrotate = [10, 20, 30]\ninside = true\n"
      "[[body]]\nname = \"a\"\ngenerate = { shape = \"box\", cells = [3, 3, 3], cell_size = 0.08 }\n"
      "density = 1000.0\nrotate = [25.19, 30.57, 20.26]\ntranslate = ";
  const std::string material =
      "\n[[body.material]]\nmodel = \"corotated\"\nyoungs_modulus = 1e5\npoissons_ratio = 0.3\n";
  const Vec3 place{0.38866, -0.23049, -0.31764};
  const std::string found = findings_of(start + "[0.38866, -0.23049, -0.31764]" + material);
  const std::string before = "moving the body by [";
  const std::size_t at = found.find(before);
  ASSERT_NE(at, std::string::npos) << found;
  Vec3 way;
  ASSERT_EQ(std::sscanf(found.c_str() + at + before.size(), "%lf, %lf, %lf", &way.x, &way.y, &way.z), 3);
  const Vec3 free = place + way;
  EXPECT_EQ(findings_of(start + "[" + number_text(free.x) + ", " + number_text(free.y) + ", " +
                        number_text(free.z) + "]" + material),
            "");
}

TEST(ContactFindings, ObstaclesThatTurnFastAreTold) {
  const auto turning = [](const std::string& keys, const std::string& more = "") {
    return findings_of(
        "[time]\nstep = 0.01\nsteps = 20\n[[body]]\nname = \"p\"\nmass = 1.0\n"
        "translate = [0.3, 0, 2]\ngenerate = { shape = \"chain\", vertices = 2 }\n" +
        keys + more);
  };
  const auto disc = [](const char* degrees) {
    return plane + "times = [0, 0.2]\nrotations = [[0, 0, 0], [0, 0, " + degrees + "]]\n";
  };
  EXPECT_EQ(turning(disc("600"), "friction = 0.3\n"), "");
  // A whole turn a step would be none.
  EXPECT_THAT(turning(disc("7200"), "friction = 0.3\n"),
              HasSubstr("obstacle \"o\" turns by 360 degrees in step 1, more than 30: a step knows where its "
                        "surface comes to, and not the way there; allowed: slower key-frames, or a time step "
                        "of at most 0.000833 s"));
  EXPECT_THAT(turning(disc("1200"), "friction = \"stick\"\n"), HasSubstr("turns by 60 degrees in step 1"));
  EXPECT_THAT(turning(disc("1200"), "law = \"sticking\"\n"), HasSubstr("turns by 60 degrees in step 1"));
  EXPECT_THAT(turning(disc("1200"), "[contact]\nfriction = 0.2\n"), HasSubstr("turns by 60 degrees"));
  // Without friction a disc does nothing by its turning, and a bar goes through what is in its way.
  EXPECT_EQ(turning(disc("7200")), "");
  EXPECT_THAT(turning(exact("shape = \"box\"\ncentre = [0, 0, -9]\nsize = [2, 1, 1]\ntimes = [0, 0.2]\n"
                            "rotations = [[0, 0, 0], [0, 0, 3600]]\n")),
              HasSubstr("turns by 180 degrees in step 1"));
}

TEST(ContactFindings, ANameOfABodyAndOfAnObstacleIsNoMemberOfAPair) {
  const auto paired = [](const std::string& between) {
    return findings_of(
        cubes("0.6",
              "[[body]]\nname = \"o\"\nmass = 1.0\ntranslate = [9, 9, 9]\ngenerate = { shape = "
              "\"chain\", vertices = 2 }\n" +
                  plane +
                  "[contact]\nagainst = [\"obstacles\", \"bodies\", \"self\"]\nthickness = "
                  "0.01\n[[contact.pair]]\nbetween = " +
                  between + "\nfriction = 0.1\n"));
  };
  EXPECT_THAT(paired("[\"a\", \"o\"]"),
              HasSubstr("\"o\" is the name of a body and of an obstacle; allowed: a "
                        "name that one of them has alone"));
  EXPECT_THAT(paired("[\"o\", \"o\"]"), HasSubstr("\"o\" is the name of a body and of an obstacle"));
  EXPECT_EQ(paired("[\"a\", \"a\"]"), "");
}

TEST(ContactFindings, PinsThatAreSweptIntoObstaclesAreTold) {
  const auto lowered = [&](const char* way) {
    return "[[body.group]]\nname = \"top\"\nbox = [[-9, -9, 0.9], [9, 9, 9]]\n[[body.pin]]\ngroup = \"top\"\n"
           "times = [0, 2]\noffsets = [[0, 0, 0], " +
           std::string(way) + "]\n" + plane;
  };
  EXPECT_EQ(findings_of(cubes("0.5", lowered("[0, 0, -0.9]"))), "");
  EXPECT_THAT(
      findings_of(cubes("0.5", lowered("[0, 0, -1.5]"))),
      HasSubstr(
          "pin \"top\" is swept into obstacle \"o\": vertex 6 of body \"a\" is 0.125 m inside at 1.5 s"));
}

TEST(ContactFindings, RollersThatArePressedIntoObstaclesAreTold) {
  const auto lowered = [&](const std::string& roller, const std::string& obstacle = plane) {
    return findings_of(
        cubes("0.5",
              "[[body.group]]\nname = \"top\"\nbox = [[-9, -9, 0.9], [9, 9, 9]]\n[[body.pin]]\n"
              "group = \"top\"\n" +
                  roller + "times = [0, 2]\noffsets = [[0, 0, 0], [0.5, 0, -1.5]]\n" + obstacle));
  };
  EXPECT_THAT(lowered("normal = [0, 0, 1]\n"),
              HasSubstr("pin \"top\" is swept into obstacle \"o\": vertex 6 of body \"a\" is 0.125 m inside "
                        "at 1.5 s"));
  EXPECT_THAT(lowered("axis = [1, 0, 0]\n"), HasSubstr("is 0.125 m inside at 1.5 s"));
  // What is not held does not count, and a roller may slide out along a rail or along a slope.
  EXPECT_EQ(lowered("normal = [1, 0, 0]\n"), "");
  EXPECT_EQ(lowered("axis = [0, 0, 1]\n"), "");
  EXPECT_EQ(
      lowered("normal = [0, 0, 1]\n", exact("shape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0.1, 0, 1]\n")),
      "");
}

TEST(ContactWarnings, ObstaclesThatNothingReachesAreTold) {
  const std::string far = exact("shape = \"plane\"\npoint = [0, 0, -90]\nnormal = [0, 0, 1]\n");
  EXPECT_THAT(warnings_of(cubes("0.5", far)),
              ElementsAre(HasSubstr("nothing can reach obstacle \"o\" within the run: it stays at least ")));
  // It falls 19.6 m in 2 s.
  EXPECT_THAT(warnings_of(cubes("0.5", far + "[gravity]\nacceleration = [0, 0, -9.81]\n")).size(), 1U);
  EXPECT_THAT(warnings_of(cubes("0.5", far + "[gravity]\nacceleration = [0, 0, -45]\n")), IsEmpty());
  EXPECT_THAT(warnings_of(cubes("0.5", far + "[contact]\nbodies = [\"a\"]\n")).size(), 1U);
  EXPECT_THAT(
      warnings_of(cubes("0.5",
                        "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, -9], [9, 9, 9]]\n"
                        "[[body.pin]]\ngroup = \"g\"\n" +
                            plane)),
      ElementsAre(HasSubstr("nothing can reach obstacle \"o\", because no free vertex may touch it")));
}

/// Only what nothing but gravity and its velocity moves is known to stay away.
TEST(ContactWarnings, ObstaclesThatSomethingBringsBodiesToAreNotSaidToBeOutOfReach) {
  const std::string particle =
      "[time]\nstep = 0.01\nsteps = 100\n[[body]]\nname = \"p\"\nmesh = \"p.obj\"\nmass = 1.0\n";
  const auto warned = [&](const std::string& body, const std::string& more) {
    return texts_of(scene_warnings(load(particle + body + plane + more, {}, {{"p.obj", "v 0 0 0\n"}})));
  };
  const std::string slow = "velocity = [0, 0, -0.1]\n", high = "translate = [0, 0, 2]\n" + slow;
  const auto is_out_of_reach = ElementsAre(HasSubstr("it stays at least 1.9 m away"));
  EXPECT_THAT(warned(high, ""), is_out_of_reach);
  EXPECT_THAT(warned("translate = [0, 0, 0.5]\n" + slow, "[contact]\nthickness = 0.49\n"), IsEmpty());
  EXPECT_THAT(warned("translate = [0, 0, 2.5]\n" + slow, "[contact]\nthickness = 0.49\n"),
              ElementsAre(HasSubstr("it stays at least 1.91 m away")));
  EXPECT_THAT(warned(high, "[[change]]\nstep = 5\nset = [\"gravity.acceleration=[0,0,-9.81]\"]\n"),
              IsEmpty());
  EXPECT_THAT(warned(high,
                     "[[grab]]\nbody = \"p\"\nvertices = [0]\nstiffness = 100\ntimes = [0]\ntargets = "
                     "[[0, 0, -1]]\n"),
              IsEmpty());
  EXPECT_THAT(warned(high,
                     "[contact]\nagainst = [\"obstacles\", \"bodies\"]\nthickness = 0.001\n[[body]]\n"
                     "name = \"q\"\ngenerate = { shape = \"grid\", width = 1.0, height = 1.0, rows = 3, "
                     "columns = 3 }\nmass = 9.0\ntranslate = [0, 0, 9]\n"
                     "velocity = [0, 0, -0.1]\n"),
              IsEmpty());
}

TEST(ContactWarnings, PairsThatNothingReadsAreTold) {
  const auto warned = [](const std::string& contact, const std::string& pin = "") {
    return warnings_of(cubes("0.5", pin + plane + "[contact]\n" + contact +
                                        "[[contact.pair]]\nbetween = [\"o\", \"a\"]\nfriction = 0.1\n"));
  };
  EXPECT_THAT(warned("friction = 0.5\n"), IsEmpty());
  EXPECT_THAT(warned("bodies = [\"a\"]\n"), IsEmpty());
  EXPECT_THAT(warned("friction = 0.5\n",
                     "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, -9], [9, 9, 9]]\n[[body.pin]]\ngroup = "
                     "\"g\"\n"),
              Contains(HasSubstr("[[contact.pair]] of body \"a\" and obstacle \"o\" has no effect: no free "
                                 "vertex of the body may touch obstacles")));
  const std::string other =
      "[[body]]\nname = \"c\"\nmass = 1.0\ntranslate = [0, 0, 9]\ngenerate = { shape = \"chain\", vertices = "
      "2 "
      "}\n";
  EXPECT_THAT(
      warnings_of(cubes("0.5", other + plane +
                                   "[contact]\nbodies = [\"a\"]\n[[contact.pair]]\nbetween = [\"c\", "
                                   "\"o\"]\nfriction = 0.1\n")),
      ElementsAre(HasSubstr("[[contact.pair]] of body \"c\" and obstacle \"o\" has no effect: [contact] "
                            "bodies does not name the body")));
}

TEST(ContactWarnings, AMeshWithHollowsAndWithoutThicknessIsTold) {
  const auto warned = [](const std::string& mesh, const std::string& contact, const std::string& law) {
    const std::string text =
        "[time]\nstep = 0.01\nsteps = 200\n[gravity]\nacceleration = [0, 0, -9.81]\n[[body]]\ngenerate = { "
        "shape = "
        "\"chain\", vertices = 2, length = 0.2 }\ntranslate = [0, 0, 2]\nmass = 1\n[[obstacle]]\nname = "
        "\"land\"\n"
        "shape = \"mesh\"\nmesh = \"land.obj\"\n" +
        law + contact;
    return texts_of(scene_warnings(
        load_scene_text(text, "scene.toml", ".", {}, [&](const std::string&) { return mesh; })));
  };
  const std::string cube = obj_of(
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
  EXPECT_THAT(warned(notched_mesh(), "", ""),
              ElementsAre(HasSubstr("the mesh of obstacle \"land\" has hollows and no thickness")));
  EXPECT_THAT(warned(notched_mesh(), "[contact]\nthickness = 0.002\n", ""), IsEmpty());
  EXPECT_THAT(warned(notched_mesh(), "", "law = \"penalty\"\nstiffness = 1\n"), IsEmpty());
  EXPECT_THAT(warned(cube, "", ""), IsEmpty());
}

/// Without a thickness a vertex that goes farther in a step than the obstacle is thick may pass through it.
TEST(ContactWarnings, ThinObstaclesThatFastVerticesComeToAreTold) {
  const auto dust = [](const std::string& velocity, const std::string& rest,
                       const std::string& gravity = "0") {
    return "[time]\nstep = 0.01\nsteps = 100\n[gravity]\nacceleration = [0, 0, " + gravity +
           "]\n[[body]]\nname = \"dust\"\ngenerate = { shape = \"chain\", vertices = 2 }\ntranslate = [0, 0, "
           "1]\n"
           "mass = 1.0\nvelocity = " +
           velocity + "\n" + rest;
  };
  const std::string sheet = exact("shape = \"box\"\ncentre = [0, 0, -0.001]\nsize = [4, 4, 0.002]\n"),
                    ball = exact("shape = \"sphere\"\ncentre = [0, 0, -0.02]\nradius = 0.02\n"),
                    rod = exact(
                        "shape = \"cylinder\"\ncentre = [0, 0, -0.01]\naxis = [1, 0, 0]\nradius = 0.01\n"
                        "length = 4\n");
  const auto told = [](const std::string& text) { return texts_of(scene_warnings(load(text))); };
  EXPECT_THAT(
      told(dust("[0, 0, -5]", sheet)),
      ElementsAre(AllOf(HasSubstr("comes to obstacle \"o\" at 5 m/s, and goes 0.05 m in a step, farther than "
                                  "the obstacle is thick, 0.002 m: it may pass through unseen"),
                        HasSubstr("use a step below 0.0004 s, or thickness in [contact]"))));
  EXPECT_EQ(told(dust("[0, 0, -5]", ball)).size(), 1U);  // One of the vertices.
  EXPECT_EQ(told(dust("[0, 0, -5]", rod)).size(), 1U);
  EXPECT_EQ(told(dust("[0, 0, 0]", sheet, "-9.81")).size(), 1U);  // It falls for 0.45 s.
  for (const std::string& harmless :
       {dust("[0, 0, -0.9]", sheet, "-0.01"), dust("[0, 0, -5]", sheet + "[contact]\nthickness = 0.001\n"),
        dust("[0, 0, -5]", plane), dust("[0, 3, 5]", sheet),
        dust("[0, 0, -5]", sheet + "[damping]\ndrag = 1.0\n"),
        dust("[0, 0, -5]", exact("shape = \"box\"\ncentre = [0, 0, 0]\nsize = [4, 4, 4]\ninside = true\n"))})
    EXPECT_THAT(told(harmless), Not(Contains(HasSubstr("unseen")))) << harmless;
}

TEST(ContactWarnings, RollersTouchObstacles) {
  const std::string side = "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, -9], [0.01, 9, 9]]\n";
  const std::string roller = "[[body.pin]]\ngroup = \"g\"\nnormal = [1, 0, 0]\n";
  EXPECT_THAT(warnings_of(cubes("0.5", side + roller + plane)), IsEmpty());
  const std::string all = "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, -9], [9, 9, 9]]\n";
  const std::string near =
      "[[obstacle]]\nname = \"o\"\nshape = \"plane\"\npoint = [0, 0, -0.1]\nnormal = [0, 0, 1]\n"
      "law = \"penalty\"\nstiffness = 1\n";
  EXPECT_THAT(warnings_of(cubes("0.5", all + roller + plane)), IsEmpty());
  // Penalties push rollers, too.
  EXPECT_THAT(warnings_of(cubes("0.5", all + roller + near)),
              ::testing::Not(::testing::Contains(HasSubstr("every vertex is pinned"))));
}

TEST(ContactWarnings, LittleSofteningOfChargesThatMayTouchIsTold) {
  // 10 m² of faces over 12 vertices: √(10/12) = 0.913 m, a quarter of which is 0.228 m.
  const std::string charged = cubes("0.5", plane);
  const auto with = [&](const std::string& softening) {
    std::string text = charged;
    return text.replace(text.find("density"), 0, "charge = 1e-7\n") + "[coulomb]\nsoftening = " + softening +
           "\n";
  };
  EXPECT_THAT(warnings_of(with("0.2")),
              ElementsAre(AllOf(HasSubstr("charged body \"a\" may touch obstacles"),
                                HasSubstr("a softening of 0.228 m, a quarter of √(area of a vertex)"))));
  EXPECT_THAT(warnings_of(with("0.229")), IsEmpty());
  EXPECT_THAT(warnings_of(charged + "[coulomb]\n"), IsEmpty());
}

TEST(ContactWarnings, ContactGroupsWithoutAnExactObstacleAreTold) {
  EXPECT_THAT(warnings_of(with_group("[[body.contact]]\ngroup = \"g\"")),
              ElementsAre(HasSubstr("[[body.contact]] has no effect: no obstacle has law = \"exact\"")));
  const std::string group =
      "[[body.group]]\nname = \"g\"\nbox = [[-9, -9, -9], [9, 9, 9]]\n[[body.contact]]\ngroup = \"g\"\n";
  EXPECT_THAT(warnings_of(cubes("0.5", group + plane)), IsEmpty());
  EXPECT_THAT(
      warnings_of(cubes("0.5", group + plane + soft)),
      ElementsAre(HasSubstr("[[body.contact]] has no effect on obstacles with law = \"penalty\"; law = "
                            "\"penalty\" pushes every vertex")));
}

TEST(ContactWarnings, SettingsThatNoObstacleReadsAreTold) {
  const std::string settings = "[contact]\nfriction = 0.5\nthickness = 0.001\nbodies = [\"a\"]\n";
  EXPECT_THAT(warnings_of(cubes("0.6", plane + settings)), IsEmpty());
  EXPECT_THAT(warnings_of(cubes("0.6", settings)),
              ElementsAre(HasSubstr("[contact] has no effect: the scene has no obstacle")));
  EXPECT_THAT(warnings_of(cubes("0.6", plane + "law = \"sticking\"\n" + settings)),
              ElementsAre(AllOf(HasSubstr("\"friction\" in [contact] has no effect"),
                                HasSubstr("law = \"sticking\" does not slide"))));
  EXPECT_THAT(warnings_of(cubes("0.6", soft + settings)),
              ElementsAre(AllOf(HasSubstr("toml:21:12: warning: \"friction\" in [contact] has no effect"),
                                HasSubstr("write friction and friction_stiffness in [[obstacle]]")),
                          HasSubstr("\"thickness\" in [contact] has no effect"),
                          HasSubstr("\"bodies\" in [contact] has no effect: no obstacle has")));
  EXPECT_THAT(
      warnings_of(cubes("0.6", plane + soft + settings)),
      ElementsAre(HasSubstr("\"bodies\" in [contact] has no effect on obstacles with law = \"penalty\"")));
}

TEST(Contact, FrictionIsThatOfThePairThenOfTheObstacleThenOfAll) {
  const std::string two =
      cubes("0.5", "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\ntranslate = [0, 9, 0]\n" +
                       plane + "friction = 0.75\n" +
                       "[[obstacle]]\nname = \"p\"\nshape = \"plane\"\npoint = [0, 0, -1]\n"
                       "normal = [0, 0, 1]\n[contact]\nfriction = 0.5\n[[contact.pair]]\n"
                       "between = [\"b\", \"o\"]\nfriction = 0.25\n");
  const Assembly a = load(two);
  EXPECT_EQ(friction_between(a, 0, 0).value, 0.75);
  EXPECT_EQ(friction_between(a, 1, 0).value, 0.25);
  EXPECT_EQ(friction_between(a, 0, 1).value, 0.5);
  EXPECT_EQ(friction_between(a, 1, 1).value, 0.5);
  std::vector<std::string> names;
  for (const Parameter& p : parameters(a))
    if (p.name.find("friction") != std::string::npos) names.push_back(p.name);
  EXPECT_THAT(names, ElementsAre("obstacle.o.friction", "contact.friction", "contact.pair.0.friction"));
  // The numbers are the assembly's: what is between them follows.
  Assembly changed = a;
  find_parameter(a, "contact.pair.0.friction").write(changed, std::vector{0.3});
  find_parameter(a, "contact.friction").write(changed, std::vector{0.6});
  EXPECT_EQ(friction_between(changed, 1, 0).value, 0.3);
  EXPECT_EQ(friction_between(changed, 0, 1).value, 0.6);
}

}  // namespace
}  // namespace electret::test
