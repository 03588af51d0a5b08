#include <algorithm>

#include <gtest/gtest.h>

#include <electret/geometry/generators/box.hpp>
#include <electret/geometry/wet_faces.hpp>

namespace electret {
namespace {

bool any_has_two_sides(const std::vector<WetFace>& faces) {
  for (const WetFace& face : faces)
    if (face.has_two_sides) return true;
  return false;
}

Polygons turned(const Polygons& polygons) {
  Polygons result;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const auto corners = polygons[p];
    result.add(std::vector<Index>(corners.rbegin(), corners.rend()));
  }
  return result;
}

TEST(WetFaces, OfAClosedSurfaceHaveOneSide) {
  const Mesh mesh = box({.cells = {3, 2, 1}, .cell_size = 0.5});
  const WetSurface outwards = wet_surface(mesh.polygons, mesh.vertices);
  EXPECT_EQ(outwards.faces.size(), 22U);
  EXPECT_FALSE(any_has_two_sides(outwards.faces));
  EXPECT_FALSE(outwards.is_turned_inside);
  EXPECT_EQ(outwards.faces[0].corner_count(), 4);
  const WetSurface inwards = wet_surface(turned(mesh.polygons), mesh.vertices);
  EXPECT_TRUE(inwards.is_turned_inside);
  EXPECT_FALSE(any_has_two_sides(inwards.faces));
}

TEST(WetFaces, OfASheetHaveTwoSides) {
  Mesh mesh = box({.cells = {1, 1, 1}, .cell_size = 0.5});
  Polygons open;
  for (std::size_t p = 1; p < mesh.polygons.size(); ++p) open.add(mesh.polygons[p]);
  const WetSurface surface = wet_surface(open, mesh.vertices);
  EXPECT_EQ(surface.faces.size(), 5U);
  for (const WetFace& face : surface.faces) EXPECT_TRUE(face.has_two_sides);
  EXPECT_FALSE(surface.is_turned_inside);
}

/// A neighbour that faces the other way makes the part open: nobody knows its outside. It is told of a
/// surface without a rim alone, because a sheet feels the water on both sides anyway.
TEST(WetFaces, ThatFaceDifferentWaysHaveTwoSides) {
  const Mesh mesh = box({.cells = {1, 1, 1}, .cell_size = 0.5});
  EXPECT_FALSE(wet_surface(mesh.polygons, mesh.vertices).turned_edge);
  Polygons mixed = mesh.polygons;
  std::reverse(mixed.indices.begin(), mixed.indices.begin() + 4);
  const WetSurface surface = wet_surface(mixed, mesh.vertices);
  for (const WetFace& face : surface.faces) EXPECT_TRUE(face.has_two_sides);
  ASSERT_TRUE(surface.turned_edge);
  const auto corners = mixed[0];
  for (const Index v : *surface.turned_edge)
    EXPECT_NE(std::find(corners.begin(), corners.end(), v), corners.end()) << v;

  Polygons sheet;
  for (std::size_t p = 0; p + 1 < mixed.size(); ++p) sheet.add(mixed[p]);
  EXPECT_FALSE(wet_surface(sheet, mesh.vertices).turned_edge);
}

TEST(WetFaces, OfEachPartAreItsOwn) {
  const Mesh mesh = box({.cells = {1, 1, 1}, .cell_size = 0.5});
  Polygons both = mesh.polygons;
  both.add(std::vector<Index>{8, 9, 10, 11, 12});
  VectorArray vertices = mesh.vertices;
  for (const Vec3& v : {Vec3{2, 0, 0}, Vec3{3, 0, 0}, Vec3{3, 1, 0}, Vec3{2.5, 1.5, 0}, Vec3{2, 1, 0}})
    vertices.push_back(v);
  const std::vector<WetFace> faces = wet_surface(both, vertices).faces;
  ASSERT_EQ(faces.size(), 9U);  // A pentagon is three triangles.
  for (std::size_t f = 0; f < 9; ++f) {
    EXPECT_EQ(faces[f].has_two_sides, f >= 6) << f;
    EXPECT_EQ(faces[f].corner_count(), f < 6 ? 4 : 3) << f;
  }
}

TEST(WetFaces, OfSolidsAreTheirBoundary) {
  const Mesh hexahedra = box({.cells = {3, 2, 4}, .cell_size = 0.5});
  EXPECT_EQ(wet_boundary({}, hexahedra.hexahedra).size(), 52U);
  const Mesh tetrahedra = box({.cells = {3, 2, 4}, .cell_size = 0.5, .element = BoxElement::tetrahedron});
  const std::vector<WetFace> faces = wet_boundary(tetrahedra.tetrahedra, {});
  EXPECT_EQ(faces.size(), 104U);
  EXPECT_FALSE(any_has_two_sides(faces));
  EXPECT_EQ(faces[0].corner_count(), 3);
}

TEST(WetFaces, OfNothingAreNone) {
  EXPECT_TRUE(wet_surface({}, {}).faces.empty());
  EXPECT_TRUE(wet_boundary({}, {}).empty());
}

}  // namespace
}  // namespace electret
