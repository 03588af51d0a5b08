#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/warnings.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> warnings_of(const std::string& text, const std::vector<std::string>& set = {},
                                     const Files& files = usual_files()) {
  return texts_of(scene_warnings(load(text, set, files)));
}

TEST(Warnings, SettingsOfAnotherSolverAreTold) {
  const std::string table = "[coulomb]\nddef.grid_points = 77\n";
  EXPECT_THAT(warnings_of(scene_with(table)),
              ElementsAre("scene.toml:9:20: warning: \"ddef.grid_points\" is used only by the solver ddef; "
                          "the solver here is auto, which never takes ddef; write solver = \"ddef\", or "
                          "leave ddef.grid_points out"));
  EXPECT_THAT(warnings_of(scene_with(table + "ddef.half_taylor = true\nsolver = \"fmm\"")),
              ElementsAre(StartsWith("scene.toml:9:20: warning: \"ddef.grid_points\""),
                          StartsWith("scene.toml:10:20: warning: \"ddef.half_taylor\"")));
  EXPECT_THAT(warnings_of(scene_with("[coulomb]"), {"coulomb.ddef.grid_points=5"}),
              ElementsAre(StartsWith("--set coulomb.ddef.grid_points: warning: ")));
}

TEST(Warnings, WhatIsUsedIsNot) {
  EXPECT_THAT(warnings_of(scene_with("[coulomb]\nsolver = \"ddef\"\nddef.grid_points = 77")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with("[coulomb]\nddef.half_taylor = false")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with("")), IsEmpty());
}

TEST(Warnings, VelocitiesOfAMeshThatIsTurnedAreTold) {
  const std::string body = "[time]\nstep = 1\nsteps = 1\n[[body]]\nname = \"p\"\nmesh = \"charged.ply\"\n";
  EXPECT_THAT(warnings_of(body), ::testing::Not(::testing::Contains(HasSubstr("rotate"))));
  EXPECT_THAT(warnings_of(body + "rotate = [0, 0, 90]\n"),
              ::testing::Contains(
                  "scene.toml:7:10: warning: the velocities of the mesh of body \"p\" are in world axes: "
                  "\"rotate\" does not turn them; give velocity or velocities in [[body]]"));
  EXPECT_THAT(warnings_of(body + "rotate = [0, 0, 90]\nvelocity = [1, 0, 0]\n"),
              ::testing::Not(::testing::Contains(HasSubstr("rotate"))));
  EXPECT_THAT(warnings_of(scene_with("rotate = [0, 0, 90]")), IsEmpty()) << "a mesh without velocities";
}

TEST(Warnings, VerticesWithoutSpringsAreTold) {
  Files files = usual_files();
  files["square.obj"] += "v 5 0 0\nv 6 0 0\n";
  const std::string edges = scene_with("[[body.springs]]\nstiffness = 1\n");
  EXPECT_THAT(
      warnings_of(edges, {}, files),
      ElementsAre("scene.toml:6:8: warning: of the 6 vertices of body \"a\", 2 are joined by no spring "
                  "(4, 5): they move apart from the body; join them by springs from nearest or pairs, "
                  "pin them, or take them out of the mesh"));
  for (int v = 7; v < 12; ++v) files["square.obj"] += "v " + std::to_string(v) + " 0 0\n";
  EXPECT_THAT(warnings_of(edges, {}, files),
              ElementsAre(HasSubstr("7 are joined by no spring (4, 5, 6, 7, 8, …)")));
  // Numbered within their body.
  const std::string second = "[[body]]\nmesh = \"square.obj\"\nmass = 1\ntranslate = [0, 0, 9]\n";
  EXPECT_THAT(
      warnings_of(edges + second + "[[body.springs]]\nstiffness = 1\n", {}, files),
      ElementsAre(HasSubstr("body \"a\""), HasSubstr("body \"body2\", 7 are joined by no spring (4, 5")));
  // Free particles and what is pinned are meant.
  EXPECT_THAT(warnings_of(scene_with(""), {}, files), IsEmpty());
  EXPECT_THAT(warnings_of(edges + "[[body.group]]\nname = \"g\"\nindices = [4, 5, 6, 7, 8, 9, 10]\n"
                                  "[[body.pin]]\ngroup = \"g\"\n",
                          {}, files),
              IsEmpty());
}

