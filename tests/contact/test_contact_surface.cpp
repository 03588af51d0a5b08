// The parts of surfaces: each once, in one order, whatever the order in which they are given.

#include <gtest/gtest.h>

#include <electret/contact/contact_surface.hpp>
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
}

TEST(ContactSurface, RefusesPartsThatJoinTwoBodies) {
  EXPECT_THROW(surface_of({{3, 4, 5}}, {}, {}), InternalError);
  EXPECT_THROW(surface_of({}, {{4, 5}}, {}), InternalError);
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
