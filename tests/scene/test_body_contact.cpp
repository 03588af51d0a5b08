// Contact of bodies with each other and themselves: what a scene says of it, and what may be wrong with it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/body_contact.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/warnings.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A cube of 1 m whose middle is at `place`, with edges of `cell` m.
std::string cube(const std::string& name, const std::string& place, const std::string& more = "") {
  return "[[body]]\nname = \"" + name + "\"\ntranslate = " + place +
         "\ngenerate = { shape = \"box\", cells = [2, 2, 2], cell_size = 0.5 }\ndensity = 6.0\n" + more +
         "[[body.material]]\nmodel = \"corotated\"\nyoungs_modulus = 1e5\npoissons_ratio = 0.3\n";
}

std::string scene(const std::string& contact, const std::string& bodies) {
  return "[time]\nstep = 0.5\nsteps = 4\n[contact]\n" + contact + bodies;
}

const std::string bodies_touch = "against = [\"obstacles\", \"bodies\"]\nthickness = 0.01\n";
const std::string all_touch = "against = [\"bodies\", \"self\"]\nthickness = 0.01\n";
const std::string two_cubes = cube("a", "[0, 0, 0]") + cube("b", "[0, 0, 1.02]");

TEST(BodyContact, IsOfTheBodiesThatTheSceneNames) {
  const Assembly plain = load(scene("", two_cubes));
  EXPECT_FALSE(touches_bodies(plain.scene));
  EXPECT_FALSE(body_pairs(plain).is_any_allowed());
  const Assembly both = load(scene(bodies_touch, two_cubes));
  EXPECT_TRUE(touches_bodies(both.scene));
  EXPECT_TRUE(body_pairs(both).may_touch(0, 1));
  EXPECT_FALSE(body_pairs(both).may_touch(0, 0));
  const Assembly ignored =
      load(scene(all_touch + "[[contact.pair]]\nbetween = [\"b\", \"b\"]\nignore = true\n[[contact.pair]]\n"
                             "between = [\"b\", \"a\"]\nfriction = 0.25\n",
                 two_cubes));
  EXPECT_TRUE(body_pairs(ignored).may_touch(0, 1));
  EXPECT_TRUE(body_pairs(ignored).may_touch(0, 0));
  EXPECT_FALSE(body_pairs(ignored).may_touch(1, 1));
  EXPECT_EQ(friction_between_bodies(ignored, 0, 1).value, 0.25);
  EXPECT_EQ(friction_between_bodies(ignored, 1, 0).value, 0.25);
  EXPECT_EQ(friction_between_bodies(ignored, 0, 0).value, 0.0);
}

TEST(BodyContact, HasFrictionsThatAreParameters) {
  Assembly a =
      load(scene(all_touch + "friction = 0.5\n[[contact.pair]]\nbetween = [\"b\", \"b\"]\nignore = true\n"
                             "[[contact.pair]]\nbetween = [\"b\", \"a\"]\nfriction = 0.25\n",
                 two_cubes));
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters(a))
    if (parameter.name.find("friction") != std::string::npos) names.push_back(parameter.name);
  EXPECT_THAT(names, ElementsAre("contact.friction", "contact.pair.1.friction"));
  find_parameter(a, "contact.pair.1.friction").write(a, std::vector{0.75});
  EXPECT_EQ(friction_between_bodies(a, 0, 1).value, 0.75);
}

TEST(BodyContact, IsThatOfFacesAndOfLinesAndVerticesWithoutFaces) {
  const Assembly a = load(
      scene(all_touch, cube("a", "[0, 0, 0]") +
                           "[[body]]\nname = \"c\"\nmass = 1.0\ntranslate = [5, 0, 0]\n"
                           "generate = { shape = \"chain\", length = 3.0, vertices = 4 }\n"
                           "[[body.group]]\nname = \"g\"\nindices = [0]\n[[body.pin]]\ngroup = \"g\"\n"));
  const ContactSurface surface = body_surface(a);
  EXPECT_EQ(surface.triangles().size(), 48U);
  EXPECT_EQ(surface.vertices().size(), 26U + 4U);  // Without the cube's middle.
  EXPECT_EQ(surface.edges().size(), 72U + 3U);
  EXPECT_FALSE(surface.is_free(27));
  EXPECT_TRUE(surface.is_free(28));
}

