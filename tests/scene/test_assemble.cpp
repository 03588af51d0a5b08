#include <cmath>
#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/placing.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Edge> pairs(const Assembly& a) {
  std::vector<Edge> result;
  for (const Spring& s : a.springs) result.push_back({s.i, s.j});
  return result;
}

TEST(Placing, IdentityKeepsEveryBit) {
  VectorArray points{{-0.0, 0.1, 1e-310}, {3.0, -0.0, 1e300}};
  const VectorArray before = points;
  place(points, 1.0, {}, {});
  EXPECT_EQ(std::memcmp(points.data(), before.data(), sizeof(Vec3) * points.size()), 0);
}

TEST(Placing, ScalesThenTurnsAboutXYZThenMoves) {
  // Independent: each turn written out about its own axis, one after the other.
  const Vec3 degrees{30, -50, 110}, shift{1, -2, 0.5};
  const double a = 30 * M_PI / 180, b = -50 * M_PI / 180, c = 110 * M_PI / 180;
  VectorArray points{{0.3, -1.1, 2.0}};
  Vec3 p = 2.5 * points[0];
  p = {p.x, std::cos(a) * p.y - std::sin(a) * p.z, std::sin(a) * p.y + std::cos(a) * p.z};
  p = {std::cos(b) * p.x + std::sin(b) * p.z, p.y, -std::sin(b) * p.x + std::cos(b) * p.z};
  p = {std::cos(c) * p.x - std::sin(c) * p.y, std::sin(c) * p.x + std::cos(c) * p.y, p.z};
  p += shift;
  place(points, 2.5, degrees, shift);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(points[0][axis], p[axis], 1e-14);
}

TEST(Placing, QuarterTurnsAreExact) {
  VectorArray points{{1, 2, 3}};
  place(points, 1.0, {90, 0, 0}, {});
  EXPECT_EQ(points[0], (Vec3{1, -3, 2}));
  place(points, 1.0, {0, 0, -270}, {});
  EXPECT_EQ(points[0], (Vec3{3, 1, 2}));
  place(points, 1.0, {0, 540, 0}, {});
  EXPECT_EQ(points[0], (Vec3{-3, 1, -2}));
  place(points, 1.0, {0, -90, 0}, {});
  EXPECT_EQ(points[0], (Vec3{2, 1, -3}));
}

TEST(Assemble, RotationsKeepLengths) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-400, 400);
  for (int i = 0; i < 100; ++i) {
    VectorArray points{{1, 2, 3}, {-1, 0.5, 0}};
    const double before = norm(points[0] - points[1]);
    place(points, 1.0, {uniform(random), uniform(random), uniform(random)}, {});
    EXPECT_NEAR(norm(points[0] - points[1]), before, 1e-14);
  }
}

TEST(Assemble, SpringsFollowTheContractsOrder) {
  const auto with = [](const std::string& springs) {
    return load(scene_with("[[body.springs]]\nstiffness = 1\n" + springs));
  };
  EXPECT_THAT(pairs(with("")), ElementsAre(Edge{0, 1}, Edge{0, 2}, Edge{1, 2}, Edge{1, 3}, Edge{2, 3}));
  EXPECT_THAT(pairs(with("from = \"bending\"")), ElementsAre(Edge{0, 3}));
  EXPECT_THAT(pairs(with("from = \"nearest\"\nneighbours = 1")),
              ElementsAre(Edge{0, 1}, Edge{0, 2}, Edge{1, 3}));
  EXPECT_THAT(pairs(with("from = \"pairs\"\npairs = [[3, 1], [0, 2], [0, 1]]")),
              ElementsAre(Edge{3, 1}, Edge{0, 2}, Edge{0, 1}));
  const Assembly two = with("[[body.springs]]\nfrom = \"edges\"\nstiffness = 2");
  ASSERT_EQ(two.springs.size(), 10U);
  EXPECT_EQ(two.springs[0].stiffness, 1.0);
  EXPECT_EQ(two.springs[5].stiffness, 2.0);
  EXPECT_THAT(two.spring_offsets, ElementsAre(0, 5, 10));
  EXPECT_THAT(two.body_spring_offsets, ElementsAre(0, 10));
  const Assembly quad = load(scene_with("[[body.springs]]\nfrom = \"diagonals\"\nstiffness = 1"),
                             {"body.0.mesh=quad.obj"}, usual_files());
  EXPECT_THAT(pairs(quad), ElementsAre(Edge{0, 2}, Edge{1, 3}));
}