TEST(Warnings, ASurfaceThatNothingHoldsTogetherIsTold) {
  const std::string gravity = "[gravity]\nacceleration = [0, 0, -9.81]\n";
  EXPECT_THAT(warnings_of(scene_with("", gravity)),
              ElementsAre("scene.toml:8:8: warning: the 4 vertices of body \"a\" are joined by no spring or "
                          "element: each falls and moves on its own; write [[body.springs]], or "
                          "[[body.material]] for a mesh of elements, or pin them"));
  EXPECT_THAT(warnings_of(scene_with("", "[gravity]\nacceleration = [0, 0, 0]\n")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with("[[body.springs]]\nstiffness = 1\n", gravity)), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with("[[body.group]]\nname = \"g\"\nindices = [0]\n"
                                     "[[body.pin]]\ngroup = \"g\"\n",
                                     gravity)),
              IsEmpty());
  Files points = usual_files();
  points["square.obj"] = "v 0 0 0\nv 1 0 0\n";
  EXPECT_THAT(warnings_of(scene_with("", gravity), {}, points), IsEmpty());
}

TEST(Warnings, ChargesThatNothingActsOnAreTold) {
  EXPECT_THAT(
      warnings_of(scene_with("charge = 1e-6")),
      ElementsAre("scene.toml:8:10: warning: the charges of 4 vertices of body \"a\" have no effect: "
                  "there is no [coulomb]; write [coulomb] for the force between charges, or leave the "
                  "charges out"));
  EXPECT_THAT(warnings_of(scene_with("charges = [0, 0, 1, 0]")),
              ElementsAre(HasSubstr("of 1 vertex of body")));
  EXPECT_THAT(warnings_of(with_group_charge("times = [0, 1]\nvalues = [0, 1]")),
              ElementsAre(HasSubstr("of 2 vertices of body")));
  EXPECT_THAT(warnings_of(with_group_charge("value = 0")), IsEmpty());
  const std::string charged = scene_with("charge = 1e-6\n");
  EXPECT_THAT(warnings_of(charged + "[coulomb]"), IsEmpty());
  EXPECT_THAT(warnings_of(charged + "[[external_charge]]\ncharge = 1\nposition = [0, 0, 9]"), IsEmpty());
  EXPECT_THAT(warnings_of(charged + "[[electric_field]]\nexpression = [\"1\", \"0\", \"0\"]"), IsEmpty());
}

TEST(Warnings, ActivationsBelowZeroAreTold) {
  const std::string muscle =
      "[[body]]\nname = \"c\"\ngenerate = { shape = \"box\", cells = [2, 1, 1] }\ndensity = 1000\n"
      "[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1e4\n";
  const std::string words =
      ": no stretch is below 0, so that the muscle pulls at any length; use at least 0 ";
  EXPECT_THAT(warnings_of(scene_with(muscle + "activation = -0.25")),
              ElementsAre("scene.toml:15:14: warning: the activation of body.c.muscle.0 is -0.25" + words +
                          "unless that is meant"));
  EXPECT_THAT(warnings_of(scene_with(muscle + "activations = [1, -0.5]")),
              ElementsAre(AllOf(StartsWith("scene.toml:15:15: "), HasSubstr("body.c.muscle.0 is -0.5:"))));
  EXPECT_THAT(warnings_of(scene_with(muscle + "times = [0, 1]\nvalues = [1, -1]")),
              ElementsAre(AllOf(StartsWith("scene.toml:16:10: "), HasSubstr("is -1 in a key-frame"))));
  // Between keys of 0 a cubic curve swings below 0, and a straight line does not.
  const std::string keys = muscle + "times = [0, 1, 2]\nvalues = [0, 0, 1]\n";
  EXPECT_THAT(warnings_of(scene_with(keys + "interpolation = \"cubic\"")),
              ElementsAre(AllOf(StartsWith("scene.toml:16:10: "),
                                HasSubstr("is -0.0625 at t = 0.5 s, between key-frames"))));
  EXPECT_THAT(warnings_of(scene_with(keys)), IsEmpty());
  EXPECT_THAT(
      warnings_of(scene_with(muscle + "times = [0, 1, 2]\nvalues = [1, 1, 2]\ninterpolation = \"cubic\"")),
      IsEmpty());
  // h = 0.5 s, 4 steps.
  EXPECT_THAT(warnings_of(scene_with(muscle + "expression = \"1.25 - t\"")),
              ElementsAre(AllOf(StartsWith("scene.toml:15:14: "), HasSubstr("is -0.25 at t = 1.5 s"))));
  // At t = 0.25 s, which this method reads, and at no step.
  EXPECT_THAT(warnings_of(scene_with(muscle + "expression = \"abs(t - 0.25) - 0.125\""),
                          {"integrator.method=kick_midpoint"}),
              ElementsAre(AllOf(StartsWith("scene.toml:15:14: "), HasSubstr("is -0.125 at t = 0.25 s"))));
  EXPECT_THAT(warnings_of(scene_with(muscle + "expression = \"abs(t - 0.25) - 0.125\"")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with(muscle + "activation = 0")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with(muscle + "expression = \"2 - t\"")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with(muscle + "activation = 1\n" +
                                     "[[body.muscle]]\nfibre = [1, 0, 0]\n"
                                     "stiffness = 1e4\nactivation = -0.25"),
                          {"integrator.elastic_solver=local_global"}),
              ElementsAre(AllOf(HasSubstr("body.c.muscle.1 is -0.25"),
                                HasSubstr("\"local_global\", which may not converge with it"))));
}

