/// A changed assembly written as a scene reads as the same assembly.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/text.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/overrides_between.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/write.hpp>

#include "parameter_scene.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Every number that parameters are made of.
std::vector<double> all_numbers(const Assembly& assembly) {
  std::vector<double> all;
  for (const Parameter& parameter : parameters(assembly)) {
    Parameter each = parameter;
    each.is_common = false;
    for (const double value : each.read(assembly)) all.push_back(value);
  }
  return all;
}

void change(Assembly& assembly, const Parameter& parameter, double salt) {
  std::vector<double> values = parameter.read(assembly);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = values[k] * 1.3 + (values[k] == 0.0 ? 0.01 : 0.0) +
                1e-3 * std::abs(values[k]) * std::sin(salt + 3.0 * static_cast<double>(k));
  // A pin starts at the initial place.
  if (parameter.source.kind == &number::pin_offsets) std::fill(values.begin(), values.begin() + 3, 0.0);
  parameter.write(assembly, values);
}

TEST(WriteScene, EveryParameterReadsBackBitForBit) {
  const Assembly before = load(parameter_scene);
  for (const Parameter& parameter : parameters(before)) {
    Assembly changed = before;
    change(changed, parameter, 1.0);
    ASSERT_NE(all_numbers(changed), all_numbers(before)) << parameter.name;
    const std::string text = scene_text(changed, {parameter}, ".");
    EXPECT_EQ(all_numbers(load(text)), all_numbers(changed)) << parameter.name << "\n" << text;
  }
}

/// The limits that values of `parameter` may have. Of one that they may not have, the number next to it; near
/// 0 that would be one with which no step can be computed.
std::vector<double> limits_of(const Assembly& assembly, const Parameter& parameter) {
  const NumberRange range = parameter.range_in(assembly);
  std::vector<double> limits;
  for (const auto& [limit, is_excluded, inside] : {std::tuple(range.minimum, range.minimum_excluded, 1.0),
                                                   std::tuple(range.maximum, range.maximum_excluded, -1.0)}) {
    if (!std::isfinite(limit)) continue;
    const double next = limit == 0.0 ? 1e-3 * inside : std::nextafter(limit, limit + inside);
    limits.push_back(is_excluded ? next : limit);
  }
  return limits;
}

/// `parameter_scene`, and solids with what only they have.
std::vector<Assembly> scenes_of_all_parameters() {
  const std::string muscles =
      "[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1e3\nactivation = 0.9\n"
      "[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1e3\ntimes = [0, 1]\nvalues = [0.9, 1.1]\n"
      "[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1e3\nexpression = \"1 + a*t\"\nconstants = { a = 0.1 "
      "}\n";
  const std::string mesh =
      "[[obstacle]]\nname = \"block\"\nshape = \"mesh\"\nmesh = \"block.obj\"\ntranslate = [0, 0, -9]\n"
      "law = \"penalty\"\nstiffness = 10\n";
  const std::string exact =
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\n"
      "[contact]\nfriction = 0.5\n[[contact.pair]]\nbetween = [\"a\", \"floor\"]\nfriction = 0.3\n";
  return {load(parameter_scene), load(with_material(muscles)), load(with_obstacle() + mesh),
          load(scene_with(exact))};
}

/// What a fit may end at is a scene that a check accepts.
TEST(WriteScene, EveryParameterReadsBackAtItsLimits) {
  const std::vector<Assembly> scenes = scenes_of_all_parameters();
  for (const ParameterRow& row : parameter_rows()) {
    bool is_found = false, has_limits = false;
    for (const Assembly& before : scenes)
      for (const Parameter& parameter : row.find(before)) {
        if (parameter.members.empty()) continue;
        is_found = true;
        for (const double limit : limits_of(before, parameter)) {
          Assembly changed = before;
          parameter.write(changed, std::vector(parameter.size(), limit));
          const std::string text = scene_text(changed, {parameter}, ".");
          EXPECT_EQ(findings_of(text), "") << parameter.name << " = " << limit;
          has_limits = true;
        }
      }
    EXPECT_TRUE(is_found) << row.pattern << " is in no scene of this test";
    const bool is_bounded = std::isfinite(row.range.minimum) || std::isfinite(row.range.maximum);
    EXPECT_EQ(has_limits, is_bounded) << row.pattern;
  }
}

