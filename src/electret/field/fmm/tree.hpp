#pragma once
/// \file
/// A tree of cells over points in Morton order.

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/field/fmm/acceptance_task.hpp>
#include <electret/field/fmm/morton.hpp>

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

/// Corners of a box along the axes.
struct Box {
  Vec3 low, high;
};

/// The box of both, and of points (of none: one point at the origin).
Box united(const Box& a, const Box& b);
Box bounds(VectorView points, Threads& threads);

/// A task: siblings side by side with all that is below them, points [begin, end).
struct Subtree {
  Index begin = 0, end = 0;
  Index above = -1;  ///< Where in upper() their parent stands; -1: the root is the task.
  std::vector<std::pair<Index, Index>> levels;  ///< Cells [first, second) a level, the siblings' first.
};

/// Cells in order of levels; a level's cells in Morton order. Cells are cut by up to three bits of the key at
/// once, so that leaves hold between half of and all that they may. Where a key's bits are used up in a crowd
/// the crowd gets keys of its own, cut to its own box: clusters of any ratio of sizes are resolved, and
/// only points at one place share a leaf of any size.
class Tree {
 public:
  /// Sorts points (n×3, m, in `box`), scales them by `scale` (1/m) and builds the cells, which are scaled,
  /// too. A leaf holds up to `leaf_size` points.
  void build(VectorView points, double scale, const Box& box, Index leaf_size, Threads& threads);

  /// Moves the points (in the caller's order) and leaves the cells as they are.
  void move_points(VectorView points, double scale);

  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const Cell& cell(Index number) const { return cells_[static_cast<std::size_t>(number)]; }
  /// The balls of a cell's children; it is no leaf.
  [[nodiscard]] const BallBlock& children_of(const Cell& cell) const {
    return families_[static_cast<std::size_t>(cell.family)];
  }
  /// The point at each place of the tree's order, and its number in the caller's.
  [[nodiscard]] const VectorArray& points() const { return points_; }
  [[nodiscard]] const std::vector<Index>& order() const { return order_; }

  /// The cells above all tasks, level by level: a cell's number and where in this list its parent stands
  /// (-1: nowhere). They and the tasks depend on the tree alone.
  struct Upper {
    Index cell = 0, parent = -1;
  };
  [[nodiscard]] const std::vector<Upper>& upper() const { return upper_; }
  [[nodiscard]] std::span<const Subtree> subtrees() const { return {subtrees_.data(), task_count_}; }

 private:
  void split(Index cell, Index leaf_size);
  void cut(Index begin, Index end, int bits, int depth, Index leaf_size, Index parent);
  bool give_own_keys(Index begin, Index end);
  [[nodiscard]] VectorView points_of(const Cell& cell) const {
    return VectorView(points_).subspan(static_cast<std::size_t>(cell.begin),
                                       static_cast<std::size_t>(cell.count()));
  }
  void find_ball(Index cell);
  void find_balls(Threads& threads);
  void find_tasks();
  void share_out(Index upper, Index most);
  void add_task(Index first, Index last, Index above);

  MortonOrder morton_;
  VectorArray points_;
  std::vector<Index> order_;
  std::vector<std::uint32_t> keys_;
  std::vector<Cell> cells_;
  std::vector<int> bits_;  ///< Of each cell: key bits not used yet.
  std::vector<Box> boxes_;
  std::vector<BallBlock> families_;
  std::vector<Upper> upper_;
  std::vector<Subtree> subtrees_;  ///< Grows, never shrinks.
  std::size_t task_count_ = 0;
  std::vector<std::pair<std::uint64_t, Vec3>> crowd_;
};

}  // namespace electret::fmm
