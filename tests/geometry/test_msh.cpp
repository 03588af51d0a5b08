#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/msh.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Numbers as text or as bytes, the bytes perhaps in the other order.
class File {
 public:
  enum class Form { ascii, binary, swapped };
  explicit File(Form form) : form_(form) {}
  File& text(const std::string& more) { return bytes_ += more, *this; }
  File& int32(std::int32_t value) { return number(value); }
  File& size(std::int64_t value) { return number(value); }
  File& real(double value) { return number(value); }
  File& line() { return form_ == Form::ascii ? text("\n") : *this; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  File& number(T value) {
    if (form_ == Form::ascii) return text(" " + std::to_string(value));
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (form_ == Form::swapped) std::reverse(raw, raw + sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  Form form_;
  std::string bytes_;
};

constexpr double corners[12][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},   {0, 0, 1}, {1, 0, 1},
                                   {1, 1, 1}, {0, 1, 1}, {0, 0, 2}, {2, 0, 0.5}, {3, 0, 0}, {3, 1, 0}};

void header(File& file, const std::string& version, File::Form form) {
  file.text("$MeshFormat\n" + version + (form == File::Form::ascii ? " 0 8\n" : " 1 8\n"));
  if (form != File::Form::ascii) file.int32(1).text("\n");
  file.text("$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"bottom face\"\n3 5 \"core\"\n$EndPhysicalNames\n");
}

/// A hexahedron (group 5, "core"), two tetrahedra (one of group 6), a quadrangle at the bottom (group 7);
/// tags of nodes are 10 more than their places, and the last two nodes come first.
std::string version_2(File::Form form) {
  File file(form);
  header(file, "2.2", form);
  file.text("$Nodes\n12\n");
  for (int k = 0; k < 12; ++k) {
    const int at = (k + 10) % 12;
    file.int32(at + 10);
    for (const double x : corners[at]) file.real(x);
    file.line();
  }
  file.text("\n$EndNodes\n$Comments\nanything $Nodes\n$EndComments\n$Elements\n4\n");
  const auto element = [&](int tag, int type, int group, std::initializer_list<int> nodes, bool first,
                           int block) {
    if (form != File::Form::ascii && first) file.int32(type).int32(block).int32(2);
    file.int32(tag);
    if (form == File::Form::ascii) file.int32(type).int32(2);
    file.int32(group).int32(1);
    for (const int node : nodes) file.int32(node + 10);
    file.line();
  };
  element(1, 3, 7, {0, 1, 2, 3}, true, 1);
  element(2, 5, 5, {0, 1, 2, 3, 4, 5, 6, 7}, true, 1);
  element(3, 4, 6, {4, 5, 6, 8}, true, 2);
  element(4, 4, 0, {1, 10, 11, 9}, false, 2);
  return file.text("\n$EndElements\n").bytes();
}

std::string version_4(File::Form form) {
  File file(form);
  header(file, "4.1", form);
  file.text("$Entities\n").size(1).size(0).size(1).size(3).line();
  file.int32(1).real(0).real(0).real(0).size(0).line();
  const auto entity = [&](int tag, std::initializer_list<int> groups) {
    file.int32(tag);
    for (int c = 0; c < 6; ++c) file.real(0.5);
    file.size(static_cast<std::int64_t>(groups.size()));
    for (const int group : groups) file.int32(group);
    file.size(1).int32(-3).line();
  };
  entity(1, {7});
  entity(1, {5});
  entity(2, {6});
  entity(3, {});
  file.text("\n$EndEntities\n$Nodes\n").size(2).size(12).size(10).size(21).line();
  const auto nodes = [&](int first, int count, int dimension, int parametric) {
    file.int32(dimension).int32(1).int32(parametric).size(count).line();
    for (int k = 0; k < count; ++k) file.size(first + k + 10).line();
    for (int k = 0; k < count; ++k) {
      for (const double x : corners[first + k]) file.real(x);
      for (int p = 0; p < parametric * dimension; ++p) file.real(0.25);
      file.line();
    }
  };
  nodes(10, 2, 2, 1);
  nodes(0, 10, 3, 0);
  file.text("\n$EndNodes\n$Elements\n").size(4).size(4).size(1).size(4).line();
  const auto block = [&](int dimension, int entity_tag, int type, std::initializer_list<int> numbers) {
    file.int32(dimension).int32(entity_tag).int32(type).size(1).line().size(9);
    for (const int node : numbers) file.size(node + 10);
    file.line();
  };
  block(2, 1, 3, {0, 1, 2, 3});
  block(3, 1, 5, {0, 1, 2, 3, 4, 5, 6, 7});
  block(3, 2, 4, {4, 5, 6, 8});
  block(3, 3, 4, {1, 10, 11, 9});
  return file.text("\n$EndElements\n").bytes();
}

class MshFiles : public ::testing::TestWithParam<std::tuple<int, File::Form>> {
 protected:
  std::string bytes_ =
      std::get<0>(GetParam()) == 2 ? version_2(std::get<1>(GetParam())) : version_4(std::get<1>(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Forms, MshFiles,
                         ::testing::Combine(::testing::Values(2, 4),
                                            ::testing::Values(File::Form::ascii, File::Form::binary,
                                                              File::Form::swapped)));

TEST_P(MshFiles, HoldWhatWasWritten) {
  std::string bytes = bytes_;
  const Mesh mesh = parse_msh(bytes, "a.msh");
  ASSERT_EQ(mesh.vertices.size(), 12U);
  EXPECT_EQ(mesh.vertices[0], (Vec3{3, 0, 0}));
  EXPECT_EQ(mesh.vertices[11], (Vec3{2, 0, 0.5}));
  EXPECT_THAT(mesh.hexahedra, ElementsAre(Hexahedron{2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_THAT(mesh.tetrahedra, ElementsAre(Tetrahedron{6, 7, 8, 10}, Tetrahedron{3, 0, 1, 11}));
  ASSERT_EQ(mesh.element_groups.size(), 2U);
  EXPECT_THAT(mesh.element_groups.at("core"), ElementsAre(2));
  EXPECT_THAT(mesh.element_groups.at("6"), ElementsAre(0));
  EXPECT_THAT(mesh.groups.at("bottom face"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(mesh.groups.at("core"), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(mesh.groups.at("6"), ElementsAre(6, 7, 8, 10));
  EXPECT_EQ(mesh.polygons.size(), 6U + 8U);
  for (std::size_t e = 0; e < 3; ++e) EXPECT_GT(element_volume(mesh, mesh.vertices, e), 0.1);
  const bool is_text = std::get<1>(GetParam()) == File::Form::ascii;
  EXPECT_EQ(mesh.element_lines.size(), is_text ? 3U : 0U);
}

TEST_P(MshFiles, CutAnywhereAreRefusedOrHaveNoElements) {
  for (std::size_t length = 0; length + 14 < bytes_.size(); ++length) {
    try {
      EXPECT_EQ(parse_msh(std::string_view(bytes_).substr(0, length), "a.msh").element_count(), 0U) << length;
    } catch (const InputError&) {  // which most are
    }
  }
}

TEST(Msh, WithoutVolumesIsASurface) {
  const Mesh mesh = parse_msh(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
      "$Elements\n2\n1 2 0 1 2 3\n2 1 1 4 1 2\n$EndElements\n",
      "a.msh");
  EXPECT_EQ(mesh.polygons.size(), 1U);
  EXPECT_THAT(mesh.lines, ElementsAre(Edge{0, 1}));
  EXPECT_THAT(mesh.groups.at("4"), ElementsAre(0, 1));
}

TEST(Msh, FaultsAreLocated) {
  const std::string start = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  const std::string nodes = start + "$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n";
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"v 0 0 0\n", "a.msh:1:1: error: the file does not begin with $MeshFormat"},
      {"$MeshFormat\n2.1 0 8\n$EndMeshFormat\n", "a.msh:2:1: error: MSH version \"2.1\" is not read"},
      {"$MeshFormat\n2.2 2 8\n$EndMeshFormat\n", "a.msh:2:5: error: the file type is 2"},
      {"$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "a.msh:2:7: error: the data size is not 8"},
      {start, "has no nodes"},
      {start + "nonsense", "a.msh:4:1: error: \"nonsense\" is no section"},
      {start + "$Nodes\nmany\n", "a.msh:5:1: error: the number of nodes is \"many\""},
      {start + "$Nodes\n1\n1 0 x 0\n", "a.msh:6:5: error: a coordinate: \"x\" is not a number"},
      {start + "$Nodes\n1\n1 0 inf 0\n", "a.msh:6:5"},
      {start + "$Nodes\n2\n1 0 0 0\n1 0 0 0\n", "two nodes have the tag 1"},
      {start + "$Nodes\n1\n1 0 0 0\n", "$Nodes has no $EndNodes"},
      {nodes + "$Elements\n1\n1 6 0 1 2 1 2 1 2\n",
       "a.msh:11:3: error: elements of Gmsh's type 6 are not read"},
      {nodes + "$Elements\n1\n1 1 0 1 3\n", "a.msh:11:9: error: an element names the node 3"},
      {nodes + "$Elements\n1\n1 1 0 1\n", "is \"$EndElements\""},
      {nodes + "$Elements\n2\n1 1 0 2 2\n7 2 0 1 2 1\n$EndElements\n",
       "a.msh:11: error: element 1: node 2 is two of its corners; the corners of a face or line are "
       "different vertices\na.msh:12: error: element 7: node 1 is two of its corners"},
      {start + "$PhysicalNames\n1\n3 1 core\n", "a.msh:6:5: error: a physical group has no name in quotes"},
  };
  for (const auto& [text, message] : faults) {
    const std::string whole = message.starts_with("is \"$End") ? text + "$EndElements\n" : text;
    try {
      parse_msh(whole, "a.msh");
      ADD_FAILURE() << whole;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message)) << whole;
    }
  }
}

/// Gmsh writes an element of several groups once for each; one that is twice in a group is left to be found.
TEST(Msh, AnElementOfSeveralGroupsIsOne) {
  const auto parsed = [](const std::string& elements) {
    return parse_msh(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"all\"\n3 2 "
        "\"far\"\n$EndPhysicalNames\n"
        "$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n6 2 0 0\n7 2 1 0\n8 2 0 1\n9 2 1 "
        "1\n$EndNodes\n"
        "$Elements\n" +
            elements + "$EndElements\n",
        "a.msh");
  };
  const Mesh once = parsed("3\n1 4 1 1 1 2 3 4\n2 4 1 1 2 3 4 5\n3 5 1 2 1 2 5 3 6 7 9 8\n");
  const Mesh twice = parsed(
      "6\n1 4 1 1 1 2 3 4\n2 4 1 2 1 2 3 4\n3 4 1 1 2 3 4 5\n4 4 1 2 3 2 5 4\n"
      "5 5 1 2 1 2 5 3 6 7 9 8\n6 5 1 1 1 2 5 3 6 7 9 8\n");
  EXPECT_EQ(twice.tetrahedra, once.tetrahedra);
  EXPECT_EQ(twice.hexahedra, once.hexahedra);
  EXPECT_THAT(once.element_groups.at("all"), ElementsAre(0, 1));
  EXPECT_THAT(once.element_groups.at("far"), ElementsAre(2));
  EXPECT_THAT(twice.element_groups.at("all"), ElementsAre(0, 1, 2));
  EXPECT_THAT(twice.element_groups.at("far"), ElementsAre(0, 1, 2));
  EXPECT_EQ(twice.polygons.indices, once.polygons.indices);
  EXPECT_THAT(twice.element_lines, ElementsAre(23, 25, 27));
  const Mesh again = parsed("3\n1 4 1 1 1 2 3 4\n2 4 1 2 1 2 3 4\n3 4 1 1 1 2 3 4\n");
  EXPECT_EQ(again.tetrahedra.size(), 2U);
  EXPECT_THAT(again.element_groups.at("all"), ElementsAre(0, 1));
  EXPECT_THAT(again.element_groups.at("far"), ElementsAre(0));
}

/// A triangle, and the entity that has it, in the physical groups `groups`.
std::string triangle_in(const std::string& groups) {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n1 0 0 0 1 1 0 " + groups +
         " 0\n$EndEntities\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
         "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n";
}

TEST(Msh, KeepsEachGroupOfAnEntityOnce) {
  std::string repeated, many, most;
  for (int k = 1; k <= 65; ++k) {
    repeated += " 7";
    many += " " + std::to_string(k);
    if (k < 65) most += " " + std::to_string(k);
  }
  EXPECT_EQ(parse_msh(triangle_in("65" + repeated), "a.msh").groups.size(), 1U);
  EXPECT_EQ(parse_msh(triangle_in("64" + most), "a.msh").groups.size(), 64U);
  try {
    parse_msh(triangle_in("65" + many), "a.msh");
    ADD_FAILURE() << "65 groups";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.msh:6"));
    EXPECT_THAT(error.what(), HasSubstr("an entity in 65 physical groups; allowed: at most 64"));
  }
}

}  // namespace
}  // namespace electret