TEST(Assemble, StiffnessAndRestLengthComeAsWritten) {
  const auto with = [](const std::string& springs) {
    return load(scene_with(
                    "scale = 2\ninitial_positions = [[0,0,0],[9,0,0],[0,9,0],[9,9,0]]\n[[body.springs]]\n" +
                    springs))
        .springs;
  };
  auto s = with("stiffness = 3");
  EXPECT_EQ(s[0].rest_length, 2.0);  // Of the mesh as placed, not of where the run starts.
  EXPECT_EQ(s[2].rest_length, std::sqrt(8.0));
  EXPECT_EQ(s[2].stiffness, 3.0);
  s = with("modulus = 3\nrest_length_scale = 0.5");
  EXPECT_EQ(s[0].rest_length, 1.0);
  EXPECT_EQ(s[0].stiffness, 3.0);
  EXPECT_EQ(s[2].stiffness, 3.0 / s[2].rest_length);
  s = with("stiffnesses = [1, 2, 3, 4, 5]\nrest_lengths = [5, 4, 3, 2, 0]");
  EXPECT_EQ(s[1].stiffness, 2.0);
  EXPECT_EQ(s[1].rest_length, 4.0);
  EXPECT_EQ(s[4].rest_length, 0.0);
  Files files = usual_files();
  files["k.csv"] = "k\n1\n2\n3\n4\n5\n";
  files["l.csv"] = "l\n0.1\n0.2\n0.3\n0.4\n0.5\n";
  const auto a =
      load(scene_with("[[body.springs]]\nstiffnesses = \"k.csv\"\nrest_lengths = \"l.csv\""), {}, files);
  EXPECT_EQ(a.springs[3].stiffness, 4.0);
  EXPECT_EQ(a.springs[3].rest_length, 0.4);
}

