#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/embedding.hpp>
#include <electret/geometry/generators/box.hpp>
#include <electret/geometry/generators/fill.hpp>
#include <electret/geometry/generators/stuffing.hpp>
#include <electret/geometry/volume.hpp>

#include "support/random.hpp"

namespace electret {
namespace {

/// The embedded points if the mesh's vertices are at `vertices` (n×3). Sums are in the order of the corners.
VectorArray carried(const Mesh& mesh, const Embedding& embedding, VectorView vertices) {
  VectorArray points(embedding.elements.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto element = mesh.element(static_cast<std::size_t>(embedding.elements[p]));
    for (std::size_t a = 0; a < element.size(); ++a)
      points[p] += embedding.weights[p][a] * vertices[static_cast<std::size_t>(element[a])];
  }
  return points;
}

Mesh surface(const std::string& shape, double vertices) {
  return generate({shape, {{"vertices", vertices}}});
}

/// A cube of triangles, side 2, without the triangles from `count` on.
Mesh cube(std::size_t count = 12) {
  const Mesh solid = box({.cells = {1, 1, 1}, .cell_size = 2.0});
  Mesh mesh;
  mesh.vertices = solid.vertices;
  const auto triangles = triangulated(solid.polygons);
  for (std::size_t t = 0; t < std::min(count, triangles.size()); ++t) mesh.polygons.add(triangles[t]);
  return mesh;
}

/// Σ of solid angles, one triangle after the other, by the angles of a spherical triangle.
double plain_winding_number(const Mesh& mesh, const Vec3& point) {
  double sum = 0.0;
  for (const Triangle& t : triangulated(mesh.polygons)) {
    Vec3 d[3];
    for (std::size_t k = 0; k < 3; ++k) {
      d[k] = mesh.vertices[static_cast<std::size_t>(t[k])] - point;
      d[k] *= 1.0 / norm(d[k]);
    }
    double angles = -std::numbers::pi;
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = cross(d[k], d[(k + 1) % 3]), b = cross(d[k], d[(k + 2) % 3]);
      angles += std::acos(std::clamp(dot(a, b) / (norm(a) * norm(b)), -1.0, 1.0));
    }
    sum += std::copysign(angles, dot(d[0], cross(d[1], d[2])));
  }
  return sum / (4.0 * std::numbers::pi);
}

double plain_distance(const Mesh& mesh, const Vec3& p) {
  double nearest = 1e300;
  for (const Triangle& t : triangulated(mesh.polygons)) {
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(t[0])];
    const Vec3 u = mesh.vertices[static_cast<std::size_t>(t[1])] - a;
    const Vec3 v = mesh.vertices[static_cast<std::size_t>(t[2])] - a;
    constexpr int parts = 60;
    for (int i = 0; i <= parts; ++i)
      for (int j = 0; i + j <= parts; ++j)
        nearest = std::min(nearest, norm(a + (static_cast<double>(i) / parts) * u +
                                         (static_cast<double>(j) / parts) * v - p));
  }
  return nearest;
}

TEST(SurfaceTree, KnowsTheWindingNumberOfClosedAndOpenSurfaces) {
  Mesh open = surface("torus", 145);
  Polygons fewer;
  for (std::size_t p = 0; p < open.polygons.size(); ++p)
    if (p % 7 != 0) fewer.add(open.polygons[p]);
  open.polygons = fewer;
  Mesh twice = cube();
  for (const Vec3& x : cube().vertices) twice.vertices.push_back(0.5 * x);
  for (const Triangle& t : triangulated(cube().polygons))
    twice.polygons.add(std::array<Index, 3>{t[0] + 8, t[1] + 8, t[2] + 8});
  test::Random random(3);
  for (const Mesh& mesh : {surface("duck", 300), open, cube(11), twice}) {
    const SurfaceTree tree(mesh);
    const BoundingBox box = tree.box();
    for (int k = 0; k < 200; ++k) {
      Vec3 point;
      for (int axis = 0; axis < 3; ++axis)
        point[axis] = box.low[axis] + random.uniform(-0.2, 1.2) * (box.high[axis] - box.low[axis]);
      EXPECT_NEAR(tree.winding_number(point), plain_winding_number(mesh, point), 1e-7);
    }
  }
  EXPECT_TRUE(SurfaceTree(twice).is_closed());
  EXPECT_FALSE(SurfaceTree(open).is_closed());
  EXPECT_NEAR(SurfaceTree(twice).winding_number({0.1, 0.2, 0.3}), 2.0, 1e-12) << "one in the other";
  EXPECT_NEAR(SurfaceTree(cube()).volume(), 8.0, 1e-12);
}

