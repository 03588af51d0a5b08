#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

TEST(Overrides, ReplaceAndAddValues) {
  const Assembly a =
      load(scene_with("charge = 1e-6\n"),
           {"body.0.charge=8e-6", "integrator.method=verlet", "time.steps = 7", "body.0.translate=[0, 0, 3]",
            "coulomb.softening=0.5", "scene.name=two words", "output.velocities=false", "body.0.name=\"b\""});
  EXPECT_EQ(a.charges[0], 8e-6);
  EXPECT_EQ(a.scene.integrator.method, "verlet");
  EXPECT_EQ(a.scene.time.steps, 7);
  EXPECT_EQ(a.rest_positions[0].z, 3.0);
  EXPECT_EQ(a.scene.coulomb.value().softening, 0.5);
  EXPECT_EQ(a.scene.name, "two words");
  EXPECT_FALSE(a.scene.output.velocities);
  EXPECT_EQ(a.scene.bodies[0].name, "b");
}

TEST(Overrides, ReachIntoListsAndInlineTables) {
  const std::string text = scene_with(
      "[[body.group]]\nname = \"g\"\nindices = [1, 2]\n[[body.group_charge]]\ngroup = \"g\"\nvalue = 1\n");
  EXPECT_EQ(load(text, {"body.0.group_charge.0.value=5"}).charge_tracks[0].charge.values[0], 5.0);
  EXPECT_EQ(load(text, {"body.0.group.0.indices.1=3"}).charge_tracks[0].vertices.at(1), 3);
  const std::string grid =
      "time = { step = 1, steps = 1 }\n[[body]]\nmass = 1\ngenerate = { shape = \"grid\", rows = 3, columns "
      "= 4 }\n";
  EXPECT_EQ(load(grid, {"body.0.generate.rows=5"}).masses.size(), 20U);
  EXPECT_EQ(load(text, {"body.0.charge=1", "body.0.charge=2"}).charges[0], 2.0);
}

TEST(Overrides, StartListsAndAppendToThem) {
  const std::string text = scene_with("");
  const Assembly one = load(text, {"external_charge.0.charge=2e-6", "external_charge.0.position=[1, 2, 3]"});
  ASSERT_EQ(one.external_charges.size(), 1U);
  EXPECT_EQ(one.external_charges[0].charge.values, std::vector<double>{2e-6});
  EXPECT_EQ(one.external_charges[0].position.values.at(0), (Vec3{1, 2, 3}));
  const Assembly two = load(text, {"external_charge.0={charge=1, width=1}", "external_charge.1.charge=2",
                                   "external_charge.1.width=1"});
  ASSERT_EQ(two.external_charges.size(), 2U);
  EXPECT_EQ(two.external_charges[1].charge.values, std::vector<double>{2.0});
  const Assembly springs = load(text, {"body.0.springs.0.stiffness=3", "body.0.springs.1.from=nearest",
                                       "body.0.springs.1.stiffness=4", "body.0.springs.1.neighbours=1"});
  EXPECT_EQ(springs.scene.bodies[0].springs.size(), 2U);
  EXPECT_EQ(springs.springs.front().stiffness, 3.0);
  EXPECT_EQ(springs.springs.back().stiffness, 4.0);
  const Assembly times =
      load(text, {"external_charge.0.width=1", "external_charge.0.times.0=0", "external_charge.0.times.1=1",
                  "external_charge.0.charges.0=5", "external_charge.0.charges.1=6"});
  EXPECT_EQ(times.external_charges.at(0).charge.values, (std::vector<double>{5.0, 6.0}));
}

TEST(Overrides, AreKeptInTheScene) {
  const std::vector<std::string> overrides{"time.step=0.25", "scene.name = some name"};
  EXPECT_EQ(load(scene_with(""), overrides).scene.overrides, overrides);
  EXPECT_TRUE(load(scene_with("")).scene.overrides.empty());
}

TEST(Overrides, FaultsAreLocatedAtTheKey) {
  const auto with = [](const std::string& text) { return findings_of(scene_with(""), {text}); };
  EXPECT_THAT(with("time.step=-1"),
              ::testing::StartsWith("--set time.step: error: \"step\" in [time] is -1, out of range"));
  EXPECT_THAT(with("time.stpe=1"),
              HasSubstr("--set time.stpe: error: unknown key \"stpe\" in [time]; did you mean"));
  EXPECT_EQ(
      with("body.2.charge=1"),
      "--set body.2.charge: error: \"body.2.charge\" leads nowhere: there is no number 2 in a list of 1, "
      "counted from 0; write the keys of the scene with dots, lists by number from 0 up to their end: "
      "body.0.charge");
  EXPECT_THAT(
      with("external_charge.1.charge=1"),
      ::testing::AllOf(::testing::StartsWith("--set external_charge.1.charge: error: \"external_charge.1."
                                             "charge\" leads nowhere: there is no list yet"),
                       ::testing::Not(HasSubstr("\n"))));
  EXPECT_THAT(with("body.1.charge=1"), HasSubstr("--set body.1.charge: error: neither \"mesh\" nor"));
  EXPECT_THAT(with("body.a.charge=1"), HasSubstr("\"a\" is no number"));
  EXPECT_THAT(with("body.0.name.x=1"), HasSubstr("nothing is inside a text"));
  EXPECT_THAT(with("body..x=1"), HasSubstr("empty part"));
  EXPECT_THAT(with("nonsense"), HasSubstr("no KEY=VALUE in \"nonsense\""));
  EXPECT_THAT(with("=1"), HasSubstr("no KEY=VALUE"));
  EXPECT_THAT(with("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r=1"), HasSubstr("too many parts"));
  EXPECT_THAT(with("integrator.method=multirate"),
              HasSubstr("--set integrator.method: error: method \"multirate\" is not available"));
  EXPECT_THAT(with("body.0.mass=nan"), HasSubstr("--set body.0.mass: error: \"mass\" in [[body]] is nan"));
  EXPECT_THAT(with("time.duration=2"),
              ::testing::StartsWith("--set time.duration: error: \"duration\" contradicts \"steps\""));
  EXPECT_THAT(with("body.0.mesh=other.obj"),
              HasSubstr("--set body.0.mesh: error: file \"other.obj\" cannot be read"));
  EXPECT_THAT(with("time.step=1\nx=2"),
              HasSubstr("--set time.step: error: \"time.step\" is set to more than"));
  EXPECT_THAT(with("output.every=true"), HasSubstr("is true; allowed: whole number"));
  EXPECT_THAT(with("output.every=1979-05-27"), HasSubstr("is a date or time"));
  EXPECT_EQ(with("body.0=1"), "--set body.0: error: \"body.0\" is 1, not a table; it is written [[body]]");
  EXPECT_THAT(with("body=1"), HasSubstr("--set body: error: \"body\" is 1, not a list of tables"));
  EXPECT_THAT(with("body.0.scale={x=[1]}"), HasSubstr("is a table of 1"));
}

