#pragma once
/// \file
/// The tree of cells, whose points are in Morton order.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <electret/field/fmm/tree/box.hpp>
#include <electret/field/fmm/tree/cutting.hpp>
#include <electret/field/fmm/tree/morton.hpp>

namespace electret::fmm {

/// A task: neighbouring siblings with all cells below them. Their points are [begin, end).
struct Subtree {
  Index begin = 0, end = 0;
  Index above = -1;  ///< The place of their parent in upper(). -1: the root itself is the task.
  std::vector<std::pair<Index, Index>>
      levels;  ///< Per level, the cells [first, second). The siblings' level comes first.
};

/// Cells over points in Morton order. First come the cells above all tasks and the tasks' top cells, level by
/// level. Then come each task's other cells, also level by level. Each level is in Morton order, and siblings
/// are neighbours.
class Tree {
 public:
  /// Sorts the points (n×3, m, in `box`), scales them by `scale` (1/m) and builds the cells in scaled
  /// coordinates. A leaf holds up to `leaf_size` points.
  void build(VectorView points, double scale, const Box& box, Index leaf_size, Threads& threads);

  /// Moves the points, given in the caller's order, and leaves the cells as they are.
  void move_points(VectorView points, double scale);

  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] const Cell& cell(Index number) const { return cells_[static_cast<std::size_t>(number)]; }
  /// The balls of a cell's children. The cell must not be a leaf.
  [[nodiscard]] const BallBlock& children_of(const Cell& cell) const {
    return families_[static_cast<std::size_t>(cell.family)];
  }
  /// The points in tree order, and the number of each in the caller's order.
  [[nodiscard]] const VectorArray& points() const { return points_; }
  [[nodiscard]] const std::vector<Index>& order() const { return order_; }

  /// The cells above all tasks, level by level: a cell's number, and the place of its parent in this list
  /// (-1: none). Neither these cells nor the tasks depend on the number of threads.
  struct Upper {
    Index cell = 0, parent = -1;
  };
  [[nodiscard]] const std::vector<Upper>& upper() const { return upper_; }
  [[nodiscard]] std::span<const Subtree> subtrees() const { return {subtrees_.data(), task_count_}; }

 private:
  /// The cells of one task while it is cut, with numbers of their own. The task's top cells come first.
  struct Piece {
    CellList list;
    std::vector<Index> level_ends;
    Index first = 0,
          family = 0;  ///< The numbers in the tree at which the other cells and their families begin.
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
  CellList top_;               ///< The cells above all tasks, and the tasks' top cells.
  std::vector<Piece> pieces_;  ///< Per task. Grows, never shrinks.
  std::vector<Box> boxes_;
  std::vector<BallBlock> families_;
  std::vector<Upper> upper_;
  std::vector<Subtree> subtrees_;  ///< Grows, never shrinks.
  std::size_t task_count_ = 0;
};

}  // namespace electret::fmm
