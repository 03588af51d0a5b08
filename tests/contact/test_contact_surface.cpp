// The parts of surfaces: each once, in one order, whatever the order in which they are given.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <electret/contact/contact_surface.hpp>
#include <electret/contact/flat_edges.hpp>
#include <electret/contact/surface_pair.hpp>
#include <electret/core/errors.hpp>

namespace electret::test {
namespace {

ContactSurface surface_of(std::vector<Triangle> triangles, std::vector<Edge> lines,
                          std::vector<Index> points) {
  const std::vector<Count> offsets{0, 5, 10};
  const VectorArray rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 2, 0},
                         {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 2, 1}};
  std::vector<char> is_free(rest.size(), 1);
  is_free[3] = 0;
  return ContactSurface({triangles, lines, points}, offsets, rest, is_free);
}

TEST(ContactSurface, HasEachPartOnceInOneOrder) {
  const ContactSurface surface = surface_of(
      {{7, 5, 6}, {3, 2, 1}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}, {0, 1, 1}}, {{8, 7}, {7, 8}, {6, 5}}, {9, 5});
  EXPECT_EQ(std::vector(surface.triangles().begin(), surface.triangles().end()),
            (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}, {5, 6, 7}}));
  EXPECT_EQ(std::vector(surface.edges().begin(), surface.edges().end()),
            (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {5, 6}, {5, 7}, {6, 7}, {7, 8}}));
  EXPECT_EQ(std::vector(surface.vertices().begin(), surface.vertices().end()),
            (std::vector<Index>{0, 1, 2, 3, 5, 6, 7, 8, 9}));
  EXPECT_EQ(surface.body_count(), 2U);
  EXPECT_EQ(surface.body(4), 0U);
  EXPECT_EQ(surface.body(5), 1U);
  EXPECT_TRUE(surface.is_free(2));
  EXPECT_FALSE(surface.is_free(3));
  EXPECT_EQ(surface.rest_positions()[9], (Vec3{2, 2, 1}));
  EXPECT_TRUE(surface.is_flat({1, 2}));
  EXPECT_FALSE(surface.is_flat({0, 1}));
  EXPECT_FALSE(surface.is_flat({7, 8}));
}

TEST(ContactSurface, RefusesPartsThatJoinTwoBodies) {
  EXPECT_THROW(surface_of({{3, 4, 5}}, {}, {}), InternalError);
  EXPECT_THROW(surface_of({}, {{4, 5}}, {}), InternalError);
}

/// Two triangles at an edge, the second one bent by so many degrees.
std::vector<char> flatness(double degrees, bool has_other_sense) {
  const double bend = degrees * 3.14159265358979323846 / 180.0;
  const VectorArray rest{{0, 0, 0}, {0, 1, 0}, {-1, 0.3, 0}, {std::cos(bend), 0.7, std::sin(bend)}};
  const std::vector<Triangle> triangles{{0, 1, 2}, has_other_sense ? Triangle{0, 1, 3} : Triangle{0, 3, 1}};
  const std::vector<Edge> edges{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}};
  return flat_edges(triangles, edges, rest);
}

TEST(FlatEdges, AreThoseAcrossWhichASurfaceGoesOn) {
  const std::vector<char> inner_is_flat{1, 0, 0, 0, 0}, none(5, 0);
  for (const bool has_other_sense : {false, true}) {
    for (const double degrees : {0.0, 9.0, -9.0})
      EXPECT_EQ(flatness(degrees, has_other_sense), inner_is_flat);
    for (const double degrees : {11.0, -11.0, 90.0, -90.0, 175.0, 180.0})
      EXPECT_EQ(flatness(degrees, has_other_sense), none) << degrees;
  }
}

TEST(FlatEdges, HaveTwoTrianglesWithAreas) {
  const VectorArray rest{{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0.5, 0}, {0, 0, 1}};
  const std::vector<Edge> edge{{0, 1}};
  const auto is_flat = [&](const std::vector<Triangle>& triangles) {
    std::vector<Edge> edges;
    for (const Triangle& t : triangles)
      for (std::size_t k = 0; k < 3; ++k)
        edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return flat_edges(triangles, edges, rest)[0] != 0;
  };
  EXPECT_TRUE(is_flat({{0, 1, 2}, {0, 1, 3}}));
  EXPECT_FALSE(is_flat({{0, 1, 2}}));
  EXPECT_FALSE(is_flat({{0, 1, 2}, {0, 1, 3}, {0, 1, 5}}));
  EXPECT_FALSE(is_flat({{0, 1, 2}, {0, 1, 4}}));
}

TEST(SurfacePair, ComesByKindThenByVertices) {
  const SurfacePair a{PairKind::vertex_triangle, {9, 1, 2, 3}}, b{PairKind::edge_edge, {0, 1, 2, 3}},
      c{PairKind::edge_edge, {0, 1, 2, 4}};
  EXPECT_LT(a, b);
  EXPECT_LT(b, c);
  EXPECT_EQ(a, a);
  EXPECT_NE(b, c);
}

}  // namespace
}  // namespace electret::test
