#pragma once
/// \file
/// Mutual P2P: the sums of each task, until those of all tasks are complete.
///
/// A pair of near leaves is summed once, by the task of the leaf that comes first in tree order. If the other
/// leaf belongs to a later task, its sums stay with the first task, together per leaf. The later task adds
/// them in the order of tasks. No thread therefore writes another thread's sums, and the order of additions
/// does not depend on the number of threads.

#include <vector>

#include <electret/field/fmm/passes/leaf_sums.hpp>

namespace electret::fmm {

/// The sums of one task. Grows, never shrinks.
template <class T>
class TaskSums {
 public:
  struct LaterLeaf {
    Index leaf = 0, count = 0;
    std::size_t at = 0;         ///< Where the sums of its points begin.
    std::ptrdiff_t exact = -1;  ///< Where its float64 sums begin. -1: there are none.
  };

  /// Clears the sums of the task's own points [begin, end), and forgets all later leaves.
  void start(Index begin, Index end, bool potential, bool products);

  [[nodiscard]] bool owns(Index point) const { return point < end_; }
  /// The sums of own points from `point`.
  LeafSums<T> of_own(Index point) {
    return sums_from(own_, static_cast<std::size_t>(point - begin_), potential_, products_);
  }
  /// Makes room for a leaf of a later task, filled with zeros. Returns the leaf's number here.
  std::size_t add_later(Index leaf, Index count);
  LeafSums<T> of_later(std::size_t number);

  /// Additional sums in float64, for the few pairs that need them: of own points from `point`, or of a later
  /// leaf.
  PointSums* exact_of_own(Index point);
  PointSums* exact_of_later(std::size_t number);
  [[nodiscard]] bool has_exact() const { return has_exact_; }

  [[nodiscard]] const std::vector<LaterLeaf>& later_leaves() const { return leaves_; }

 private:
  [[nodiscard]] static std::size_t room_for(Index count) {
    return (static_cast<std::size_t>(count) + max_lanes - 1) / max_lanes * max_lanes;
  }

  Index begin_ = 0, end_ = 0;
  bool potential_ = false, products_ = false;
  LeafArrays<T> own_;
  std::vector<T> later_;  ///< Per leaf one sum after another, each in whole registers of the widest kind.
  std::size_t later_count_ = 0;
  std::vector<LaterLeaf> leaves_;
  bool has_exact_ = false;
  std::vector<PointSums> exact_own_, exact_later_;
};

/// The sums of all tasks.
template <class T>
class MutualSums {
 public:
  /// Makes one TaskSums per task of the tree. Their contents are undefined.
  void start(const Tree& tree);
  TaskSums<T>& of_task(Index task) { return tasks_[static_cast<std::size_t>(task)]; }

  /// Finds for each leaf the sums that earlier tasks keep for it. Call it once all tasks are summed.
  void connect(const Tree& tree);
  /// Stores the sums of a task's points. Several tasks may do so at the same time.
  void store(Index task, const Tree& tree, const MutualKernels<T>& kernels, Workspace<T>& work,
             const Store& store);

 private:
  /// A leaf's sums in an earlier task, and the next such part (-1: none).
  struct Part {
    Index task = 0;
    std::size_t number = 0;
    Index next = -1;
  };
  void put_leaf(Index task, Index leaf, const Tree& tree, const MutualKernels<T>& kernels, Workspace<T>& work,
                const Store& store);

  std::vector<TaskSums<T>> tasks_;
  std::vector<Part> parts_;
  std::vector<Index> first_part_;  ///< Per cell. -1: none.
};

extern template class TaskSums<float>;
extern template class TaskSums<double>;
extern template class MutualSums<float>;
extern template class MutualSums<double>;

}  // namespace electret::fmm
