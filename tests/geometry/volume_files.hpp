#pragma once
/// \file
/// One small volume mesh, for the tests of every format that can hold it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/volume.hpp>

namespace electret::volume_files {

/// Corners of a hexahedron, of a tetrahedron on top of it, and of one beside it; Gmsh's order.
inline constexpr double corners[11][3] = {{0, 0, 0}, {1, 0, 0},   {1, 1, 0},    {0, 1, 0},
                                          {0, 0, 1}, {1, 0, 1},   {1, 1, 1},    {0, 1, 1},
                                          {0, 0, 2}, {2, 0, 0.5}, {3, 1, 0.125}};
inline constexpr int hexahedron[8] = {0, 1, 2, 3, 4, 5, 6, 7};
inline constexpr int tetrahedra[2][4] = {{4, 5, 6, 8}, {1, 10, 2, 9}};
inline constexpr int quadrangle[4] = {0, 1, 2, 3};
inline constexpr int triangle[3] = {4, 5, 8};

/// Checks that `mesh` is that mesh. Names of groups are the formats' own affair.
inline void expect_volumes(const Mesh& mesh) {
  using ::testing::ElementsAre;
  ASSERT_EQ(mesh.vertices.size(), 11U);
  for (std::size_t v = 0; v < 11; ++v)
    EXPECT_EQ(mesh.vertices[v], (Vec3{corners[v][0], corners[v][1], corners[v][2]})) << v;
  EXPECT_THAT(mesh.hexahedra, ElementsAre(Hexahedron{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_THAT(mesh.tetrahedra, ElementsAre(Tetrahedron{4, 5, 6, 8}, Tetrahedron{1, 10, 2, 9}));
  for (std::size_t e = 0; e < 3; ++e) EXPECT_GT(element_volume(mesh, mesh.vertices, e), 0.01) << e;
  EXPECT_EQ(mesh.polygons.size(), 6U + 8U);
}

/// Reads every beginning of `bytes`: it throws InputError or returns, nothing else.
template <class Parse>
void cut_anywhere(const std::string& bytes, Parse&& parse) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    try {
      (void)parse(std::string_view(bytes).substr(0, length));
    } catch (const InputError&) {  // which most are
    }
  }
}

/// Each text is refused with a finding that holds the words beside it.
template <class Parse>
void expect_faults(const std::vector<std::pair<std::string, std::string>>& faults, Parse&& parse) {
  for (const auto& [text, message] : faults) {
    try {
      (void)parse(text);
      ADD_FAILURE() << "nothing was found wrong in\n" << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(message)) << text;
    }
  }
}

}  // namespace electret::volume_files