TEST(BodyContact, IsAlsoOfTheLinesOfAMeshThatHasFaces) {
  Files files = usual_files();
  files["kite.obj"] = std::string(quad_obj) + "v -1 0 0\nv -2 0 0\nl 1 5\nl 5 6\n";
  const Assembly a =
      load(scene(all_touch, "[[body]]\nname = \"kite\"\nmesh = \"kite.obj\"\nmass = 1.0\n"), {}, files);
  const ContactSurface surface = body_surface(a);
  EXPECT_EQ(surface.triangles().size(), 2U);
  EXPECT_EQ(surface.vertices().size(), 6U);
  EXPECT_EQ(surface.edges().size(), 5U + 2U);
  EXPECT_TRUE(surface.is_line({4, 5}));
  EXPECT_TRUE(surface.is_line({0, 4}));
  EXPECT_FALSE(surface.is_line({0, 1}));
  EXPECT_FALSE(surface.is_line({1, 4})) << "no edge";
}

TEST(BodyContactFindings, AThicknessAndAMethodThatSolvesForItAreNeeded) {
  EXPECT_EQ(findings_of(scene(bodies_touch, two_cubes)), "");
  EXPECT_THAT(findings_of(scene("against = [\"bodies\"]\n", two_cubes)),
              HasSubstr("scene.toml:5:11: error: contact of bodies needs a thickness"));
  EXPECT_THAT(findings_of(scene("against = [\"bodies\"]\nthickness = 0.0\n", two_cubes)),
              HasSubstr("scene.toml:6:13: error: contact of bodies needs a thickness"));
  EXPECT_THAT(findings_of(scene(bodies_touch + "[integrator]\nmethod = \"verlet\"\n", two_cubes)),
              HasSubstr("contact of bodies does not go with method = \"verlet\""));
  EXPECT_THAT(findings_of(scene(bodies_touch + "[integrator]\nelastic_solver = \"lbfgs\"\n", two_cubes)),
              HasSubstr("contact of bodies does not go with elastic_solver = \"lbfgs\""));
  const std::string plane =
      "[[obstacle]]\nname = \"o\"\nshape = \"plane\"\npoint = [0, 0, -9]\nnormal = [0, 0, 1]\n";
  EXPECT_EQ(findings_of(scene(bodies_touch, two_cubes + plane + "law = \"sticking\"\n")), "");
  EXPECT_EQ(findings_of(scene(bodies_touch, two_cubes + plane)), "");
  EXPECT_EQ(findings_of(scene(bodies_touch, two_cubes + plane + "law = \"penalty\"\nstiffness = 1\n")), "");
  EXPECT_THAT(findings_of(scene("against = [\"self\"]\nthickness = 0.01\n", two_cubes + plane)),
              HasSubstr("\"against\" leaves out obstacles, but obstacle \"o\" is to be touched"));
}

TEST(BodyContactFindings, BodiesThatGoThroughEachOtherAreToldWithThePlace) {
  EXPECT_THAT(findings_of(scene(bodies_touch, cube("a", "[0, 0, 0]") + cube("b", "[0.1, 0.2, 0.9]"))),
              HasSubstr("bodies \"a\" and \"b\" go through each other at the start, in "));
  EXPECT_THAT(findings_of(scene(bodies_touch, cube("a", "[0, 0, 0]") + cube("b", "[0.1, 0.2, 0.9]"))),
              HasSubstr("scene.toml:18:13: error: "));
  EXPECT_EQ(findings_of(scene(bodies_touch + "[[contact.pair]]\nbetween = [\"a\", \"b\"]\nignore = true\n",
                              cube("a", "[0, 0, 0]") + cube("b", "[0.1, 0.2, 0.9]"))),
            "");
}

TEST(BodyContactFindings, BodiesInsideOfASolidAreTold) {
  const std::string small =
      "[[body]]\nname = \"s\"\ntranslate = [0.2, 0.2, 0.2]\ndensity = 6.0\n"
      "generate = { shape = \"box\", cells = [1, 1, 1], cell_size = 0.1 }\n"
      "[[body.material]]\nmodel = \"corotated\"\nyoungs_modulus = 1e5\npoissons_ratio = 0.3\n";
  EXPECT_THAT(
      findings_of(scene(bodies_touch, cube("a", "[0, 0, 0]") + small)),
      HasSubstr(
          "8 vertices of body \"s\" start inside body \"a\", the first, vertex 0, at [0.15, 0.15, 0.15] m"));
}

TEST(BodyContactFindings, AStartWithinATenthOfTheThicknessIsTold) {
  EXPECT_THAT(findings_of(scene(bodies_touch, cube("a", "[0, 0, 0]") + cube("b", "[0, 0, 1.0005]"))),
              HasSubstr("bodies \"a\" and \"b\" are 0.0005 m apart at the start"));
  const std::string near = scene(bodies_touch, cube("a", "[0, 0, 0]") + cube("b", "[0, 0, 1.005]"));
  EXPECT_EQ(findings_of(near), "");
  EXPECT_THAT(
      texts_of(scene_warnings(load(near))),
      ElementsAre(HasSubstr("bodies \"a\" and \"b\" start 0.005 m apart, within thickness = 0.01 m")));
  EXPECT_THAT(texts_of(scene_warnings(load(scene(bodies_touch, two_cubes)))), IsEmpty());
}

