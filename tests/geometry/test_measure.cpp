#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <electret/geometry/generators/grid.hpp>
#include <electret/geometry/generators/torus.hpp>
#include <electret/geometry/measure.hpp>
#include <electret/geometry/obj.hpp>

#include "geometry/mesh_checks.hpp"

namespace electret {
namespace {

const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

TEST(BoundingBox, HoldsAllPoints) {
  const VectorArray points = {{1, 2, 3}, {-1, 5, 3}, {0, 0, 9}};
  const BoundingBox box = bounding_box(points);
  EXPECT_EQ(box.low, (Vec3{-1, 0, 3}));
  EXPECT_EQ(box.high, (Vec3{1, 5, 9}));
  EXPECT_THROW(bounding_box({}), std::invalid_argument);
}

TEST(EdgeLengths, CountEachEdgeOnce) {
  const EdgeLengths lengths = edge_lengths(parse_obj(tetrahedron, "file"));
  EXPECT_EQ(lengths.shortest, 1.0);
  EXPECT_EQ(lengths.median, 0.5 * (1.0 + std::sqrt(2.0)));
  EXPECT_EQ(lengths.longest, std::sqrt(2.0));
  EXPECT_EQ(edge_lengths(Mesh{}).longest, 0.0);
}

TEST(Topology, OfClosedSurfaces) {
  const Topology solid = topology(parse_obj(tetrahedron, "file"));
  EXPECT_TRUE(solid.manifold && solid.oriented && solid.closed);
  EXPECT_EQ(solid.euler_characteristic, 2);
  EXPECT_EQ(solid.components, 1);
  EXPECT_EQ(solid.boundary_loops, 0);
  EXPECT_EQ(topology(torus({})).euler_characteristic, 0);
}

TEST(Topology, OfOpenSurfaces) {
  const Topology sheet = topology(grid({.rows = 4, .columns = 3}));
  EXPECT_TRUE(sheet.manifold && sheet.oriented);
  EXPECT_FALSE(sheet.closed);
  EXPECT_EQ(sheet.boundary_loops, 1);
  EXPECT_EQ(sheet.euler_characteristic, 1);
  const Topology two =
      topology(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 9 9 9\n"
                         "f 1 2 3\nf 4 5 6\n",
                         "file"));
  EXPECT_EQ(two.components, 2);
  EXPECT_EQ(two.boundary_loops, 2);
  EXPECT_EQ(two.unused_vertices, 1);
}

TEST(Topology, SeesWhatIsNoManifold) {
  const std::string five = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -1 0 0\nv 0 -1 0\n";
  EXPECT_FALSE(
      topology(parse_obj(five + "f 1 2 3\nf 1 2 4\nf 1 2 6\n", "file")).manifold);  // Three at an edge.
  EXPECT_FALSE(topology(parse_obj(five + "f 1 2 3\nf 1 5 6\n", "file")).manifold);  // Two fans at a vertex.
  EXPECT_TRUE(topology(parse_obj(five + "f 1 2 3\nf 1 3 5\n", "file")).manifold);
  EXPECT_FALSE(topology(parse_obj(five + "f 1 2 3\nf 1 5 3\n", "file")).oriented);
}

TEST(EnclosedVolume, OfATetrahedronAndATorus) {
  EXPECT_NEAR(enclosed_volume(parse_obj(tetrahedron, "file")), 1.0 / 6.0, 1e-15);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(enclosed_volume(torus({.vertices = 40000})), 2.0 * pi * pi * 0.16, 3e-3);
}

TEST(SelfIntersections, AreNoneInGoodMeshes) {
  EXPECT_TRUE(self_intersections(parse_obj(tetrahedron, "file")).empty());
  EXPECT_TRUE(self_intersections(grid({.rows = 20, .columns = 20})).empty());
  EXPECT_TRUE(self_intersections(torus({})).empty());
}

std::vector<Edge> of(const std::string& text) {
  return self_intersections(parse_obj(text, "file"));
}

TEST(SelfIntersections, AreSeenHoweverTrianglesMeet) {
  const std::string flat = "v 0 0 0\nv 4 0 0\nv 0 4 0\n";
  const std::vector<Edge> one = {{0, 1}};
  EXPECT_EQ(of(flat + "v 1 1 -1\nv 1 1 1\nv 3 3 1\nf 1 2 3\nf 4 5 6\n"), one);       // Pierced.
  EXPECT_TRUE(of(flat + "v 3 3 -1\nv 3 3 1\nv 5 5 1\nf 1 2 3\nf 4 5 6\n").empty());  // Passed by.
  EXPECT_EQ(of(flat + "v 1 1 -1\nv 1 2 1\nf 1 2 3\nf 1 4 5\n"), one);  // With a corner in common.
  EXPECT_TRUE(of(flat + "v -1 -1 -1\nv -1 -2 1\nf 1 2 3\nf 1 4 5\n").empty());
  EXPECT_EQ(of(flat + "v 1 1 0\nv 5 1 0\nv 1 5 0\nf 1 2 3\nf 4 5 6\n"), one);       // Overlap in one plane.
  EXPECT_TRUE(of(flat + "v 4 4 0\nv 9 4 0\nv 4 9 0\nf 1 2 3\nf 4 5 6\n").empty());  // Beside it in the plane.
  EXPECT_EQ(of(flat + "v 3 3 0\nf 1 2 3\nf 2 1 4\n"), one);  // Folded flat over an edge.
  EXPECT_TRUE(of(flat + "v 3 -3 0\nf 1 2 3\nf 2 1 4\n").empty());
  Mesh twice = parse_obj(flat + "f 1 2 3\n", "file");
  twice.polygons.add(std::array<Index, 3>{2, 1, 0});
  EXPECT_EQ(self_intersections(twice), one);
}

TEST(SelfIntersections, SweepFindsWhatAllPairsFind) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  std::string text;
  for (int t = 0; t < 60; ++t) {
    const double x = 3 * place(random), y = place(random), z = place(random);
    for (int k = 0; k < 3; ++k)
      text += "v " + std::to_string(x + place(random)) + " " + std::to_string(y + place(random)) + " " +
              std::to_string(z + place(random)) + "\n";
  }
  for (int t = 0; t < 60; ++t)
    text += "f " + std::to_string(3 * t + 1) + " " + std::to_string(3 * t + 2) + " " +
            std::to_string(3 * t + 3) + "\n";
  const Mesh mesh = parse_obj(text, "file");
  std::vector<Edge> wanted;
  for (Index a = 0; a < 60; ++a)
    for (Index b = a + 1; b < 60; ++b) {
      Mesh pair;
      pair.vertices = mesh.vertices;
      pair.polygons.add(mesh.polygons[static_cast<std::size_t>(a)]);
      pair.polygons.add(mesh.polygons[static_cast<std::size_t>(b)]);
      if (!self_intersections(pair).empty()) wanted.push_back({a, b});
    }
  EXPECT_GT(wanted.size(), 10U);
  EXPECT_EQ(self_intersections(mesh), wanted);
}

}  // namespace
}  // namespace electret