TEST(SurfaceTree, KnowsDistancesAndCrossings) {
  const Mesh mesh = surface("torus", 97);
  const SurfaceTree tree(mesh);
  test::Random random(4);
  for (int k = 0; k < 40; ++k) {
    const Vec3 p{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-1, 1)};
    EXPECT_NEAR(tree.distance(p), plain_distance(mesh, p), 5e-3);
    EXPECT_LE(tree.distance(p), plain_distance(mesh, p) + 1e-12);
    const Vec3 q{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-1, 1)};
    const auto t = tree.crossing(p, q);
    if (tree.is_inside(p) != tree.is_inside(q)) {
      ASSERT_TRUE(t.has_value());
      EXPECT_LT(tree.distance(p + *t * (q - p)), 1e-12);
    }
    for (int part = 1; t && part < 10; ++part)
      EXPECT_EQ(tree.is_inside(p + (0.0999 * part * *t) * (q - p)), tree.is_inside(p))
          << "the first crossing";
  }
}

struct Angles {
  double smallest = 180.0, largest = 0.0;
};

Angles dihedral_angles(const Mesh& mesh) {
  Angles angles;
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) {
        const auto x = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
        const std::size_t k = i == 0 ? (j == 1 ? 2 : 1) : 0, l = 6 - i - j - k;
        const Vec3 edge = x(j) - x(i), a = cross(edge, x(k) - x(i)), b = cross(edge, x(l) - x(i));
        const double angle =
            std::acos(std::clamp(dot(a, b) / (norm(a) * norm(b)), -1.0, 1.0)) * 180.0 / std::numbers::pi;
        angles.smallest = std::min(angles.smallest, angle), angles.largest = std::max(angles.largest, angle);
      }
  return angles;
}

/// Every face is one element's, on the boundary, or two elements' that see it from either side.
void expect_conforming(const Mesh& mesh) {
  std::map<std::array<Index, 3>, int> sides;
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t out = 0; out < 4; ++out) {
      std::array<Index, 3> face{};
      for (std::size_t k = 0, c = 0; k < 4; ++k)
        if (k != out) face[c++] = t[k];
      int turns = out % 2 == 0 ? 1 : -1;
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 2; ++b)
          if (face[b] > face[b + 1]) std::swap(face[b], face[b + 1]), turns = -turns;
      auto& seen = sides[face];
      EXPECT_TRUE(seen == 0 || seen == -turns) << "faces overlap";
      seen = seen == 0 ? turns : 7;
    }
  Mesh rim;
  rim.vertices = mesh.vertices;
  rim.polygons = boundary_of_elements(mesh);
  EXPECT_TRUE(SurfaceTree(rim).is_closed());
}

TEST(Fill, KeepsToTheDihedralAnglesAndFollowsTheSurface) {
  struct Case {
    const char* shape;
    double vertices;
    std::vector<double> cells;
  };
  for (const Case& row : {Case{"sphere", 500, {0.6, 0.35, 0.21}}, Case{"torus", 1009, {0.3, 0.17}},
                          Case{"duck", 1000, {0.11, 0.07}}, Case{"blob", 500, {0.25, 0.16}}}) {
    const Mesh around = surface(row.shape, row.vertices);
    const SurfaceTree tree(around);
    double last_error = 1.0;
    for (const double cell : row.cells) {
      SCOPED_TRACE(std::string(row.shape) + " " + std::to_string(cell));
      Mesh mesh = filled(tree, cell);
      mesh.polygons = boundary_of_elements(mesh);
      ASSERT_GT(mesh.tetrahedra.size(), 50U);
      for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
        EXPECT_GT(element_volume(mesh, mesh.vertices, e), 1e-4 * cell * cell * cell) << e;
      expect_conforming(mesh);
      const Angles angles = dihedral_angles(mesh);
      EXPECT_GE(angles.smallest, stuffing::smallest_angle);
      EXPECT_LE(angles.largest, stuffing::largest_angle);
      const FilledSurface fit = surface_of_solid(mesh, around, tree);
      EXPECT_LT(fit.outside, 1e-9) << "boundary vertices are cuts of lattice edges";
      EXPECT_LT(fit.inside, 1.5 * cell) << "what is thinner than a cell may be lost";
      EXPECT_LT(std::abs(fit.volume_error), last_error);
      last_error = std::abs(fit.volume_error);
    }
    EXPECT_LT(last_error, 0.05);
  }
}