TEST(Assemble, BodiesAreJoinedWithGlobalIndices) {
  const Assembly a = load(scene_with(R"([[body.springs]]
stiffness = 1
[[body]]
mesh = "quad.obj"
total_mass = 8
total_charge = 2
translate = [10, 0, 0]
  [[body.springs]]
  from = "diagonals"
  stiffness = 1
  [[body.group]]
  name = "high"
  box = [[10, 1, 0], [11, 1, 0]]
  [[body.pin]]
  group = "high"
  [[body.group_charge]]
  group = "high"
  value = 7
)"));
  EXPECT_THAT(a.body_offsets, ElementsAre(0, 4, 8));
  EXPECT_THAT(a.body_spring_offsets, ElementsAre(0, 5, 7));
  EXPECT_EQ(a.springs[5].i, 4);
  EXPECT_EQ(a.springs[5].j, 6);
  EXPECT_THAT(a.masses, ElementsAre(2, 2, 2, 2, 2, 2, 2, 2));
  EXPECT_THAT(a.charges, ElementsAre(0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(a.pin_tracks.at(0).vertices, ElementsAre(6, 7));
  EXPECT_TRUE(a.pin_tracks[0].offsets.empty());
  EXPECT_THAT(a.charge_tracks.at(0).vertices, ElementsAre(6, 7));
  EXPECT_EQ(a.charge_tracks[0].name, "body.body2.charge[high]");
  EXPECT_FALSE(a.charge_tracks[0].key_framed);
  EXPECT_THAT(a.faces,
              ElementsAre(Triangle{0, 1, 2}, Triangle{1, 3, 2}, Triangle{4, 5, 6}, Triangle{4, 6, 7}));
  EXPECT_EQ(a.rest_positions[6], (Vec3{11, 1, 0}));
  EXPECT_EQ(a.scene.text.substr(0, 6), "[time]");
}

TEST(Assemble, AGroupHasEachVertexOnceInOrder) {
  const Assembly a = load(scene_with(R"([[body.group]]
name = "some"
indices = [3, 0, 3, 1, 0]
[[body.pin]]
group = "some"
)"));
  EXPECT_THAT(a.pin_tracks.at(0).vertices, ElementsAre(0, 1, 3));
}

TEST(Assemble, FindingsNumberTheVerticesOfTheirBody) {
  EXPECT_THAT(findings_of(scene_with(R"([[body]]
name = "b"
mesh = "square.obj"
translate = [9, 0, 0]
mass = 1
[[body.group]]
name = "one"
indices = [1]
[[body.group]]
name = "more"
indices = [1, 2]
[[body.pin]]
group = "one"
[[body.pin]]
group = "more"
)")),
              HasSubstr("vertex 1 of body \"b\" is pinned by group \"more\" and by group \"one\""));
}

TEST(Assemble, AMeshsOwnNumbersAreUsedWhereTheBodyGivesNone) {
  const std::string text =
      "[time]\nstep = 1\nsteps = 1\n[[body]]\nname = \"p\"\nmesh = \"charged.ply\"\nrotate = [0, 0, 90]\n";
  const Assembly own = load(text);
  EXPECT_THAT(own.masses, ElementsAre(2, 3, 4));
  EXPECT_THAT(own.charges, ElementsAre(1e-6, -1e-6, 0));
  EXPECT_THAT(own.initial_velocities,
              ElementsAre(Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}));  // World axes.
  const Assembly given = load(text + "mass = 1\ncharge = 2\nvelocity = [3, 0, 0]\n");
  EXPECT_THAT(given.masses, ElementsAre(1, 1, 1));
  EXPECT_THAT(given.charges, ElementsAre(2, 2, 2));
  EXPECT_EQ(given.initial_velocities[1], (Vec3{3, 0, 0}));
  const Assembly group =
      load(text + "[[body.group]]\nname = \"f\"\nattribute = \"fixed\"\n[[body.pin]]\ngroup = \"f\"\n");
  EXPECT_THAT(group.pin_tracks.at(0).vertices, ElementsAre(1, 2));

  Files files = usual_files();
  std::string& ply = files["charged.ply"];
  ply.replace(ply.find("1e-6 2 1"), 8, "1e-6 0 1");
  EXPECT_THAT(findings_of(text, {}, files),
              HasSubstr("charged.ply: error: property \"mass\" of vertex 0 is 0; allowed: number > 0"));
  ply.replace(ply.find("1e-6 0 1"), 8, "1e-6 2 1");
  ply.replace(ply.find("double vz"), 9, "double wz");
  EXPECT_THAT(findings_of(text, {}, files),
              HasSubstr("charged.ply: error: the mesh has some of the properties \"vx\""));
  EXPECT_EQ(findings_of(text + "velocity = [0, 0, 0]\n", {}, files), "");
  ply.replace(ply.find("double fixed"), 12, "double loose");
  const std::string empty = "velocity = [0, 0, 0]\n[[body.group]]\nname = \"f\"\nattribute = \"wz\"\n";
  ply.replace(ply.find("0 0 1 1\n"), 8, "0 0 0 1\n");
  EXPECT_THAT(findings_of(text + empty, {}, files), HasSubstr("group \"f\" is empty"));
}

TEST(Assemble, TablesComeFromCsvFilesBesideTheScene) {
  Files files = {{"dir/square.obj", square_obj},
                 {"dir/m.csv", "mass\r\n1\r\n2\r\n3\r\n4\r\n"},
                 {"dir/q.csv", "# comment\ncharge\n1e-6\n-1e-6\n0\n2\n"},
                 {"dir/v.csv", "vx,vy,vz\n1,0,0\n0,1,0\n0,0,1\n1,1,1\n"},
                 {"dir/x.csv", "x,y,z\n0,0,5\n1,0,5\n0,1,5\n1,1,5\n"}};
  std::string text = scene_with("charges = \"q.csv\"\nvelocities = \"v.csv\"\ninitial_positions = \"x.csv\"");
  text.replace(text.find("mass = 2.0"), 10, "masses = \"m.csv\"");
  const Assembly a = load_scene_text(text, "dir/scene.toml", "dir", {}, reader_of(files));
  EXPECT_THAT(a.masses, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(a.charges, ElementsAre(1e-6, -1e-6, 0, 2));
  EXPECT_EQ(a.initial_velocities[3], (Vec3{1, 1, 1}));
  EXPECT_EQ(a.initial_positions[1], (Vec3{1, 0, 5}));
  EXPECT_EQ(a.rest_positions[1], (Vec3{1, 0, 0}));
}

/// The columns of vectors are read by their names.
TEST(Assemble, VectorsOfCsvFilesHaveTheirColumnsByName) {
  const std::string text = scene_with("velocities = \"v.csv\"");
  Files files = usual_files();
  for (const char* rows : {"x,y,z\n1,2,3\n", "z,y,x\n3,2,1\n", "y,z,x\n2,3,1\n", "vz,vx,vy\n3,1,2\n",
                           "\"V_Y\", V_X, V_Z\n2,1,3\n"}) {
    files["v.csv"] = std::string(rows) + "0,0,0\n0,0,0\n0,0,0\n";
    EXPECT_EQ(load(text, {}, files).initial_velocities[0], (Vec3{1, 2, 3})) << rows;
  }
  for (const char* names : {"a,b,c", "x,y,w", "vx,vy,fz", "x,vy,z", "time,y,z", "xx,xy,z"}) {
    files["v.csv"] = std::string(names) + "\n1,2,3\n0,0,0\n0,0,0\n0,0,0\n";
    EXPECT_THAT(findings_of(text, {}, files),
                AllOf(HasSubstr("v.csv:1:1: error: \"velocities\" from \"v.csv\": the columns are called"),
                      HasSubstr("allowed: x, y and z in any order")))
        << names;
  }
}

TEST(Assemble, ExternalChargesKeepTheirPointsAndKeyFrames) {
  const Assembly a = load(scene_with(R"([[external_charge]]
times = [0, 1]
charges = [1, 3]
positions = [[0, 0, 7], [0, 0, 9]]
interpolation = "step"
[[external_charge]]
charge = 4
mesh = "quad.obj"
position = [0, 0, 2]
width = 0.5
[[external_charge]]
charge = 1
times = [0, 2]
positions = [[5, 0, 0], [6, 0, 0]]
)"));
  ASSERT_EQ(a.external_charges.size(), 3U);
  EXPECT_EQ(a.external_charges[0].points, VectorArray(1));
  EXPECT_EQ(evaluate(a.external_charges[0].charge, 0.9, 0.5), 1.0);
  EXPECT_EQ(evaluate(a.external_charges[0].position, 1.0, 0.5), (Vec3{0, 0, 9}));
  EXPECT_EQ(a.external_charges[1].points.size(), 4U);
  EXPECT_EQ(a.external_charges[1].points[2], (Vec3{1, 1, 0}));
  EXPECT_EQ(a.external_charges[1].width, 0.5);
  EXPECT_EQ(evaluate(a.external_charges[2].position, 1.0, 0.5), (Vec3{5.5, 0, 0}));
  EXPECT_EQ(evaluate(a.external_charges[2].charge, 1.0, 0.5), 1.0);
}

Scene scene_in_memory() {
  Scene scene;
  scene.time = {0.1, 10};
  Body body;
  body.name = "b";
  body.given_mesh = Mesh{};
  body.given_mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  body.given_mesh->polygons.add(std::array<Index, 3>{0, 1, 2});
  body.mass = 1.0;
  scene.bodies.push_back(body);
  return scene;
}

std::string findings_of(const Scene& scene) {
  try {
    assemble(scene, reader_of({}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AssembleInMemory, TakesAMeshFromTheCaller) {
  Scene scene = scene_in_memory();
  scene.bodies[0].springs.push_back({});
  scene.bodies[0].springs[0].stiffness = 2.0;
  EXPECT_EQ(assemble(scene).springs.size(), 3U);
}

TEST(AssembleInMemory, ChecksTheArraysOfAMesh) {
  const auto with = [](auto edit) {
    Scene scene = scene_in_memory();
    scene.bodies[0].springs.push_back({});
    scene.bodies[0].springs[0].stiffness = 2.0;
    edit(*scene.bodies[0].given_mesh);
    return findings_of(scene);
  };
  const auto polygon = [](Index last) { return [last](Mesh& m) { m.polygons.indices[2] = last; }; };
  EXPECT_EQ(with(polygon(3)),
            "body.0.mesh: error: the given mesh of body \"b\": polygon 0 names vertex 3, but there are 3; "
            "allowed: 0 … 2");
  EXPECT_THAT(with(polygon(-1)), HasSubstr("polygon 0 names vertex -1"));
  EXPECT_THAT(with(polygon(2000000000)), HasSubstr("polygon 0 names vertex 2000000000"));
  for (const std::vector<Count>& offsets : {std::vector<Count>{}, {0, 7}, {1, 3}, {0, 5, 3}, {-4, 3}, {0}})
    EXPECT_THAT(with([&](Mesh& m) { m.polygons.offsets = offsets; }),
                HasSubstr("the offsets of its polygons do not divide their 3 indices; allowed: ascending "
                          "numbers from 0 to 3"));
  EXPECT_THAT(with([](Mesh& m) { m.polygons.offsets = {0, 1, 3}; }), HasSubstr("polygon 0 has 1 vertex"));
  EXPECT_THAT(with([](Mesh& m) { m.lines = {{0, 1}, {0, -3}}; }), HasSubstr("line 1 names vertex -3"));
  EXPECT_THAT(with([](Mesh& m) {
                m.tetrahedra = {{0, 1, 2, 3}};
              }),
              HasSubstr("tetrahedron 0 names vertex 3"));
  EXPECT_THAT(with([](Mesh& m) {
                m.hexahedra = {{0, 1, 2, 0, 1, 2, 0, 99}};
              }),
              HasSubstr("hexahedron 0 names vertex 99"));
  EXPECT_THAT(with([](Mesh& m) { m.groups["tip"] = {0, 77}; }), HasSubstr("group \"tip\" names vertex 77"));
  EXPECT_THAT(with([](Mesh& m) {
                m.groups["tip"] = {1, 1};
              }),
              HasSubstr("group \"tip\" names vertex 1 after 1; allowed: ascending numbers, none twice"));
  EXPECT_THAT(with([](Mesh& m) { m.element_groups["e"] = {0}; }),
              HasSubstr("element group \"e\" names element 0, but there are 0; allowed: none"));
  EXPECT_THAT(with([](Mesh& m) { m.element_lines = {4}; }), HasSubstr("element_lines has 1 number"));
  EXPECT_THAT(with([](Mesh& m) { m.attributes["charge"] = {1.0}; }),
              HasSubstr("attribute \"charge\" has 1 number; allowed: one number per vertex: 3"));
  EXPECT_THAT(with([](Mesh& m) {
                m.surface.emplace().embedding = {{0}, {{}}};
              }),
              HasSubstr("its surface names element 0"));
  EXPECT_THAT(with([](Mesh& m) {
                m.surface.emplace().embedding = {{0}, {}};
              }),
              HasSubstr("its surface has 0 rows of weights"));
  EXPECT_THAT(with([](Mesh& m) {
                m.surface.emplace().polygons.add(std::array<Index, 3>{0, 1, 2});
              }),
              HasSubstr("surface polygon 0 names vertex 0"));
  // All at once, and nothing that only follows from them.
  Scene scene = scene_in_memory();
  scene.bodies[0].mass.reset();
  scene.bodies[0].masses.values = {1, 2, 3};
  scene.bodies[0].given_mesh->lines = {{0, 3}};
  scene.bodies[0].given_mesh->groups["tip"] = {9};
  EXPECT_THAT(findings_of(scene), AllOf(HasSubstr("line 0"), HasSubstr("\"tip\""), Not(HasSubstr("masses"))));
}

TEST(AssembleInMemory, ChecksWhatAFileWouldHaveBeenCheckedFor) {
  const auto with = [](auto edit) {
    Scene scene = scene_in_memory();
    edit(scene);
    return findings_of(scene);
  };
  EXPECT_EQ(with([](Scene&) {}), "");
  EXPECT_EQ(with([](Scene& s) { s.bodies.clear(); }),
            "body: error: the scene has no body; one [[body]] is required");
  EXPECT_THAT(with([](Scene& s) { s.time.step = 0; }),
              HasSubstr("time.step: error: \"step\" in [time] is 0, out of range"));
  EXPECT_THAT(with([](Scene& s) { s.time.steps = -1; }), HasSubstr("time.steps: error"));
  EXPECT_THAT(with([](Scene& s) { s.integrator.method = "imx"; }),
              HasSubstr("integrator.method: error: unknown method \"imx\""));
  EXPECT_THAT(with([](Scene& s) { s.integrator.method = "multirate"; }),
              HasSubstr("not available in this version"));
  EXPECT_THAT(with([](Scene& s) { s.damping.drag = NAN; }), HasSubstr("damping.drag"));
  EXPECT_THAT(with([](Scene& s) { s.gravity = Vec3{0, 0, INFINITY}; }), HasSubstr("gravity.acceleration"));
  EXPECT_THAT(with([](Scene& s) { s.coulomb = FieldOptions{}, s.coulomb->softening = -1; }),
              HasSubstr("coulomb.softening"));
  EXPECT_THAT(with([](Scene& s) { s.output.every = 0; }), HasSubstr("output.every"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].mass = -1; }), HasSubstr("body.0.mass: error"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].mass.reset(); }),
              HasSubstr("body.0.mass: error: body \"b\" has no mass"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].total_mass = 1; }),
              HasSubstr("body.0.total_mass: error: \"total_mass\" contradicts \"mass\""));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].charges.values = {1, NAN, 2}; }), HasSubstr("body.0.charges"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].given_mesh.reset(); }),
              HasSubstr("neither \"mesh\" nor \"generate\""));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].given_mesh->vertices.clear(); }),
              HasSubstr("body \"b\" is empty"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].name = ""; }), HasSubstr("no name"));
  EXPECT_THAT(with([](Scene& s) { s.bodies.push_back(s.bodies[0]); }),
              HasSubstr("body.1.name: error: two bodies"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].springs.push_back({}); }),
              HasSubstr("body.0.springs.0.stiffness"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].groups.push_back({"g", {}, {}, ""});
              }),
              HasSubstr("body.0.group.0.box"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].groups.push_back({"", {}, {0}, ""});
              }),
              HasSubstr("a group has no name"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].groups.push_back({"g", {}, {-1}, ""});
              }),
              HasSubstr("body.0.group.0.indices"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].pins.push_back({"g", {}});
              }),
              HasSubstr("body.0.pin.0.group: error: body \"b\" has no group \"g\""));
  const auto grouped = [&](auto edit) {
    return with([&](Scene& s) { s.bodies[0].groups.push_back({"g", {}, {0}, ""}), edit(s); });
  };
  EXPECT_THAT(grouped([](Scene& s) {
                s.bodies[0].group_charges.push_back({"g", {}, false});
              }),
              HasSubstr("\"values\" is missing"));
  EXPECT_THAT(grouped([](Scene& s) {
                s.bodies[0].group_charges.push_back({"g", {{0.0, NAN}, {1.0, 2.0}}, true});
              }),
              HasSubstr("\"times\" does not increase"));
  EXPECT_THAT(grouped([](Scene& s) {
                s.bodies[0].group_charges.push_back({"g", {{0.0, 1.0}, {1.0, INFINITY}}, true});
              }),
              HasSubstr("\"values\" is not finite"));
  EXPECT_THAT(grouped([](Scene& s) {
                s.bodies[0].pins.push_back({"g", {{0.0, NAN}, {{}, {}}}});
              }),
              HasSubstr("\"times\" in [[body.pin]] is nan, out of range"));
  EXPECT_THAT(grouped([](Scene& s) {
                s.bodies[0].pins.push_back({"g", {{0.0, 1.0}, {{}, {0, INFINITY, 0}}}});
              }),
              HasSubstr("\"offsets\" in [[body.pin]] is inf, out of range"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].springs.resize(1), s.bodies[0].springs[0].stiffness = 1,
                                               s.bodies[0].springs[0].from = "pairs",
                                               s.bodies[0].springs[0].pairs = {{1, 1}};
              }),
              HasSubstr("joins a vertex to itself"));
  EXPECT_THAT(with([](Scene& s) {
                s.electric_fields.push_back({{"x", "y", "q"}, {}});
              }),
              HasSubstr("electric_field.0.expression.2: error: unknown name \"q\""));
  EXPECT_THAT(with([](Scene& s) {
                s.electric_fields.push_back({{"x", "y", "z"}, {{"pi", 3.0}}});
              }),
              HasSubstr("cannot be called \"pi\""));
  EXPECT_THAT(with([](Scene& s) { s.external_charges.push_back({}); }),
              HasSubstr("external_charge.0.charges"));
  EXPECT_THAT(
      with([](Scene& s) {
        s.external_charges.push_back({KeyFrames<double>::constant(1), KeyFrames<Vec3>::constant({}), "", -1});
      }),
      HasSubstr("external_charge.0.width"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].given_mesh.reset(), s.bodies[0].generate = GeneratorSpec{"gird", {}};
              }),
              HasSubstr("body.0.generate.shape"));
  EXPECT_THAT(with([](Scene& s) { s.bodies[0].given_mesh.reset(), s.bodies[0].mesh = "a.obj"; }),
              HasSubstr("body.0.mesh: error: file \"a.obj\" cannot be read"));
  EXPECT_THAT(with([](Scene& s) {
                s.bodies[0].scale = 1e308, s.bodies[0].given_mesh->vertices[1] = {1e10, 0, 0};
              }),
              HasSubstr("beyond the largest number"));
}

TEST(AssembleInMemory, ASceneFromAFileMayBeChangedAfterwards) {
  Scene scene = parse_scene(scene_with(""), "scene.toml", ".");
  scene.bodies[0].mass.reset();
  scene.bodies[0].total_mass = 8.0;
  EXPECT_THAT(assemble(scene, reader_of(usual_files())).masses, ElementsAre(2, 2, 2, 2));
  scene.time.step = -1.0;
  EXPECT_THAT(
      [&] { assemble(scene, reader_of(usual_files())); },
      ::testing::ThrowsMessage<InputError>(HasSubstr("scene.toml:2:8: error: \"step\" in [time] is -1")));
}

}  // namespace
}  // namespace electret::test
