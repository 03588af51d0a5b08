#pragma once
/// \file
/// The nodes of a tree: cells.

#include <limits>

#include <electret/core/types.hpp>
#include <electret/field/fmm/passes/acceptance_task.hpp>

namespace electret::fmm {

/// The ball around the points [begin, end) in tree order.
struct Cell {
  Vec3 centre;
  double radius = 0.0;
  Index begin = 0, end = 0;
  Index first_child = 0, child_count = 0;  ///< Children are neighbours. A leaf has none.
  Index parent = -1;
  Index family = -1;  ///< The number of its children's family in the tree.

  [[nodiscard]] bool is_leaf() const { return child_count == 0; }
  [[nodiscard]] Index count() const { return end - begin; }
};

/// A cell as the acceptance criterion reads it.
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