TEST(Warnings, UnusedGroupsAreTold) {
  EXPECT_THAT(
      warnings_of(with_group("")),
      ElementsAre(
          "scene.toml:9:8: warning: group \"g\" of body \"a\" is not used; name it in "
          "[[body.group_charge]], [[body.pin]], [[body.load]], [[body.contact]] or a loss, or leave it "
          "out"));
  EXPECT_THAT(scene_warnings(load(with_group("")), {"a.g"}), IsEmpty());
  EXPECT_THAT(scene_warnings(load(with_group("")), {"b.g", "a.h"}), testing::SizeIs(1));
  EXPECT_THAT(warnings_of(with_pin("")), IsEmpty());
  EXPECT_THAT(warnings_of(with_group_charge("value = 1\n[coulomb]")), IsEmpty());
  EXPECT_THAT(warnings_of(with_load("group = \"g\"\nforce = [0, 0, 1]")), IsEmpty());
  // Another body's group of that name is another group.
  EXPECT_THAT(warnings_of(with_pin("[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\n[[body.group]]\n"
                                   "name = \"g\"\nindices = [0]\n")),
              ElementsAre(HasSubstr("group \"g\" of body \"b\" is not used")));
}

TEST(Warnings, KeyFramesBeyondTheRunAreTold) {
  // The run lasts 2 s.
  const std::string offsets = "offsets = [[0, 0, 0], [0, 0, 1], [0, 0, 2]]\n";
  EXPECT_THAT(
      warnings_of(with_pin("times = [0, 2, 2.5]\n" + offsets)),
      ElementsAre("scene.toml:13:9: warning: 1 of the 3 key-frames of the pin of group \"g\" of body \"a\" "
                  "is after the end of the run: the last at 2.5 s, the run lasts 2 s; make the run "
                  "longer, or the key-frames earlier"));
  EXPECT_THAT(warnings_of(with_pin("times = [0, 1, 2]\n" + offsets)), IsEmpty());
  EXPECT_THAT(warnings_of(with_load("group = \"g\"\nforce = [0, 0, 1]\ntimes = [0, 3]\nvalues = [1, 2]")),
              ElementsAre(HasSubstr("1 of the 2 key-frames of a load of body \"a\" is after the end")));
  EXPECT_THAT(warnings_of(with_group_charge("times = [0, 3]\nvalues = [1, 2]\n[coulomb]")),
              ElementsAre(HasSubstr("the charge of group \"g\" of body \"a\"")));
  const std::string external = "translate = [0, 0, 9]\n[[external_charge]]\ntimes = [0, 3]\n";
  EXPECT_THAT(warnings_of(scene_with(external + "charges = [1, 2]")),
              ElementsAre(HasSubstr("external charge 0")));
  EXPECT_THAT(warnings_of(scene_with(external + "charge = 1\npositions = [[0, 0, 0], [1, 0, 0]]")),
              ElementsAre(HasSubstr("external charge 0")));
}

