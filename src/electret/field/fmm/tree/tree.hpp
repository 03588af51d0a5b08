#pragma once
/// \file
/// A tree of cells over points in Morton order.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <electret/field/fmm/tree/box.hpp>
#include <electret/field/fmm/tree/cutting.hpp>
#include <electret/field/fmm/tree/morton.hpp>

namespace electret::fmm {

/// A task: siblings side by side with all that is below them, points [begin, end).
struct Subtree {
  Index begin = 0, end = 0;
  Index above = -1;  ///< Where in upper() their parent stands; -1: the root is the task.
  std::vector<std::pair<Index, Index>> levels;  ///< Cells [first, second) a level, the siblings' first.
};

/// Cells over points in Morton order: those above all tasks and the tasks' first ones level by level, then
/// each task's others, level by level, too. A level's cells are in Morton order, and siblings side by side.
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
  /// What a task's cells are cut from and into, its first ones in front, by numbers of its own.
  struct Piece {
    CellList list;
    std::vector<Index> level_ends;
    Index first = 0, family = 0;  ///< Where in the tree the others begin, and their families.
  };

  void sort(VectorView points, double scale, const MortonFrame& frame, Threads& threads);
  void cut(int bits, Index leaf_size, Threads& threads);
  static void cut_below(const Subtree& task, const CellList& top, const CellCutter& cutter, Piece& piece);
  void place(Subtree& task, const Piece& piece);
  [[nodiscard]] VectorView points_of(const Cell& cell) const {
    return VectorView(points_).subspan(static_cast<std::size_t>(cell.begin),
                                       static_cast<std::size_t>(cell.count()));
  }
  void find_ball(Index cell);
  void find_balls(Threads& threads);
  void find_tasks(Index most);
  void share_out(Index upper, Index most);
  void add_task(Index first, Index last, Index above);

  MortonOrder morton_;
  VectorArray points_;
  std::vector<Index> order_;
  std::vector<std::uint32_t> keys_;
  std::vector<Cell> cells_;
  CellList top_;               ///< The cells above all tasks and the tasks' first ones.
  std::vector<Piece> pieces_;  ///< By task. Grows, never shrinks.
  std::vector<Box> boxes_;
  std::vector<BallBlock> families_;
  std::vector<Upper> upper_;
  std::vector<Subtree> subtrees_;  ///< Grows, never shrinks.
  std::size_t task_count_ = 0;
};

}  // namespace electret::fmm
