#include <algorithm>
#include <array>
#include <ctime>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/geometry/generators/grid.hpp>
#include <electret/geometry/generators/lattice.hpp>
#include <electret/geometry/generators/torus.hpp>
#include <electret/geometry/obj.hpp>
#include <electret/geometry/springs.hpp>

namespace electret {
namespace {

using ::testing::ElementsAre;

const std::string six = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\n";

/// Each point's k nearest by sorting all of them.
std::vector<Edge> nearest_by_sorting(VectorView points, std::size_t k) {
  std::set<Edge> pairs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t j = 0; j < points.size(); ++j)
      if (j != i) others.emplace_back(squared_norm(points[i] - points[j]), j);
    std::sort(others.begin(), others.end());
    for (std::size_t m = 0; m < std::min(k, others.size()); ++m) {
      const std::size_t j = others[m].second;
      pairs.insert({static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))});
    }
  }
  return {pairs.begin(), pairs.end()};
}

TEST(Edges, ArePolygonSidesAndLinesEachOnce) {
  const Mesh mesh = parse_obj(six + "f 1 2 5 4\nf 3 2 5 6\nl 4 1 6\nl 6 1\n", "file");
  EXPECT_THAT(edges(mesh), ElementsAre(Edge{0, 1}, Edge{0, 3}, Edge{0, 5}, Edge{1, 2}, Edge{1, 4}, Edge{2, 5},
                                       Edge{3, 4}, Edge{4, 5}));
}

TEST(Diagonals, AreBothOfEachQuadAndOfNothingElse) {
  const Mesh mesh = parse_obj(six + "f 1 2 5 4\nf 2 3 6\nf 1 3 5 6\n", "file");
  EXPECT_THAT(diagonals(mesh), ElementsAre(Edge{0, 4}, Edge{1, 3}, Edge{2, 5}));
}

TEST(Bending, JoinsTheVerticesOppositeAnEdgeOfTwoTriangles) {
  EXPECT_THAT(bending(parse_obj(six + "f 1 2 5\nf 1 5 4\n", "file")), ElementsAre(Edge{1, 3}));
  // The same whatever the triangles' orientation.
  EXPECT_THAT(bending(parse_obj(six + "f 1 2 5\nf 5 1 4\n", "file")), ElementsAre(Edge{1, 3}));
  EXPECT_THAT(bending(parse_obj(six + "f 1 2 5\nf 1 4 5\n", "file")), ElementsAre(Edge{1, 3}));
}

TEST(Bending, JoinsStraightAcrossAnEdgeOfTwoQuads) {
  const std::vector<Edge> wanted = {{0, 2}, {3, 5}};
  EXPECT_EQ(bending(parse_obj(six + "f 1 2 5 4\nf 2 3 6 5\n", "file")), wanted);
  EXPECT_EQ(bending(parse_obj(six + "f 4 5 2 1\nf 2 3 6 5\n", "file")), wanted);
}

TEST(Bending, LeavesOutRimsOtherPolygonsAndEdgesOfThree) {
  EXPECT_TRUE(bending(parse_obj(six + "f 1 2 5\n", "file")).empty());
  EXPECT_TRUE(bending(parse_obj(six + "f 1 2 5 4\nf 2 3 5\n", "file")).empty());
  EXPECT_TRUE(bending(parse_obj(six + "f 1 2 3\nf 1 2 4\nf 1 2 5\n", "file")).empty());
  EXPECT_TRUE(bending(parse_obj(six + "f 1 2 3 4 5\nf 1 2 6 5 4\n", "file")).empty());
  // Two faces of one triangle: its own vertex is opposite.
  Mesh twice = parse_obj(six + "f 1 2 5\n", "file");
  twice.polygons.add(std::array<Index, 3>{4, 1, 0});
  EXPECT_TRUE(bending(twice).empty());
}

TEST(Bending, OfAGridIsSecondNeighboursAlongRowsAndColumns) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<Count, Count>>{{2, 2}, {2, 5}, {5, 2}, {4, 6}, {3, 3}}) {
    const Mesh mesh = grid({.rows = rows, .columns = columns});
    std::set<Edge> wanted;
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) {
        const auto at = [c = static_cast<Index>(columns)](Index row, Index column) {
          return row * c + column;
        };
        if (j + 2 < columns) wanted.insert({at(i, j), at(i, j + 2)});
        if (i + 2 < rows) wanted.insert({at(i, j), at(i + 2, j)});
      }
    EXPECT_EQ(bending(mesh), std::vector<Edge>(wanted.begin(), wanted.end())) << rows << "×" << columns;
  }
}