TEST(Warnings, NeighboursThatABodyHasNotAreTold) {
  const auto with = [](const std::string& neighbours) {
    return warnings_of(
        scene_with("[[body.springs]]\nfrom = \"nearest\"\nstiffness = 1\nneighbours = " + neighbours));
  };
  EXPECT_THAT(with("4"),
              ElementsAre("scene.toml:11:14: warning: neighbours = 4, but each vertex of body \"a\" has 3 "
                          "others, so that all are joined with each other; 6 to 24 neighbours are usual"));
  EXPECT_THAT(with("3"), IsEmpty());
}

TEST(Warnings, ObstaclesThatTheStepDoesNotResolveAreTold) {
  const std::string friction = "friction = 0.5\nfriction_stiffness = ",
                    gravity = "[[body.springs]]\nstiffness = 1\n[gravity]\nacceleration = [0, 0, -9.81]";
  EXPECT_THAT(
      warnings_of(with_obstacle(friction + "9")),
      ElementsAre(
          "scene.toml:16:22: warning: the friction_stiffness of obstacle \"floor\", 9 N s/m, is too "
          "large for the step and a vertex of 2 kg; friction is stable up to 8 N s/m, 2 · mass/step"));
  EXPECT_THAT(warnings_of(with_obstacle(friction + "7")), IsEmpty());
  EXPECT_THAT(warnings_of(with_obstacle(gravity)),
              ElementsAre(HasSubstr("obstacle \"floor\" throws out a vertex of 2 kg that rests on it")));
  EXPECT_THAT(warnings_of(with_obstacle("exponent = 2\n" + gravity)),
              ElementsAre(HasSubstr("a step below 0.283 s")));
  EXPECT_THAT(warnings_of(with_obstacle("exponent = 2\n" + gravity + "\n[damping]"),
                          {"time.step=0.25", "time.steps=8"}),
              IsEmpty());
}

/// The floor's slope is 3/4. A vertex of 2 kg on it, with g = 10 m/s², has 16 N of push and 12 N along the
/// floor.
TEST(Warnings, FrictionThatDoesNotHoldIsTold) {
  const auto with = [](const std::string& friction, const std::string& gravity) {
    return warnings_of(
        with_obstacle("exponent = 2\nfriction_stiffness = 4\nfriction = " + friction +
                      "\n[[body.springs]]\nstiffness = 1\n[gravity]\nacceleration = " + gravity),
        {"time.step=0.25", "time.steps=8"});
  };
  EXPECT_THAT(
      with("0.8", "[0, 0, -10]"),
      ElementsAre(AllOf(
          HasSubstr("on obstacle \"floor\" the friction is larger than the weight along it, but it does "
                    "not hold: a vertex of 2 kg creeps downhill at 3 m/s"),
          HasSubstr("stable up to 16 N s/m"))));
  EXPECT_THAT(with("0.7", "[0, 0, -10]"), IsEmpty()) << "it slides";
  EXPECT_THAT(with("0.8", "[0, -6, -8]"), IsEmpty()) << "level";
  EXPECT_THAT(with("0.8", "[0, 0, 10]"), IsEmpty()) << "away from it";
}

/// The floor's normal is (0, 0.6, 0.8); the body's vertices lie within 1 m of the origin, 0.8 m above it and
/// more.
TEST(Warnings, BodiesThatStartInsideAnObstacleAreTold) {
  EXPECT_THAT(warnings_of(with_obstacle(), {"obstacle.0.normal=[0, -3, -4]"}),
              ElementsAre(AllOf(HasSubstr("4 vertices start inside obstacle \"floor\", the deepest "),
                                HasSubstr("the normal points out of the obstacle"))));
  EXPECT_THAT(warnings_of(with_obstacle()), IsEmpty());
}

