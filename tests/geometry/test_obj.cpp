#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include <geometry/findings.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/obj.hpp>
#include <electret/geometry/read.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::vector<Index> polygon(const Mesh& mesh, std::size_t p) {
  const auto corners = mesh.polygons[p];
  return {corners.begin(), corners.end()};
}

const std::string four = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, ReadsVerticesInOrderAndMergesNone) {
  const Mesh mesh = parse_obj("v 1 2 3\nv 1 2 3\nv -1e-3 +.5 1E2\n", "file");
  EXPECT_THAT(mesh.vertices, ElementsAre(Vec3{1, 2, 3}, Vec3{1, 2, 3}, Vec3{-1e-3, 0.5, 100.0}));
  EXPECT_EQ(mesh.polygons.size(), 0U);
}

TEST(Obj, NumbersAreCorrectlyRounded) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    double wanted = 0.0;
    const std::uint64_t bits = random();
    std::memcpy(&wanted, &bits, sizeof wanted);
    if (!std::isfinite(wanted)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "v %.17g 0 0\n", wanted);
    EXPECT_EQ(parse_obj(text, "file").vertices[0].x, wanted) << text;
  }
  // Half way between two doubles, and a little more: the second digit string decides beyond the 17th digit.
  EXPECT_EQ(parse_obj("v 9007199254740993 9007199254740993.0000000000000000000001 0\n", "file").vertices[0],
            (Vec3{9007199254740992.0, 9007199254740994.0, 0.0}));
}

TEST(Obj, NumbersTooSmallForADoubleAreZero) {
  const Mesh mesh =
      parse_obj("v 1e-400 -2e-9999999999999999999999 0.00001e-330\nv 0.0000000001e300 1 0e999999\n", "file");
  EXPECT_EQ(mesh.vertices[0], (Vec3{0, 0, 0}));
  EXPECT_TRUE(std::signbit(mesh.vertices[0].y));
  EXPECT_EQ(mesh.vertices[1], (Vec3{1e290, 1, 0}));
}

TEST(Obj, IgnoresWeightsColoursAndWhatIsNotGeometry) {
  const Mesh mesh = parse_obj(
      "mtllib a.mtl\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 0.1 0.2 0.3 1\nvt 0 0\nvn 0 0 1\nusemtl red\ns "
      "1\n"
      "f 1/1/1 2/1/1 3/1/1\ns off\n",
      "file");
  EXPECT_EQ(mesh.vertices.size(), 3U);
  EXPECT_THAT(polygon(mesh, 0), ElementsAre(0, 1, 2));
}

