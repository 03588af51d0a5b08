/// \file
/// Scenes that change while they run: how changes are read, what a changed scene is, and what is refused.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/same_bits.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/write.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Springs, a charge, gravity and 100 steps of 0.02 s, with changes.
std::string with_changes(const std::string& changes, const std::string& time = "steps = 100") {
  return "[time]\nstep = 0.02\n" + time +
         "\n[gravity]\nacceleration = [0, 0, -9.81]\n"
         "[[body]]\nname = \"a\"\nmesh = \"square.obj\"\nmass = 2.0\ncharge = 1e-6\n"
         "[[body.springs]]\nfrom = \"edges\"\nstiffness = 10.0\n"
         "[[body.group]]\nname = \"g\"\nindices = [1, 2]\n[[body.pin]]\ngroup = \"g\"\n" +
         changes;
}
std::string change(const std::string& step, const std::string& keys) {
  return "[[change]]\nstep = " + step + "\n" + keys + "\n";
}

TEST(Changes, AreReadInTheirOrder) {
  const Assembly a =
      load(with_changes(change("3", "set = [\"time.step=0.01\", \"damping.drag=0.5\"]") +
                        change("3", "unset = [\"gravity\"]") + change("7", "set = [\"body.0.mass=3\"]")));
  ASSERT_EQ(a.scene.changes.size(), 3U);
  EXPECT_EQ(a.scene.changes[0].step, 3);
  EXPECT_EQ(a.scene.changes[0].set, (std::vector<std::string>{"time.step=0.01", "damping.drag=0.5"}));
  EXPECT_EQ(a.scene.changes[1].unset, std::vector<std::string>{"gravity"});
  EXPECT_EQ(a.scene.changes_made, 0U);
  EXPECT_EQ(a.scene.damping.drag, 0.0) << "nothing is changed at the start";
  EXPECT_EQ(changes_before(a.scene, 3), 0U);
  EXPECT_EQ(changes_before(a.scene, 4), 2U);
  EXPECT_EQ(changes_before(a.scene, 8), 3U);
  EXPECT_FALSE(is_change_due(a.scene, 2));
  EXPECT_TRUE(is_change_due(a.scene, 3));
}

/// As if the changes stood in the scene, but that they are made and the run is as long as before.
TEST(Changes, MakeTheSceneThatOverridesMake) {
  const Assembly a =
      load(with_changes(change("3", "set = [\"body.0.springs.0.stiffness=20\", \"body.0.charge=2e-6\"]") +
                        change("5", "set = [\"integrator.method=verlet\"]\nunset = [\"gravity\"]")));
  const Assembly one = changed_assembly(a, 1), two = changed_assembly(one, 2),
                 none = changed_assembly(two, 0);
  for (const Spring& spring : one.springs) EXPECT_EQ(spring.stiffness, 20.0);
  EXPECT_EQ(one.charges, std::vector<double>(4, 2e-6));
  EXPECT_TRUE(one.scene.gravity.has_value());
  EXPECT_EQ(one.scene.changes_made, 1U);
  EXPECT_EQ(one.scene.changes.size(), 2U);
  EXPECT_EQ(two.scene.integrator.method, "verlet");
  EXPECT_FALSE(two.scene.gravity.has_value());
  EXPECT_EQ(two.springs[0].stiffness, 20.0) << "changes add up";
  EXPECT_EQ(two.scene.time.steps, 100);
  EXPECT_EQ(two.scene.overrides, a.scene.overrides);
  EXPECT_EQ(two.scene.text, a.scene.text);
  EXPECT_EQ(none.springs[0].stiffness, 10.0);
  EXPECT_EQ(none.scene.integrator.method, "imex");
}

TEST(Changes, OverridesComeBeforeThem) {
  const std::string text = with_changes(change("3", "set = [\"damping.drag=0.5\"]"));
  const Assembly a = load(text, {"damping.drag=0.25", "change.0.step=9"});
  EXPECT_EQ(a.scene.damping.drag, 0.25);
  EXPECT_EQ(a.scene.changes[0].step, 9);
  EXPECT_EQ(changed_assembly(a, 1).scene.damping.drag, 0.5);
  EXPECT_TRUE(load(text, {"--unset change"}).scene.changes.empty());
}

