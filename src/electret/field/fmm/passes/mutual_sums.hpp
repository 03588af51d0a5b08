#pragma once
/// \file
/// What mutual P2P leaves at the tasks until all of its sums are there.
///
/// A pair of near leaves is summed once, by the task of the one that comes first in the tree's order. What it
/// does to leaves of later tasks is kept with the task, a leaf's together, and added by the later task in the
/// order of tasks: no thread writes another's numbers, and their order does not depend on threads.

#include <vector>

#include <electret/field/fmm/passes/leaf_sums.hpp>

namespace electret::fmm {

/// The sums of one task. Grows, never shrinks.
template <class T>
class TaskSums {
 public:
  struct LaterLeaf {
    Index leaf = 0, count = 0;
    std::size_t at = 0;         ///< Where its points' sums lie.
    std::ptrdiff_t exact = -1;  ///< Where those in float64 lie; -1: there are none.
  };

  /// Zeros at the points [begin, end), the task's own, and nothing at later leaves.
  void start(Index begin, Index end, bool potential, bool products);

  [[nodiscard]] bool owns(Index point) const { return point < end_; }
  /// The sums from an own point on.
  LeafSums<T> of_own(Index point) {
    return sums_from(own_, static_cast<std::size_t>(point - begin_), potential_, products_);
  }
  /// Makes room for a later leaf, where zeros are. Returns its number.
  std::size_t add_later(Index leaf, Index count);
  LeafSums<T> of_later(std::size_t number);

  /// Sums in float64 besides the others, for the few pairs that need it: from an own point on, or of a later
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
  std::vector<T> later_;  ///< A leaf's sums one after the other, each in whole registers of the widest kind.
  std::size_t later_count_ = 0;
  std::vector<LaterLeaf> leaves_;
  bool has_exact_ = false;
  std::vector<PointSums> exact_own_, exact_later_;
};

/// The sums of all tasks.
template <class T>
class MutualSums {
 public:
  /// For the tree's tasks. What they hold is not defined.
  void start(const Tree& tree);
  TaskSums<T>& of_task(Index task) { return tasks_[static_cast<std::size_t>(task)]; }

  /// Once all tasks are summed: finds for each leaf what earlier tasks have for it.
  void connect(const Tree& tree);
  /// Stores the sums of a task's points. Tasks may do so at the same time.
  void store(Index task, const Tree& tree, const MutualKernels<T>& kernels, Workspace<T>& work,
             const Store& store);

 private:
  /// A leaf's sums at an earlier task, and the next such (-1: none).
  struct Part {
    Index task = 0;
    std::size_t number = 0;
    Index next = -1;
  };
  void put_leaf(Index task, Index leaf, const Tree& tree, const MutualKernels<T>& kernels, Workspace<T>& work,
                const Store& store);

  std::vector<TaskSums<T>> tasks_;
  std::vector<Part> parts_;
  std::vector<Index> first_part_;  ///< By cell; -1: none.
};

extern template class TaskSums<float>;
extern template class TaskSums<double>;
extern template class MutualSums<float>;
extern template class MutualSums<double>;

}  // namespace electret::fmm