/// The largest friction depends on the law.
TEST(WriteScene, AFitCannotEndAtAFrictionThatTheLawRefuses) {
  const std::string plane = "shape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\nfriction = 0.5\n";
  const Assembly before = load(scene_with("[[obstacle]]\nname = \"exact\"\nlaw = \"exact\"\n" + plane +
                                          "[[obstacle]]\nname = \"soft\"\nlaw = \"penalty\"\nstiffness = 10\n"
                                          "friction_stiffness = 1\n" +
                                          plane));
  const Parameter exact = find_parameter(before, "obstacle.exact.friction");
  EXPECT_EQ(find_parameter(before, "obstacle.soft.friction").range.maximum,
            std::numeric_limits<double>::infinity());
  for (const double beyond : {0.0, 0.1}) {
    Assembly changed = before;
    exact.write(changed, std::vector{exact.range.maximum + beyond});
    EXPECT_EQ(findings_of(scene_text(changed, {exact}, ".")) == "", beyond == 0.0) << beyond;
  }
}

TEST(WriteScene, AllOfThemTogetherReadBack) {
  Assembly changed = load(parameter_scene);
  std::vector<Parameter> all;
  double salt = 0.0;
  for (const Parameter& parameter : parameters(changed)) {
    change(changed, parameter, salt += 1.0);
    all.push_back(parameter);
  }
  EXPECT_EQ(all_numbers(load(scene_text(changed, all, "."))), all_numbers(changed));
}

TEST(WriteScene, WithoutChangesOverridesAreApplied) {
  const Assembly assembly =
      load(parameter_scene, {"time.steps=7", "--unset damping", "scene.name=\"a \\\"b\\\"\""});
  const std::string text = scene_text(assembly, {}, ".");
  const Assembly again = load(text);
  EXPECT_EQ(again.scene.time.steps, 7);
  EXPECT_EQ(again.scene.name, "a \"b\"");
  EXPECT_EQ(all_numbers(again), all_numbers(assembly));
  EXPECT_EQ(scene_text(again, {}, "."), text);
}

/// What a record of a scene whose parameters were set holds.
TEST(PresentOverrides, GiveTheAssemblyFromTheScenesText) {
  const std::vector<std::string> own = {"body.0.mass=2.5", "--unset damping.drag"};
  const Assembly before = load(parameter_scene, own);
  EXPECT_EQ(present_overrides(before, {}), own);
  Assembly together = before;
  std::vector<Parameter> all;
  for (const Parameter& parameter : parameters(before)) {
    Assembly changed = before;
    change(changed, parameter, 1.0);
    change(together, parameter, static_cast<double>(all.size()));
    all.push_back(parameter);
    const std::vector<std::string> overrides = present_overrides(changed, {parameter});
    EXPECT_GT(overrides.size(), own.size()) << parameter.name;
    EXPECT_LE(overrides.size(), own.size() + 4) << parameter.name << ": " << joined(overrides);
    EXPECT_EQ(all_numbers(load(parameter_scene, overrides)), all_numbers(changed)) << joined(overrides);
  }
  EXPECT_EQ(all_numbers(load(parameter_scene, present_overrides(together, all))), all_numbers(together));
}

TEST(PresentOverrides, HaveWhatTheChangesThatWereMadeHaveSet) {
  const std::string changes =
      "[[change]]\nstep = 1\nset = [\"body.0.springs.0.stiffness=7\", \"time.step=0.125\"]\n"
      "unset = [\"damping\"]\n"
      "[[change]]\nstep = 3\nset = [\"gravity.acceleration=[0, 0, 1]\"]\n";
  std::string text = parameter_scene;
  text.replace(text.find("steps = 4"), 9, "duration = 2.0");
  const Assembly before = load(text + changes);
  for (std::size_t made = 0; made <= 2; ++made) {
    Assembly now = changed_assembly(before, made);
    const Parameter mass = find_parameter(now, "body.a.mass");
    mass.write(now, std::vector{5.0});
    const Assembly read = load(text + changes, present_overrides(now, {mass}));
    EXPECT_EQ(all_numbers(read), all_numbers(now)) << made;
    EXPECT_EQ(read.scene.changes.size(), 2 - made);
    EXPECT_EQ(read.scene.time.step, now.scene.time.step);
    EXPECT_EQ(read.scene.time.steps, now.scene.time.steps);
    EXPECT_EQ(now.scene.time.steps, 13);
  }
}

