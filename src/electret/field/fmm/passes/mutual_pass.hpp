#pragma once
/// \file
/// The last pass, L2P and mutual P2P, if the targets are the charges and z is the charges' own vectors. Each
/// near pair is computed once, for both sides.

#include <electret/field/fmm/passes/leaf_input.hpp>
#include <electret/field/fmm/passes/mutual_sums.hpp>

namespace electret::fmm {

template <class T>
class MutualPass {
 public:
  explicit MutualPass(const LeafInput<T>& in) : in_(in) {}

  /// Adds to the task's sums: the leaf's locals, its own pairs, and its pairs with near leaves, which all
  /// come later in tree order. Returns the number of coincident pairs that are left out.
  Count sum(const NearList& list, Workspace<T>& work, TaskSums<T>& sums) const;

 private:
  using Kernel = T (*)(const NearTask<T>&);
  /// Sums one part of the near sources by one kernel. If a pair is closer than `least` (ρ²), it sums nothing
  /// and returns false.
  bool add_part(Index leaf, const NearPart& part, Kernel kernel, double least, Workspace<T>& work,
                NearTask<T>& task, TaskSums<T>& sums) const;
  Count add_near(const NearList& list, Workspace<T>& work, NearTask<T>& task, TaskSums<T>& sums) const;
  void spread_columns(const NearPart& part, std::size_t at, Workspace<T>& work, TaskSums<T>& sums) const;
  T sum_blocks(const NearTask<T>& task, Kernel kernel, Workspace<T>& work) const;
  static std::size_t later_number(const NearRange& range, Workspace<T>& work, TaskSums<T>& sums);
  Count add_exactly(Index leaf, const NearPart& part, Workspace<T>& work, TaskSums<T>& sums) const;

  const LeafInput<T>& in_;
};

extern template class MutualPass<float>;
extern template class MutualPass<double>;

}  // namespace electret::fmm
