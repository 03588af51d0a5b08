#include <cstring>

#include <electret/core/errors.hpp>
#include <electret/geometry/vtk.hpp>

#include "findings.hpp"
#include "volume_files.hpp"

namespace electret {
namespace {

using namespace volume_files;
using ::testing::ElementsAre;

Mesh parse(std::string_view text) {
  return parse_vtk(text, "file");
}

/// Numbers as text or as bytes, the highest first.
class File {
 public:
  explicit File(bool is_binary) : is_binary_(is_binary) {}
  File& text(const std::string& more) { return bytes_ += more, *this; }
  template <class T, class Values>
  File& numbers(const Values& values) {
    for (const auto value : values) {
      const auto typed = static_cast<T>(value);
      if (is_binary_) {
        char raw[sizeof(T)];
        std::memcpy(raw, &typed, sizeof(T));
        std::reverse(raw, raw + sizeof(T));
        bytes_.append(raw, sizeof(T));
      } else {
        bytes_ += std::to_string(value) + " ";
      }
    }
    return is_binary_ ? *this : text("\n");
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  bool is_binary_;
  std::string bytes_;
};

/// Cells in the file's order: quadrangle, hexahedron, two tetrahedra, triangle.
constexpr int connectivity[] = {0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 8, 1, 10, 2, 9, 4, 5, 8};
constexpr int offsets[] = {0, 4, 12, 16, 20, 23};

void points(File& file) {
  file.text("DATASET UNSTRUCTURED_GRID\nPOINTS 11 double\n");
  for (const auto& corner : corners) file.numbers<double>(corner);
}

void data(File& file) {
  file.text("\nCELL_DATA 5\nSCALARS material%20of int 1\nLOOKUP_TABLE default\n")
      .numbers<std::int32_t>(std::vector<int>{7, 5, 5, 6, -7});
  file.text("\nFIELD FieldData 2\nrank 1 5 unsigned_char\n")
      .numbers<std::uint8_t>(std::vector<int>{0, 0, 1, 1, 0});
  file.text("\nMETADATA\nINFORMATION 0\n\nstrain 2 5 float\n").numbers<float>(std::vector<double>(10, 0.5));
  file.text("\nPOINT_DATA 11\nVECTORS push float\n").numbers<float>(std::vector<double>(33, 0.25));
  file.text("\nSCALARS mass double\nLOOKUP_TABLE default\n").numbers<double>(std::vector<double>(11, 0.125));
}

std::string version_3(bool is_binary) {
  File file(is_binary);
  file.text("# vtk DataFile Version 3.0\nany title: POINTS 3\n" +
            std::string(is_binary ? "BINARY" : "ASCII") + "\n");
  points(file);
  file.text("\nCELLS 5 28\n");
  for (int c = 0; c < 5; ++c) {
    std::vector<int> row{offsets[c + 1] - offsets[c]};
    row.insert(row.end(), connectivity + offsets[c], connectivity + offsets[c + 1]);
    file.numbers<std::int32_t>(row);
  }
  file.text("\nCELL_TYPES 5\n").numbers<std::int32_t>(std::vector<int>{9, 12, 10, 10, 5});
  data(file);
  return file.bytes();
}

std::string version_5(bool is_binary) {
  File file(is_binary);
  file.text("# vtk DataFile Version 5.1\ntitle\n" + std::string(is_binary ? "BINARY" : "ASCII") + "\n");
  points(file);
  file.text("\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n");
  file.text("CELLS 6 23\nOFFSETS vtktypeint64\n").numbers<std::int64_t>(offsets);
  file.text("\nCONNECTIVITY vtktypeint64\n").numbers<std::int64_t>(connectivity);
  file.text("\nCELL_TYPES 5\n").numbers<std::int32_t>(std::vector<int>{9, 12, 10, 10, 5});
  data(file);
  return file.bytes();
}

class VtkFiles : public ::testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  std::string bytes_ =
      std::get<0>(GetParam()) == 3 ? version_3(std::get<1>(GetParam())) : version_5(std::get<1>(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Forms, VtkFiles, ::testing::Combine(::testing::Values(3, 5), ::testing::Bool()));

TEST_P(VtkFiles, HoldWhatWasWritten) {
  const Mesh mesh = parse(bytes_);
  expect_volumes(mesh);
  EXPECT_THAT(mesh.element_groups.at("material of=5"), ElementsAre(0, 2));
  EXPECT_THAT(mesh.element_groups.at("material of=6"), ElementsAre(1));
  EXPECT_THAT(mesh.element_groups.at("rank=1"), ElementsAre(0, 1));
  EXPECT_EQ(mesh.element_groups.size(), 4U) << "strain has two numbers a cell";
  EXPECT_THAT(mesh.groups.at("material of=7"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(mesh.groups.at("material of=-7"), ElementsAre(4, 5, 8));
  ASSERT_EQ(mesh.attributes.size(), 1U);
  EXPECT_THAT(mesh.attributes.at("mass"), ::testing::Each(0.125));
  if (std::get<1>(GetParam()) || std::get<0>(GetParam()) == 5)
    EXPECT_TRUE(mesh.element_lines.empty());
  else
    EXPECT_THAT(mesh.element_lines, ElementsAre(21, 22, 20));
}

TEST(Vtk, VelocitiesAreThoseOfPly) {
  const std::string start =
      "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 2 float\n0 0 0 1 0 0\n"
      "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n3\nPOINT_DATA 2\n";
  const Mesh mesh = parse(start + "VECTORS velocity double\n1 2 3 4 5 6\nVECTORS push float\n1 2 3 4 5 6\n");
  ASSERT_EQ(mesh.attributes.size(), 3U);
  EXPECT_THAT(mesh.attributes.at("vx"), ElementsAre(1, 4));
  EXPECT_THAT(mesh.attributes.at("vy"), ElementsAre(2, 5));
  EXPECT_THAT(mesh.attributes.at("vz"), ElementsAre(3, 6));
  EXPECT_TRUE(parse(start + "VECTORS velocity double\n1 2 3 4 5 nan\n").attributes.empty());
  const Mesh scalar = parse(start + "SCALARS velocity double\nLOOKUP_TABLE default\n1 2\n");
  ASSERT_EQ(scalar.attributes.size(), 1U);
  EXPECT_THAT(scalar.attributes.at("velocity"), ElementsAre(1, 2));
}

TEST_P(VtkFiles, CutAnywhereThrowNothingElse) {
  cut_anywhere(bytes_, parse);
}

TEST(Vtk, PixelsVoxelsAndLinesAreTurned) {
  const std::string start =
      "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n"
      "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n";
  const Mesh voxel = parse(start + "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n");
  EXPECT_THAT(voxel.hexahedra, ElementsAre(Hexahedron{0, 1, 3, 2, 4, 5, 7, 6}));
  EXPECT_NEAR(element_volume(voxel, voxel.vertices, 0), 1.0, 1e-15);
  const Mesh flat =
      parse(start + "CELLS 5 20\n4 0 1 2 3\n3 0 1 2\n1 7\n2 3 7\n5 0 1 3 2 6\nCELL_TYPES 5\n8 4 1 2 7\n");
  ASSERT_EQ(flat.polygons.size(), 2U);
  EXPECT_THAT(flat.polygons[0], ElementsAre(0, 1, 3, 2));
  EXPECT_THAT(flat.lines, ElementsAre(Edge{0, 1}, Edge{1, 2}));
}

TEST(Vtk, FaultsAreLocated) {
  const std::string head = "# vtk DataFile Version 3.0\nt\nASCII\n",
                    start = head + "DATASET UNSTRUCTURED_GRID\n";
  const std::string two = start + "POINTS 2 float\n0 0 0 1 0 0\n", cell = two + "CELLS 1 3\n2 0 1\n";
  expect_faults(
      {{"", "the file does not begin with"},
       {"# vtk DataFile Version 7.0\n", "file:1:1: error: VTK's version \"7.0\""},
       {"# vtk DataFile Version 3.0\nt\nTEXT\n", "the third line is neither ASCII nor BINARY"},
       {head, "the file has no DATASET"},
       {head + "DATASET POLYDATA\n", "the dataset is \"POLYDATA\"; allowed: UNSTRUCTURED_GRID"},
       {start, "the grid has no points"},
       {start + "POINTS 1 complex\n", "file:5:10: error: the type \"complex\" is not read"},
       {start + "POINTS 99999999 float\n0 0 0\n", "there are not 99999999 times 3 numbers"},
       {start + "POINTS 4000000000000000000 float\n0 0 0\n", "more points than can be numbered"},
       {start + "POINTS 1 float\n0 x 0\n", "file:6:3: error: a coordinate: \"x\" is not a number"},
       {start + "POINTS 1 float\n0 inf 0\n", "a coordinate is not finite"},
       {two + "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n13\n", "file:8: error: cell 0: VTK's type 13 is not read"},
       {two + "CELLS 1 3\n2 0 2\nCELL_TYPES 1\n3\n", "file:8: error: cell 0: point 2 is not there"},
       {two + "CELLS 1 3\n2 0 -1\nCELL_TYPES 1\n3\n", "point -1 is not there"},
       {two + "CELLS 2 8\n3 0 1 1\n3 1 0 1\nCELL_TYPES 2\n5 5\n",
        "file:9: error: cell 1: point 1 is two of its corners; the corners of a face or line"},
       {two + "CELLS 1 3\n2 1 1\nCELL_TYPES 1\n3\n", "file:8: error: cell 0: point 1 is two of its corners"},
       {two + "CELLS 1 4\n3 0 1 1\nCELL_TYPES 1\n4\n", "file:8: error: cell 0: point 1 is two of its"},
       {two + "CELLS 1 5\n4 0 0 1 1\nCELL_TYPES 1\n8\n", "file:8: error: cell 0: point 0 is two of its"},
       {two + "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n10\n", "2 points for VTK's type 10; allowed: 4"},
       {two + "CELLS 1 2\n2 0\nCELL_TYPES 1\n3\n", "cell 0 ends behind the 2 numbers of CELLS"},
       {cell, "1 cells, but 0 types of cells"},
       {cell + "CELL_TYPES 1\n3\nCELL_DATA 2\n", "CELL_DATA of 2; allowed: 1"},
       {cell + "CELL_TYPES 1\n3\nCELL_DATA 1\nSCALARS a int\n4\n", "SCALARS without LOOKUP_TABLE"},
       {cell + "CELL_TYPES 1\n3\nnonsense\n", "file:11:1: error: \"nonsense\" stands where a section"},
       {two + "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n3\nCELL_DATA 1\nSCALARS s string\nLOOKUP_TABLE d\n",
        "the type \"string\""},
       {"# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\nCELLS 2 "
        "1\nOFFSETS "
        "int\n0 5\nCONNECTIVITY int\n0\nCELL_TYPES 1\n1\n",
        "cell 0: its points end at 5; allowed: 0 to 1"}},
      parse);
}

TEST(Vtk, TellsEveryFindingAtOnce) {
  const auto findings = findings_of([] {
    parse(
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 2 float\n0 0 0 1 0 0\nCELLS "
        "3 9\n"
        "2 0 3\n2 0 4\n2 0 1\nCELL_TYPES 3\n3 3 99\n");
  });
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[1].where.line, 9);
}

}  // namespace
}  // namespace electret