TEST(Changes, OfTheStepGiveTheRunItsLegs) {
  const Assembly a = load(with_changes(change("20", "set = [\"time.step=0.01\"]") +
                                       change("40", "set = [\"damping.drag=1\"]") +
                                       change("60", "set = [\"time.step=0.02\"]")));
  const TimeOptions& time = a.scene.time;
  EXPECT_EQ(time.step, 0.02);
  EXPECT_EQ(time.steps, 100);
  ASSERT_EQ(time.legs.size(), 3U);
  EXPECT_EQ(time.at(20), 20 * 0.02);
  EXPECT_EQ(time.at(50), 20 * 0.02 + 30 * 0.01);
  EXPECT_EQ(time.at(60), 20 * 0.02 + 40 * 0.01);
  EXPECT_EQ(time.at(100), time.at(60) + 40 * 0.02);
  const Assembly changed = changed_assembly(a, 1);
  EXPECT_EQ(changed.scene.time.step, 0.01);
  EXPECT_EQ(changed.scene.time.at(50), time.at(50));
  EXPECT_TRUE(load(with_changes(change("20", "set = [\"time.step=0.02\"]"))).scene.time.legs.empty());
}

/// A scene that says how long it runs in seconds has so many steps as fit.
TEST(Changes, OfTheStepKeepTheDuration) {
  const std::string half = change("20", "set = [\"time.step=0.01\"]");
  const Assembly a = load(with_changes(half, "duration = 2.0"));
  EXPECT_EQ(a.scene.time.steps, 20 + 160);
  EXPECT_NEAR(a.scene.time.at(a.scene.time.steps), 2.0, 1e-12);
  EXPECT_EQ(changed_assembly(a, 1).scene.time.steps, 180);
  EXPECT_EQ(load(with_changes(half + change("100", "set = [\"time.step=0.02\"]"), "duration = 2.0"))
                .scene.time.steps,
            20 + 80 + 40);
  EXPECT_EQ(load(with_changes(change("99", "set = [\"damping.drag=1\"]"), "duration = 2.0")).scene.time.steps,
            100);
}

/// Only the steps that the run takes have to fit, not those that it would take without the change.
TEST(Changes, OfTheStepMakeAnyDurationWholeThatEndsWithAStep) {
  const std::string half = change("10", "set = [\"time.step=0.01\"]");
  const Assembly a = load(with_changes(half, "duration = 0.47"));
  EXPECT_EQ(a.scene.time.steps, 10 + 27);
  EXPECT_NEAR(a.scene.time.at(37), 0.47, 1e-14);
  EXPECT_EQ(
      load(with_changes(change("23", "set = [\"time.step=0.01\"]"), "duration = 0.47")).scene.time.steps, 24);
  // Two changes: what one leaves, the other mends.
  EXPECT_EQ(load(with_changes(
                     change("10", "set = [\"time.step=0.04\"]") + change("12", "set = [\"time.step=0.01\"]"),
                     "duration = 0.47"))
                .scene.time.steps,
            12 + 19);
}

/// One finding: its place ("LINE:COLUMN"), and words of it.
struct Refused {
  std::string changes;
  std::string place, words;
  std::string time = "steps = 100";
};

void PrintTo(const Refused& row, std::ostream* out) {
  *out << row.changes;
}

class RefusedChange : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedChange, IsOneFindingAtItsPlace) {
  const Refused& row = GetParam();
  const std::string found = findings_of(with_changes(row.changes, row.time));
  EXPECT_THAT(found, HasSubstr("scene.toml:" + row.place + ": error: ")) << found;
  EXPECT_THAT(found, HasSubstr(row.words));
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 0) << found;
}

std::string set_of(const std::string& text) {
  return "set = [\"" + text + "\"]";
}

