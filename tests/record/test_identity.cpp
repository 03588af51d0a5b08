#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/record/scene_identity.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/schema.hpp>

#include "record/key_pairs.hpp"
#include "record/made_scene.hpp"

namespace electret {
namespace {

using test::made_assembly;

/// made_assembly with one of everything that decides a run.
Assembly whole_assembly() {
  Assembly a = made_assembly({});
  a.scene.damping.spring = 0.2;
  a.groups = {{0, "left", {1, 2}}};
  a.scene.electric_fields = {{{"a*y", "x", "t"}, {{"a", 2.0}}}};
  FieldExpression field;
  std::vector<ExpressionError> errors;
  field.constant_names = {"a"};
  field.constants = {2.0};
  for (std::size_t k = 0; k < 3; ++k)
    field.components[k] =
        Expression::parse(a.scene.electric_fields[0].expression[k], field.constant_names, errors);
  a.fields = {field};
  a.charge_tracks.push_back({{5}, KeyFrames<double>::constant(1e-6), false, "constant"});
  return a;
}

std::vector<Fingerprint> identity_of(Assembly assembly) {
  return scene_identity(*compile(std::move(assembly), 1));
}

/// A change of one number of the scene, and the part that must tell.
struct Edit {
  const char* name;
  const char* part;
  std::function<void(Assembly&)> make;
};

void PrintTo(const Edit& change, std::ostream* out) {
  *out << change.name;
}

const std::vector<Edit>& changes() {
  static const std::vector<Edit> all = {
      {"step", "time.step", [](Assembly& a) { a.scene.time.step *= 2; }},
      {"method", "[integrator]", [](Assembly& a) { a.scene.integrator.method = "verlet"; }},
      {"tolerance", "[integrator]", [](Assembly& a) { a.scene.integrator.tolerance = 1e-7; }},
      {"cap", "[integrator]", [](Assembly& a) { a.scene.integrator.max_iterations = 7; }},
      {"elastic_solver", "[integrator]", [](Assembly& a) { a.scene.integrator.elastic_solver = "lbfgs"; }},
      {"no_coulomb", "[coulomb]", [](Assembly& a) { a.scene.coulomb.reset(); }},
      {"solver", "[coulomb]", [](Assembly& a) { a.scene.coulomb->solver = "direct"; }},
      {"accuracy", "[coulomb]", [](Assembly& a) { a.scene.coulomb->accuracy = 1e-4; }},
      {"constant", "[coulomb]", [](Assembly& a) { a.scene.coulomb->constant = 9e9; }},
      {"softening", "[coulomb]", [](Assembly& a) { a.scene.coulomb->softening = 0.1; }},
      {"grid_points", "[coulomb]", [](Assembly& a) { a.scene.coulomb->ddef_grid_points = 5; }},
      {"half_taylor", "[coulomb]", [](Assembly& a) { a.scene.coulomb->ddef_half_taylor = true; }},
      {"no_gravity", "[gravity]", [](Assembly& a) { a.scene.gravity.reset(); }},
      {"gravity", "[gravity]", [](Assembly& a) { a.scene.gravity->y = 1e-9; }},
      {"drag", "[damping]", [](Assembly& a) { a.scene.damping.drag = 0.2; }},
      {"spring_damping", "[damping]", [](Assembly& a) { a.scene.damping.spring = 0.3; }},
      {"every", "[output]", [](Assembly& a) { a.scene.output.every = 4; }},
      {"velocities", "[output]", [](Assembly& a) { a.scene.output.velocities = false; }},
      {"precision", "[output]", [](Assembly& a) { a.scene.output.precision = "single"; }},
      {"compression", "[output]", [](Assembly& a) { a.scene.output.compression = 3; }},
      {"bodies", "bodies",
       [](Assembly& a) {
         a.body_offsets = {0, 4, 24};
       }},
      {"group_name", "groups", [](Assembly& a) { a.groups[0].name = "right"; }},
      {"group_members", "groups", [](Assembly& a) { a.groups[0].vertices = {1}; }},
      {"rest", "rest positions", [](Assembly& a) { a.rest_positions[23].z += 1e-9; }},
      {"start", "initial positions", [](Assembly& a) { a.initial_positions[23].z += 1e-9; }},
      {"speed", "initial velocities", [](Assembly& a) { a.initial_velocities[23].x += 1e-9; }},
      {"mass", "masses", [](Assembly& a) { a.masses[23] += 1e-9; }},
      {"charge", "charges", [](Assembly& a) { a.charges[23] += 1e-12; }},
      {"charge_members", "charges",
       [](Assembly& a) {
         a.charge_tracks[0].vertices = {2, 4};
       }},
      {"charge_times", "charges", [](Assembly& a) { a.charge_tracks[0].charge.times[1] = 0.4; }},
      {"charge_values", "charges", [](Assembly& a) { a.charge_tracks[0].charge.values[1] = 0.0; }},
      {"charge_blend", "charges",
       [](Assembly& a) { a.charge_tracks[0].charge.interpolation = Interpolation::step; }},
      {"later_charge", "charges", [](Assembly& a) { a.charge_tracks[1].charge.values[0] = 2e-6; }},
      {"spring_end", "springs", [](Assembly& a) { a.springs.back().j = 0; }},
      {"spring_start", "springs", [](Assembly& a) { a.springs.back().i = 0; }},
      {"stiffness", "springs", [](Assembly& a) { a.springs.back().stiffness += 1e-9; }},
      {"rest_length", "springs", [](Assembly& a) { a.springs.back().rest_length += 1e-9; }},
      {"face", "faces", [](Assembly& a) { a.faces[0][2] = 3; }},
      {"pin_members", "pins", [](Assembly& a) { a.pin_tracks[0].vertices = {1}; }},
      {"pin_offsets", "pins", [](Assembly& a) { a.pin_tracks[0].offsets.values[1].y = 1e-9; }},
      {"load_members", "loads",
       [](Assembly& a) {
         a.load_tracks[0].vertices = {4, 8};
       }},
      {"load_force", "loads", [](Assembly& a) { a.load_tracks[1].forces[1].y = 0.2; }},
      {"load_factor", "loads", [](Assembly& a) { a.load_tracks[1].factor.values[1] = 2.1; }},
      {"load_keys", "loads", [](Assembly& a) { a.load_tracks[0].factor = KeyFrames<double>::constant(1.0); }},
      {"grab_members", "grabs", [](Assembly& a) { a.grabs[0].vertices[2] = 12; }},
      {"grab_weights", "grabs",
       [](Assembly& a) {
         a.grabs[0].weights = {0.5, 0.3, 0.2};
       }},
      {"grab_stiffness", "grabs", [](Assembly& a) { a.grabs[0].stiffness += 1e-9; }},
      {"grab_damping", "grabs", [](Assembly& a) { a.grabs[0].damping += 1e-9; }},
      {"grab_target", "grabs", [](Assembly& a) { a.grabs[0].targets.values[1].z += 1e-9; }},
      {"grab_end", "grabs", [](Assembly& a) { a.grabs[0].until = 0.2; }},
      {"no_grab", "grabs", [](Assembly& a) { a.grabs.clear(); }},
      {"external_point", "external charges", [](Assembly& a) { a.external_charges[0].points[0].x = 1e-9; }},
      {"external_charge", "external charges",
       [](Assembly& a) { a.external_charges[0].charge.values[0] = -2e-6; }},
      {"external_place", "external charges",
       [](Assembly& a) { a.external_charges[0].position.values[0].x = 3.1; }},
      {"external_width", "external charges", [](Assembly& a) { a.external_charges[0].width = 0.3; }},
      {"expression", "electric fields",
       [](Assembly& a) { a.scene.electric_fields[0].expression[2] = "2*t"; }},
      {"field_constant", "electric fields", [](Assembly& a) { a.fields[0].constants[0] = 2.1; }},
  };
  return all;
}

class Identity : public ::testing::TestWithParam<Edit> {};

TEST_P(Identity, NamesThePartThatChangedAndNoOther) {
  Assembly changed = whole_assembly();
  GetParam().make(changed);
  EXPECT_THAT(changed_parts(identity_of(whole_assembly()), identity_of(std::move(changed))),
              ::testing::ElementsAre(GetParam().part));
}
INSTANTIATE_TEST_SUITE_P(Scene, Identity, ::testing::ValuesIn(changes()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Identity, NamesTextDeviceAndTheNumberOfStepsDoNotCount) {
  Assembly changed = whole_assembly();
  changed.scene.name = "another";
  changed.scene.text += "# a remark\n";
  changed.scene.time.steps *= 2;
  changed.scene.coulomb->device = "cpu";
  EXPECT_TRUE(changed_parts(identity_of(whole_assembly()), identity_of(std::move(changed))).empty());
}

/// What a scene that is written otherwise in one key changes, through the reader.
std::vector<std::string> changed_by(const std::string& base, const std::string& changed) {
  const auto identity = [](const std::string& text) {
    return identity_of(load_scene_text(text, "scene.toml", ".", {},
                                       [](const std::string& path) { return test::written_file(path); }));
  };
  return changed_parts(identity(base), identity(changed));
}

/// A new key of the schema fails here until it has two values that a resumed run tells apart, or is free.
TEST(Identity, EveryKeyOfTheSchemaCountsOrIsFree) {
  const std::set<std::string> free = {"scene.name",       "time.steps",  "time.duration",
                                      "coulomb.device",   "camera.name", "camera.position",
                                      "camera.towards",   "camera.up",   "camera.rotate",
                                      "camera.translate", "camera.zoom", "camera.focal_length"};
  auto pairs = test::key_pairs();
  for (const SchemaTable& table : scene_schema())
    for (const SchemaRow& row : table.rows) {
      if (row.is_later) continue;
      const std::string key = table.name + "." + row.key;
      ASSERT_TRUE(pairs.contains(key)) << "no pair of scenes for " << key;
      const auto& [one, other] = pairs[key];
      std::vector<std::string> changed;
      ASSERT_NO_THROW(changed = changed_by(one, other)) << key;
      EXPECT_EQ(changed.empty(), free.contains(key)) << key;
      pairs.erase(key);
    }
  for (const auto& [key, pair] : pairs) ADD_FAILURE() << key << " is not in the schema";
}

}  // namespace
}  // namespace electret
