// Volume elements in scenes: masses, springs, parameters, findings.

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/parameters.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/scene/write.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* element_group = "[[body.element_group]]\nname = \"e\"\nindices = [1]\n";

TEST(Elements, DensityGivesEachElementsMassToItsVertices) {
  for (const std::string element : {"hex", "tet"}) {
    const Assembly a = load(solid_with("", "density = 6.0", element));
    EXPECT_NEAR(std::accumulate(a.masses.begin(), a.masses.end(), 0.0), 12.0, 1e-13);
    EXPECT_EQ(a.hexahedra.size(), element == "hex" ? 2U : 0U);
    EXPECT_EQ(a.tetrahedra.size(), element == "tet" ? 12U : 0U);
    EXPECT_EQ(a.faces.size(), 20U);
    for (std::size_t i = 0; i < a.masses.size(); ++i) EXPECT_EQ(a.masses[i], 6.0 * a.volumes[i]);
  }
}

TEST(Elements, VolumeSpringsAreEveryEdgeOnce) {
  const std::string springs = "[[body.springs]]\nfrom = \"volume\"\nstiffness = 1\n";
  EXPECT_EQ(load(solid_with(springs)).springs.size(), 20U);
  EXPECT_EQ(load(solid_with(springs, "mass = 1", "tet")).springs.size(), 20U + 11 + 2);
  EXPECT_THAT(findings_of(scene_with(springs)), HasSubstr("yields no spring"));
}

TEST(Elements, ParametersAreNamedByTheMaterialsNumberWhereThereAreSeveral) {
  const Assembly one = load(with_material(""));
  EXPECT_EQ(find_parameter(one, "body.a.youngs_modulus").read(one), std::vector<double>{1e5});
  EXPECT_EQ(find_parameter(one, "body.a.poissons_ratio").read(one), std::vector<double>{0.3});
  const Assembly two =
      load(with_material("[[body.material]]\nmodel = \"linear\"\nyoungs_modulus = 7\npoissons_ratio = 0\n"));
  EXPECT_EQ(find_parameter(two, "body.a.material.1.youngs_modulus").read(two), std::vector<double>{7});
  EXPECT_THROW(find_parameter(two, "body.a.youngs_modulus"), InputError);
}

TEST(Elements, DensityIsAParameterThatMovesAllMasses) {
  Assembly a = load(solid_with(""));
  const Parameter density = find_parameter(a, "body.a.density");
  EXPECT_EQ(density.read(a), std::vector<double>{6.0});
  AssemblyGradient gradient = AssemblyGradient::zero(a);
  const ScalarSpan by_masses = gradient.scalars(number::masses);
  double expected = 0.0;
  for (std::size_t i = 0; i < a.masses.size(); ++i) {
    by_masses[i] = static_cast<double>(i + 1);
    expected += by_masses[i] * a.volumes[i];
  }
  EXPECT_NEAR(density.pull(gradient).at(0), expected, 1e-14 * expected);
  density.write(a, std::vector<double>{3.0});
  EXPECT_NEAR(a.masses[0], 0.375, 1e-15);
  EXPECT_EQ(density.read(a), std::vector<double>{3.0});
  EXPECT_THROW(find_parameter(load(scene_with("")), "body.a.density"), InputError);
}

TEST(Elements, ChangedMaterialsAreWrittenAsAScene) {
  Assembly a = load(with_material(""));
  std::vector<Parameter> changed;
  for (const auto& [name, value] :
       {std::pair("body.a.youngs_modulus", 2e5), {"body.a.poissons_ratio", 0.25}, {"body.a.density", 11.0}}) {
    changed.push_back(find_parameter(a, name));
    changed.back().write(a, std::vector<double>{value});
  }
  const Assembly again = load(scene_text(a, changed, "."));
  EXPECT_EQ(again.masses, a.masses);
  EXPECT_EQ(again.materials.at(0).youngs_modulus, a.materials.at(0).youngs_modulus);
  EXPECT_EQ(again.materials.at(0).poissons_ratio, a.materials.at(0).poissons_ratio);
}

TEST(Elements, SeveralBodiesElementsAreNumberedOneAfterTheOther) {
  const std::string first = with_material("group = \"e\"\n", element_group);
  const Assembly a = load(first + first.substr(first.find("[[body]]")).replace(17, 1, "b"));
  ASSERT_EQ(a.materials.size(), 2U);
  EXPECT_EQ(a.materials[1].name, "body.b");
  EXPECT_EQ(a.materials[1].elements.hexahedra, std::vector<Index>{3});
  EXPECT_EQ(a.element_groups.at(1).elements.hexahedra, std::vector<Index>{3});
  EXPECT_EQ(a.hexahedra[2][0], 12);
}