TEST(Bending, OfATorusIsSecondNeighboursRoundBothCircles) {
  const Mesh mesh = torus({});  // 29 rings of 5
  std::set<Edge> wanted;
  for (Index ring = 0; ring < 29; ++ring)
    for (Index k = 0; k < 5; ++k) {
      const Index here = ring * 5 + k, along = ring * 5 + (k + 2) % 5, around = (ring + 2) % 29 * 5 + k;
      wanted.insert({std::min(here, along), std::max(here, along)});
      wanted.insert({std::min(here, around), std::max(here, around)});
    }
  EXPECT_EQ(bending(mesh), std::vector<Edge>(wanted.begin(), wanted.end()));
}

TEST(Nearest, AgreesWithSortingOnRandomPoints) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  for (const std::size_t n : {2U, 3U, 10U, 57U, 400U}) {
    VectorArray points(n);
    for (Vec3& point : points) point = {place(random), place(random), place(random)};
    for (const std::size_t k : {1U, 2U, 6U, 20U, 1000U})
      EXPECT_EQ(nearest(points, static_cast<Count>(k)), nearest_by_sorting(points, k))
          << n << " points, k = " << k;
  }
}

TEST(Nearest, GivesTiesToTheLowerIndex) {
  // A lattice with a spacing that is no power of two: distances tie, or miss it by rounding.
  const Mesh mesh = lattice({.nx = 6, .ny = 5, .nz = 4, .spacing = 0.1});
  for (const Count k : {1, 3, 6, 7, 12, 18})
    EXPECT_EQ(nearest(mesh.vertices, k), nearest_by_sorting(mesh.vertices, static_cast<std::size_t>(k))) << k;
  const VectorArray square = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_THAT(nearest(square, 1), ElementsAre(Edge{0, 1}, Edge{0, 2}, Edge{1, 3}));
}

TEST(Nearest, HandlesPointsThatCoincide) {
  std::mt19937_64 random(3);
  VectorArray points;
  for (int i = 0; i < 300; ++i)
    points.push_back({static_cast<double>(random() % 3), static_cast<double>(random() % 3), 0.0});
  for (const Count k : {1, 5, 40})
    EXPECT_EQ(nearest(points, k), nearest_by_sorting(points, static_cast<std::size_t>(k))) << k;
  const VectorArray same(50, Vec3{0.1, 0.2, 0.3});
  EXPECT_EQ(nearest(same, 3), nearest_by_sorting(same, 3));
  VectorArray signed_zeros(20, Vec3{0.0, 1.0, -0.0});
  for (std::size_t i = 0; i < 20; i += 3) signed_zeros[i] = {-0.0, 1.0, 0.0};
  for (std::size_t i = 1; i < 20; i += 3) signed_zeros[i] = {1e-200, 1.0, 0.0};  // its square is 0
  EXPECT_EQ(nearest(signed_zeros, 4), nearest_by_sorting(signed_zeros, 4));
}

/// A search whose cost is quadratic takes more than a minute here.
TEST(Nearest, IsAsFastWherePointsCoincide) {
  VectorArray points(100000, Vec3{0.1, 0.2, 0.3});
  for (std::size_t i = 0; i < points.size(); i += 2) points[i] = {0.4, 0.5, static_cast<double>(i % 8)};
  const std::clock_t start = std::clock();
  EXPECT_GT(nearest(points, 1).size(), points.size() / 2);
  EXPECT_GT(nearest(points, 6).size(), 5 * points.size());
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 10.0);
}

TEST(Nearest, OfFewPointsIsAllOfThem) {
  EXPECT_TRUE(nearest({}, 3).empty());
  EXPECT_TRUE(nearest(VectorArray(1), 3).empty());
  EXPECT_THAT(nearest(VectorArray{{0, 0, 0}, {1, 0, 0}}, 3), ElementsAre(Edge{0, 1}));
  EXPECT_THROW(nearest(VectorArray(4), 0), std::invalid_argument);
}

}  // namespace
}  // namespace electret
