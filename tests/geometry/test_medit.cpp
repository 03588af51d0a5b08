#include <electret/core/errors.hpp>
#include <electret/geometry/medit.hpp>

#include "findings.hpp"
#include "volume_files.hpp"

namespace electret {
namespace {

using namespace volume_files;
using ::testing::ElementsAre;

std::string row(std::span<const int> numbers, int reference) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number + 1) + " ";
  return text + std::to_string(reference) + "\n";
}

std::string vertices() {
  std::string text = "Vertices\n11\n";
  for (std::size_t v = 0; v < 11; ++v)
    text += std::to_string(corners[v][0]) + " " + std::to_string(corners[v][1]) + "\t" +
            std::to_string(corners[v][2]) + (v == 10 ? " 9\n" : " 0\n");
  return text;
}

std::string cells() {
  return "Quadrilaterals\n1\n" + row(quadrangle, 3) + "\nTriangles 1 " + row(triangle, 3) + "Hexahedra\n1\n" +
         row(hexahedron, 5) + "# a comment\nTetrahedra\n2\n" + row(tetrahedra[0], 6) + row(tetrahedra[1], 5) +
         "RequiredVertices\n2\n1 2\nNormals 1\n0 0 1.5\n";
}

Mesh parse(std::string_view text) {
  return parse_medit(text, "file");
}

TEST(Medit, HoldsWhatWasWritten) {
  for (const std::string& text :
       {"MeshVersionFormatted 2\nDimension\n3\n" + vertices() + cells() + "End\nafter it anything",
        "MeshVersionFormatted 1\nDimension 3\n" + cells() + vertices()}) {
    const Mesh mesh = parse(text);
    expect_volumes(mesh);
    ASSERT_EQ(mesh.element_groups.size(), 2U);
    EXPECT_THAT(mesh.element_groups.at("5"), ElementsAre(1, 2));
    EXPECT_THAT(mesh.element_groups.at("6"), ElementsAre(0));
    EXPECT_THAT(mesh.groups.at("6"), ElementsAre(4, 5, 6, 8));
    EXPECT_THAT(mesh.groups.at("Quadrilaterals 3"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(mesh.groups.at("Triangles 3"), ElementsAre(4, 5, 8));
    EXPECT_THAT(mesh.groups.at("Vertices 9"), ElementsAre(10));
    EXPECT_EQ(mesh.groups.size(), 5U);
    EXPECT_EQ(mesh.element_lines.size(), 3U);
  }
}

TEST(Medit, WithoutVolumesIsASurface) {
  const Mesh mesh = parse(
      "MeshVersionFormatted 1\nDimension 3\nVertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
      "Triangles 1\n1 2 3 0\nEdges 1\n1 2 4\n");
  EXPECT_EQ(mesh.polygons.size(), 1U);
  EXPECT_THAT(mesh.lines, ElementsAre(Edge{0, 1}));
  EXPECT_THAT(mesh.groups.at("Edges 4"), ElementsAre(0, 1));
}

TEST(Medit, CutAnywhereThrowsNothingElse) {
  cut_anywhere("MeshVersionFormatted 2\nDimension\n3\n" + vertices() + cells(), parse);
}

TEST(Medit, FaultsAreLocated) {
  const std::string start = "MeshVersionFormatted 1\nDimension 3\n",
                    two = start + "Vertices 2\n0 0 0 0\n1 0 0 0\n";
  expect_faults(
      {{"", "file: error: the file has no vertices"},
       {start, "the file has no vertices"},
       {"MeshVersionFormatted 9\n" + two, "file:1:22: error: Medit version 9"},
       {"MeshVersionFormatted 1\nDimension 2\n", "file:2:11: error: the dimension is 2"},
       {start + "Vertices 1\n0 x 0 0\n", "file:4:3: error: a coordinate: \"x\" is not a number"},
       {start + "Vertices 1\n0 nan 0 0\n", "file:4:3: error: a coordinate: \"nan\" is not finite"},
       {start + "Vertices 2\n0 0 0 0\n", "the text ends where a coordinate should be"},
       {start + "Vertices -2\n", "the number of vertices is -2"},
       {start + "Vertices 2\n0 0 0 0\nTetrahedra 1\n", "file:5:1: error: a coordinate: \"Tetrahedra\""},
       {two + "7\n", "file:6:1: error: \"7\" stands where a keyword should be"},
       {two + "Prisms\n0\n", "file:6:1: error: \"Prisms\" are not read"},
       {two + "TetrahedraP2\n0\n", "\"TetrahedraP2\" are not read"},
       {two + "Edges 1\n1 3 0\n", "file:7: error: vertex 3 is not there; allowed: 1 to 2"},
       {two + "Edges 1\n0 1 0\n", "file:7:1: error: a vertex is 0; allowed: 1 to"},
       {two + "Edges 1\n2 2 0\n",
        "file:7: error: vertex 2 is two corners of the cell; the corners of a face"},
       {two + "Triangles 2\n1 2 1 0\n2 1 2 0\n", "file:8: error: vertex 2 is two corners of the cell"},
       {two + "Quadrilaterals 1\n1 2 2 1 0\n", "file:7: error: vertex 1 is two corners of the cell"},
       {two + "Vertices 1\n0 0 0 0\n", "a second list of vertices"}},
      parse);
}

TEST(Medit, TellsEveryFindingAtOnce) {
  const auto findings = findings_of([] {
    parse("MeshVersionFormatted 1\nDimension 3\nVertices 2\n0 0 ? 0\n1 1e999 0 0\nEdges 2\n1 2.5 0\n1 5 0\n");
  });
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[0].where.line, 4);
  EXPECT_EQ(findings[1].where.line, 5);
  EXPECT_EQ(findings[2].where.line, 7);
}

}  // namespace
}  // namespace electret