TEST(Obj, ReadsEveryCornerForm) {
  const Mesh mesh =
      parse_obj(four + "f 1 2 3\nf 1/1 2/2 4/3\nf 1//1 3//2 4//3\nf 1/1/1 2/2/2 3/3/3 4/-1/-1\n", "file");
  ASSERT_EQ(mesh.polygons.size(), 4U);
  EXPECT_THAT(polygon(mesh, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(polygon(mesh, 1), ElementsAre(0, 1, 3));
  EXPECT_THAT(polygon(mesh, 2), ElementsAre(0, 2, 3));
  EXPECT_THAT(polygon(mesh, 3), ElementsAre(0, 1, 2, 3));
}

TEST(Obj, NegativeIndicesCountBackFromTheVertexReadLast) {
  const Mesh mesh =
      parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -3 -1\nl -1 -2\n", "file");
  EXPECT_THAT(polygon(mesh, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(polygon(mesh, 1), ElementsAre(0, 1, 3));
  EXPECT_THAT(mesh.lines, ElementsAre(Edge{3, 2}));
}

TEST(Obj, PositiveIndicesMayPointForward) {
  const Mesh mesh = parse_obj("f 1 2 3\n" + four, "file");
  EXPECT_THAT(polygon(mesh, 0), ElementsAre(0, 1, 2));
}

TEST(Obj, PolylinesBecomeSegments) {
  const Mesh mesh = parse_obj(four + "l 1 2 3\nl 4/1 1/2\nl 1 2 1\n", "file");
  EXPECT_THAT(mesh.lines, ElementsAre(Edge{0, 1}, Edge{1, 2}, Edge{3, 0}, Edge{0, 1}, Edge{1, 0}));
}

TEST(Obj, GroupsGatherTheVerticesTheirElementsUse) {
  const Mesh mesh =
      parse_obj(four + "o thing\ng a b\nf 1 2 3\ng b\nl 3 4\ng\nf 1 3 4\no other\np 2\ng c\n", "file");
  EXPECT_THAT(mesh.groups,
              UnorderedElementsAre(Pair("a", ElementsAre(0, 1, 2)), Pair("b", ElementsAre(0, 1, 2, 3)),
                                   Pair("thing", ElementsAre(0, 1, 2, 3)), Pair("other", ElementsAre(1))));
}

TEST(Obj, AGroupAndAnObjectOfOneNameAreOneSet) {
  const Mesh mesh = parse_obj(four + "o a\nf 1 2 3\no\ng a\np 4 1\n", "file");
  EXPECT_THAT(mesh.groups, UnorderedElementsAre(Pair("a", ElementsAre(0, 1, 2, 3))));
}

TEST(Obj, UnderstandsCommentsContinuationsAndLineEnds) {
  const std::string text =
      "\xEF\xBB\xBF# comment \\\r\nv 0 0 \\\r\n 0 # here\r\n\r\n\tv\t1 0 0\r\nv 0 1 0\r\nf 1\\\n 2 3\r\ng "
      "part#1\r\np 1";
  const Mesh mesh = parse_obj(text, "file");
  EXPECT_THAT(mesh.vertices, ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}));
  EXPECT_THAT(polygon(mesh, 0), ElementsAre(0, 1, 2));
  EXPECT_TRUE(mesh.groups.contains("part#1"));
}

TEST(Obj, NeedsNoNewlineAtTheEnd) {
  EXPECT_EQ(parse_obj(four + "f 1 2 3", "file").polygons.size(), 1U);
}

TEST(Obj, FindsWhatIsMalformedAndWhere) {
  const std::vector<Malformed> table = {
      {"", 0, 0, "no vertex"},
      {"# nothing\n\n", 0, 0, "no vertex"},
      {"v 0 0\n", 1, 1, "2 coordinates"},
      {"v\n", 1, 1, "0 coordinates"},
      {"v 0 x 0\n", 1, 5, "\"x\" is not a number"},
      {"v 0 1.5.2 0\n", 1, 5, "not a number"},
      {"v 0 0x10 0\n", 1, 5, "not a number"},
      {"v 0 0,5 0\n", 1, 5, "not a number"},
      {"v 0 0 --1\n", 1, 7, "not a number"},
      {"v 0 0 +-1\n", 1, 7, "not a number"},
      {"v 0 0 +\n", 1, 7, "not a number"},
      {"v 0 0 1e\n", 1, 7, "not a number"},
      {"v nan 0 0\n", 1, 3, "not finite"},
      {"v 0 -inf 0\n", 1, 5, "not finite"},
      {"v 0 infinity 0\n", 1, 5, "not finite"},
      {"v 1e999 0 0\n", 1, 3, "too large"},
      {"v 1e99999999999999999999999 0 0\n", 1, 3, "too large"},
      {"v 1000000000000000000000000000e300 0 0\n", 1, 3, "too large"},
      {"v 0 0 \\\n  x\n", 2, 3, "not a number"},
      {four + "f 1 2\n", 5, 1, "at least 3"},
      {four + "f\n", 5, 1, "0 vertices"},
      {four + "f 1\n", 5, 1, "1 vertex"},
      {four + "f 1 2 0\n", 5, 7, "index 0"},
      {four + "f 1 2 5\n", 5, 7, "the file has 4 vertices"},
      {four + "f 1 2 -5\n", 5, 7, "before the first vertex"},
      {"v 0 0 0\nf -1 -2 -3\nv 0 0 0\nv 0 0 0\n", 2, 6, "before the first vertex"},
      {four + "f 1 2 99999999999999999999\n", 5, 7, "not a vertex index"},
      {four + "f 1 2 9223372036854775807\n", 5, 7, "out of range"},
      {four + "f 1 2 -9223372036854775808\n", 5, 7, "before the first"},
      {four + "f 1 2 2.0\n", 5, 7, "not a vertex index"},
      {four + "f 1 2 a\n", 5, 7, "not a vertex index"},
      {four + "f 1 2 /3\n", 5, 7, "not a vertex index"},
      {four + "f 1 2 3/a\n", 5, 7, "not a vertex index"},
      {four + "f 1 2 3/1/1/1\n", 5, 7, "not a vertex index"},
      {four + "f 1 2 1\n", 5, 1, "vertex 1 twice"},
      {four + "f 1 2 3 -3\n", 5, 1, "vertex 2 twice"},
      {four + "l 1\n", 5, 1, "at least 2"},
      {four + "l 1 1\n", 5, 5, "to itself"},
      {four + "l 1 7\n", 5, 5, "out of range"},
      {four + "p\n", 5, 1, "at least 1"},
      {four + "p 7\n", 5, 3, "out of range"},
      {four + "vertex 1 2 3\n", 5, 1, "unknown statement \"vertex\""},
      {"solid name\nv 0 0 0\n", 1, 1, "unknown statement"},
      {std::string("v 0 0 \0\n", 8), 1, 7, "\"\\x00\" is not a number"},
  };
  for (const Malformed& row : table) expect_first(findings_of([&] { parse_obj(row.text, "file"); }), row);
}

TEST(Obj, FindsEverythingInTheFilesOrder) {
  const auto findings = findings_of([] { parse_obj("f 1 2 9\nv a 0 b\nv 0 0 0\nq\nf 1 1 2\n", "file"); });
  std::vector<Count> lines;
  for (const Finding& finding : findings) lines.push_back(finding.where.line);
  EXPECT_THAT(lines, ElementsAre(1, 2, 2, 4, 5));
}

TEST(Obj, ShowsFiftyFindingsAndCountsTheRest) {
  std::string text;
  for (int line = 0; line < 3000; ++line) text += "v x 0 0\n";
  const auto findings = findings_of([&] { parse_obj(text, "file"); });
  ASSERT_EQ(findings.size(), 51U);
  EXPECT_EQ(findings[49].where.line, 50);
  EXPECT_EQ(findings[50].message, "and 2950 more like these");
}

TEST(Obj, BoundsWhatGroupNamesCanCost) {
  std::string names = "g";
  for (int k = 0; k < 65; ++k) names += " n" + std::to_string(k);
  EXPECT_EQ(findings_of([&] { parse_obj(four + names + "\nf 1 2 3\n", "file"); }).size(), 1U);
}

TEST(Obj, QuotesLongAndUnprintableWordsSafely) {
  const auto findings =
      findings_of([] { parse_obj("v \x1b[31m" + std::string(500, 'a') + " 0 0\n", "file"); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_LT(findings[0].message.size(), 200U);
  EXPECT_EQ(findings[0].message.find('\x1b'), std::string::npos);
}

class ReadMesh : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("electret_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(ReadMesh, GoesByTheExtension) {
  EXPECT_EQ(read_mesh(file("a.OBJ", four)).vertices.size(), 4U);
  EXPECT_EQ(read_mesh(file("a.ply",
                           "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                           "property float z\nend_header\n1 2 3\n"))
                .vertices.size(),
            1U);
  const auto findings = findings_of([&] { read_mesh(file("a.stl", "solid")); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(to_string(findings[0]).find(".obj, .ply"), std::string::npos);
}

TEST_F(ReadMesh, SaysThatAFileCannotBeRead) {
  for (const std::string& path : {(folder_ / "none.obj").string(), (folder_ / "none.ply").string()}) {
    const auto findings = findings_of([&] { read_mesh(path); });
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].where.file, path);
    EXPECT_NE(findings[0].message.find("No such file"), std::string::npos) << findings[0].message;
  }
  std::filesystem::create_directories(folder_ / "folder.obj");
  const auto findings = findings_of([&] { read_mesh((folder_ / "folder.obj").string()); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].message.find("folder"), std::string::npos);
}

}  // namespace
}  // namespace electret