TEST(BodyContactFindings, AThicknessThatIsTooLargeForTheMeshIsTold) {
  const std::string thick = "against = [\"bodies\", \"self\"]\nthickness = 0.3\n";
  const std::string apart = cube("a", "[0, 0, 0]") + cube("b", "[0, 0, 3]");
  EXPECT_THAT(
      findings_of(scene(thick, apart)),
      HasSubstr("\"thickness\" = 0.3 m is more than half of the shortest edge of what may touch, 0.5 m"));
  // Two layers of one body, 0.2 m apart, each of 1 m.
  const std::string layers =
      "[[body]]\nname = \"l\"\nmass = 1.0\nmesh = \"layers.obj\"\n[[body.springs]]\nfrom = "
      "\"edges\"\nstiffness = 1.0\n";
  const Files files{
      {"layers.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.2\nv 1 0 0.2\nv 0 1 0.2\nf 1 2 3\nf 4 5 6\n"}};
  EXPECT_THAT(
      findings_of(scene("against = [\"self\"]\nthickness = 0.25\n", layers), {}, files),
      HasSubstr(
          "of body \"l\", which share no vertex, are 0.2 m apart at rest, less than thickness = 0.25 m; "
          "allowed: a thickness of at most 0.2 m"));
  EXPECT_EQ(findings_of(scene("against = [\"self\"]\nthickness = 0.2\n", layers), {}, files), "");
}

TEST(BodyContactFindings, AThicknessBelowTheRoundingOfPlacesIsTold) {
  // The highest vertices are at 1.52 m.
  const auto found = [](const std::string& thickness) {
    return findings_of(scene("against = [\"bodies\"]\nthickness = " + thickness + "\n", two_cubes));
  };
  EXPECT_THAT(
      found("1e-300"),
      HasSubstr("scene.toml:6:13: error: \"thickness\" = 1e-300 m is lost in the rounding of places up "
                "to 1.52 m from the origin; allowed: at least 1.52e-09 m"));
  EXPECT_THAT(found("1.5e-9"), HasSubstr("is lost in the rounding"));
  EXPECT_EQ(found("1.6e-9"), "");
}

/// What is allowed is never a thickness of 0 m.
TEST(BodyContactFindings, AMeshWithoutLengthsIsToldAsSuch) {
  const std::string body =
      "[[body]]\nname = \"l\"\nmass = 1.0\nmesh = \"l.obj\"\n[[body.springs]]\nfrom = \"edges\"\n"
      "stiffness = 1.0\n";
  const Files point{{"l.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 1 4 3\n"}};
  EXPECT_THAT(findings_of(scene("against = [\"self\"]\nthickness = 0.01\n", body), {}, point),
              AllOf(HasSubstr("shortest edge of what may touch, 0 m"),
                    HasSubstr("allowed: a mesh whose edges have a length"), Not(HasSubstr("at most 0 m"))));
  // Two triangles that lie on each other at rest and start apart.
  const Files twice{{"l.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n"}};
  std::string apart = body;
  apart.insert(apart.find("[[body.springs]]"),
               "initial_positions = [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,0,1],[0,1,1]]\n");
  EXPECT_THAT(findings_of(scene("against = [\"self\"]\nthickness = 0.01\n", apart), {}, twice),
              AllOf(HasSubstr("allowed: parts that are apart at rest, or"), Not(HasSubstr("at most 0 m"))));
}

TEST(BodyContactFindings, FlatTrianglesAreTold) {
  const std::string flat =
      "[[body]]\nname = \"l\"\nmass = 1.0\nmesh = \"flat.obj\"\n[[body.springs]]\nfrom = "
      "\"edges\"\nstiffness = 1.0\n";
  const Files files{{"flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\n"}};
  EXPECT_THAT(findings_of(scene("against = [\"self\"]\nthickness = 0.01\n", flat), {}, files),
              HasSubstr("1 triangle of body \"l\" has no area, the first of vertices 0, 1, 3"));
}

/// A thickness that a finding advises is allowed, also where three digits are fewer than the edge has.
TEST(BodyContactFindings, AnAdvisedThicknessIsAllowed) {
  const auto findings = [](const std::string& thickness) {
    return findings_of(scene("against = [\"bodies\"]\nthickness = " + thickness + "\n",
                             "[[body]]\nname = \"a\"\ngenerate = { shape = \"box\", cells = [2, 2, 2], "
                             "cell_size = 0.0499675 }\ndensity = 6.0\n" +
                                 cube("b", "[0, 0, 9]")));
  };
  EXPECT_THAT(findings("0.03"), HasSubstr("allowed: at most 0.0249 m"));
  EXPECT_THAT(findings("0.025"), HasSubstr("is more than half of the shortest edge"));
  EXPECT_EQ(findings("0.0249"), "");
}

