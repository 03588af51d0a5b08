#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include <electret/geometry/dry_faces.hpp>
#include <electret/geometry/generators/box.hpp>
#include <electret/geometry/seams.hpp>
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

/// `inner` after `outer`, in one mesh.
void add(const Mesh& inner, const Vec3& at, Polygons& polygons, VectorArray& vertices) {
  const auto first = static_cast<Index>(vertices.size());
  for (const Vec3& v : inner.vertices) vertices.push_back(v + at);
  for (std::size_t p = 0; p < inner.polygons.size(); ++p) {
    std::vector<Index> corners(inner.polygons[p].begin(), inner.polygons[p].end());
    for (Index& v : corners) v += first;
    polygons.add(corners);
  }
}

/// Each of its corners.
std::vector<Index> corners_of(const std::vector<WetFace>& faces) {
  std::vector<Index> corners;
  for (const WetFace& face : faces)
    corners.insert(corners.end(), face.corners.begin(), face.corners.begin() + face.corner_count());
  return corners;
}

/// What a closed part holds is dry: a hollow whose wall faces into it, a body in that hollow, a sheet. A part
/// that reaches out of the other, or is beside it, is wet.
TEST(WetFaces, WithinAClosedPartAreDry) {
  const Mesh outer = box({.cells = {4, 4, 4}, .cell_size = 1.0}),
             inner = box({.cells = {1, 1, 1}, .cell_size = 1.0}),
             small = box({.cells = {1, 1, 1}, .cell_size = 0.25});
  Mesh wall = inner, sheet = small;
  wall.polygons = turned(inner.polygons);
  sheet.polygons = {};
  sheet.polygons.add(small.polygons[0]);
  const Vec3 off{0.3, 0.2, -0.1};
  const auto faces_with = [&](const std::vector<std::pair<Mesh, Vec3>>& parts) {
    Polygons polygons = outer.polygons;
    VectorArray vertices = outer.vertices;
    for (const auto& [mesh, at] : parts) add(mesh, at, polygons, vertices);
    WetSurface surface = wet_surface(polygons, vertices);
    EXPECT_FALSE(surface.turned_edge);
    return surface;
  };
  for (const auto& parts : std::vector<std::vector<std::pair<Mesh, Vec3>>>{
           {{wall, off}}, {{inner, off}}, {{sheet, off}}, {{wall, off}, {small, off}, {sheet, {-1, 1, 1}}}}) {
    const WetSurface surface = faces_with(parts);
    EXPECT_FALSE(surface.is_turned_inside);
    EXPECT_EQ(surface.faces.size(), 96U);
    for (const Index v : corners_of(surface.faces))
      EXPECT_LT(static_cast<std::size_t>(v), outer.vertices.size());
  }
  // Half of it is outside, or all of it.
  EXPECT_EQ(faces_with({{inner, {2, 0, 0}}}).faces.size(), 102U);
  EXPECT_EQ(faces_with({{inner, {2.2, 2.2, 2.2}}}).faces.size(), 102U);
  EXPECT_EQ(faces_with({{inner, {9, 0, 0}}}).faces.size(), 102U);
  const WetSurface beside = faces_with({{wall, {9, 0, 0}}});
  EXPECT_EQ(beside.faces.size(), 102U);
  EXPECT_TRUE(beside.is_turned_inside);
}