TEST(PresentOverrides, LeaveRestPositionsOut) {
  Assembly solid = load(solid_with(""));
  EXPECT_TRUE(present_overrides(solid, {find_parameter(solid, "body.a.rest_positions")}).empty());
  EXPECT_THROW(present_overrides(Assembly{}, {}), InputError);
}

TEST(OverridesBetween, MakeOneTreeOfTheOther) {
  const std::string from =
      "a = 1\nb = 2.0\nlist = [1, 2]\n[t]\nx = 'old'\ngone = true\n[[many]]\nk = 1\n[[many]]\nk = 2\n"
      "[named]\n\"a b\" = 1\nc = 2\n";
  const std::string to =
      "a = 1.0\nb = 3\nlist = [1]\nnew = { y = [ { z = 'a\\n\"b' } ] }\n[t]\nx = 'x=1'\n[[many]]\nk = 1\n"
      "[[many]]\nk = 5\n[named]\n\"a b\" = 4\nc = 2\n";
  const auto tree = [](const std::string& text, const std::vector<std::string>& overrides) {
    std::vector<Finding> findings;
    const Document document(text, "t", overrides, findings);
    EXPECT_TRUE(findings.empty());
    return document.root();
  };
  const std::vector<std::string> found = overrides_between(tree(from, {}), tree(to, {}));
  EXPECT_THAT(
      found, ::testing::UnorderedElementsAre("b=3", "list=[1]", "--unset t.gone", "t.x=\"x=1\"", "many.1.k=5",
                                             ::testing::StartsWith("new="), ::testing::StartsWith("named=")));
  EXPECT_TRUE(overrides_between(tree(from, found), tree(to, {})).empty());
  EXPECT_TRUE(overrides_between(tree(to, {}), tree(from, found)).empty());
}