const std::string pulling = "[[body.muscle]]\nfibre = [0, 0, 2]\nstiffness = 3e4\n";

TEST(Elements, AFibreHasADirectionHoweverLongItIs) {
  for (const char* fibre : {"[0, 3e-320, 0]", "[0, 1e300, 0]", "[0, 1, 0]"}) {
    const Assembly a = load(with_material("[[body.muscle]]\nfibre = " + std::string(fibre) +
                                          "\nstiffness = 3e4\nactivation = 1\n"));
    EXPECT_EQ(a.muscles.at(0).fibres, (std::vector<Vec3>(2, {0, 1, 0}))) << fibre;
  }
}

/// Cells of 1 m along x, whose middle is where they meet: c × axis is turned by a quarter to each side of it.
TEST(Elements, FibresRunAroundAnAxisThroughTheMiddle) {
  const auto around = [](const char* axis, const char* group = "") {
    return with_material("[[body.muscle]]\nfibre = { around = " + std::string(axis) +
                             " }\nstiffness = 1\nactivation = 1\n" + group,
                         element_group);
  };
  const Assembly a = load(around("[0, 2, 0]"));
  const std::vector<Vec3>& fibres = a.muscles.at(0).fibres;
  ASSERT_EQ(fibres.size(), 2U);
  EXPECT_LT(norm(fibres[0] - Vec3{0, 0, -1}), 1e-15)
      << fibres[0].x << ' ' << fibres[0].y << ' ' << fibres[0].z;
  EXPECT_LT(norm(fibres[1] - Vec3{0, 0, 1}), 1e-15);
  EXPECT_THAT(findings_of(around("[1, 0, 0]")),
              HasSubstr("element 0 of the muscle lies on the axis through the middle of body \"a\""));
  EXPECT_THAT(findings_of(around("[0, 0, 0]")), HasSubstr("\"around\" in the fibre of [[body.muscle]] is"));
  // The middle is the body's, not the muscle's.
  const Assembly part = load(around("[0, 2, 0]", "group = \"e\"\n"));
  ASSERT_EQ(part.muscles.at(0).fibres.size(), 1U);
  EXPECT_GT(std::abs(part.muscles[0].fibres[0].z), 0.99);
}

TEST(Elements, ConstantsOfActivationsAreParameters) {
  const std::string formula = pulling + "expression = \"1 + A*sin(w*t)\"\nconstants = { w = 3.0, A = 0.5 }\n";
  Assembly a = load(with_material(formula));
  std::vector<Parameter> changed{find_parameter(a, "body.a.muscle.0.A"),
                                 find_parameter(a, "body.a.muscle.0.w")};
  EXPECT_EQ(changed[0].read(a), std::vector<double>{0.5});
  EXPECT_EQ(changed[1].read(a), std::vector<double>{3.0});
  changed[0].write(a, std::vector{0.25});
  changed[1].write(a, std::vector{7.0});
  EXPECT_EQ(load(scene_text(a, changed, ".")).muscles.at(0).formula.constants, (std::vector{0.25, 7.0}));
  for (const char* none : {"body.a.muscle.0.activation", "body.a.muscle.0.values", "body.a.muscle.0.h"})
    EXPECT_THROW(find_parameter(a, none), InputError) << none;
}

TEST(Elements, ActivationsAreParameters) {
  const Assembly a =
      load(with_material(pulling + "activation = 0.75\n" + pulling + "times = [0, 1]\nvalues = [1, 0.5]\n"));
  const auto read = [&](const char* name) { return find_parameter(a, name).read(a); };
  EXPECT_EQ(read("body.a.muscle.0.activation"), std::vector<double>{0.75});
  EXPECT_EQ(read("body.a.muscle.0.activations"), (std::vector<double>{0.75, 0.75}));
  EXPECT_EQ(read("body.a.muscle.1.values"), (std::vector<double>{1.0, 0.5}));
  EXPECT_EQ(read("body.a.muscle.1.stiffness"), std::vector<double>{3e4});
  for (const char* none :
       {"body.a.muscle.0.values", "body.a.muscle.1.activation", "body.a.muscle.1.activations"})
    EXPECT_THROW(find_parameter(a, none), InputError) << none;
}

