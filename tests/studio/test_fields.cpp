/// What an edit of a key does, and the fields that the schema makes of a text.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/fields.hpp>

#include "studio/played.hpp"

namespace electret::studio {
namespace {

using test::chain_scene;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Document read(const std::string& text) {
  std::vector<Finding> findings;
  Document document(text, "scene.toml", {}, findings);
  EXPECT_THAT(findings, IsEmpty()) << text;
  return document;
}

TEST(StudioEffects, KeysTellWhatAnEditDoes) {
  for (const char* key : {"body.0.charge=1", "body.12.charges.3=1", "body.0.group_charge.1.value=2",
                          "body.0.total_charge=1", "body.0.group.2={ name = \"x\", indices = [1] }",
                          "external_charge.0.charge", "external_charge.1.width", "body.0.pin.0.times=[0.0]",
                          "body.0.muscle.0.activation=0.5", "obstacle.0.offsets"})
    EXPECT_EQ(effect_of(key), EditEffect::input) << key;
  for (const char* key :
       {"body.0.mass=1", "body.0.springs.0.stiffness=1", "body.0.springs.1={ stiffness = 1.0 }",
        "body.0.material.0.youngs_modulus", "body.0.muscle.0.stiffness=2", "time.step=1",
        "integrator.method=\"imex\"", "integrator", "coulomb", "coulomb.softening=1", "gravity.acceleration",
        "damping.drag", "electric_field.0", "obstacle.0.radius=1", "obstacle.0.friction", "contact.friction",
        "contact.pair.0.friction", "hydrodynamics.0.density", "body.0.density"})
    EXPECT_EQ(effect_of(key), EditEffect::live) << key;
  for (const char* key : {"scene.name",
                          "output.every=2",
                          "change.0",
                          "grab.0.stiffness",
                          "time.steps=4",
                          "time.duration",
                          "time",
                          "body",
                          "body.1",
                          "body.0.name",
                          "body.0.mesh=\"x.obj\"",
                          "body.0.generate.vertices=9",
                          "body.0.scale",
                          "body.0.velocity",
                          "body.0.initial_positions",
                          "body.0.pin.1",
                          "body.0.pin.0.group=\"a\"",
                          "body.0.group.0.indices=[1]",
                          "external_charge.0",
                          "external_charge.0.mesh",
                          "obstacle.1",
                          "obstacle.0.law",
                          "contact",
                          "contact.against",
                          "contact.pair.0",
                          "contact.pair.0.ignore",
                          "integrator.method=\"auto\"",
                          "integrator={ method = \"auto\" }",
                          "coulomb.device=\"cpu\""})
    EXPECT_EQ(effect_of(key), EditEffect::reset) << key;
}

TEST(StudioEffects, HandsStayWhereBodiesAreAsStiffAsBefore) {
  for (const char* key :
       {"body.0.charge=1", "gravity.acceleration=[0, 0, 1]", "electric_field.0.constants.a=1",
        "coulomb.softening=1", "body.0.pin.0.times=[0.0]"})
    EXPECT_TRUE(keeps_grips({0, {key}, {}})) << key;
  for (const char* key : {"body.0.mass=1", "body.0.springs.0.stiffness=1", "time.step=1", "integrator.method",
                          "damping.drag=1", "body.0.muscle.0.stiffness"})
    EXPECT_FALSE(keeps_grips({0, {key}, {}})) << key;
  EXPECT_FALSE(keeps_grips({0, {"body.0.charge=1"}, {"body.0.mass"}}));
  EXPECT_TRUE(is_of_inputs({0, {"body.0.charge=1"}, {}}));
  EXPECT_FALSE(is_of_inputs({0, {"gravity.acceleration=[0, 0, 1]"}, {}}));
}

TEST(StudioEffects, KeysThatHoldOneAnotherAreRelated) {
  EXPECT_TRUE(are_related("damping.drag", "damping={ drag = 1 }"));
  EXPECT_TRUE(are_related("body.chain.springs.0.stiffness=1", "body.0.springs.0.stiffness"));
  EXPECT_FALSE(are_related("body.1.mass", "body.0.mass"));
  EXPECT_FALSE(are_related("damping.drag", "damping.spring=1"));
  EXPECT_FALSE(are_related("time.steps", "time.step"));
}

/// Keys of one item would be those of another where items come, go or change places.
TEST(StudioEffects, KeysWaitWithTheirList) {
  Change change{0,
                {"body.0.pin.0.group=\"tip\"", "body.0.pin.0.times=[0.0]", "body.0.pin.1={ group = \"top\" }",
                 "body.1.pin.0.times=[0.0]", "body.0.charge=1e-7", "body.0.group_charge.0.times=[0.0]",
                 "obstacle.0.offsets=[[0.0, 0.0, 0.0]]", "obstacle.0.radius=2.0",
                 "external_charge.0.charge=1e-6", "contact.pair.0.friction=0.1", "damping.drag=1.0"},
                {"obstacle.1", "body.0.pin.0.interpolation", "contact.pair.1"}};
  EXPECT_THAT(
      take_what_waits(change),
      UnorderedElementsAre("body.0.pin.0.group", "body.0.pin.0.times", "body.0.pin.1", "obstacle.0.offsets",
                           "obstacle.0.radius", "obstacle.1", "body.0.pin.0.interpolation", "contact.pair.1",
                           "contact.pair.0.friction"));
  EXPECT_THAT(change.set, ElementsAre("body.1.pin.0.times=[0.0]", "body.0.charge=1e-7",
                                      "body.0.group_charge.0.times=[0.0]", "external_charge.0.charge=1e-6",
                                      "damping.drag=1.0"));
  EXPECT_THAT(change.unset, IsEmpty());
  EXPECT_THAT(take_what_is_live(change), ElementsAre("damping.drag=1.0"));
  EXPECT_EQ(change.set.size(), 4U);
  change = {0, {"external_charge.1={ charge = 1e-6 }", "external_charge.0.charge=2e-6"}, {}};
  static_cast<void>(take_what_waits(change));
  EXPECT_THAT(change.set, IsEmpty());
}

const FieldTable& table_at(const FieldsInfo& fields, const std::string& key) {
  for (const FieldTable& each : fields.tables)
    if (each.key == key) return each;
  throw InternalError("there is no such table");
}

TEST(StudioFields, AreWhatTheSchemaHas) {
  const Document document = read(chain_scene("imex"));
  const FieldsInfo fields = fields_of(document.root());
  std::vector<std::string> keys;
  for (const FieldTable& each : fields.tables) keys.push_back(each.key + ": " + each.label);
  EXPECT_THAT(keys, UnorderedElementsAre("time: time", "integrator: integrator", "coulomb: coulomb",
                                         "gravity: gravity", "damping: damping", "body.0: chain",
                                         "body.0.springs.0: springs of chain", "body.0.pin.0: pin of chain",
                                         "external_charge.0: external charge", "obstacle.0: obstacle ball"));
  EXPECT_THAT(table_at(fields, "body.0.springs.0").values,
              ElementsAre(Pair("from", "\"edges\""), Pair("stiffness", "100.0")));
  EXPECT_THAT(table_at(fields, "gravity").values, ElementsAre(Pair("acceleration", "[0.0, 0.0, -9.81]")));
  EXPECT_THAT(table_at(fields, "body.0").values, Not(Contains(Pair("charge", "1e-07"))));
  // Tables that may be absent, and named numbers.
  const FieldsInfo few = fields_of(
      read("[[electric_field]]\nexpression = [\"a*x\", \"0\", \"0\"]\nconstants = { a = 2.0, \"b c\" = 3 }\n")
          .root());
  EXPECT_THAT(table_at(few, "damping").values, IsEmpty());
  EXPECT_THAT(table_at(few, "electric_field.0").values,
              ElementsAre(Pair("expression", "[\"a*x\", \"0\", \"0\"]"), Pair("constants.a", "2.0"),
                          Pair("constants.\"b c\"", "3")));
  EXPECT_THAT(fields_of(read("body = 3\n[time]\nstep = [1]\n").root()).tables.size(), 4U);
}

/// A new key of the schema is a field by itself; each has a kind and says what it does.
TEST(StudioFields, EveryTableHasItsRows) {
  std::vector<std::string> all;
  for (const FieldSchema& table : field_schema())
    for (const FieldRow& row : table.rows) {
      all.push_back(table.table->name + "." + row.row->key + " " + row.kind + " " + name_of(row.effect));
      EXPECT_FALSE(row.row->is_framed);
    }
  for (const char* row : {"time.step number live",
                          "time.steps whole reset",
                          "integrator.method choice live",
                          "integrator.tolerance number live",
                          "coulomb.solver choice live",
                          "coulomb.softening number live",
                          "coulomb.device choice reset",
                          "gravity.acceleration vector live",
                          "damping.drag number live",
                          "body.mass number live",
                          "body.scale number reset",
                          "body.springs.stiffness number live",
                          "body.springs.neighbours whole live",
                          "body.material.youngs_modulus number live",
                          "body.material.poissons_ratio number live",
                          "body.muscle.stiffness number live",
                          "body.muscle.activation number input",
                          "body.muscle.expression text live",
                          "body.pin.axis vector reset",
                          "electric_field.expression toml live",
                          "electric_field.constants numbers live",
                          "obstacle.radius number live",
                          "obstacle.friction number live",
                          "contact.friction number live",
                          "contact.thickness number live",
                          "hydrodynamics.density number live",
                          "ball_contact.radius number live",
                          "external_charge.width number input",
                          "coulomb.ddef.half_taylor flag live"})
    EXPECT_THAT(all, Contains(row));
  for (const std::string& row : all) {
    EXPECT_THAT(row, Not(HasSubstr(".times "))) << row;
    EXPECT_THAT(row, Not(HasSubstr("camera."))) << row;
  }
}

TEST(StudioFields, AreSetBesideComments) {
  const std::string text = chain_scene("imex");
  const auto edited = [&](const std::string& key, const std::optional<std::string>& toml) {
    return edited_text(text, "scene.toml", edits_of_field(read(text).root(), key, toml));
  };
  EXPECT_THAT(edited("body.0.springs.0.stiffness", "2e1"), HasSubstr("  stiffness = 2e1\n"));
  EXPECT_THAT(edited("body.0.springs.0.modulus", "3"), Not(HasSubstr("stiffness = 100.0")));
  EXPECT_THAT(edited("damping.drag", std::nullopt), Not(HasSubstr("drag")));
  EXPECT_EQ(edited("damping.drag", "0.1"), text);
  EXPECT_EQ(edited("integrator.tolerance", std::nullopt), text);
  for (const char* key : {"", ".", "time", "time.", "body.0", "body.9.mass", "body.0.springs.1.stiffness",
                          "body.0.group.0.name", "scene.name", "output.every", "body.0.charge", "a.b"})
    EXPECT_THROW(static_cast<void>(edits_of_field(read(text).root(), key, "1.0")), InputError) << key;
  for (const char* toml : {"", " ", "1 2", "1\nx = 2", "1\n[y]", "[1", "\"a", "x", "{ a = 1"})
    EXPECT_THROW(static_cast<void>(edits_of_field(read(text).root(), "damping.drag", toml)), InputError)
        << toml;
}

}  // namespace
}  // namespace electret::studio