TEST(WriteScene, CommonValuesAreWrittenOnceAndReplaceWhatTheyContradict) {
  Assembly assembly = load(
      "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"square.obj\"\ntotal_mass = 8.0\n"
      "total_charge = 4e-6\n[[body.springs]]\nmodulus = 3.0\n");
  const Parameter mass = find_parameter(assembly, "body.a.mass");
  mass.write(assembly, std::vector{2.5});
  const Parameter lengths = find_parameter(assembly, "body.a.rest_lengths");
  change(assembly, lengths, 0.3);
  const std::string text = scene_text(assembly, {mass, lengths}, ".");
  EXPECT_THAT(text, HasSubstr("\nmass = 2.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("total_mass")));
  EXPECT_THAT(text, HasSubstr("total_charge = 4e-06"));
  EXPECT_THAT(text, Not(HasSubstr("modulus")));
  EXPECT_EQ(all_numbers(load(text)), all_numbers(assembly));
}

TEST(WriteScene, ParametersThatItCannotWriteAreACallersMistake) {
  const Assembly solid = load(solid_with(""));
  EXPECT_THROW(scene_text(solid, {find_parameter(solid, "body.a.rest_positions")}, "."),
               std::invalid_argument);
  const Assembly small = load(scene_with(""));
  ASSERT_LT(small.masses.size(), solid.masses.size());
  EXPECT_THROW(scene_text(small, {find_parameter(solid, "body.a.charges")}, "."), std::invalid_argument);
}

TEST(WriteScene, FilesAreNamedFromTheNewFolder) {
  Scene scene = parse_scene(scene_with("masses = \"m.csv\""), "scene.toml", "/somewhere/scenes",
                            {"--unset body.0.mass"});
  Assembly assembly;
  assembly.scene = scene;
  EXPECT_THAT(scene_text(assembly, {}, "/somewhere/fits/one"),
              HasSubstr("mesh = \"../../scenes/square.obj\""));
  EXPECT_THAT(scene_text(assembly, {}, "/somewhere/scenes"), HasSubstr("masses = \"m.csv\""));
  assembly.scene = parse_scene(
      "time = { step = 1, steps = 1 }\n[[body]]\nmass = 1\ngenerate = { shape = \"fill\", surface = "
      "\"a.obj\" }\n",
      "scene.toml", "/somewhere/scenes");
  EXPECT_THAT(scene_text(assembly, {}, "/somewhere/fits/one"), HasSubstr("surface = \"../../scenes/a.obj\""));
}

/// How often `text` holds `part`.
std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(WriteScene, EveryKeyThatNamesAFileMoves) {
  Assembly assembly;
  assembly.scene = parse_scene(
      "time = { step = 1, steps = 1 }\n"
      "[[body]]\nmesh = \"m/mesh.obj\"\nmasses = \"m/masses.csv\"\ncharges = \"m/charges.csv\"\n"
      "velocities = \"m/velocities.csv\"\ninitial_positions = \"m/initial_positions.csv\"\n"
      "[[body.springs]]\nstiffnesses = \"m/stiffnesses.csv\"\nrest_lengths = \"m/rest_lengths.csv\"\n"
      "[[body.load]]\nforces = \"m/forces.csv\"\n"
      "[[body.muscle]]\nfibres = \"m/fibres.csv\"\nstiffness = 1\nactivations = \"m/activations.csv\"\n"
      "[[body]]\nmass = 1\ngenerate = { shape = \"fill\", surface = \"m/surface.obj\" }\n"
      "[[external_charge]]\ncharge = 1\nmesh = \"m/mesh.obj\"\n"
      "[[obstacle]]\nname = \"o\"\nshape = \"mesh\"\nmesh = \"m/mesh.obj\"\nlaw = \"penalty\"\nstiffness = "
      "1\n",
      "scene.toml", "/somewhere/scenes");
  const std::string moved = scene_text(assembly, {}, "/somewhere/fits/one");
  for (const FileKey& file : file_keys())
    EXPECT_THAT(moved, HasSubstr(file.key + " = \"../../scenes/m/" + file.key + ".")) << file.table;
  EXPECT_EQ(count_of(moved, "../../scenes/m/"), file_keys().size());
  EXPECT_EQ(count_of(moved, "\"m/"), 0U);
}

TEST(WriteScene, WhatAChangeSetsMovesThereAndBack) {
  const std::vector<std::string> set{"body.0.charges=\"q.csv\"", "time.step=0.01",
                                     "body.1.masses=\"tables/m.csv\"", "body.1.charges=\"/whole/l.csv\"",
                                     "external_charge=[{ charge = 1.0, mesh = \"../a.obj\" }]"};
  const auto moved = with_moved_paths(set, "/somewhere/scenes", "/somewhere/runs/one");
  EXPECT_THAT(moved, ::testing::ElementsAre("body.0.charges=\"../../scenes/q.csv\"", "time.step=0.01",
                                            "body.1.masses=\"../../scenes/tables/m.csv\"",
                                            "body.1.charges=\"/whole/l.csv\"", HasSubstr("\"../../a.obj\"")));
  const auto back = with_moved_paths(moved, "/somewhere/runs/one", "/somewhere/scenes");
  EXPECT_TRUE(std::equal(set.begin(), set.end() - 1, back.begin()));
  EXPECT_THAT(back.back(), HasSubstr("\"../a.obj\""));
}

TEST(WriteScene, OneWithoutAFileIsRefused) {
  EXPECT_THROW(scene_text(Assembly{}, {}, "."), InputError);
}

TEST(TomlText, ReadsBackAsTheSameTree) {
  const std::string text =
      "top = [1, 2.5, \"tab\\t quote\\\" back\\\\ bell\\u0007 ü\", true, [[0.1]], 1e300, 5.0]\n"
      "[a]\n\"strange key\" = { b = 1, c = [ { d = 2 } ] }\n[[a.list]]\nx = "
      "-0.0\n[[a.list]]\n[[a.list.deep]]\ny = 3\n";
  std::vector<Finding> findings;
  const Document once(text, "once", {}, findings);
  const Document twice(toml_text(once.root()), "twice", {}, findings);
  ASSERT_TRUE(findings.empty()) << toml_text(once.root());
  EXPECT_EQ(toml_text(twice.root()), toml_text(once.root()));
  const Node& top = twice.root().member("top")->node;
  EXPECT_EQ(top.items[0].kind, Node::Kind::whole);
  EXPECT_EQ(top.items[2].text, "tab\t quote\" back\\ bell\a ü");
  EXPECT_EQ(top.items[5].number, 1e300);
  EXPECT_EQ(top.items[6].kind, Node::Kind::number);
  const Node& a = twice.root().member("a")->node;
  EXPECT_EQ(a.member("strange key")->node.member("c")->node.items[0].member("d")->node.whole, 2);
  EXPECT_EQ(a.member("list")->node.items[1].member("deep")->node.items[0].member("y")->node.whole, 3);
}

}  // namespace
}  // namespace electret::test