TEST(Elements, ChangedMusclesAreWrittenAsAScene) {
  Assembly a = load(with_material(pulling + "activation = 0.75\n" + pulling +
                                  "times = [0, 1]\nvalues = [1, 0.5]\n" + pulling + "activation = 1\n"));
  std::vector<Parameter> changed;
  for (const auto& [name, values] : {std::pair("body.a.muscle.0.activations", std::vector{0.5, 0.25}),
                                     {"body.a.muscle.1.values", {0.5, 2.0}},
                                     {"body.a.muscle.1.stiffness", {7.0}},
                                     {"body.a.muscle.2.activation", {1.5}}}) {
    changed.push_back(find_parameter(a, name));
    changed.back().write(a, values);
  }
  const Assembly again = load(scene_text(a, changed, "."));
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(again.muscles.at(m).activations, a.muscles[m].activations) << m;
    EXPECT_EQ(again.muscles[m].keys.values, a.muscles[m].keys.values) << m;
    EXPECT_EQ(again.muscles[m].stiffness, a.muscles[m].stiffness) << m;
  }
  EXPECT_EQ(again.muscles[0].activations, (std::vector{0.5, 0.25}));
}

TEST(Elements, ThatStartInvertedAreFoundWhereTheirMaterialHasNoEnergyThere) {
  for (const auto& [kind, share] : {std::pair("hex", "1 of the 2"), {"tet", "6 of the 12"}}) {
    const char* element = kind;  // Clang takes no structured binding into a lambda.
    const auto scene = [&](const std::string& model, double far) {
      std::string rows;
      for (const Vec3& x : load(solid_with("", "density = 6.0", element)).rest_positions)
        rows += (rows.empty() ? "[" : ", [") + std::to_string(x.x > 1.5 ? far : x.x) + ", " +
                std::to_string(x.y) + ", " + std::to_string(x.z) + "]";
      return solid_with(
          "[[body.material]]\nmodel = \"" + model + "\"\nyoungs_modulus = 1e5\npoissons_ratio = 0.3\n",
          "density = 6.0\ninitial_positions = [" + rows + "]", element);
    };
    EXPECT_THAT(
        findings_of(scene("neo_hookean", 0.2)),
        AllOf(HasSubstr("scene.toml:9:21: error: "),
              HasSubstr(std::string(share) + " elements of neo_hookean in body \"a\" start inverted")));
    EXPECT_EQ(findings_of(scene("neo_hookean", 1.7)), "");
    EXPECT_EQ(findings_of(scene("stable_neo_hookean", 0.2)), "");
  }
}

struct Fault {
  std::string scene, place, message;
};