TEST(Fill, OfACubeIsACube) {
  const SurfaceTree tree(cube());
  const Mesh mesh = filled(tree, 0.31);
  double volume = 0.0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) volume += element_volume(mesh, mesh.vertices, e);
  EXPECT_NEAR(volume, 8.0, 0.4) << "edges and corners are cut off";
  for (const Vec3& x : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) EXPECT_LE(std::abs(x[axis]), 1.0 + 1e-12);
}

TEST(Fill, ClosesHolesWhereTheWindingNumberIsHalf) {
  const Mesh open = cube(11);
  const SurfaceTree tree(open);
  Mesh mesh = filled(tree, 0.2);
  mesh.polygons = boundary_of_elements(mesh);
  expect_conforming(mesh);
  double volume = 0.0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) volume += element_volume(mesh, mesh.vertices, e);
  EXPECT_NEAR(volume, 8.0, 0.8);
  EXPECT_FALSE(surface_of_solid(mesh, open, tree).is_closed);
}

TEST(Voxels, AreTheCubesWhoseCentresAreInside) {
  const Mesh around = surface("torus", 500);
  const SurfaceTree tree(around);
  const double cell = 0.1;
  const Mesh mesh = voxels(tree, cell);
  std::size_t inside = 0;
  for (int k = 0; k < 8; ++k)
    for (int j = 0; j < 28; ++j)
      for (int i = 0; i < 28; ++i) {
        const Vec3 middle = 0.5 * (tree.box().low + tree.box().high);
        const Vec3 size = tree.box().high - tree.box().low;
        Vec3 centre;
        const int at[3] = {i, j, k};
        for (int axis = 0; axis < 3; ++axis)
          centre[axis] = middle[axis] + cell * (at[axis] + 0.5 - 0.5 * std::ceil(size[axis] / cell));
        if (std::abs(plain_winding_number(around, centre)) > 0.5) ++inside;
      }
  EXPECT_EQ(mesh.hexahedra.size(), inside);
  EXPECT_GT(inside, 1000U);
  for (std::size_t e = 0; e < mesh.hexahedra.size(); ++e)
    EXPECT_NEAR(element_volume(mesh, mesh.vertices, e), cell * cell * cell, 1e-12);
  const FilledSurface fit = surface_of_solid(
      [&] {
        Mesh whole = mesh;
        whole.polygons = boundary_of_elements(mesh);
        return whole;
      }(),
      around, tree);
  EXPECT_LT(std::abs(fit.volume_error), 0.05);
  EXPECT_LT(fit.outside, std::sqrt(0.75) * cell);
  EXPECT_LT(fit.inside, std::sqrt(0.75) * cell);
}

/// The grid begins at the box's corner, and has whole cells within it alone.
TEST(Voxels, OfAGridFromTheCorner) {
  Mesh around = cube();  // 2 m; its corner is moved off any grid.
  const Vec3 corner{0.37, -1.21, 5.03};
  const Vec3 low = bounding_box(around.vertices).low;
  for (Vec3& x : around.vertices) x += corner - low;
  const SurfaceTree tree(around);
  for (const auto& [cell, across] : {std::pair(0.3, 6), std::pair(0.4, 5), std::pair(2.0 / 15.0, 15)}) {
    const Mesh mesh = voxels(tree, cell, VoxelGrid::corner);
    EXPECT_EQ(mesh.hexahedra.size(), static_cast<std::size_t>(across * across * across)) << cell;
    const BoundingBox box = bounding_box(mesh.vertices);
    EXPECT_EQ(box.low, tree.box().low) << cell;
    EXPECT_LT(norm(box.high - box.low - across * cell * Vec3{1.0, 1.0, 1.0}), 1e-12) << cell;
  }
  std::vector<ParameterFinding> findings;
  const Mesh made =
      generate_within({"voxels", {{"cell_size", 0.3}, {"grid", std::string("corner")}}}, around, findings);
  EXPECT_EQ(made.vertices, voxels(tree, 0.3, VoxelGrid::corner).vertices);
  const Mesh usual = generate_within({"voxels", {{"cell_size", 0.3}}}, around, findings);
  EXPECT_EQ(usual.vertices, voxels(tree, 0.3).vertices);
  EXPECT_NE(usual.vertices, made.vertices);
  EXPECT_TRUE(findings.empty());
  findings =
      generator_findings({"voxels", {{"surface", std::string("a.obj")}, {"grid", std::string("center")}}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].allowed,
              ::testing::AllOf(::testing::HasSubstr("centred"), ::testing::HasSubstr("corner")));
}