/// A pair is a vertex and a triangle, or two edges.
TEST(BodyContactWarnings, BodiesThatNoPairJoinsAreTold) {
  const auto body = [](const std::string& name, const std::string& shape) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1.0\ntranslate = [0, 0, " +
           std::to_string(name[0] - 'a') + "]\ngenerate = " + shape + "\n";
  };
  const std::string wire = "{ shape = \"chain\", vertices = 4 }",
                    cloud = "{ shape = \"torus\", vertices = 24, sampling = \"best_candidate\" }",
                    sheet = "{ shape = \"grid\", width = 1.0, height = 1.0, rows = 3, columns = 3 }";
  const auto warned = [&](const std::string& bodies, const std::string& more = "") {
    return texts_of(
        scene_warnings(load(scene("against = [\"bodies\", \"self\"]\nthickness = 0.01\n" + more, bodies))));
  };
  EXPECT_THAT(warned(body("a", wire) + body("b", wire) + body("c", sheet)), IsEmpty());
  const std::string all = body("a", wire) + body("b", cloud) + body("c", sheet) + body("d", cloud);
  EXPECT_THAT(
      warned(all),
      ElementsAre(AllOf(HasSubstr("bodies pass through each other although [contact] against names "
                                  "them: \"a\" and \"b\", \"b\" and itself, \"a\" and \"d\", \"b\" and "
                                  "\"d\", \"d\" and itself; vertices without edges touch faces alone"))));
  const BodyPairs pairs =
      body_pairs(load(scene("against = [\"bodies\", \"self\"]\nthickness = 0.01\n", all)));
  EXPECT_TRUE(pairs.may_touch(0, 0));
  EXPECT_FALSE(pairs.may_touch(0, 1));
  EXPECT_FALSE(pairs.may_touch(1, 1));
  EXPECT_FALSE(pairs.may_touch(1, 3));
  for (std::size_t b = 0; b < 4; ++b) EXPECT_TRUE(pairs.may_touch(2, b)) << b;
  std::string ignored;
  for (const char* names : {"\"a\", \"b\"", "\"b\", \"b\"", "\"a\", \"d\"", "\"b\", \"d\"", "\"d\", \"d\""})
    ignored += "[[contact.pair]]\nbetween = [" + std::string(names) + "]\nignore = true\n";
  EXPECT_THAT(warned(all, ignored), IsEmpty());
}

TEST(BodyContactWarnings, AVeryThinThicknessIsTold) {
  const auto warned = [&](const std::string& thickness) {
    return texts_of(
        scene_warnings(load(scene("against = [\"bodies\"]\nthickness = " + thickness + "\n", two_cubes))));
  };
  EXPECT_THAT(warned("1e-5"),
              ElementsAre(AllOf(HasSubstr("is less than a ten-thousandth of the shortest edge"),
                                HasSubstr("use at least 5e-05 m"))));
  EXPECT_THAT(warned("5e-5"), IsEmpty());
}

TEST(BodyContactWarnings, ABodyThatCannotMeetItselfIsTold) {
  const std::string one =
      "[[body]]\nname = \"l\"\nmass = 1.0\nmesh = \"one.obj\"\n[[body.springs]]\nfrom = \"edges\"\nstiffness "
      "= 1.0\n";
  const Files files{{"one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}};
  EXPECT_THAT(
      texts_of(scene_warnings(load(scene("against = [\"self\"]\nthickness = 0.01\n", one), {}, files))),
      ElementsAre(
          HasSubstr("\"self\" in [contact] against has no effect: no part of a body can meet another")));
}

TEST(BodyContactWarnings, ChargedBodiesThatMayTouchNeedASoftening) {
  const std::string charged = cube("a", "[0, 0, 0]", "charge = 1e-9\n") + cube("b", "[0, 0, 1.5]");
  const std::string coulomb = "[coulomb]\nsoftening = 0.01\n";
  EXPECT_THAT(texts_of(scene_warnings(load(scene(bodies_touch, charged + coulomb)))),
              ElementsAre(HasSubstr("charged body \"a\" may touch other bodies")));
  EXPECT_THAT(texts_of(scene_warnings(load(scene("", charged + coulomb)))),
              Not(Contains(HasSubstr("charged body"))));
}

}  // namespace
}  // namespace electret::test
