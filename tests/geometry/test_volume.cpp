#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/generators/box.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/geometry/volume_report.hpp>

#include "geometry/mesh_checks.hpp"

namespace electret {
namespace {

using ::testing::ElementsAre;

constexpr double third = 1.0 / 3.0;

class Boxes : public ::testing::TestWithParam<BoxElement> {
 protected:
  Mesh mesh_ = box({.cells = {3, 2, 4}, .cell_size = 0.5, .element = GetParam()});
  bool is_hexahedra_ = GetParam() == BoxElement::hexahedron;
};
INSTANTIATE_TEST_SUITE_P(Elements, Boxes, ::testing::Values(BoxElement::hexahedron, BoxElement::tetrahedron),
                         [](const auto& tested) {
                           return tested.param == BoxElement::hexahedron ? "hex" : "tet";
                         });

TEST_P(Boxes, FillTheirVolumeWithUprightElements) {
  EXPECT_EQ(mesh_.vertices.size(), 60U);
  EXPECT_EQ(mesh_.element_count(), is_hexahedra_ ? 24U : 144U);
  for (std::size_t e = 0; e < mesh_.element_count(); ++e) {
    EXPECT_NEAR(element_volume(mesh_, mesh_.vertices, e), is_hexahedra_ ? 0.125 : 0.125 / 6, 1e-15);
    EXPECT_GT(element_flatness(mesh_, mesh_.vertices, e), 0.1);
  }
  const VolumeReport report = volume_report(mesh_, mesh_.vertices);
  EXPECT_EQ(report.hexahedra, is_hexahedra_ ? 24U : 0U);
  EXPECT_EQ(report.tetrahedra, is_hexahedra_ ? 0U : 144U);
  EXPECT_NEAR(report.volume, 3.0, 1e-14);
  // 3V = 1/2; edges² 1, 1, 1, 2, 2, 3.
  EXPECT_NEAR(report.worst_quality, is_hexahedra_ ? 1.0 : 1.2 * std::cbrt(0.25), 1e-14);
}

TEST_P(Boxes, HaveAClosedBoundaryThatFacesOutwards) {
  const Topology shape = topology(mesh_);
  EXPECT_TRUE(shape.manifold);
  EXPECT_TRUE(shape.oriented);
  EXPECT_TRUE(shape.closed);
  EXPECT_EQ(shape.euler_characteristic, 2);
  EXPECT_EQ(mesh_.polygons.size(), is_hexahedra_ ? 52U : 104U);
  EXPECT_NEAR(enclosed_volume(mesh_), 3.0, 1e-14);
}

TEST_P(Boxes, HaveEachEdgeOnce) {
  const std::size_t along_axes = 3 * 3 * 5 + 4 * 2 * 5 + 4 * 3 * 4, in_faces = 5 * 6 + 4 * 8 + 3 * 12;
  EXPECT_EQ(volume_edges(mesh_).size(), is_hexahedra_ ? along_axes : along_axes + in_faces + 24);
}

TEST_P(Boxes, HaveTheGroupsOfALattice) {
  EXPECT_EQ(mesh_.groups.at("left").size(), 15U);
  EXPECT_EQ(mesh_.groups.at("top").size(), 12U);
  EXPECT_EQ(mesh_.groups.at("corners").size(), 8U);
  EXPECT_EQ(mesh_.vertices[0], (Vec3{-0.75, -0.5, -1.0}));
}

TEST(Volume, OfADeformedHexahedronIsExact) {
  // A frustum of a pyramid: squares of edge 2 and 1, height 3; h (A + √(AB) + B) / 3 = 7.
  Mesh mesh;
  mesh.vertices = {{-1, -1, 0},   {1, -1, 0},   {1, 1, 0},   {-1, 1, 0},
                   {-.5, -.5, 3}, {.5, -.5, 3}, {.5, .5, 3}, {-.5, .5, 3}};
  mesh.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_NEAR(element_volume(mesh, mesh.vertices, 0), 7.0, 1e-13);
  std::swap(mesh.hexahedra[0][0], mesh.hexahedra[0][4]);
  std::swap(mesh.hexahedra[0][1], mesh.hexahedra[0][5]);
  std::swap(mesh.hexahedra[0][2], mesh.hexahedra[0][6]);
  std::swap(mesh.hexahedra[0][3], mesh.hexahedra[0][7]);
  EXPECT_NEAR(element_volume(mesh, mesh.vertices, 0), -7.0, 1e-13);
  EXPECT_LT(element_quality(mesh, mesh.vertices, 0), 0.0);
  EXPECT_LT(element_flatness(mesh, mesh.vertices, 0), 0.0);
}

TEST(Volume, QualityIsOneForARegularTetrahedron) {
  Mesh mesh;
  mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  EXPECT_NEAR(element_volume(mesh, mesh.vertices, 0), -8 * third, 1e-14);
  EXPECT_NEAR(element_quality(mesh, mesh.vertices, 0), -1.0, 1e-14);
  mesh.tetrahedra = {{0, 2, 1, 3}};
  EXPECT_NEAR(element_quality(mesh, mesh.vertices, 0), 1.0, 1e-14);
  mesh.vertices[3] = mesh.vertices[0] + third * (mesh.vertices[1] - mesh.vertices[0]);
  EXPECT_NEAR(element_quality(mesh, mesh.vertices, 0), 0.0, 1e-9);
  EXPECT_NEAR(element_flatness(mesh, mesh.vertices, 0), 0.0, 1e-14);
}

TEST(Volume, SlopesOfShapeFunctionsReproduceLinearFunctions) {
  const Vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                        {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  for (const Vec3& xi : gauss_points()) {
    const auto slopes = hexahedron_slopes(xi);
    Vec3 sum, of_x;
    for (std::size_t a = 0; a < 8; ++a) sum += slopes[a], of_x += cube[a].x * slopes[a];
    EXPECT_LE(norm(sum), 1e-15);
    EXPECT_LE(norm(of_x - Vec3{1, 0, 0}), 1e-15);
  }
}

TEST(Volume, BoundaryOfTwoKindsOfElementsSharesNoFace) {
  // A hexahedron and a tetrahedron that touch in an edge: six quads and four triangles.
  Mesh mesh = box({.cells = {1, 1, 1}});
  mesh.vertices.push_back({1, 1, 0});
  mesh.vertices.push_back({1, 1, 1});
  mesh.tetrahedra = {{1, 3, 8, 9}};
  const Polygons faces = boundary_of_elements(mesh);
  EXPECT_EQ(faces.size(), 10U);
  EXPECT_THAT(faces[0], ElementsAre(1, 8, 3));
  EXPECT_EQ(faces[4].size(), 4U);
  EXPECT_EQ(mesh.element(0).size(), 4U);
  EXPECT_EQ(mesh.element(1).size(), 8U);
}

TEST(Volume, AWedgeWrittenAsAHexahedronHasTheFacesAndEdgesOfAWedge) {
  Mesh mesh;  // A prism with the triangles (0, 1, 2) and (3, 4, 5), and a tetrahedron on the latter.
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, 2}};
  mesh.hexahedra = {{0, 1, 2, 2, 3, 4, 5, 5}};
  EXPECT_THAT(volume_edges(mesh), ElementsAre(Edge{0, 1}, Edge{0, 2}, Edge{0, 3}, Edge{1, 2}, Edge{1, 4},
                                              Edge{2, 5}, Edge{3, 4}, Edge{3, 5}, Edge{4, 5}));
  mesh.polygons = boundary_of_elements(mesh);
  ASSERT_EQ(mesh.polygons.size(), 5U) << "two triangles and three quads";
  EXPECT_NEAR(enclosed_volume(mesh), 0.5, 1e-15);
  mesh.tetrahedra = {{3, 4, 5, 6}};
  mesh.polygons = boundary_of_elements(mesh);
  const Topology shape = topology(mesh);
  EXPECT_TRUE(shape.closed && shape.oriented && shape.manifold) << "the shared triangle is inside";
  EXPECT_EQ(mesh.polygons.size(), 4U + 3U);
  EXPECT_NEAR(enclosed_volume(mesh), 0.5 + 1.0 / 6.0, 1e-15);
}

}  // namespace
}  // namespace electret