TEST(Elements, FaultsAreFoundWhereTheyStand) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string usual = with_material("group = \"e\"\n", element_group);
  ASSERT_EQ(findings_of(usual), "");
  const std::vector<Fault> faults = {
      {changed(usual, "0.3", "0.5"), "15:18", "\"poissons_ratio\" in [[body.material]] is 0.5, out of range"},
      {changed(usual, "0.3", "-1"), "15:18", "out of range"},
      {changed(usual, "1e5", "0"), "14:18", "out of range"},
      {changed(usual, "model = \"corotated\"\n", ""), "12:1", "\"model\" is missing"},
      {changed(usual, "\"corotated\"", "\"corotatd\""), "13:9", "did you mean \"corotated\""},
      {changed(usual, "group = \"e\"", "group = \"steel\""), "16:9",
       "no element group \"steel\"; allowed: e; [[body.element_group]] names groups: attribute = \"steel\" "
       "there takes "
       "the elements that the mesh file calls so"},
      {with_material("group = \"steel\"\n"), "13:9",
       "no element group \"steel\"; [[body.element_group]] names groups: attribute = \"steel\" there takes"},
      {changed(usual, "indices = [1]", "indices = [2]"), "11:11", "names element 2"},
      {changed(usual, "indices = [1]", "box = [[5, 5, 5], [6, 6, 6]]"), "11:7", "is empty"},
      {changed(usual, "indices = [1]", "attribute = \"core\""), "11:13", "no physical group \"core\""},
      {changed(usual, "indices = [1]", "indices = [1]\n[[body.element_group]]\nname = \"e\"\nindices = [0]"),
       "13:8", "two element groups"},
      {changed(usual, "density = 6.0", "density = 6.0\nmass = 1"), "9:1", "contradicts"},
      {changed(usual, "[time]", "[integrator]\nmethod = \"linear_implicit\"\n[time]"), "2:10",
       "for springs alone"},
      {changed(usual, "[time]", "[integrator]\nelastic_solver = \"local_global\"\n[time]"), "2:18",
       "the model \"projective\""},
      {usual + pulling + "activation = -1.5", "21:14", "out of range"},
      {usual + pulling + "times = [0, 1]\nvalues = [1, -1.5]", "22:14", "out of range"},
      {usual + pulling, "18:1", "neither \"activation\" nor \"activations\" nor \"values\""},
      {usual + pulling + "activation = 1\nactivations = [1, 1]", "22:1", "contradicts"},
      {usual + pulling + "activations = [1]", "21:15", "\"activations\" has 1 entry"},
      {usual + pulling + "activation = 1\ngroup = \"f\"", "22:9", "no element group \"f\""},
      {usual + pulling + "values = [1, 2]", "21:1", "without \"times\""},
      {usual + pulling + "times = [0, 1]\nvalues = [1]", "22:10", "\"values\" has 1 entry"},
      {usual + pulling + "times = [1, 0]\nvalues = [1, 2]", "21:9", "does not increase"},
      {usual + changed(pulling, "[0, 0, 2]", "[0, 0, 0]") + "activation = 1", "19:9", "it has no direction"},
      {usual + changed(pulling, "fibre = [0, 0, 2]\n", "") + "activation = 1", "18:1",
       "neither \"fibre\" nor \"fibres\""},
      {usual + pulling + "fibres = [[1, 0, 0], [0, 1, 0]]\nactivation = 1", "21:1", "contradicts"},
      {usual + changed(pulling, "fibre = [0, 0, 2]", "fibres = [[1, 0, 0]]") + "activation = 1", "19:10",
       "\"fibres\" has 1 entry"},
      {usual + changed(pulling, "fibre = [0, 0, 2]", "fibres = [[1, 0, 0], [0, 0, 0]]") + "activation = 1",
       "19:10", "the fibre of element 1 of the muscle is [0, 0, 0]"},
      {usual + changed(pulling, "[0, 0, 2]", "{ arond = [0, 0, 1] }") + "activation = 1",
       "19:", "did you mean \"around\"?"},
      {usual + changed(pulling, "[0, 0, 2]", "{}") + "activation = 1", "19:9", "has no \"around\""},
      {usual + changed(pulling, "[0, 0, 2]", "{ around = 1 }") + "activation = 1", "19:", "3 numbers"},
      {usual + pulling + "activation = 1\nexpression = \"1\"", "22:1", "contradicts"},
      {usual + pulling + "expression = \"1 + x\"", "21:19", "unknown name \"x\""},
      {usual + pulling + "expression = \"1 + B\"\nconstants = { A = 1.0 }", "21:19", "unknown name \"B\""},
      {usual + pulling + "activation = 1\nconstants = { A = 1.0 }", "22:13", "are those of no expression"},
      {usual + pulling + "expression = \"h*1\"\nconstants = { h = 1.0 }", "22:15", "cannot be called \"h\""},
      {usual + pulling + "expression = \"stiffness\"\nconstants = { stiffness = 1.0 }", "22:15",
       "cannot be called \"stiffness\""},
      {usual + pulling + "expression = \"0.5 - t/h\"", "21:14", "the activation is -1.5 at t = 1 s"},
      {usual + pulling + "expression = \"2.5 - t/h\"", "21:14",
       "the activation is -1.5 at t = 2 s; allowed: an expression that is finite and at least -1"},
      {changed(usual, "[time]", "[integrator]\nmethod = \"kick_midpoint\"\n[time]") + pulling +
           "expression = \"abs(cos(pi*t/h)) - 1.5\"",
       "23:14", "at t = 0.25 s"},
      {usual + pulling + "expression = \"1 + q\"\nconstants = { h = 1.0, values = 1.0 }", "21:19",
       "unknown name \"q\""},
      {usual + pulling + "expression = \"1 + q\"\nconstants = { h = 1.0, values = 1.0 }", "22:24",
       "cannot be called \"values\""},
      {usual + pulling + "expression = \"1/t\"", "21:14", "the activation is inf at t = 0 s"},
      {usual + changed(pulling, "3e4", "0") + "activation = 1", "20:13", "out of range"},
      {changed(solid_with(pulling + "activation = 1"), "[time]",
               "[integrator]\nmethod = \"linear_implicit\"\n[time]"),
       "2:10", "and body.0.muscle.0 is a muscle"},
      {scene_with(pulling + "activation = 1"), "9:9", "has a muscle, but no volume elements"},
      {scene_with(element_group), "9:8", "no volume elements"},
      {scene_with("[[body.material]]\nmodel = \"linear\"\nyoungs_modulus = 1\npoissons_ratio = 0"), "9:9",
       "has a material, but no volume elements"},
      {changed(scene_with(""), "mass = 2.0", "density = 2.0"), "7:11", "no volume elements"},
  };
  for (const Fault& fault : faults) {
    const std::string found = findings_of(fault.scene);
    EXPECT_THAT(found, HasSubstr("scene.toml:" + fault.place)) << fault.scene;
    EXPECT_THAT(found, HasSubstr(fault.message)) << fault.scene;
  }
}

