/// Faces of a surface that a mesh writes twice.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>

#include "scene/scene_text.hpp"

namespace electret {
namespace {

using test::Files;
using test::findings_of;
using test::load;
using ::testing::HasSubstr;

/// Two triangles with an edge in common, once and with the first one twice, and where the finding is.
struct Format {
  std::string name, once, twice, found;
};

/// A binary PLY; each face is three numbers.
std::string binary_ply(const std::vector<std::vector<int>>& faces) {
  std::string text =
      "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
      "property float z\nelement face " +
      std::to_string(faces.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  const auto put = [&](auto value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    text.append(bytes, sizeof(value));
  };
  for (const float at : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 1.F, 1.F, 0.F}) put(at);
  for (const std::vector<int>& face : faces) {
    put(static_cast<unsigned char>(face.size()));
    for (const int corner : face) put(corner);
  }
  return text;
}

std::string ply_of(const std::string& faces) {
  return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
         "element face " +
         std::to_string(std::count(faces.begin(), faces.end(), '\n')) +
         "\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n" + faces;
}

std::string msh2(int count, const std::string& elements) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"all\"\n2 2 \"some\"\n"
         "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n$Elements\n" +
         std::to_string(count) + "\n" + elements + "$EndElements\n";
}

std::string msh4(int count, const std::string& elements) {
  const std::string all = std::to_string(count);
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 "
         "0\n1 1 0\n"
         "$EndNodes\n$Elements\n1 " +
         all + " 1 " + all + "\n2 1 2 " + all + "\n" + elements + "$EndElements\n";
}

std::string vtk_of(int count, const std::string& cells) {
  std::string types;
  for (int k = 0; k < count; ++k) types += "5\n";
  return "# vtk DataFile Version 3.0\nsheet\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
         "0 0 0\n1 0 0\n0 1 0\n1 1 0\nCELLS " +
         std::to_string(count) + " " + std::to_string(4 * count) + "\n" + cells + "CELL_TYPES " +
         std::to_string(count) + "\n" + types;
}

std::string vtu_of(int count, const std::string& connectivity) {
  std::string offsets, types;
  for (int k = 1; k <= count; ++k) offsets += std::to_string(3 * k) + " ", types += "5 ";
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
         "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
         "<Piece NumberOfPoints=\"4\" NumberOfCells=\"" +
         std::to_string(count) +
         "\">\n<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">"
         "0 0 0 1 0 0 0 1 0 1 1 0</DataArray></Points>\n"
         "<Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">" +
         connectivity + "</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">" +
         offsets + "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">" + types +
         "</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::string medit_of(int count, const std::string& triangles) {
  return "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 0 0\nTriangles " +
         std::to_string(count) + "\n" + triangles + "End\n";
}

std::vector<Format> formats() {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";
  return {
      {"a.obj", obj, obj + " f 3 1 2\n", "a.obj:7:2: error: a face with the vertices of the one in line 5"},
      {"b.obj", obj, obj + "f 1//1 3//2 2//1\n", "b.obj:7:1: error: a face with the vertices of the one in"},
      {"a.ply", ply_of("3 0 1 2\n3 1 3 2\n"), ply_of("3 0 1 2\n3 1 3 2\n3 2 1 0\n"),
       "a.ply:16:1: error: a face with the vertices of the one in line 14"},
      {"b.ply", binary_ply({{0, 1, 2}, {1, 3, 2}}), binary_ply({{0, 1, 2}, {1, 3, 2}, {1, 2, 0}}),
       "b.ply: error: face 2 (counted from 0) has the vertices of face 0"},
      {"a.msh", msh2(2, "1 2 1 1 1 2 3\n2 2 1 1 2 4 3\n"),
       msh2(3, "1 2 1 1 1 2 3\n2 2 1 1 2 4 3\n3 2 1 1 1 2 3\n"),
       "a.msh:20: error: a face with the vertices of the one in line 18"},
      {"b.msh", msh4(2, "1 1 2 3\n2 2 4 3\n"), msh4(3, "1 1 2 3\n2 2 4 3\n3 3 2 1\n"),
       "b.msh:21: error: a face with the vertices of the one in line 19"},
      {"a.vtk", vtk_of(2, "3 0 1 2\n3 1 3 2\n"), vtk_of(3, "3 0 1 2\n3 1 3 2\n3 0 2 1\n"),
       "a.vtk:13: error: a face with the vertices of the one in line 11"},
      {"a.vtu", vtu_of(2, "0 1 2 1 3 2"), vtu_of(3, "0 1 2 1 3 2 2 0 1"),
       "a.vtu: error: face 2 (counted from 0) has the vertices of face 0"},
      {"a.mesh", medit_of(2, "1 2 3 1\n2 4 3 1\n"), medit_of(3, "1 2 3 1\n2 4 3 1\n1 2 3 2\n"),
       "a.mesh:11: error: a face with the vertices of the one in line 9"},
  };
}

std::string scene_of(const std::string& mesh) {
  return "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"" + mesh +
         "\"\nmass = 2.0\n[[body.springs]]\nfrom = \"bending\"\nstiffness = 3.0\n";
}

TEST(RepeatedFaces, AreRefusedWithTheirPlaceInEachFormat) {
  for (const Format& format : formats()) {
    EXPECT_EQ(findings_of(scene_of(format.name), {}, {{format.name, format.once}}), "") << format.name;
    EXPECT_THAT(findings_of(scene_of(format.name), {}, {{format.name, format.twice}}),
                HasSubstr(format.found))
        << format.name;
    EXPECT_THAT(findings_of(scene_of(format.name), {}, {{format.name, format.twice}}),
                HasSubstr("allowed: each face once, whichever way it turns"))
        << format.name;
  }
}

/// As elements: Gmsh writes a face of 2.2 once for each of its physical groups. It is one, in all of them,
/// and has the springs of one.
TEST(RepeatedFaces, OfSeveralGroupsOfAnMshFileAreOne) {
  const std::string once = "1 2 1 1 1 2 3\n2 2 1 2 2 4 3\n";
  const Files files = {{"once.msh", msh2(2, once)}, {"groups.msh", msh2(3, once + "3 2 1 2 3 1 2\n")}};
  const std::string group = "[[body.group]]\nname = \"some\"\nattribute = \"some\"\n";
  const Assembly one = load(scene_of("once.msh") + group, {}, files);
  const Assembly two = load(scene_of("groups.msh") + group, {}, files);
  ASSERT_EQ(one.springs.size(), 1U);  // From 0 to 3, across the edge 1 2.
  ASSERT_EQ(two.springs.size(), 1U);
  EXPECT_EQ(two.springs[0].i, one.springs[0].i);
  EXPECT_EQ(two.springs[0].j, one.springs[0].j);
  EXPECT_EQ(two.springs[0].j, 3);
  EXPECT_EQ(two.faces, one.faces);
  EXPECT_EQ(one.groups[0].vertices.size(), 3U);
  EXPECT_EQ(two.groups[0].vertices.size(), 4U);
}

/// The faces of a mesh with elements are only groups, and may be written once for each group in any format.
TEST(RepeatedFaces, OfAMeshWithElementsAreGroups) {
  const Files files = {
      {"two.mesh",
       "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
       "Triangles 2\n1 2 3 1\n1 2 3 2\nTetrahedra 1\n1 2 3 4 1\nEnd\n"}};
  const std::string scene =
      "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"two.mesh\"\ndensity = 6.0\n"
      "[[body.group]]\nname = \"g\"\nattribute = \"Triangles 2\"\n";
  const Assembly assembly = load(scene, {}, files);
  EXPECT_EQ(assembly.faces.size(), 4U);
  EXPECT_EQ(assembly.groups[0].vertices.size(), 3U);
}

TEST(RepeatedFaces, OfAGivenMeshAreRefused) {
  Scene scene;
  scene.time = {0.1, 1};
  Body body;
  body.name = "a", body.mass = 1.0;
  body.given_mesh = Mesh{};
  body.given_mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const auto add = [&](std::vector<Index> corners) { body.given_mesh->polygons.add(corners); };
  add({0, 1, 3, 2});
  scene.bodies = {body};
  EXPECT_NO_THROW(assemble(scene));
  add({0, 3, 1, 2});  // The same vertices around another face.
  scene.bodies = {body};
  EXPECT_NO_THROW(assemble(scene));
  add({3, 1, 0, 2});
  scene.bodies = {body};
  try {
    assemble(scene);
    ADD_FAILURE() << "nothing was found";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("polygon 2 has the vertices of polygon 0; allowed: each polygon "
                                        "once, whichever way it turns"));
  }
}

}  // namespace
}  // namespace electret
