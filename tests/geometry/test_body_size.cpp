#include <cmath>

#include <gtest/gtest.h>

#include <electret/geometry/body_size.hpp>

namespace electret::test {
namespace {

/// Bodies one after the other: a tetrahedron with right angles, two triangles that share a side, a chain, a
/// cloud, and a single point.
struct Bodies {
  VectorArray positions{{0, 0, 0},  {2, 0, 0},  {0, 2, 0},  {0, 0, 2},   // 0: sides 2 and √8
                        {0, 0, 9},  {3, 0, 9},  {3, 4, 9},  {0, 4, 9},   // 1: sides 3, 4 and the diagonal 5
                        {-1, 0, 0}, {-1, 1, 0}, {-1, 1, 5},              // 2: links of 1 and 5
                        {10, 0, 0}, {11, 0, 0}, {10, 3, 0}, {20, 0, 0},  // 3: nearest at 1, 3 and 9
                        {7, 7, 7}};
  std::vector<Count> offsets{0, 4, 8, 11, 15, 16};
  JoinedParts parts{{{0, 1, 2, 3}}, {}, {{0, 1, 2}, {4, 5, 6}, {4, 6, 7}}, {{0, 3}, {4, 5}, {8, 9}, {9, 10}}};
};

TEST(BodySize, IsThatOfTheSmallestBoxAndOfTheFinestEdgesABodyHas) {
  const Bodies bodies;
  const auto sizes = body_sizes(bodies.positions, bodies.offsets, bodies.parts);
  ASSERT_EQ(sizes.size(), 5U);
  const double root8 = std::sqrt(8.0);
  EXPECT_EQ(sizes[0].extent, (Vec3{2, 2, 2}));
  EXPECT_EQ(sizes[0].shortest, 2.0);
  EXPECT_DOUBLE_EQ(sizes[0].mean, (3 * 2.0 + 3 * root8) / 6);
  EXPECT_EQ(sizes[1].extent, (Vec3{3, 4, 0}));
  EXPECT_EQ(sizes[1].shortest, 3.0);
  EXPECT_DOUBLE_EQ(sizes[1].mean, (3 + 4 + 5 + 4 + 3) / 5.0);  // the shared side once
  EXPECT_EQ(sizes[2].extent, (Vec3{0, 1, 5}));
  EXPECT_EQ(sizes[2].shortest, 1.0);
  EXPECT_DOUBLE_EQ(sizes[2].mean, 3.0);
  EXPECT_TRUE(sizes[3].is_cloud);
  EXPECT_EQ(sizes[3].extent, (Vec3{10, 3, 0}));
  EXPECT_EQ(sizes[3].shortest, 1.0);
  EXPECT_DOUBLE_EQ(sizes[3].mean, (1 + 3 + 9) / 3.0);
  EXPECT_EQ(sizes[4].extent, (Vec3{}));
  EXPECT_EQ(sizes[4].shortest, 0.0);
  EXPECT_EQ(sizes[4].mean, 0.0);
  for (const std::size_t b : {0U, 1U, 2U}) EXPECT_FALSE(sizes[b].is_cloud) << b;
}

TEST(BodySize, HexahedraHaveTwelveEdges) {
  VectorArray brick;
  for (const double z : {0.0, 3.0})
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 2.0}, {0.0, 2.0}})
      brick.push_back({x, y, z});
  JoinedParts parts;
  parts.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
  const std::vector<Count> offsets{0, 8};
  const BodySize size = body_sizes(brick, offsets, parts).at(0);
  EXPECT_EQ(size.extent, (Vec3{1, 2, 3}));
  EXPECT_EQ(size.shortest, 1.0);
  EXPECT_DOUBLE_EQ(size.mean, 2.0);
}

TEST(BodySize, OfNothingIsNothing) {
  EXPECT_TRUE(body_sizes({}, {}, {}).empty());
  const std::vector<Count> one{0};
  EXPECT_TRUE(body_sizes({}, one, {}).empty());
}

}  // namespace
}  // namespace electret::test