TEST(Elements, InvertedAndFlatElementsAreFound) {
  Scene scene;
  scene.time = {0.1, 1};
  Body body;
  body.name = "a", body.density = 1.0;
  body.given_mesh = Mesh{};
  body.given_mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {9, 9, 9}};
  body.given_mesh->tetrahedra = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 4, 2}};
  scene.bodies = {body};
  const auto findings = [](const Scene& tried) -> std::string {
    try {
      assemble(tried);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(findings(scene), HasSubstr("tetrahedron 1 of body \"a\" is inverted at rest"));
  EXPECT_THAT(findings(scene), HasSubstr("tetrahedron 2 of body \"a\" is flat at rest"));
  scene.bodies[0].given_mesh->tetrahedra = {{0, 1, 2, 3}};
  EXPECT_THAT(findings(scene), HasSubstr("2 are in no element (the first: 4)"));
}

/// A mesh that writes an element twice, in every format: file, and where the finding is.
TEST(Elements, ThatAreWrittenTwiceAreFound) {
  const std::string msh =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
      "$Elements\n2\n1 4 1 1 1 2 3 4\n";
  const std::string points = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n";
  const Files files = {
      {"same.msh", msh + "1 4 1 1 1 2 3 4\n$EndElements\n"},
      {"turned.msh", msh + "2 4 1 1 2 3 1 4\n$EndElements\n"},
      {"groups.msh", msh + "2 4 1 2 1 2 3 4\n$EndElements\n"},
      {"cube.vtk", "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n" +
                       points + "CELLS 2 18\n8 0 1 2 3 4 5 6 7\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 2\n12\n12\n"},
      {"two.mesh",
       "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
       "Tetrahedra 2\n1 2 3 4 1\n1 2 3 4 2\nEnd\n"},
      {"two.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"},
      {"two.ele", "2 4 0\n1 1 2 3 4\n2 1 2 3 4\n"},
  };
  const auto found = [&](const std::string& file) {
    return findings_of(
        "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"" + file + "\"\ndensity = 6.0\n", {},
        files);
  };
  const std::string twice = "tetrahedron 1 of body \"a\" has the vertices of tetrahedron 0";
  EXPECT_THAT(found("same.msh"),
              HasSubstr("same.msh:14:1: error: " + twice + " (line 13); allowed: each element once"));
  EXPECT_THAT(found("turned.msh"), HasSubstr("turned.msh:14:1: error: " + twice + " (line 13)"));
  EXPECT_EQ(found("groups.msh"), "");
  EXPECT_THAT(found("cube.vtk"), HasSubstr("hexahedron 1 of body \"a\" has the vertices of hexahedron 0"));
  EXPECT_THAT(found("two.mesh"), HasSubstr(twice));
  EXPECT_THAT(found("two.node"), HasSubstr(twice));
}

TEST(Elements, MaterialsThatLockAreToldOf) {
  const auto warnings_with = [](const std::string& ratio) {
    std::string scene = with_material("");
    return texts_of(scene_warnings(load(scene.replace(scene.find("0.3"), 3, ratio))));
  };
  EXPECT_TRUE(warnings_with("0.49").empty());
  const auto warnings = warnings_with("0.4901");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0],
              HasSubstr("scene.toml:12:18: warning: poissons_ratio = 0.4901 of body \"a\": linear "
                        "tetrahedra and hexahedra lock, so that the body is far too stiff"));
}

TEST(Elements, VerticesOfElementsAreNotLoose) {
  EXPECT_TRUE(scene_warnings(load(with_material(""))).empty());
  const auto warnings = texts_of(scene_warnings(load(with_material("group = \"e\"\n", element_group))));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("4 are joined by no spring or element"));
}

}  // namespace
}  // namespace electret::test