TEST(Warnings, ObstaclesThatTheStepCannotStopABodyWithAreTold) {
  // m v²/2 = k/3 D³ at D = 0.49 m, for 2 kg and 2 m/s; 2 k D h² = 4 m at the longest step; told from twice
  // that on.
  const auto hit = [](const std::string& step) {
    return warnings_of(with_obstacle(),
                       {"body.0.velocity=[0, -1.2, -1.6]", "time.step=" + step, "time.steps=100"});
  };
  const double depth = std::cbrt(3.0 * 2.0 * 4.0 / (2.0 * 100.0)),
               longest = std::sqrt(4.0 * 2.0 / (200.0 * depth));
  EXPECT_NEAR(longest, 0.285, 1e-3);
  EXPECT_THAT(hit("0.58"),
              ElementsAre(HasSubstr("throws out a vertex of 2 kg that hits it as fast as here")));
  EXPECT_THAT(hit("0.58"), ElementsAre(HasSubstr("use a step below 0.285 s")));
  EXPECT_THAT(hit("0.56"), IsEmpty());
  EXPECT_THAT(warnings_of(with_obstacle(), {"body.0.velocity=[0, 1.2, 1.6]", "time.step=0.58"}), IsEmpty())
      << "away from it";
}

TEST(Warnings, ArePrintable) {
  const std::string body = "\n[[body.group]]\nname = \"\\u001b[2J\"\nindices = [0]\n";
  EXPECT_THAT(warnings_of(scene_with(body)), ElementsAre(HasSubstr("group \"\\x1b[2J\" of body")));
}

TEST(Notes, AClosedSurfaceOfEdgesUnderGravityIsTold) {
  const std::string gravity = "[gravity]\nacceleration = [0, 0, -9.81]\n";
  const auto with = [&](const std::string& shape, const std::string& springs, const std::string& top) {
    std::vector<std::string> texts;
    for (const Warning& note :
         scene_notes(load("[time]\nstep = 0.5\nsteps = 4\n" + top +
                          "[[body]]\nname = \"a\"\nmass = 1\ngenerate = " + shape + "\n" + springs))) {
      EXPECT_EQ(note.kind, WarningKind::shapeless);
      texts.push_back(to_string(note, "note"));
    }
    return texts;
  };
  const std::string sphere = "{ shape = \"sphere\", vertices = 20 }",
                    edges = "[[body.springs]]\nstiffness = 1\n";
  EXPECT_THAT(with(sphere, edges, gravity),
              ElementsAre(StartsWith(
                  "scene.toml:10:1: note: body \"a\" is a closed surface whose only springs are its "
                  "edges")));
  EXPECT_THAT(with(sphere, edges, ""), IsEmpty());
  EXPECT_THAT(with(sphere, "", gravity), IsEmpty());
  EXPECT_THAT(with(sphere, edges + "[[body.springs]]\nfrom = \"nearest\"\nstiffness = 1\n", gravity),
              IsEmpty());
  EXPECT_THAT(with("{ shape = \"grid\" }", edges, gravity), IsEmpty());
}

TEST(Warnings, SpringsWhoseRoundingHidesTheWeightAreTold) {
  const auto scene = [](const std::string& stiffness, const std::string& method, const std::string& gravity) {
    return "[time]\nstep = 1e-3\nsteps = 1\n[integrator]\nmethod = \"" + method +
           "\"\n[gravity]\nacceleration = " + gravity +
           "\n[[body]]\nname = \"rod\"\ngenerate = { shape = \"chain\", vertices = 3 }\nmass = 1e-3\n"
           "[[body.springs]]\nfrom = \"edges\"\nstiffness = " +
           stiffness + "\n[[body.group]]\nname = \"end\"\nindices = [0]\n[[body.pin]]\ngroup = \"end\"\n";
  };
  const std::string down = "[0.0, 0.0, -10.0]";
  // Springs of 0.5 m: 3 ends of free vertices on a weight of 0.02 N.
  EXPECT_THAT(
      warnings_of(scene("1e13", "imex", down)),
      ElementsAre(AllOf(StartsWith("scene.toml:14:13: warning: the springs of body \"rod\", stiffness times "
                                   "length, are 7.5e+14 times its weight: "),
                        HasSubstr("may stay where it starts; use softer springs"))));
  EXPECT_THAT(warnings_of(scene("1.4e12", "imex", down)), IsEmpty());
  EXPECT_THAT(warnings_of(scene("1.6e12", "imex", down)), testing::SizeIs(1));
  EXPECT_THAT(warnings_of(scene("1e13", "verlet", down)), IsEmpty());
  EXPECT_THAT(warnings_of(scene("1e13", "imex", "[0.0, 0.0, 0.0]")), IsEmpty());
}

}  // namespace
}  // namespace electret::test