TEST(Embedding, MovesAffinelyWithItsElements) {
  test::Random random(6);
  for (const BoxElement element : {BoxElement::hexahedron, BoxElement::tetrahedron}) {
    Mesh mesh = box({.cells = {3, 4, 2}, .cell_size = 0.5, .element = element});
    for (Vec3& x : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) x[axis] += random.uniform(-0.08, 0.08);
    VectorArray points;
    for (int k = 0; k < 300; ++k)  // some outside
      points.push_back({random.uniform(-0.9, 0.9), random.uniform(-1.1, 1.1), random.uniform(-0.6, 0.6)});
    const Embedding embedding = embed(mesh, points);
    const Mat3 map{{Vec3{1.1, 0.3, -0.2}, Vec3{0.05, 0.7, 0.4}, Vec3{-0.6, 0.1, 1.3}}};
    const auto moved = [&](const Vec3& x) {
      return Vec3{dot(map.rows[0], x), dot(map.rows[1], x), dot(map.rows[2], x)} + Vec3{5.0, -3.0, 2.0};
    };
    VectorArray vertices = mesh.vertices;
    for (Vec3& x : vertices) x = moved(x);
    const VectorArray there = carried(mesh, embedding, vertices),
                      rest = carried(mesh, embedding, mesh.vertices);
    for (std::size_t p = 0; p < points.size(); ++p) {
      EXPECT_LT(norm(rest[p] - points[p]), 1e-13) << p;
      EXPECT_LT(norm(there[p] - moved(points[p])), 1e-13) << p;
      const bool is_inside =
          std::abs(points[p].x) < 0.65 && std::abs(points[p].y) < 0.9 && std::abs(points[p].z) < 0.4;
      const auto& weights = embedding.weights[p];
      EXPECT_TRUE(!is_inside || *std::min_element(weights.begin(), weights.end()) > -1e-12)
          << "its own element";
    }
  }
}

TEST(Solids, OfASurfaceThatWillNotDoAreTold) {
  std::vector<ParameterFinding> findings;
  Mesh points;
  points.vertices = {{0, 0, 0}};
  generate_within({"fill", {{"surface", "a.obj"}}}, points, findings);
  generate_within({"fill", {{"surface", "a.obj"}, {"cell_size", 1e-6}}}, cube(), findings);
  Mesh inwards;
  inwards.vertices = cube().vertices;
  for (const Triangle& t : triangulated(cube().polygons))
    inwards.polygons.add(std::array<Index, 3>{t[0], t[2], t[1]});
  generate_within({"voxels", {{"surface", "a.obj"}}}, inwards, findings);
  for (const char* shape : {"fill", "voxels"})
    for (const double size : {50.0, 1e155, 1e300})
      generate_within({shape, {{"surface", "a.obj"}, {"cell_size", size}}}, cube(), findings);
  ASSERT_EQ(findings.size(), 9U);
  for (std::size_t k = 3; k < 9; ++k)
    EXPECT_THAT(findings[k].message, ::testing::HasSubstr("more than the surface's extent"));
  EXPECT_THAT(findings[0].message, ::testing::HasSubstr("the surface has no faces"));
  EXPECT_THAT(findings[1].message, ::testing::HasSubstr("a lattice of"));
  EXPECT_THAT(findings[2].message, ::testing::HasSubstr("leaves no element"));
  EXPECT_EQ(generator_findings({"fill", {}}).size(), 1U);
  EXPECT_EQ(generator_findings({"fill", {{"surface", "a.png"}}}).size(), 1U);
  EXPECT_EQ(generator_findings({"fill", {{"surface", 3.0}}}).size(), 1U);
}

