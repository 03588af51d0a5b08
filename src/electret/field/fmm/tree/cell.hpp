#pragma once
/// \file
/// What a tree's nodes are.

#include <limits>

#include <electret/core/types.hpp>
#include <electret/field/fmm/passes/acceptance_task.hpp>

namespace electret::fmm {

/// A ball that holds the points [begin, end) in tree order.
struct Cell {
  Vec3 centre;
  double radius = 0.0;
  Index begin = 0, end = 0;
  Index first_child = 0, child_count = 0;  ///< Children stand side by side; none: a leaf.
  Index parent = -1;
  Index family = -1;  ///< Which of the tree's families its children are.

  [[nodiscard]] bool is_leaf() const { return child_count == 0; }
  [[nodiscard]] Index count() const { return end - begin; }
};

/// A cell as the test of acceptance sees it.
inline CellBall ball_of(const Cell& cell) {
  return {cell.centre.x, cell.centre.y, cell.centre.z, cell.radius,
          cell.is_leaf() ? cell.count() : std::numeric_limits<double>::infinity()};
}
inline void put_ball(const Cell& cell, int lane, BallBlock& block) {
  const CellBall ball = ball_of(cell);
  block.x[lane] = ball.x, block.y[lane] = ball.y, block.z[lane] = ball.z;
  block.radius[lane] = ball.radius, block.leaf_points[lane] = ball.leaf_points;
}

}  // namespace electret::fmm