INSTANTIATE_TEST_SUITE_P(
    Changes, RefusedChange,
    ::testing::Values(
        Refused{change("-1", set_of("damping.drag=1")), "20:8", "whole number ≥ 0"},
        Refused{change("1.5", set_of("damping.drag=1")), "20:8", "whole number"},
        Refused{"[[change]]\nset = [\"damping.drag=1\"]\n", "19:1", "\"step\" is missing"},
        Refused{change("100", set_of("damping.drag=1")), "20:8",
                "the change at step 100 is never made: the run has 100 steps; allowed: a step from 0 to 99"},
        Refused{change("180", set_of("damping.drag=1")), "20:8", "the run has 100 steps", "duration = 2.0"},
        Refused{change("9", set_of("damping.drag=1")) + change("8", set_of("damping.drag=2")), "23:8",
                "the change at step 8 stands behind one at step 9"},
        Refused{change("3", ""), "19:1", "the change at step 3 changes nothing"},
        Refused{change("3", "set = []"), "21:7", "\"set\" in [[change]] is empty"},
        Refused{change("3", "sets = [\"damping.drag=1\"]\nunset = [\"gravity\"]"), "21:1",
                "did you mean \"set\""},
        Refused{change("3", "set = \"damping.drag=1\""), "21:7", "list of texts"},
        Refused{change("3", "set = [\"damping.drag=1\", \"damping.drg=1\"]"), "21:26",
                "the change at step 3: unknown key \"drg\""},
        Refused{change("3", set_of("damping.drag=-1")), "21:8", "the change at step 3: \"drag\""},
        Refused{change("3", set_of("damping.drag=fast")), "21:8", "the change at step 3: \"drag\""},
        Refused{change("3", set_of("damping.drag")), "21:8", "no KEY=VALUE in \"damping.drag\""},
        Refused{change("3", set_of("body.7.mass=1")), "21:8", "\"body.7.mass\" leads nowhere"},
        Refused{change("3", "unset = [\"gravty\"]"), "21:10", "\"gravty\" cannot be removed"},
        Refused{change("3", set_of("change.0.step=4")), "21:8", "changes themselves do not change"},
        Refused{change("3", set_of("output.every=4")), "21:8", "a run is recorded in one way"},
        Refused{change("3", set_of("time.steps=4")), "21:8", "the length of the run is known"},
        Refused{change("3", set_of("time={step=1,steps=4}")), "21:8", "the length of the run is known"},
        Refused{change("3", set_of("time.step=0")), "21:8", "the change at step 3: \"step\""},
        Refused{change("3", set_of("time.step=0.03")), "19:1",
                "leaves 1.94 s of the \"duration\", which are 64.66", "duration = 2.0"},
        Refused{change("24", set_of("time.step=0.01")), "20:8", "the run has 24 steps", "duration = 0.47"},
        Refused{change("3", set_of("time.step=0.02")), "3:12",
                "\"duration\" = 0.47 is 23.499999999999996 steps of \"step\" = 0.02", "duration = 0.47"},
        Refused{change("3", set_of("damping.drag=1")), "3:12", "\"duration\" = 0.47 is 23.4",
                "duration = 0.47"},
        Refused{change("3", set_of("time.step=0.01")), "3:12", "allowed: at most", "duration = 1e300"},
        Refused{change("3", set_of("body.0.mesh='quad.obj'")), "19:1",
                "the change at step 3 moves bodies at the start"},
        Refused{
            change("3", set_of("body.0.generate={shape='chain',vertices=9}") + "\nunset = [\"body.0.mesh\"]"),
            "19:1", "the change at step 3"},
        Refused{change("3", set_of("body.1={name='b',mass=1,generate={shape='chain',vertices=9}}")), "19:1",
                "needs 13 vertices in 2 bodies in place of 4 in 1"},
        Refused{change("3", set_of("body.0.group.0.indices=[1]")), "19:1",
                "the change at step 3 needs other pins"},
        Refused{change("3", "unset = [\"body.0.pin\"]"), "19:1", "the change at step 3 needs other pins"},
        Refused{change("50", set_of("body.0.pin.0={group='g',times=[0,1],offsets=[[0,0,0],[0,0,2]]}")),
                "19:1", "lets the pin of vertex 1 jump by 2 m"},
        Refused{change("3", set_of("body.0.velocity=[1,0,0]")), "19:1", "other velocities at the start"},
        Refused{change("3", set_of("obstacle.0={name='o',shape='plane',point=[0,0,-9],normal=[0,0,1]}")),
                "19:1", "obstacles with the law \"exact\""},
        Refused{change("3", "unset = [\"body.0.group\"]"), "19:1", "has no group \"g\" (scene.toml:"}));

/// Pins that the new key-frames leave where they are may move on by them.
TEST(Changes, MayMovePinsOnFromWhereTheyAre) {
  EXPECT_EQ(findings_of(with_changes(
                change("50", set_of("body.0.pin.0={group='g',times=[1,2],offsets=[[0,0,0],[0,0,2]]}")))),
            "");
}

/// Faults of the scene and of its changes are found in one go, and none twice.
TEST(Changes, FindingsOfTheSceneAndOfChangesComeTogether) {
  std::string text = with_changes(change("3", set_of("damping.drg=1")));
  text.replace(text.find("mass = 2.0"), 10, "mass = -2.0");
  const std::string found = findings_of(text);
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1) << found;
  EXPECT_THAT(found, HasSubstr("\"mass\""));
  EXPECT_THAT(found, HasSubstr("unknown key \"drg\""));
}

