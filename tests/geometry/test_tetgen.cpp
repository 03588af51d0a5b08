#include <electret/core/errors.hpp>
#include <electret/geometry/tetgen.hpp>

#include "findings.hpp"
#include "volume_files.hpp"

namespace electret {
namespace {

using namespace volume_files;
using ::testing::ElementsAre;

std::string node(int first) {
  std::string text = "# vertices\n\n11 3 2 1\n";
  for (int v = 0; v < 11; ++v) {
    text += " " + std::to_string(first + v);
    for (const double x : corners[v]) text += " " + std::to_string(x);
    text += " 0.25 -1 " + std::to_string(v < 4 ? 2 : 0) + (v == 3 ? "  # a comment\n" : "\n");
  }
  return text;
}

/// The first tetrahedron inverted; regions 3 and none, after an attribute.
std::string ele(int first) {
  std::string text = "2 4 2\n";
  const int numbers[2][4] = {{4, 5, 8, 6}, {1, 10, 2, 9}};
  for (int t = 0; t < 2; ++t) {
    text += std::to_string(first + t);
    for (const int number : numbers[t]) text += " " + std::to_string(first + number);
    text += t == 0 ? " 7 3\n" : " 7 0\n";
  }
  return text + "# end\n";
}

TEST(Tetgen, HoldsWhatWasWritten) {
  for (const int first : {0, 1}) {
    const Mesh mesh = parse_tetgen({node(first), "a.node"}, {ele(first), "a.ele"});
    ASSERT_EQ(mesh.vertices.size(), 11U);
    EXPECT_EQ(mesh.vertices[10], (Vec3{3, 1, 0.125}));
    EXPECT_THAT(mesh.tetrahedra, ElementsAre(Tetrahedron{4, 5, 6, 8}, Tetrahedron{1, 10, 2, 9}));
    EXPECT_THAT(mesh.element_lines, ElementsAre(2, 3));
    EXPECT_THAT(mesh.groups.at("marker 2"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(mesh.element_groups.at("3"), ElementsAre(0));
    EXPECT_EQ(mesh.element_groups.size(), 1U);
    EXPECT_EQ(mesh.groups.size(), 2U);
  }
}

TEST(Tetgen, EitherFileMayBeNamed) {
  const Mesh by_node = parse_tetgen_pair({node(0), "a.node"}, {ele(0), "a.ele"});
  const Mesh by_ele = parse_tetgen_pair({ele(0), "a.ele"}, {node(0), "a.node"});
  EXPECT_EQ(by_node.tetrahedra, by_ele.tetrahedra);
  EXPECT_EQ(by_ele.element_lines.size(), 2U);
  EXPECT_TRUE(by_node.element_lines.empty()) << "lines of a file that is not named";
}

TEST(Tetgen, CutAnywhereThrowsNothingElse) {
  cut_anywhere(node(1), [](std::string_view text) {
    return parse_tetgen({text, "a.node"}, {ele(1), "a.ele"});
  });
  cut_anywhere(ele(1), [](std::string_view text) {
    return parse_tetgen({node(1), "a.node"}, {text, "a.ele"});
  });
}

TEST(Tetgen, FaultsAreLocated) {
  const auto parse_node = [](const std::string& text) {
    return parse_tetgen({text, "a.node"}, {"0 4 0\n", "a.ele"});
  };
  const auto parse_ele = [](const std::string& text) {
    return parse_tetgen({"4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "a.node"}, {text, "a.ele"});
  };
  expect_faults({{"", "a.node:1: error: the first line has 0 numbers"},
                 {"0 3 0 0\n", "the file has no vertices"},
                 {"1 2 0 0\n1 0 0\n", "the dimension is 2"},
                 {"1 3 0 0 9\n1 0 0 0\n", "the first line has 5 numbers"},
                 {"many 3 0 0\n", "a.node:1:1: error: the first line: \"many\" is not a whole number"},
                 {"9999999999 3 0 0\n", "allowed: 0 to 2147483647"},
                 {"2 3 0 0\n1 0 0 0\n", "a.node: error: the file ends where a vertex should be"},
                 {"1 3 0 0\n1 0 0\n", "a.node:2:1: error: 3 numbers for a vertex; allowed: 4"},
                 {"1 3 0 0\n1 0 y 0\n", "a.node:2:5: error: a coordinate: \"y\" is not a number"},
                 {"2 3 0 0\n1 0 0 0\n3 0 0 0\n", "a.node:3:1: error: vertex 3"},
                 {"1 3 0 1\n1 0 0 0 1.5\n", "a marker: \"1.5\" is not a whole number"}},
                parse_node);
  expect_faults(
      {{"1 10 0\n", "a.ele:1: error: tetrahedra of 10 vertices"},
       {"1 4 0\n1 1 2 3 5\n", "a.ele:2:9: error: vertex \"5\"; allowed: 1 to 4"},
       {"1 4 0\n1 0 2 3 4\n", "a.ele:2:3: error: vertex \"0\""},
       {"1 4 0\n1 1 -9223372036854775808 3 4\n", "vertex \"-9223372036854775808\"; allowed: 1 to 4"},
       {"1 4 0\n1 1 2 3\n", "4 numbers for a tetrahedron; allowed: 5"},
       {"1 4 1\n1 1 2 3 4 0.5\n", "region \"0.5\""},
       {"2 4 0\n1 1 2 3 4\n", "a.ele: error: the file ends where a tetrahedron should be"}},
      parse_ele);
}

TEST(Tetgen, TellsEveryFindingInBothFilesAtOnce) {
  const auto findings = findings_of([] {
    parse_tetgen({"2 3 0 0\n1 ? 0 0\n2 0 ? 0\n", "a.node"}, {"1 4 0\n1 x 2 3 4\n", "a.ele"});
  });
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[2].where.file, "a.ele");
}

}  // namespace
}  // namespace electret