/// Faces that are turned different ways would take a part of the volume away in silence. Two cubes that share
/// an edge, and a cube with a hole, are turned alike.
TEST(Solids, OfASurfaceWithATurnedFaceAreTold) {
  Mesh turned, twins = cube();
  turned.vertices = cube().vertices;
  const std::vector<Triangle> triangles = triangulated(cube().polygons);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto [a, b, c] = triangles[t];
    turned.polygons.add(t == 5 ? std::array<Index, 3>{a, c, b} : std::array<Index, 3>{a, b, c});
  }
  // The second cube is the first one, moved along x and y.
  for (const Vec3& x : cube().vertices) twins.vertices.push_back(x + Vec3{2.0, 2.0, 0.0});
  for (const Triangle& t : triangles) {
    std::array<Index, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 x = twins.vertices[static_cast<std::size_t>(t[k] + 8)];
      const auto at = std::find(twins.vertices.begin(), twins.vertices.end(), x);
      corners[k] = static_cast<Index>(at - twins.vertices.begin());
    }
    twins.polygons.add(corners);
  }
  for (const char* shape : {"fill", "voxels"}) {
    std::vector<ParameterFinding> findings;
    for (const Mesh& mesh : {twins, cube(11)})
      EXPECT_GT(generate_within({shape, {{"cell_size", 0.5}}}, mesh, findings).element_count(), 0U) << shape;
    EXPECT_TRUE(findings.empty()) << shape;
    EXPECT_EQ(generate_within({shape, {{"cell_size", 0.5}}}, turned, findings).element_count(), 0U);
    ASSERT_EQ(findings.size(), 1U) << shape;
    EXPECT_EQ(findings[0].parameter, "surface");
    EXPECT_THAT(findings[0].message, ::testing::AllOf(::testing::HasSubstr("not turned the same way"),
                                                      ::testing::HasSubstr("the edge between vertices")));
  }
}

Mesh scaled(Mesh mesh, double scale) {
  for (Vec3& x : mesh.vertices) x *= scale;
  return mesh;
}

TEST(Solids, OfAnySizeThatIsAllowedAreTheSame) {
  std::vector<ParameterFinding> findings;
  for (const char* shape : {"fill", "voxels"}) {
    const auto made = [&](double scale) {
      return generate_within({shape, {{"cell_size", 0.6 * scale}}}, scaled(cube(), scale), findings);
    };
    const Mesh unit = made(1.0);
    ASSERT_GT(unit.element_count(), 10U);
    for (const double scale : {0x1p-98, 0x1p98}) {  // 3e-30 and 3e29; the cube's side is 2.
      const Mesh mesh = made(scale);
      EXPECT_EQ(mesh.vertices, scaled(unit, scale).vertices) << shape << scale;
      EXPECT_EQ(mesh.tetrahedra, unit.tetrahedra) << shape << scale;
      EXPECT_EQ(mesh.hexahedra, unit.hexahedra) << shape << scale;
    }
  }
  EXPECT_TRUE(findings.empty());
}

TEST(Solids, OfASizeThatCannotBeComputedWithAreTold) {
  for (const char* shape : {"fill", "voxels"})
    for (const double scale : {1e-300, 1e-100, 1e-31, 1e31, 1e100, 1e150, 8e307}) {
      std::vector<ParameterFinding> findings;
      generate_within({shape, {{"cell_size", 0.6 * scale}}}, scaled(cube(), scale), findings);
      ASSERT_EQ(findings.size(), 1U) << shape << scale;
      EXPECT_EQ(findings[0].parameter, "surface");
      EXPECT_THAT(findings[0].message, ::testing::HasSubstr(scale < 1.0 ? "extent is" : "reaches to"));
      EXPECT_EQ(findings[0].allowed, "allowed: 1e-30 to 1e+30");
    }
}

TEST(Solids, HaveTheSameBitsEveryTime) {
  const Mesh around = surface("blob", 300);
  std::vector<ParameterFinding> findings;
  const Mesh first = generate_within({"fill", {{"cell_size", 0.2}}}, around, findings);
  const Mesh again = generate_within({"fill", {{"cell_size", 0.2}}}, around, findings);
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(first.vertices, again.vertices);
  EXPECT_EQ(first.tetrahedra, again.tetrahedra);
  EXPECT_EQ(first.surface->embedding.weights, again.surface->embedding.weights);
  EXPECT_FALSE(first.groups.at("boundary").empty());
  EXPECT_LT(first.groups.at("boundary").size(), first.vertices.size());
}

}  // namespace
}  // namespace electret