/// Of a solid without some of its cubes or tetrahedra: the boundary of the whole one, without holes.
TEST(WetFaces, OfSolidsWithHollowsAreTheOuterBoundary) {
  const Mesh whole = box({.cells = {5, 3, 3}, .cell_size = 0.5});
  const auto middle = [&](const Hexahedron& h) {
    Vec3 sum;
    for (const Index v : h) sum += whole.vertices[static_cast<std::size_t>(v)];
    return 0.125 * sum;
  };
  const auto without = [&](const VectorArray& holes) {
    auto cubes = whole.hexahedra;
    std::erase_if(cubes, [&](const Hexahedron& h) {
      return std::any_of(holes.begin(), holes.end(),
                         [&](const Vec3& hole) { return norm(middle(h) - hole) < 0.1; });
    });
    EXPECT_EQ(cubes.size(), whole.hexahedra.size() - holes.size());
    return cubes;
  };
  const auto outer = corners_of(without_dry(wet_boundary({}, whole.hexahedra), whole.vertices));
  const std::size_t faces = outer.size() / 4;
  ASSERT_EQ(faces, 78U);
  for (const VectorArray& holes : {VectorArray{{0, 0, 0}}, VectorArray{{-0.5, 0, 0}, {0.5, 0, 0}},
                                   VectorArray{{0, 0, 0}, {0.5, 0, 0}}}) {
    std::vector<Index> got = corners_of(without_dry(wet_boundary({}, without(holes)), whole.vertices)),
                       wanted = outer;
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(got, wanted);
  }
  // An open hole is wet: four walls and its end, less the face that it took.
  EXPECT_EQ(without_dry(wet_boundary({}, without({{-1, 0, 0}})), whole.vertices).size(), faces + 4);
  // Two hollows that touch along an edge only, of which one is open.
  EXPECT_EQ(without_dry(wet_boundary({}, without({{0, 0, 0}, {0.5, 0, 0.5}})), whole.vertices).size(),
            faces + 4);

  const Mesh tetrahedra = box({.cells = {3, 3, 3}, .cell_size = 0.5, .element = BoxElement::tetrahedron});
  auto shell = tetrahedra.tetrahedra;
  std::erase_if(shell, [&](const Tetrahedron& t) {
    Vec3 sum;
    for (const Index v : t) sum += tetrahedra.vertices[static_cast<std::size_t>(v)];
    return norm(0.25 * sum) < 0.25;
  });
  ASSERT_LT(shell.size(), tetrahedra.tetrahedra.size());
  EXPECT_EQ(without_dry(wet_boundary(shell, {}), tetrahedra.vertices).size(), 108U);
  // The cube that was taken out, put back as a solid of its own.
  const Mesh core = box({.cells = {1, 1, 1}, .cell_size = 0.25});
  VectorArray vertices = whole.vertices;
  auto cubes = without({{0, 0, 0}});
  for (Hexahedron h : core.hexahedra) {
    for (Index& v : h) v += static_cast<Index>(vertices.size());
    cubes.push_back(h);
  }
  vertices.insert(vertices.end(), core.vertices.begin(), core.vertices.end());
  EXPECT_EQ(without_dry(wet_boundary({}, cubes), vertices).size(), faces);
}

/// Faces that meet in place alone.
TEST(WetFaces, MayBeClosedByPlace) {
  const Mesh mesh = box({.cells = {2, 1, 1}, .cell_size = 0.5});
  Polygons apart, sheet, doubled;
  VectorArray own, doubled_places;
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) {
    std::vector<Index> corners;
    for (const Index v : mesh.polygons[p]) {
      corners.push_back(static_cast<Index>(own.size()));
      own.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    }
    apart.add(corners);
    if (p > 0) sheet.add(corners);
    if (p > 1) continue;
    for (const bool back : {false, true}) {  // Both sides of two faces.
      std::vector<Index> side;
      for (const Index v : mesh.polygons[p]) {
        side.push_back(static_cast<Index>(doubled_places.size()));
        doubled_places.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
      }
      if (back) std::reverse(side.begin(), side.end());
      doubled.add(side);
    }
  }
  EXPECT_TRUE(any_has_two_sides(wet_surface(apart, own).faces));
  EXPECT_TRUE(closes_by_place(apart, own));
  EXPECT_TRUE(closes_by_place(turned(apart), own));
  EXPECT_FALSE(closes_by_place(mesh.polygons, mesh.vertices)) << "it is closed";
  EXPECT_FALSE(closes_by_place(sheet, own));
  EXPECT_FALSE(closes_by_place(doubled, doubled_places));
  own[0].x += 1e-3;
  EXPECT_FALSE(closes_by_place(apart, own));
}

TEST(WetFaces, OfNothingAreNone) {
  EXPECT_TRUE(wet_surface({}, {}).faces.empty());
  EXPECT_TRUE(wet_boundary({}, {}).empty());
  EXPECT_TRUE(without_dry({}, {}).empty());
  EXPECT_FALSE(closes_by_place({}, {}));
}

}  // namespace
}  // namespace electret
