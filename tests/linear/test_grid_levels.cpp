// Background grids: what takes part, affine fields, and the first cell.

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/linear/grid_levels.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

TEST(Grid, InterpolatesAffineFieldsExactly) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  GridPoints points;
  for (Index i = 0; i < 400; ++i) {
    points.places.push_back({uniform(random), uniform(random), i % 2 == 0 ? 0.0 : uniform(random)});
    points.bodies.push_back(i % 7 == 6 ? -1 : i % 2);
  }
  points.places[0] = {0.0, 1.0, 0.0};
  points.places[1] = {1.0, 1.0, 1.0};
  const std::vector<GridCells> cells{{4, 3, 0}, {2, 5, 1}};
  const Grid grid = make_grid(points, cells);
  EXPECT_EQ(grid.interpolation.columns, 5 * 4 + 3 * 6 * 2);
  const auto affine = [](const Vec3& x) { return 0.3 + 2.0 * x.x - 1.5 * x.y + 0.7 * x.z; };
  const GridInterpolation& p = grid.interpolation;
  for (Index i = 0; i < p.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double value = 0.0, sum = 0.0;
    for (auto q = static_cast<std::size_t>(p.offsets[at]); q < static_cast<std::size_t>(p.offsets[at + 1]);
         ++q) {
      const auto node = static_cast<std::size_t>(p.nodes[q]);
      EXPECT_EQ(grid.nodes.bodies[node], points.bodies[at]);
      EXPECT_GT(p.weights[q], 0.0F);
      value += p.weights[q] * affine(grid.nodes.places[node]);
      sum += p.weights[q];
    }
    EXPECT_NEAR(sum, points.bodies[at] < 0 ? 0.0 : 1.0, 1e-6);
    EXPECT_NEAR(value, points.bodies[at] < 0 ? 0.0 : affine(points.places[at]), 1e-5);
  }
}

TEST(Grid, LeavesOutNodesWithoutWeight) {
  GridPoints points{{{0.1, 0.1, 0.1}, {0.9, 0.9, 0.9}, {1.0, 0.0, 0.5}}, {0, 0, 0}};
  const std::vector<GridCells> cells{{10, 10, 10}};
  const Grid grid = make_grid(points, cells);
  EXPECT_EQ(grid.nodes.size(), 3) << "points on nodes have one weight each";
  for (const float w : grid.interpolation.weights) EXPECT_EQ(w, 1.0F);
}

TEST(GridLevels, TakeWhatIsFreeAndHasNeighbours) {
  for (const Network& network : networks()) {
    const BlockPattern pattern = network.pattern();
    const std::vector<char> held = network.held();
    const GridLevels grids(pattern, network.rest, network.body_offsets, held);
    if (network.size() <= GridLevels::coarsest_nodes) {
      EXPECT_EQ(grids.levels(), 1) << network.name;
      continue;
    }
    ASSERT_GE(grids.levels(), 2) << network.name;
    EXPECT_LE(grids.pattern(grids.levels() - 1).rows(), GridLevels::coarsest_nodes) << network.name;
    for (int level = 0; level + 1 < grids.levels(); ++level) {
      const GridInterpolation& p = grids.interpolation(level);
      EXPECT_EQ(p.rows, grids.pattern(level).rows());
      EXPECT_EQ(p.columns, grids.pattern(level + 1).rows());
      for (std::size_t i = 0; i < static_cast<std::size_t>(p.rows); ++i) {
        double sum = 0.0;
        for (Count q = p.offsets[i]; q < p.offsets[i + 1]; ++q) sum += p.weights[static_cast<std::size_t>(q)];
        const bool alone =
            pattern.offsets()[level == 0 ? i + 1 : 1] - pattern.offsets()[level == 0 ? i : 0] == 1;
        EXPECT_NEAR(sum, level == 0 && (held[i] || alone) ? 0.0 : 1.0, 1e-6) << network.name << i;
      }
      for (const Count count : p.column_offsets) EXPECT_LE(count, static_cast<Count>(p.nodes.size()));
      for (std::size_t c = 0; c < static_cast<std::size_t>(p.columns); ++c)
        EXPECT_LT(p.column_offsets[c], p.column_offsets[c + 1]) << "a node without weight";
    }
  }
}

TEST(GridLevels, CellsGrowUntilTheCoarseMatrixIsSmall) {
  const Network sheet = lattice(40, 40, 1), solid = lattice(14, 14, 14);
  for (const Network& network : {sheet, solid}) {
    const BlockPattern pattern = network.pattern();
    const GridLevels grids(pattern, network.rest, network.body_offsets, {});
    EXPECT_LE(4 * grids.pattern(1).blocks(), pattern.blocks()) << network.name;
    EXPECT_EQ(grids.cell(), network.rest.back().z == 0.0 ? 3.0 : 2.5) << network.name;
  }
}

TEST(GridLevels, RejectWhatDoesNotFit) {
  const Network network = lattice(3, 3, 3);
  const BlockPattern pattern = network.pattern();
  const VectorArray few(5);
  const std::vector<char> marks(5);
  const std::vector<Index> all{0, 27}, descending{0, 20, 10, 27}, short_of{0, 26}, none;
  EXPECT_THROW(GridLevels(pattern, few, all, {}), InternalError);
  EXPECT_THROW(GridLevels(pattern, network.rest, all, marks), InternalError);
  for (const auto& wrong : {descending, short_of, none})
    EXPECT_THROW(GridLevels(pattern, network.rest, wrong, {}), InternalError);
}

}  // namespace
}  // namespace electret::test