/// A finding within a file that a change names stays in that file.
TEST(Changes, FindingsInFilesStayThere) {
  Files files = usual_files();
  files["charges.csv"] = "q\n1e-6\n1e-6\nx\n1e-6\n";
  const std::string found = findings_of(
      with_changes(change("3", "set = [\"body.0.charges='charges.csv'\"]\nunset = [\"body.0.charge\"]")), {},
      files);
  EXPECT_THAT(found, HasSubstr("charges.csv:4"));
  EXPECT_THAT(found, HasSubstr("the change at step 3: "));
}

/// What files hold when the scene is read is what changes make of them, whatever becomes of the files.
TEST(Changes, ReadEveryFileOnce) {
  std::vector<std::string> reads;
  Files files = usual_files();
  files["charges.csv"] = "q\n1e-6\n2e-6\n3e-6\n4e-6\n";
  const FileReader reader = [&](const std::string& path) {
    reads.push_back(path);
    return files.at(path);
  };
  const std::string text =
      with_changes(change("3", "set = [\"body.0.charges='charges.csv'\"]\nunset = [\"body.0.charge\"]") +
                   change("5", set_of("damping.drag=1")));
  const Assembly a = load_scene_text(text, "scene.toml", ".", {}, reader);
  EXPECT_EQ(reads, (std::vector<std::string>{"square.obj", "charges.csv"}));
  files.clear();
  EXPECT_EQ(changed_assembly(a, 2).charges, (std::vector<double>{1e-6, 2e-6, 3e-6, 4e-6}));
  EXPECT_EQ(reads.size(), 2U);
}

TEST(Changes, TellWhetherChargesChange) {
  const auto changes = [](const std::string& keys) {
    return load(with_changes(change("3", keys))).changed->change_charges();
  };
  EXPECT_FALSE(changes(set_of("damping.drag=1")));
  EXPECT_TRUE(changes(set_of("body.0.charge=2e-6")));
  EXPECT_TRUE(changes(set_of("body.0.group_charge.0={group='g',value=3e-6}")));
  EXPECT_EQ(load(with_changes("")).changed, nullptr);
}

/// A run that goes on has to have the same changes, down to the files that they read.
TEST(Changes, ArePartOfAScenesIdentity) {
  const auto part = [](const std::string& changes, const std::string& csv = "") {
    Files files = usual_files();
    files["charges.csv"] = csv;
    for (const Fingerprint& print : tables_identity(load(with_changes(changes), {}, files)))
      if (print.part == "changes") return print.value;
    return std::string();
  };
  EXPECT_EQ(part(""), "");
  const std::string one = part(change("3", set_of("damping.drag=1")));
  EXPECT_NE(one, "");
  EXPECT_NE(part(change("4", set_of("damping.drag=1"))), one);
  EXPECT_NE(part(change("3", set_of("damping.drag=2"))), one);
  const std::string from_file =
      change("3", "set = [\"body.0.charges='charges.csv'\"]\nunset = [\"body.0.charge\"]");
  EXPECT_NE(part(from_file, "q\n1\n2\n3\n4\n"), part(from_file, "q\n1\n2\n3\n5\n"));
}

/// A tree made in memory: findings are located by keys.
TEST(Changes, OfATreeAreLocatedByKeys) {
  std::vector<Finding> none;
  const Node root = Document(with_changes(change("3", set_of("damping.drg=1"))), "", {}, none).root();
  try {
    load_scene_tree(root, ".", {}, reader_of(usual_files()));
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.findings().size(), 1U) << error.what();
    EXPECT_EQ(error.findings()[0].where.file, "change.0.set");
  }
}

TEST(Changes, ComeWithASceneThatIsAssembledByItself) {
  Scene scene = parse_scene(with_changes(change("3", set_of("damping.drag=0.5"))), "scene.toml", ".");
  const Assembly a = assemble(scene, reader_of(usual_files()));
  EXPECT_EQ(changed_assembly(a, 1).scene.damping.drag, 0.5);
  scene.text.clear();
  EXPECT_THROW(assemble(scene, reader_of(usual_files())), InputError);
}

TEST(Changes, AreRefusedWhereTheyStand) {
  const Assembly a =
      load(with_changes(change("3", set_of("damping.drag=0.5")) + change("4", set_of("damping.drag=0.5"))));
  try {
    refuse_changes(a.scene, "a gradient");
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.findings().size(), 2U);
    EXPECT_EQ(error.findings()[1].where.line, 22);
    EXPECT_THAT(error.what(), HasSubstr("a gradient cannot pass the change at step 3"));
  }
  EXPECT_NO_THROW(refuse_changes(load(with_changes("")).scene, "a gradient"));
}

}  // namespace
}  // namespace electret::test