TEST(Overrides, AStepThatDoesNotDivideTheDurationIsAtFault) {
  const std::string text = "[time]\nstep = 0.01\nduration = 0.1\n[[body]]\nmesh = \"square.obj\"\nmass = 1\n";
  const auto with = [&](const std::string& override_text) { return findings_of(text, {override_text}); };
  EXPECT_EQ(with("time.step=16"),
            "--set time.step: error: \"duration\" = 0.1 is 0.00625 steps of \"step\" = 16; allowed: a whole "
            "number of steps, such as with \"step\" = 0.1");
  EXPECT_THAT(with("time.step=0.03"), HasSubstr("such as with \"step\" = 0.03333333"));
  EXPECT_EQ(
      with("time.step=1e-300"),
      "--set time.step: error: \"duration\" = 0.1 is 1e+299 steps of \"step\" = 1e-300; allowed: at most "
      "9e+15 steps");
  EXPECT_THAT(with("time.duration=0.123"),
              ::testing::AllOf(::testing::StartsWith("--set time.duration: error: "),
                               HasSubstr("such as with \"duration\" = 0.12")));
  // What is advised is taken.
  EXPECT_EQ(with("time.step=0.1"), "");
  EXPECT_EQ(with("time.step=0.03333333"), "");
  EXPECT_EQ(with("time.duration=0.12"), "");
}

TEST(Removals, TakeKeysTablesAndItemsAway) {
  const std::string text = scene_with(
      "[[body.group]]\nname = \"g\"\nindices = [1, 2, 3]\n[[body.group_charge]]\ngroup = \"g\"\nvalue = 1\n",
      "[coulomb]\nsoftening = 0.5\n");
  EXPECT_EQ(load(text, {"--unset time.steps", "time.duration=1"}).scene.time.steps, 2);
  EXPECT_FALSE(load(text, {"--unset coulomb"}).scene.coulomb.has_value());
  EXPECT_EQ(load(text, {"--unset coulomb", "coulomb.constant=2"}).scene.coulomb.value().softening, 0.0);
  EXPECT_EQ(load(text, {"--unset body.0.group.0.indices.1"}).charge_tracks.at(0).vertices,
            (std::vector<Index>{1, 3}));
  EXPECT_TRUE(
      load(text, {"--unset body.0.group_charge.0", "--unset body.0.group.0"}).scene.bodies[0].groups.empty());
  EXPECT_EQ(load(text, {"--unset coulomb"}).scene.overrides, std::vector<std::string>{"--unset coulomb"});
}

TEST(Removals, FaultsAreLocatedAtTheKey) {
  const auto with = [](const std::string& text) { return findings_of(scene_with(""), {text}); };
  EXPECT_EQ(
      with("--unset time.stpes"),
      "--unset time.stpes: error: \"time.stpes\" cannot be removed: there is no \"stpes\"; did you mean "
      "\"steps\"?");
  EXPECT_THAT(with("--unset body.1"),
              HasSubstr("there is no number 1 in a list of 1, counted from 0; write"));
  EXPECT_THAT(with("--unset body.0.mass.x"), HasSubstr("nothing is inside a number"));
  EXPECT_EQ(with("--unset "), "--unset: error: the key is empty; give one, or leave the option out");
  EXPECT_EQ(with("--unset time.steps"),
            "--unset time.steps: error: neither \"steps\" nor \"duration\" is written in [time]; exactly one "
            "of them "
            "is required");
  EXPECT_THAT(with("--unset time.step"),
              ::testing::StartsWith("--unset time.step: error: \"step\" is missing"));
  EXPECT_THAT(with("--unset time"), ::testing::StartsWith("--unset time: error: [time] is missing"));
  EXPECT_THAT(with("--unset body.0"), HasSubstr("[[body]] is missing"));
  EXPECT_THAT(findings_of(scene_with("translate = [1, 2, 3]"), {"--unset body.0.translate.1"}),
              ::testing::StartsWith("--unset body.0.translate.1: error: \"translate\""));
}

}  // namespace
}  // namespace electret::test
